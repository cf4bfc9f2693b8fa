"""A definition that is looked up has the value of its first line that applies."""

from pathlib import Path

import pytest

import rulebook
from interpreter import Game

TURNING = Path(__file__).parent / "turning.rules"
PRICES = {
    1: (9, 8, 9, 0),
    2: (1, 2, 3, -3),
    3: (4, 5, 6, 7),
    4: (4, 5, 6, 7),
    5: (9, 8, 9, 0),
    99: (9, 8, 9, 0),
}
"""Prices of the table in `turning.rules`, by size, also outside the range 2 to 5."""


@pytest.fixture(scope="module")
def game() -> Game:
    return Game.start(rulebook.load(TURNING), seed=1)


@pytest.mark.parametrize("size", PRICES)
def test_earlier_rows_come_first(game: Game, size: int) -> None:
    sides = ("north", "east", "south", "west")

    prices = tuple(game.value("price(side,number)", side, size) for side in sides)

    assert prices == PRICES[size]
