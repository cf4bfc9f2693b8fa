"""Positions, records and pickles restore the same game at every step."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest

from interpreter import Game, RecordError
from rulebook import Rulebook, loads

RULES = """rules language 1
rulebook refill "A store that is refilled"
  players 2
  turns 12

kind good (goods): reed, clay

game has
  store: bag of good, seen by all, starts with 3 of each, resets each turn

each player has
  basket: bag of good, seen by all

action take(good)
  needs some: store has good  "the store has none"
  move 1 good from store to your basket

action leave
  chance chooses good lost
  move up to 1 lost from your basket to store

turn
  phase play
    you do take
    you may do leave
"""


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return loads(RULES, "refill.rules")


def played(game: Game, steps: int) -> Any:
    """Play at random, yielding the game before each step."""
    numbers = Random(1)
    for _ in range(steps):
        yield game
        if game.over:
            return
        game.apply(numbers.choice(game.legal_actions()))


@pytest.mark.parametrize("chance", ["drawn", "given"])
@pytest.mark.parametrize("turns", [None, 3])
def test_a_game_is_the_same_after_a_round_trip(
    book: Rulebook, chance: str, turns: int | None
) -> None:
    for game in played(Game.start(book, seed=4, chance=chance, turns=turns), 60):
        assert Game.from_position(book, game.position) == game
        replayed = Game.replay(game.record, book)
        assert replayed == game
        assert (replayed.over, replayed.turn_limit) == (game.over, turns)
        assert replayed.record == game.record
        assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301  (our own)


def test_a_record_that_begins_with_a_position_keeps_the_limit_of_turns(
    book: Rulebook,
) -> None:
    game = Game.start(book, seed=1, turns=3)
    game.restart_record()
    for _ in played(game, 60):
        pass

    assert game.over
    assert Game.replay(game.record, book).over


@pytest.mark.parametrize("limit", ["0", "-1", "true", '"3"', "null"])
def test_rejects_a_header_with_a_wrong_limit(book: Rulebook, limit: str) -> None:
    record = Game.start(book, turns=3).record.replace('"turns": 3', f'"turns": {limit}')

    with pytest.raises(
        RecordError, match="`turns` must be a whole number of at least 1"
    ):
        Game.replay(record, book)


def test_a_position_with_a_seed_draws_chance_even_if_chance_was_given(
    book: Rulebook,
) -> None:
    position = Game.start(book, chance="given").position

    assert Game.from_position(book, position, seed=5).seed == 5
    assert Game.from_position(book, position, chance="drawn").seed == 0
    assert Game.from_position(book, position).seed is None
