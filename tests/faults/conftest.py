"""Excludes the faulty rule files of these tests from collection."""

import pytest

from interpreter import Game
from rulebook import Rulebook, loads
from tests.support.records import DARE
from workbench import load

collect_ignore_glob = ["*/*"]


@pytest.fixture(scope="module")
def dare() -> Rulebook:
    return loads(DARE, "dare")


@pytest.fixture(scope="module")
def record(dare: Rulebook) -> str:
    """Record of a complete game, with a copy of its rules."""
    game = Game.start(dare, seed=1)
    while game.to_act is not None:
        game.apply(game.legal_actions()[0])
    return game.record


@pytest.fixture(scope="module")
def classic() -> str:
    return Game.start(load("classic"), players=3, seed=1).record
