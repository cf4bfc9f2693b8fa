"""Settings of made-up games: numbers of players and values of options, in pairs.

Each setting takes as many pairs of values as it can that no setting before it had; so
every value of every option comes, and every two of them together, in few games.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import attrs

from rulebook import Rulebook
from rulebook.model import Option, Truth, Whole
from workbench.analysis.simulation.settings import Settings

FEW, MANY = 12, 100
"""An option of more values is tried at both ends alone: by itself, and in pairs."""
PLAYERS = ""
"""The number of players among options: none of them is called so."""
Value = tuple[str, Any]


def values(option: Option, most: int = FEW) -> tuple[Any, ...]:
    """The values of an option: all, where there are not more; else both ends."""
    match option.type:
        case Truth():
            return (False, True)
        case Whole(low=low, high=high, optional=optional):
            few = range(low, high + 1) if high - low < most else (low, high)
            return (*few, *(None,) * optional)
        case _:
            return ()


def in_pairs(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Settings without end, what the base says kept."""
    fewest, most = book.players
    sizes = range(fewest, most + 1) if base.players is None else (base.players,)
    factors: dict[str, tuple[Any, ...]] = {PLAYERS: tuple(sizes)}
    for name, option in book.options.items():
        if name not in base.options and (every := values(option, MANY)):
            factors[name] = every
    for time in count():
        for row in rows(turned(factors, time)):
            options = {**base.options, **row}
            players = options.pop(PLAYERS)
            yield attrs.evolve(base, players=players, options=options)


def turned(
    factors: dict[str, tuple[Any, ...]], times: int
) -> dict[str, tuple[Any, ...]]:
    """Factors whose values begin further on, each by more than the one before: so rows
    that come again bring other threes and fours together."""
    shifts = {
        name: times * (n + 1) % len(factors[name]) for n, name in enumerate(factors)
    }
    return {
        name: (*every[shifts[name] :], *every[: shifts[name]])
        for name, every in factors.items()
    }


def rows(factors: dict[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Rows of values, until each two values of two factors stood in one.

    The factor with most pairs to come is the first to choose; it takes the value that
    brings most new pairs, and of those the one with most to come.
    """
    left = pairs(factors)
    if len(factors) == 1:
        yield from ({name: value} for name in factors for value in factors[name])
    while any(left.values()):
        order = sorted(factors, key=lambda name: -to_come(name, factors, left))
        row: dict[str, Any] = {}
        for name in order:
            row[name] = max(
                factors[name], key=lambda value: worth((name, value), row, left)
            )
        for value in row.items():
            left[value].difference_update(row.items())
        yield row


def pairs(factors: dict[str, tuple[Any, ...]]) -> dict[Value, set[Value]]:
    """For each value those of other factors with which it has not yet stood."""
    every = [(name, value) for name in factors for value in factors[name]]
    return {
        value: {other for other in every if other[0] != value[0]} for value in every
    }


def to_come(
    name: str, factors: dict[str, tuple[Any, ...]], left: dict[Value, set[Value]]
) -> int:
    """How many pairs with a factor are still to come."""
    return sum(len(left[name, value]) for value in factors[name])


def worth(
    value: Value, row: dict[str, Any], left: dict[Value, set[Value]]
) -> tuple[int, int]:
    """How many new pairs a value brings into a row, and how many it has to come."""
    new = sum(other in left[value] for other in row.items())
    return new, len(left[value])
