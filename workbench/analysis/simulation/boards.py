"""Boards for generated games: dealt by set-up, then rearranged.

Set-up often deals under a condition, or in an order that excludes some arrangements. A
given board can be any board that set-up leaves unchanged and on which all invariants
are true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import attrs

from interpreter import PositionError, violated_invariants
from rulebook import Rulebook, RulesError
from workbench.analysis.simulation.settings import Settings
from workbench.bots.randomness import SEED_BITS

MAX_ATTEMPTS = 8
"""Maximum number of attempts to rearrange one board."""
FEW = 2
KEEP_EMPTY_PROBABILITY = 0.8
"""Probability that empty places stay empty when a board is rearranged."""
PLACE_SHARES = (0.0, 0.3, 1.0)
"""Possible shares of the spaces to rearrange, of which there are at least two."""

Board = dict[str, dict[str, Any]]
Place = tuple[str, str]
"""Name of a space, and name of one of its attributes."""
Values = Mapping[str, Any]


def deals_board(book: Rulebook) -> bool:
    """Return whether set-up deals anything onto the board."""
    return any(field.dealt for field in book.model.fields.values())


def accepts_board(book: Rulebook, settings: Settings) -> bool:
    """Return whether games start on exactly the given board, with invariants true."""
    try:
        game = settings.start(book, seed=0)
    except (PositionError, RulesError):
        return False
    if game.position["board"] != settings.board:
        return False
    return not list(violated_invariants(game, book.model.invariants))


def places_by_attribute(board: Board) -> list[list[Place]]:
    """Return, for each attribute, the places whose values can be swapped."""
    places: dict[str, list[Place]] = {}
    for space, attributes in board.items():
        for name in attributes:
            places.setdefault(name, []).append((space, name))
    return list(places.values())


def with_swap(board: Board, first: Place, second: Place) -> Board:
    """Return a copy of the board with the values of two places swapped."""
    changed = {space: dict(attributes) for space, attributes in board.items()}
    for (space, name), (other, _) in ((first, second), (second, first)):
        changed[space][name] = board[other][name]
    return changed


def rearranged_board(book: Rulebook, settings: Settings, rng: Random) -> Board | None:
    """Return a board that set-up deals, with some values rearranged, or None.

    It is None if set-up deals no board or the rules reject every attempt.
    """
    if not deals_board(book):
        return None
    try:
        game = settings.start(book, seed=rng.getrandbits(SEED_BITS))
    except RulesError:
        return None
    as_dealt: Board = game.position["board"]
    board = as_dealt
    for _ in range(MAX_ATTEMPTS if board else 0):
        other = shuffled_board(board, rng)
        if other != board and accepts_board(book, attrs.evolve(settings, board=other)):
            board = other
    return None if board == as_dealt else board


def shuffled_board(board: Board, rng: Random) -> Board:
    """Return a board with some values rearranged.

    The values are those of one attribute, or of all attributes of one kind of space.
    They are shuffled, or sorted so that equal values are next to each other.
    """
    groups = attribute_groups(board)
    names = groups[int(rng.random() * len(groups))]
    spaces = [
        space for space, attributes in board.items() if attributes.keys() >= set(names)
    ]
    if rng.random() < KEEP_EMPTY_PROBABILITY:
        spaces = [s for s in spaces if None not in [board[s][name] for name in names]]
    share = PLACE_SHARES[int(rng.random() * len(PLACE_SHARES))]
    count = max(FEW, int(share * len(spaces)))
    if count < len(spaces):
        drawn = set(shuffled_items(spaces, rng)[:count])
        spaces = [space for space in spaces if space in drawn]
    rows = [{name: board[space][name] for name in names} for space in spaces]
    if rng.random() * 2 < 1:
        rows.sort(key=lambda row: [str(value) for value in row.values()])
    else:
        rows = shuffled_items(rows, rng)
    return board | {
        space: board[space] | row for space, row in zip(spaces, rows, strict=True)
    }


def attribute_groups(board: Board) -> list[tuple[str, ...]]:
    """Return the groups of attributes whose values can be rearranged together.

    Each attribute forms a separate group, and all attributes of a space form another.
    """
    whole = dict.fromkeys(tuple(attributes) for attributes in board.values())
    alone = dict.fromkeys((name,) for names in whole for name in names)
    return list(alone | whole)


def shuffled_items(items: Sequence[Any], rng: Random) -> list[Any]:
    """Return the items in random order."""
    remaining = list(items)
    return [remaining.pop(int(rng.random() * len(remaining))) for _ in items]
