"""The README: its files are valid, its commands run and print what it shows."""

import io
import re
import shlex
from pathlib import Path

import pytest

from tests.support.commands import Output, errors_of
from workbench import load
from workbench.cli import main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(?P<sort>\w+)\n(?P<text>.*?)```", re.DOTALL)
BLOCKS = [(match["sort"], match["text"]) for match in BLOCK.finditer(TEXT)]


def block(beginning: str, sort: str = "text") -> str:
    (text,) = [
        text for kind, text in BLOCKS if kind == sort and text.startswith(beginning)
    ]
    return text


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "cheap.rules").write_text(block("extends germany"))
    (tmp_path / "apart.rules").write_text(block("rules language"))
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_commands_install_and_play_and_one_runs_the_tests() -> None:
    first, *_, last = [text.splitlines() for sort, text in BLOCKS if sort == "sh"]

    assert [line.endswith("pip install .") for line in first] == [True, False]
    assert first[1].startswith("rulebook play ")
    assert len(last) == 1
    assert "pip install -e '.[dev]' && python -m pytest" in last[0]


def test_the_first_game_ends_as_shown(capsys: Output) -> None:
    (line,) = [
        line
        for line in block("python3 -m venv", "sh").splitlines()
        if line.startswith("rulebook ")
    ]

    assert main(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out.endswith("\n" + block("Orange wins"))


def test_the_house_rules_change_the_game() -> None:
    """Both house rules load, and each gives another game than *germany*."""
    digests = {load(name).digest for name in ("germany", "cheap.rules", "apart.rules")}

    assert len(digests) == 3


def test_the_commands_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every `rulebook` command of the README exits with status 0."""
    lines = [
        line
        for sort, text in BLOCKS
        for line in text.splitlines()
        if sort == "sh" and line.startswith("rulebook ")
    ]

    assert len(lines) >= 4
    for line in lines:
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        assert main(shlex.split(line)[1:]) == 0, line


def test_the_scenario_fails_without_the_rule_that_it_tests(
    folder: Path, capsys: Output
) -> None:
    """The scenario of the README passes, and fails when its rule is removed."""
    command = ["test", "apart.rules", "-k", "stays empty"]
    assert main(command) == 0
    text = block("rules language")
    rule = text[text.index("in action") : text.index("scenario")]
    without = text.replace(rule, "")
    (folder / "apart.rules").write_text(without)

    assert "has no requirement `apart`" in errors_of(capsys, *command, status=1)

    (folder / "apart.rules").write_text(without.replace(" because apart", ""))

    assert main(command) == 1
    assert "failed: scenario “a city beside a town hall" in capsys.readouterr().out


def test_why_prints_what_the_readme_shows(capsys: Output) -> None:
    """The explanation of an illegal action is the one shown."""
    command = block("rulebook why", "sh")

    main(shlex.split(command)[1:])

    shown = block("  “build a road: Heidelberg–Stuttgart” is not")
    assert capsys.readouterr() == (shown, "")


def test_check_prints_the_diagnostic_that_the_readme_shows(
    folder: Path, capsys: Output
) -> None:
    """The misspelt word gives the diagnostic shown."""
    text = block("extends germany").replace("lumber", "lumbar")
    (folder / "cheap.rules").write_text(text)

    main(["check", "cheap.rules"])

    assert capsys.readouterr().out == block("error RB101")


def test_the_program_plays_a_game(capsys: Output) -> None:
    """The Python program of the README runs to the end of a game."""
    exec(block("import random", "python"), {})  # noqa: S102

    assert "Outcome(" in capsys.readouterr().out


def test_the_first_example_is_the_action_of_the_shipped_file() -> None:
    """The action shown has the requirements that *germany* has, in order."""
    shown = block("action build_town_hall")
    shipped = load("germany").model.actions["build_town_hall"]

    labels = [
        requirement.label
        for requirement in shipped.requirements
        if requirement.sort == "needs"
    ]
    assert re.findall(r"needs (\w+):", shown) == labels
