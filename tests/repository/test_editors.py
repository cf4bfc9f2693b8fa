"""Files for editors, hooks and code hosts agree with the language and the commands."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from editors import textmate, vim
from rulebook.parse.grammar import keywords
from workbench.cli import main

ROOT = Path(__file__).parents[2]
VSCODE = ROOT / "editors" / "vscode"


def patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns that match whole texts, by number and name."""
    listed = textmate.grammar()["repository"]
    return {
        f"{number} {each.get('name', '')}": re.compile(each["match"])
        for number, each in enumerate(x for y in listed.values() for x in y["patterns"])
        if "match" in each
    }


@pytest.mark.parametrize("made", [textmate, vim], ids=["textmate", "vim"])
def test_syntax_files_are_generated_from_the_grammar(
    made: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file in the repository is current, and `--check` reports one that is not."""
    assert made.main(["--check"]) == 0
    other = tmp_path / "colours"
    other.write_text(made.text().replace("chooses", "picks"), encoding="utf-8")
    monkeypatch.setattr(made, "FILE", other)

    assert made.main(["--check"]) == 1
    assert made.main([]) == 0
    assert made.main(["--check"]) == 0


SHOW = """set runtimepath^={root}/editors/vim
filetype plugin on
syntax on
edit {root}/examples/first/first.rules
let shown = []
for number in range(1, line('$'))
  let columns = range(1, len(getline(number)))
  let names = map(columns, 'synIDattr(synID(number, v:val, 1), "name")')
  call add(shown, join(names))
endfor
call writefile(shown, 'shown.txt')
quitall!
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no Neovim here")
def test_vim_colours_a_game(tmp_path: Path) -> None:
    """Neovim loads the syntax file and assigns the expected groups to a game."""
    (tmp_path / "show.vim").write_text(SHOW.replace("{root}", str(ROOT)))

    command = ["nvim", "--headless", "-u", "NONE", "-S", "show.vim"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)

    game = (ROOT / "examples" / "first" / "first.rules").read_text().split("\n")
    shown = (tmp_path / "shown.txt").read_text().split("\n")
    rows = {
        line: dict.fromkeys(names.split())
        for line, names in zip(game, shown, strict=False)
    }
    assert list(rows["  pays hut"]) == ["rulesSentence"]
    assert list(rows["action build_hut(spot)"]) == ["rulesClause", "rulesName"]
    assert list(rows["each player has"]) == ["rulesClause", "rulesWord"]
    needs = '  needs empty: spot has no hut  "somebody has built here already"'
    assert "rulesLabel" in rows[needs]
    assert "rulesText" in rows[needs]


def test_words_have_letters_of_all_languages() -> None:
    r"""VS Code selects whole words; `\w` of JavaScript has only English letters."""
    file = VSCODE / "language-configuration.json"
    pattern = json.loads(file.read_text(encoding="utf-8"))["wordPattern"]
    assert pattern == {"pattern": r"\p{L}[\p{L}\p{N}_]*", "flags": "u"}


def test_every_keyword_is_coloured_where_it_may_stand() -> None:
    """A pattern of the TextMate grammar matches each keyword in some position."""
    known = patterns()
    beginnings = textmate.at_the_start()

    for word in {*textmate.spelled(), *beginnings} - {"the"}:
        text = word.strip(" ,")
        lines = (text, f"  {text} ", f"{text} name", f"x {text} y", f"    {text} x: 1")
        assert any(p.search(line) for p in known.values() for line in lines), word


def test_words_in_the_generator_are_keywords() -> None:
    """Each word that the generator lists by hand is a keyword of the language."""
    known_words = {text.strip() for text in keywords.all_keywords()}
    words = {*textmate.AMENDING, "extends", "words", "needs", "pays", "because"}

    assert words - known_words == set()
    assert set(textmate.constant_words()) == textmate.CONSTANTS


def hooks() -> list[dict[str, str]]:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    listed: list[dict[str, str]] = yaml.safe_load(text)
    return listed


def test_each_hook_runs_a_command_on_rule_files(working_folder: Path) -> None:
    """The hooks of pre-commit select rule files and run commands that exist."""
    main(["new", "shore", "--from", "first"])

    assert len(hooks()) > 1
    for hook in hooks():
        program, *words = hook["entry"].split()
        assert program == "rulebook"
        assert re.search(hook["files"], "rules/shore.rules")
        assert not re.search(hook["files"], "rules/shore.md")
        assert main([*words, "shore.rules"]) == 0, hook["id"]


def commands_of(action: dict[str, object]) -> list[str]:
    jobs = action["jobs"]
    assert isinstance(jobs, dict)
    steps = [step for job in jobs.values() for step in job["steps"]]
    return [step["run"] for step in steps if "run" in step]


def test_the_commands_of_the_action_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every `rulebook` command of the workflow for GitHub exits with status 0."""
    file = ROOT / "editors" / "github" / "rules.yml"
    action = yaml.safe_load(file.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    Path("rules").mkdir()
    monkeypatch.chdir("rules")
    main(["new", "game", "--from", "first"])
    monkeypatch.chdir(tmp_path)

    ours = [line for line in commands_of(action) if line.startswith("rulebook ")]

    assert len(ours) == 3
    for line in ours:
        words = line.replace("*.rules", "game.rules").partition(" > ")[0].split()
        assert main(words[1:]) == 0, line
    assert '"runs"' in capsys.readouterr().out


def test_each_command_of_the_extension_has_its_action() -> None:
    """The commands in `package.json` are those that the extension registers."""
    package = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    source = (VSCODE / "src" / "extension.ts").read_text(encoding="utf-8")

    declared = {each["command"] for each in package["contributes"]["commands"]}
    assert declared == set(re.findall(r'"(rulebook\.\w+)": async', source))


def test_the_palette_has_each_command_for_rules() -> None:
    """A command is in the palette for rule files only; `restart` is for all files."""
    package = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    listed = {it["command"] for it in contributes["menus"]["commandPalette"]}
    declared = {it["command"] for it in contributes["commands"]}
    assert "rulebook.scenario" in listed
    assert declared - listed == {"rulebook.restart"}
