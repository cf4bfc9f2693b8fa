"""What editors, hooks and code hosts are told is what the program is."""

import json
import re
from pathlib import Path

import pytest
import yaml

from editors import textmate
from rulebook.parse.grammar import keywords
from workbench.cli import main

ROOT = Path(__file__).parents[2]
VSCODE = ROOT / "editors" / "vscode"


def patterns() -> dict[str, re.Pattern[str]]:
    """The patterns of what matches whole, by a number and its name."""
    listed = textmate.grammar()["repository"]
    return {
        f"{number} {each.get('name', '')}": re.compile(each["match"])
        for number, each in enumerate(x for y in listed.values() for x in y["patterns"])
        if "match" in each
    }


def test_the_grammar_is_as_the_language_makes_it() -> None:
    assert textmate.main(["--check"]) == 0


def test_another_grammar_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "grammar.json"
    other.write_text(textmate.text().replace("chooses", "picks"), encoding="utf-8")
    monkeypatch.setattr(textmate, "FILE", other)

    assert textmate.main(["--check"]) == 1
    assert textmate.main([]) == 0
    assert textmate.main(["--check"]) == 0


def test_every_keyword_is_coloured_where_it_may_stand() -> None:
    known = patterns()
    beginnings = textmate.at_the_start()

    for word in {*textmate.spelled(), *beginnings} - {"the"}:
        text = word.strip(" ,")
        lines = (text, f"  {text} ", f"{text} name", f"x {text} y", f"    {text} x: 1")
        assert any(p.search(line) for p in known.values() for line in lines), word


@pytest.mark.parametrize(
    "word", [*textmate.AMENDING, "extends", "words", "needs", "pays", "because"]
)
def test_words_that_are_written_by_hand_are_keywords(word: str) -> None:
    assert word in {text.strip() for text in keywords.every_keyword()}


def test_constants_are_keywords() -> None:
    assert set(textmate.constant_words()) == textmate.CONSTANTS


def hooks() -> list[dict[str, str]]:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    listed: list[dict[str, str]] = yaml.safe_load(text)
    return listed


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: str(hook["id"]))
def test_a_hook_runs_a_command_on_rule_files(
    hook: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["new", "shore", "--from", "first"])
    program, *words = hook["entry"].split()

    assert program == "rulebook"
    assert re.search(hook["files"], "rules/shore.rules")
    assert not re.search(hook["files"], "rules/shore.md")
    assert main([*words, "shore.rules"]) == 0


def commands_of(action: dict[str, object]) -> list[str]:
    jobs = action["jobs"]
    assert isinstance(jobs, dict)
    steps = [step for job in jobs.values() for step in job["steps"]]
    return [step["run"] for step in steps if "run" in step]


def test_the_commands_of_the_action_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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
    package = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    source = (VSCODE / "src" / "extension.ts").read_text(encoding="utf-8")

    declared = {each["command"] for each in package["contributes"]["commands"]}
    assert declared == set(re.findall(r'"(rulebook\.\w+)": async', source))
