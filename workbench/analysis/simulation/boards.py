"""Boards to begin with: what set-up deals onto one, with values in other places.

Set-up often deals under a condition, or by turns that leave some arrangements out. A
given board may be any that set-up leaves as it is, with all invariants held.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import PositionError, broken
from rulebook import Rulebook, RulesError
from workbench.analysis.simulation.settings import Settings
from workbench.bots.randomness import SEED_BITS

TRIES = 8
"""How often values of one board are put into other places."""
FEW = 2
FILLED = 0.8
"""How often what is empty stays so."""
SHARES = (0.0, 0.3, 1.0)
"""How many of the places that are alike take part, beside the few that always do."""

Board = dict[str, dict[str, Any]]
Place = tuple[str, str]
"""A space of a board, and an attribute of it."""
Values = Mapping[str, Any]


def can_be_laid(book: Rulebook) -> bool:
    """Whether set-up deals something onto the board."""
    return any(field.dealt for field in book.model.fields.values())


def lays(book: Rulebook, settings: Settings) -> bool:
    """Whether a game begins on just that board with all invariants held."""
    try:
        game = settings.start(book, seed=0)
    except (PositionError, RulesError):
        return False
    if game.position["board"] != settings.board:
        return False
    return not list(broken(game, book.model.invariants))


def by_attribute(board: Board) -> list[list[Place]]:
    """The places of values that may change places: those of an attribute."""
    places: dict[str, list[Place]] = {}
    for space, attributes in board.items():
        for name in attributes:
            places.setdefault(name, []).append((space, name))
    return list(places.values())


def swapped(board: Board, first: Place, second: Place) -> Board:
    """A board on which two values have changed places."""
    changed = {space: dict(attributes) for space, attributes in board.items()}
    for (space, name), (other, _) in ((first, second), (second, first)):
        changed[space][name] = board[other][name]
    return changed


def rearranged(book: Rulebook, settings: Settings, numbers: Random) -> Board | None:
    """A board that set-up deals, with values in other places.

    None, where set-up deals none, or the rules take none of those that are tried.
    """
    if not can_be_laid(book):
        return None
    try:
        game = settings.start(book, seed=numbers.getrandbits(SEED_BITS))
    except RulesError:
        return None
    as_dealt: Board = game.position["board"]
    board = as_dealt
    for _ in range(TRIES if board else 0):
        other = moved(board, numbers)
        if other != board and lays(book, attrs.evolve(settings, board=other)):
            board = other
    return None if board == as_dealt else board


def moved(board: Board, numbers: Random) -> Board:
    """A board with some values in other places: those of one attribute, or all that
    some spaces have; mixed, or in order, so that those that are alike lie together."""
    groups = alike(board)
    names = groups[int(numbers.random() * len(groups))]
    spaces = [space for space, has in board.items() if has.keys() >= set(names)]
    if numbers.random() < FILLED:
        spaces = [s for s in spaces if None not in [board[s][name] for name in names]]
    share = SHARES[int(numbers.random() * len(SHARES))]
    count = max(FEW, int(share * len(spaces)))
    if count < len(spaces):
        drawn = set(mixed(spaces, numbers)[:count])
        spaces = [space for space in spaces if space in drawn]
    rows = [{name: board[space][name] for name in names} for space in spaces]
    if numbers.random() * 2 < 1:
        rows.sort(key=lambda row: [str(value) for value in row.values()])
    else:
        rows = mixed(rows, numbers)
    return board | {
        space: board[space] | row for space, row in zip(spaces, rows, strict=True)
    }


def alike(board: Board) -> list[tuple[str, ...]]:
    """The attributes that may move: each alone, and all together that a space has."""
    whole = dict.fromkeys(tuple(attributes) for attributes in board.values())
    alone = dict.fromkeys((name,) for names in whole for name in names)
    return list(alone | whole)


def mixed(things: Sequence[Any], numbers: Random) -> list[Any]:
    """Things in an order that is drawn."""
    left = list(things)
    return [left.pop(int(numbers.random() * len(left))) for _ in things]
