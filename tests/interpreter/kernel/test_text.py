"""Readable text of the kernel: every operation, and three games in `golden`.

`python tests/interpreter/kernel/test_text.py` writes the texts of the games.
"""

from __future__ import annotations

import sys
from pathlib import Path

import attrs
import pytest

from interpreter import UsageError, kernel_program
from interpreter.kernel import operations as k
from interpreter.kernel.text import LINES, TEXTS, KernelPrinter
from tests.support.kernel_texts import EXPRESSIONS, ONE, STATEMENTS, V
from workbench import load
from workbench.cli import main

ROOT = Path(__file__).parents[3]
GOLDEN = Path(__file__).with_name("golden")
GAMES = (
    "examples/tiny/dare.rules",
    "examples/tiny/hex.rules",
    "examples/games/old_town.rules",
)

ABSTRACT = {
    *(k.Operation, k.Value, k.Sequence, k.Row, k.Statement, k.Control),
    *(k.Outcomes, k.Decision),
}


@pytest.mark.parametrize(
    ("e", "text"), EXPRESSIONS, ids=[type(e).__name__ for e, _ in EXPRESSIONS]
)
def test_an_expression_has_a_text(e: k.Operation, text: str) -> None:
    assert KernelPrinter().text(e) == text


@pytest.mark.parametrize(
    ("e", "text"), STATEMENTS, ids=[type(e).__name__ for e, _ in STATEMENTS]
)
def test_a_statement_has_lines(e: k.Operation, text: str) -> None:
    assert KernelPrinter().block([e]) == text.split("|")


def test_every_operation_has_a_text_and_an_example() -> None:
    operations = {kind for kind in vars(k).values() if attrs.has(kind)} - ABSTRACT

    assert {*TEXTS, *LINES} == operations
    assert {type(e) for e, _ in EXPRESSIONS} == {*TEXTS}
    assert {type(e) for e, _ in STATEMENTS} == {*LINES}


def test_steps_are_listed_under_their_labels() -> None:
    steps: list[k.Step] = [(k.Tick(1),), (k.Goto(2),)]

    lines = KernelPrinter().steps(steps, {2: 1, 0: 1})

    assert lines == ["then:", "    tick 1", "L0, L2:", "    goto L2"]


def test_tables_are_shared_and_listed() -> None:
    text = KernelPrinter()
    texts = [text.text(k.Lookup((5, -1), V)), text.text(k.Lookup((6, -1), V))]
    texts.append(text.text(k.Lookup((5, -1), ONE)))

    assert texts == ["T0[v3]", "T1[v3]", "T0[1]"]
    assert text.table_lines() == ["T0 = (5, -1)", "T1 = (6, -1)"]


# ---------------------------------------------------------------- games


def golden(game: str) -> Path:
    """Return the file with the text of a game."""
    return GOLDEN / f"{Path(game).stem}.txt"


@pytest.mark.parametrize("game", GAMES)
def test_the_text_of_a_game_is_current(game: str) -> None:
    text = golden(game).read_text(encoding="utf-8")
    assert text == kernel_program(load(game)), f"run {Path(__file__).name}"


def test_the_command_prints_the_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", GAMES[0], "--emit", "kernel"]) == 0

    assert capsys.readouterr().out == kernel_program(load(GAMES[0]))


@pytest.mark.parametrize(
    ("game", "name"),
    [("classic", "narrow"), ("germany", "tables"), ("germany", "split")],
)
def test_a_pass_or_rewrite_can_be_left_out(game: str, name: str) -> None:
    book = load(game)
    assert kernel_program(book, disabled_rewrites=[name]) != kernel_program(book)


def test_an_unknown_pass_is_rejected() -> None:
    with pytest.raises(UsageError, match="there is no optimisation narow"):
        kernel_program(load(GAMES[0]), disabled_rewrites=["narow"])


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    GOLDEN.mkdir(exist_ok=True)
    for name in GAMES:
        golden(name).write_text(kernel_program(load(name)), encoding="utf-8")
