"""How much a measure differs between two samples of games, in pairs or without.

A column has the value of a measure in each game, NaN where that game cannot say. A
contrast is the difference of two means with what each game, or each pair of games by
one seed, has to do with it: its *influence*. All that is said later is made of these.
"""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

Column = Any
"""An array of numpy, of a number for each game."""

Columns = Mapping[str, Column]

RARE = 10
"""In how many pairs a measure must differ for anything to be said of it."""


@attrs.frozen(eq=False)
class Contrast:
    """One measure in two samples.

    `first` and `second` are the means, of the pairs in which both can say; `number`
    is how many of these there are (of unpaired games: of the fewer), `differ` in how
    many the measure differs, `lower` and `higher` in how many it is so in the second
    (None where there are no pairs). `swing` is how much single games differ from one
    another. `share`: all values are yes or no.
    """

    name: str
    first: float
    second: float
    number: int
    differ: int
    lower: int | None
    higher: int | None
    swing: float
    error: float
    share: bool
    influence: Column

    @property
    def difference(self) -> float:
        """The second mean less the first."""
        return self.second - self.first

    @property
    def same(self) -> bool:
        """Whether the measure does not differ anywhere."""
        return not self.differ

    @property
    def rare(self) -> bool:
        """Whether it differs, and too seldom."""
        return 0 < self.differ < RARE


def paired(name: str, first: Column, second: Column) -> Contrast:
    """A measure in pairs of games: entry i of both columns is of one seed."""
    mine, theirs = as_numbers(first), as_numbers(second)
    if mine.shape != theirs.shape:
        raise ValueError(f"{name}: {mine.size} games and {theirs.size} are no pairs")
    there = ~(np.isnan(mine) | np.isnan(theirs))
    a, b = mine[there], theirs[there]
    longer = b - a
    number = int(longer.size)
    centred = longer - mean(longer)
    influence = np.zeros(mine.size)
    influence[there] = centred / max(number, 1)
    return Contrast(
        name,
        mean(a),
        mean(b),
        number,
        int(np.count_nonzero(longer)),
        int(np.count_nonzero(longer < 0)),
        int(np.count_nonzero(longer > 0)),
        swing(a, b),
        error_of(centred),
        is_share(a, b),
        influence,
    )


def unpaired(name: str, first: Column, second: Column) -> Contrast:
    """A measure in games of which none has to do with another."""
    mine, theirs = as_numbers(first), as_numbers(second)
    sides = [(side, ~np.isnan(side)) for side in (mine, theirs)]
    (a, b) = (side[there] for side, there in sides)
    parts, error = [], 0.0
    for sign, (side, there) in zip((-1, 1), sides, strict=True):
        centred = side[there] - mean(side[there])
        influence = np.zeros(side.size)
        influence[there] = sign * centred / max(centred.size, 1)
        parts.append(influence)
        error += error_of(centred) ** 2
    return Contrast(
        name,
        mean(a),
        mean(b),
        min(a.size, b.size),
        off_the_commonest(np.concatenate([a, b])),
        None,
        None,
        swing(a, b),
        float(np.sqrt(error)),
        is_share(a, b),
        np.concatenate(parts),
    )


def as_numbers(column: Column) -> Column:
    """A column as floating numbers; None and NaN are what a game cannot say."""
    return np.asarray(column, dtype=float)


def mean(values: Column) -> float:
    """The mean; of nothing 0."""
    return float(np.mean(values)) if values.size else 0.0


def error_of(centred: Column) -> float:
    """The standard error of a mean, by what its values are off it; 0 for one value."""
    number = centred.size
    if number < 2:
        return 0.0
    return float(np.sqrt(np.sum(centred**2) / (number - 1) / number))


def swing(first: Column, second: Column) -> float:
    """How much single games differ from one another, in both samples alike."""
    sides = first, second
    variances = [np.var(side, ddof=1) if side.size > 1 else 0.0 for side in sides]
    return float(np.sqrt(sum(variances) / 2))


def is_share(first: Column, second: Column) -> bool:
    """Whether all values are yes or no."""
    both = np.concatenate([first, second])
    return bool(both.size) and bool(np.all((both == 0) | (both == 1)))


def off_the_commonest(values: Column) -> int:
    """How many values are another one than the commonest of all."""
    if not values.size:
        return 0
    _, counts = np.unique(values, return_counts=True)
    return int(values.size - counts.max())
