"""Kept values of the native engine are right at every decision.

A program that checks itself computes each of them again, and stops at a difference.
"""

from __future__ import annotations

import re

import pytest

from benchmarks.checked import play_checked
from interpreter.native.c_program import translate
from interpreter.native.keeping.held_places import HeldPlaces
from interpreter.planning import plan_for
from tests.native.compilers import NEEDS_C
from workbench import load

DECISIONS = 2_000

pytestmark = NEEDS_C


def text_of(name: str) -> str:
    book = load(name)
    return translate(plan_for(book, book.players[1], {})).listing


@pytest.mark.parametrize("name", ["classic", "germany", "base", "cardgame"])
def test_kept_values_are_right(name: str) -> None:
    played, difference = play_checked(text_of(name), DECISIONS)

    assert played >= DECISIONS
    assert difference == ""


@pytest.mark.parametrize(
    ("update", "name"),
    [(r"held_\d+\(g, i\d+ - \d+, [^;]*;", "held"), (r"g->valid\[\d+\] [^;]*;", "k")],
    ids=["places by content", "kept values"],
)
def test_a_missing_update_stops_the_program(update: str, name: str) -> None:
    text = re.sub(update + r"(?=.*written\(\);)", "", text_of("classic"))

    _, difference = play_checked(text, DECISIONS)

    assert re.fullmatch(
        name + r"[ \d]+ differs after the write at line \d+", difference
    )


@pytest.mark.parametrize(("size", "values"), [(256, 2), (10, 17)])
def test_rows_that_need_too_many_bits_are_not_kept(size: int, values: int) -> None:
    fitting = HeldPlaces(lambda _: 0, lambda _: (255, 16))

    assert HeldPlaces(lambda _: 0, lambda _: (size, values)).row(5) is None
    assert fitting.row(5) is not None
