"""Backgammon: each roll leads to the positions that an independent program finds."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import workbench
from interpreter import Game
from tests.perft import tables

RULES = Path(__file__).parents[2] / "examples" / "games" / "backgammon.rules"
SEATS = ("white", "black")


@cache
def book() -> Any:
    return workbench.load(str(RULES))


def space(seat: str, far: int) -> str:
    if far == 25:
        return "bar"
    return f"spot_{far if seat == 'white' else 25 - far}"


def given(position: tables.Position, roll: tuple[int, int], seat: str) -> Game:
    """Return a game in which a seat has rolled but not yet moved."""
    other = SEATS[1 - SEATS.index(seat)]
    checkers: dict[str, dict[str, int]] = {}
    for who, men in ((seat, position[0]), (other, position[1])):
        for far, count in enumerate(men):
            if count:
                checkers.setdefault(space(who, far), {})[who] = count
    game = Game.start(book(), seed=1, chance="given")
    game.apply(game.legal_actions()[0])
    while game.to_act != "chance":
        game.apply(game.legal_actions()[0])
    plain = game.position
    plain["active"] = seat
    plain["pieces"] = {"checker": checkers}
    plain["game"]["opening"] = False
    game = Game.from_position(book(), plain, chance="given")
    outcome = next(
        action for action in game.legal_actions() if tuple(action.outcome) == roll
    )
    game.apply(outcome)
    return game


def ends(game: Game, seat: str, met: dict[str, set[Any]]) -> set[tables.Position]:
    """Return the positions in which a turn can end."""
    if game.to_act != seat:
        return {read(game, seat)}
    key = game.key
    if key not in met:
        met[key] = set()
        for action in game.legal_actions():
            after = game.copy()
            after.apply(action)
            met[key] |= ends(after, seat, met)
    return met[key]


def read(game: Game, seat: str) -> tables.Position:
    other = SEATS[1 - SEATS.index(seat)]
    where = game.position["pieces"]["checker"]
    own, theirs = (
        tuple(
            where.get(space(who, far), {}).get(who, 0) if far else 0
            for far in range(26)
        )
        for who in (seat, other)
    )
    return own, theirs


def compare(position: tables.Position, roll: tuple[int, int], seat: str) -> int:
    reached = ends(given(position, roll, seat), seat, {})
    expected = tables.results(position, roll)

    assert reached == expected
    return len(reached)


@pytest.mark.parametrize("seat", SEATS)
def test_all_rolls_from_the_start(seat: str, deep: bool) -> None:
    rolls = tables.ROLLS if deep else tables.ROLLS[seat == "black" :: 7]
    counts = {roll: compare(tables.start(), roll, seat) for roll in rolls}

    assert all(counts.values())


def test_positions_with_checkers_on_the_bar_and_at_home(deep: bool) -> None:
    numbers = random.Random(31)
    for number in range(100 if deep else 8):
        position = tables.random_position(numbers)
        compare(position, numbers.choice(tables.ROLLS), SEATS[number % 2])


def test_positions_in_which_not_all_dice_can_be_used(deep: bool) -> None:
    numbers, met = random.Random(7), 0
    while met < (40 if deep else 4):
        position, roll = tables.random_position(numbers), numbers.choice(tables.ROLLS)
        if tables.is_narrow(position, roll):
            compare(position, roll, SEATS[met % 2])
            met += 1
