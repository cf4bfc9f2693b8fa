"""Wrong usage is answered with a suggestion and exit code 2."""

from pathlib import Path

import pytest

from tests.support.commands import Output, errors_of
from workbench.cli import main

WRONG = [
    (["paly", "germany"], "unknown command `paly`; did you mean `play`?"),
    (["play", "germny"], "there is no game `germny`; did you mean `germany`?"),
    (["play", "house"], "did you mean `house.rules`?"),
    (
        ["check", "hose.rules"],
        "file hose.rules does not exist; did you mean `house.rules`?",
    ),
    (["play", "germany", "--seats", "3"], "has no argument `--seats`; did you mean"),
    (["play", "germany", "--colour"], "has no argument `--colour`; see `rulebook play"),
    (["play", "germany", "--option", "point_to_win=12"], "did you mean points_to_win?"),
    (
        ["board", "germany", "--out", "x.png"],
        "pictures can only be written as .svg, not as .png",
    ),
    (
        ["economy", "germany", "--out", "x.png"],
        "maps can only be written as .svg, not as .png",
    ),
    (["economy", "germany", "--setups", "0"], "--setups must be at least 1, not 0"),
    (["economy", "germany", "--round", "0"], "--round must be at least 1, not 0"),
    (["economy", "germany", "--boards", "1"], "--boards must be at least 2, not 1"),
    (
        ["economy", "classic", "--boards", "2", "--board", "x"],
        "--boards (random boards) and --board (a fixed board) cannot be used together",
    ),
    (
        ["economy", "classic", "--boards", "2", "--out", "x"],
        "a map shows a single board",
    ),
    (["economy", "germany", "--piece", "road"], "--piece requires --out"),
    (["economy", "germany", "--out", "x.svg", "--piece", "x"], "has no piece `x`"),
]


@pytest.mark.parametrize(("words", "answer"), WRONG, ids=lambda value: str(value)[:30])
def test_a_slip_on_the_command_line(
    words: list[str], answer: str, working_folder: Path, capsys: Output
) -> None:
    (working_folder / "house.rules").write_text("extends germany\n")

    assert main(words) == 2

    printed = capsys.readouterr()
    assert answer in printed.err
    assert printed.out == ""
    assert [path.name for path in working_folder.iterdir()] == ["house.rules"]


def test_missing_command_lists_all_commands(capsys: Output) -> None:
    assert "play a game in the terminal" in errors_of(capsys)
