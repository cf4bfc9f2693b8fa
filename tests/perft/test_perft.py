"""Counts of the tiny games' trees, as published."""

from pathlib import Path

import pytest

import workbench
from interpreter import Game
from workbench.counting import leaves

TINY = Path(__file__).parents[2] / "examples" / "tiny"
COUNTS = {
    "noughts_and_crosses": (9, 72, 504, 3024),
    "connect_four": (7, 49, 343, 2401),
    "breakthrough": (22, 484, 11132),
}


@pytest.mark.parametrize("name", COUNTS)
def test_perft(name: str) -> None:
    game = Game.start(workbench.load(str(TINY / f"{name}.rules")))
    found = tuple(leaves(game, depth + 1) for depth in range(len(COUNTS[name])))
    assert found == COUNTS[name]
