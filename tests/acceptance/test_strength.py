"""Searches find results known from other methods: wins in two moves of connect four
from a bitboard solver, and optimal play of Dare from exact probabilities.
"""

from pathlib import Path
from random import Random

import pytest

from benchmarks.optimum import against_the_best, best
from benchmarks.players import player_named
from interpreter import Budget, Game
from interpreter.search import search
from rulebook import Rulebook
from tests.support.four_in_a_row import made, played
from workbench import load

TINY = Path(__file__).parents[2] / "examples" / "tiny"
LINES = Path(__file__).with_name("wins_in_two.txt").read_text(encoding="utf-8")
POSITIONS = [line.split() for line in LINES.splitlines()]


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load(str(TINY / "connect_four.rules"))


def test_the_positions_equal_those_of_the_solver() -> None:
    assert [[*each] for each in made(50, Random(1))] == POSITIONS


def test_rules_and_solver_have_the_same_wins(book: Rulebook) -> None:
    for columns, winning in POSITIONS[:8]:
        game = Game.start(book)
        for column in columns:
            game.apply(f"drop({column})")
        here = [str(action.arguments[0]) for action in game.legal_actions()]
        assert here == [str(1 + each) for each in played(columns).free()]

        game.apply(f"drop({winning})")
        for reply in game.branches():
            assert any(after.outcome for after in reply.branches()), columns


def test_two_thousand_playouts_find_every_win(book: Rulebook) -> None:
    missed = []
    for columns, winning in POSITIONS:
        game = Game.start(book)
        for column in columns:
            game.apply(f"drop({column})")
        index = search(game, Budget(playouts=2_000)).index
        chosen = next(each for each in game.legal_actions() if each.index == index)
        if str(chosen.arguments[0]) != winning:
            missed.append((columns, winning, chosen.text))
    assert not missed


def test_dare_is_played_optimally() -> None:
    game = Game.start(load(str(TINY / "dare.rules")), chance="given")

    assert best(game) == 0.5, "each wins half, so that whoever has both seats can"
    assert against_the_best(game, player_named("random")) < 0.3
    assert against_the_best(game, player_named("mcts(200)")) >= 0.48
