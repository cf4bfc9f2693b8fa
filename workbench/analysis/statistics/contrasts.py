"""Contrasts: differences of measures between two samples of games, paired or not.

A column contains the value of a measure in each game, or NaN if the measure does not
apply. A contrast is the difference of two means. It includes the *influence*: the
contribution of each game, or of each pair of games with the same seed.
"""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

Column = Any
"""Array with the value of a measure in each game."""

Columns = Mapping[str, Column]

MIN_DIFFERENT_PAIRS = 10
"""Minimum number of pairs in which a measure must differ to be tested."""


@attrs.frozen(eq=False)
class Contrast:
    """Difference of one measure between two samples of games.

    `first_mean` and `second_mean` are the means; with pairs, only pairs in which both
    games have a value count. `sample_size` is the number of these pairs, or of the
    games in the smaller sample. `different_pairs` counts the pairs with different
    values or, without pairs, the values unlike the most common one. In `lower_pairs`
    and `higher_pairs` of them, the second value is lower or higher; both are None for
    samples without pairs. `deviation` is the standard deviation of a single game's
    value, and `standard_error` the standard error of the difference. `is_share` is true
    if all values are 0 or 1.
    """

    name: str
    first_mean: float
    second_mean: float
    sample_size: int
    different_pairs: int
    lower_pairs: int | None
    higher_pairs: int | None
    deviation: float
    standard_error: float
    is_share: bool
    influence: Column

    @property
    def difference(self) -> float:
        """Second mean minus first mean."""
        return self.second_mean - self.first_mean

    @property
    def is_same(self) -> bool:
        """True if both samples have the same value in every game."""
        return not self.different_pairs

    @property
    def is_too_rare(self) -> bool:
        """True if the values differ in too few pairs to be tested."""
        return 0 < self.different_pairs < MIN_DIFFERENT_PAIRS


def paired_contrast(name: str, first: Column, second: Column) -> Contrast:
    """Return the contrast of paired games; equal indices have equal seeds."""
    mine, theirs = as_numbers(first), as_numbers(second)
    if mine.shape != theirs.shape:
        problem = f"{mine.size} games cannot be paired with {theirs.size}"
        raise ValueError(f"{name}: {problem}")
    known = ~(np.isnan(mine) | np.isnan(theirs))
    a, b = mine[known], theirs[known]
    differences = b - a
    number = int(differences.size)
    centred = differences - mean_or_zero(differences)
    influence = np.zeros(mine.size)
    influence[known] = centred / max(number, 1)
    return Contrast(
        name,
        mean_or_zero(a),
        mean_or_zero(b),
        number,
        int(np.count_nonzero(differences)),
        int(np.count_nonzero(differences < 0)),
        int(np.count_nonzero(differences > 0)),
        pooled_deviation(a, b),
        standard_error(centred),
        has_only_0_and_1(a, b),
        influence,
    )


def unpaired_contrast(name: str, first: Column, second: Column) -> Contrast:
    """Return the contrast of two independent samples of games."""
    mine, theirs = as_numbers(first), as_numbers(second)
    sides = [(side, ~np.isnan(side)) for side in (mine, theirs)]
    (a, b) = (side[known] for side, known in sides)
    influences, variance = [], 0.0
    for sign, (side, known) in zip((-1, 1), sides, strict=True):
        centred = side[known] - mean_or_zero(side[known])
        influence = np.zeros(side.size)
        influence[known] = sign * centred / max(centred.size, 1)
        influences.append(influence)
        variance += standard_error(centred) ** 2
    return Contrast(
        name,
        mean_or_zero(a),
        mean_or_zero(b),
        min(a.size, b.size),
        count_uncommon(np.concatenate([a, b])),
        None,
        None,
        pooled_deviation(a, b),
        float(np.sqrt(variance)),
        has_only_0_and_1(a, b),
        np.concatenate(influences),
    )


def as_numbers(column: Column) -> Column:
    """Return a column as floats; None and NaN mean that a game has no value."""
    return np.asarray(column, dtype=float)


def mean_or_zero(values: Column) -> float:
    """Return the mean, or 0 for an empty array."""
    return float(np.mean(values)) if values.size else 0.0


def standard_error(centred: Column) -> float:
    """Return the standard error of a mean from centred values; 0 for fewer than two."""
    number = centred.size
    if number < 2:
        return 0.0
    return float(np.sqrt(np.sum(centred**2) / (number - 1) / number))


def pooled_deviation(first: Column, second: Column) -> float:
    """Return the pooled standard deviation of a single game's value."""
    sides = first, second
    variances = [np.var(side, ddof=1) if side.size > 1 else 0.0 for side in sides]
    return float(np.sqrt(sum(variances) / 2))


def has_only_0_and_1(first: Column, second: Column) -> bool:
    """Return whether there is a value, and all values are 0 or 1."""
    both = np.concatenate([first, second])
    return bool(both.size) and bool(np.all((both == 0) | (both == 1)))


def count_uncommon(values: Column) -> int:
    """Return the number of values that differ from the most common one."""
    if not values.size:
        return 0
    _, counts = np.unique(values, return_counts=True)
    return int(values.size - counts.max())
