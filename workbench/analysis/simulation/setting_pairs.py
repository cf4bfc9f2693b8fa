"""Settings of generated games that cover all pairs of option values.

Each setting covers as many new pairs of values as possible; the number of players
counts as an option. A few games thus cover every value of every option and every pair
of values.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import attrs

from rulebook import Rulebook
from rulebook.model import Option, Truth, Whole
from workbench.analysis.simulation.settings import Settings

MAX_VALUES_ALONE, MAX_VALUES_IN_PAIRS = 12, 100
"""Maximum number of values per option for trying all of them: alone, in pairs.

If an option has more values, only both ends of its range are tried.
"""
PLAYERS_KEY = ""
"""Name of the number of players among the options; no option has an empty name."""
Value = tuple[str, Any]


def option_values(
    option: Option, max_values: int = MAX_VALUES_ALONE
) -> tuple[Any, ...]:
    """Return all values of an option, or both ends of its range if there are many."""
    match option.type:
        case Truth():
            return (False, True)
        case Whole(low=low, high=high, optional=optional):
            values = range(low, high + 1) if high - low < max_values else (low, high)
            return (*values, *(None,) * optional)
        case _:
            return ()


def pairwise_settings(book: Rulebook, base: Settings) -> Iterator[Settings]:
    """Yield settings endlessly; they cover all value pairs that *base* allows."""
    fewest, most = book.players
    sizes = range(fewest, most + 1) if base.players is None else (base.players,)
    factors: dict[str, tuple[Any, ...]] = {PLAYERS_KEY: tuple(sizes)}
    for name, option in book.options.items():
        if name not in base.options and (
            values := option_values(option, MAX_VALUES_IN_PAIRS)
        ):
            factors[name] = values
    for repetition in count():
        for row in covering_rows(rotate_values(factors, repetition)):
            options = {**base.options, **row}
            players = options.pop(PLAYERS_KEY)
            yield attrs.evolve(base, players=players, options=options)


def rotate_values(
    factors: dict[str, tuple[Any, ...]], times: int
) -> dict[str, tuple[Any, ...]]:
    """Return each option's values, rotated by different numbers of places.

    Repeated rows then combine other groups of three and four values.
    """
    shifts = {
        name: times * (n + 1) % len(factors[name]) for n, name in enumerate(factors)
    }
    return {
        name: (*values[shifts[name] :], *values[: shifts[name]])
        for name, values in factors.items()
    }


def covering_rows(factors: dict[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Yield rows until any two values of different factors have been in a row together.

    A factor is an option with its values. The factor with the most uncovered pairs is
    set first. It takes the value with the most new pairs in the row or, if several
    have, the one with the most uncovered pairs.
    """
    rest = uncovered_pairs(factors)
    if len(factors) == 1:
        yield from ({name: value} for name in factors for value in factors[name])
    while any(rest.values()):
        order = sorted(factors, key=lambda name: -count_uncovered(name, factors, rest))
        row: dict[str, Any] = {}
        for name in order:
            row[name] = max(
                factors[name], key=lambda value: value_gain((name, value), row, rest)
            )
        for value in row.items():
            rest[value].difference_update(row.items())
        yield row


def uncovered_pairs(factors: dict[str, tuple[Any, ...]]) -> dict[Value, set[Value]]:
    """Return, for each option's value, the values of other options to pair it with."""
    values = [(name, value) for name in factors for value in factors[name]]
    return {
        value: {other for other in values if other[0] != value[0]} for value in values
    }


def count_uncovered(
    name: str, factors: dict[str, tuple[Any, ...]], uncovered: dict[Value, set[Value]]
) -> int:
    """Return the number of uncovered pairs with a value of this factor."""
    return sum(len(uncovered[name, value]) for value in factors[name])


def value_gain(
    value: Value, row: dict[str, Any], uncovered: dict[Value, set[Value]]
) -> tuple[int, int]:
    """Return how many uncovered pairs a value adds to a row, and how many it has."""
    new = sum(other in uncovered[value] for other in row.items())
    return new, len(uncovered[value])
