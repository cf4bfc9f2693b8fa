"""Families: measures tested together, with adjusted intervals and verdicts.

The probability that *any* statement about the family is wrong is at most 5 %.

With enough games, the critical value is the 95 % quantile of the largest studentised
deviation of all measures. It is found by a multiplier bootstrap with normal
multipliers, and is smaller if measures are correlated. With few games, it is
Bonferroni's, with Student's t.

Sums of influences with normal multipliers are normal numbers that have the correlations
of the influences. The bootstrap therefore draws these sums directly, instead of a
multiplier for each pair.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any

import attrs
import numpy as np

from workbench.analysis.statistics.contrasts import (
    Columns,
    Contrast,
    paired_contrast,
    unpaired_contrast,
)
from workbench.analysis.statistics.quantiles import normal_quantile, student_quantile

CONFIDENCE = 0.95
DRAWS = 20_000
CHUNK_DRAWS = 4_000
BOOTSTRAP_SEED = 20_061
"""Random seed of the bootstrap; equal games always give the same critical value."""

MIN_BOOTSTRAP_PAIRS = 100
"""Minimum number of pairs for the bootstrap instead of Bonferroni's correction."""

SLIGHT_DEVIATIONS, SLIGHT_SHARE = 0.2, 0.05
"""Largest difference that counts as slight: in standard deviations, and for shares."""

Array = Any


class Verdict(StrEnum):
    """Verdict on the difference of a measure.

    `same`: the measure never differed, so it was not tested. `rare`: it differed in too
    few pairs to be tested.
    """

    CERTAIN = "certain"
    SLIGHT = "certain but slight"
    UNCHANGED = "unchanged"
    NOT_KNOWN = "not known"
    RARE = "too rare"
    SAME = "same"

    @property
    def is_tested(self) -> bool:
        """True if the measure was tested as part of the family."""
        return self not in {Verdict.RARE, Verdict.SAME}


class Correction(StrEnum):
    """Correction for testing several measures at once."""

    LARGEST = "largest deviation"
    BONFERRONI = "Bonferroni"
    NONE = "none"


@attrs.frozen(eq=False)
class AdjustedMeasure:
    """Contrast of a measure with its verdict.

    `interval` is adjusted for the whole family, but `unadjusted_interval` is not.
    `slight_limit` is the largest difference that counts as slight.
    """

    contrast: Contrast
    verdict: Verdict
    slight_limit: float
    interval: tuple[float, float] | None = None
    unadjusted_interval: tuple[float, float] | None = None

    @property
    def size(self) -> float:
        """Absolute difference in standard deviations of a game, used for ranking."""
        deviation = self.contrast.deviation
        return abs(self.contrast.difference) / deviation if deviation else np.inf


@attrs.frozen(eq=False)
class Family:
    """Measures tested together, in the order given.

    `factor` is the half-width of each interval in standard errors, and `tested_count`
    the number of tested measures.
    """

    measures: Sequence[AdjustedMeasure]
    correction: Correction
    factor: float
    tested_count: int

    def measures_with(self, verdict: Verdict) -> list[AdjustedMeasure]:
        """Return the measures with this verdict, the largest difference first."""
        chosen = [judged for judged in self.measures if judged.verdict is verdict]
        return sorted(chosen, key=lambda judged: -judged.size)

    def __getitem__(self, name: str) -> AdjustedMeasure:
        return next(judged for judged in self.measures if judged.contrast.name == name)


def paired_family(
    first: Columns, second: Columns, slight_limits: Mapping[str, float] | None = None
) -> Family:
    """Return the family of differences between games paired by seed."""
    return make_family(
        [paired_contrast(*columns) for columns in paired_columns(first, second)],
        slight_limits,
    )


def unpaired_family(
    first: Columns, second: Columns, slight_limits: Mapping[str, float] | None = None
) -> Family:
    """Return the family of differences between two independent samples of games."""
    return make_family(
        [unpaired_contrast(*columns) for columns in paired_columns(first, second)],
        slight_limits,
    )


def paired_columns(
    first: Columns, second: Columns
) -> Iterator[tuple[str, Array, Array]]:
    """Yield each measure's name and both its columns; a missing column is all 0."""
    sizes = [len(next(iter(side.values()), ())) for side in (first, second)]
    for name in dict.fromkeys((*first, *second)):
        sides = zip((first, second), sizes, strict=True)
        mine, theirs = (side.get(name, np.zeros(size)) for side, size in sides)
        yield name, mine, theirs


def make_family(
    contrasts: Sequence[Contrast], slight_limits: Mapping[str, float] | None = None
) -> Family:
    """Return the family of these contrasts.

    *slight_limits* maps measures to the thresholds of slight differences they declare.
    """
    tested = [item for item in contrasts if not item.is_same and not item.is_too_rare]
    number = min((item.sample_size for item in tested), default=0)
    correction, factor = Correction.NONE, 0.0
    if tested:
        few = number < MIN_BOOTSTRAP_PAIRS
        correction = Correction.BONFERRONI if few else Correction.LARGEST
        factor = (
            bonferroni_factor(len(tested), number)
            if few
            else largest_deviation_factor(tested)
        )
    alone = bonferroni_factor(1, number) if tested else 0.0
    judged = [
        judge_contrast(item, factor, alone, (slight_limits or {}).get(item.name))
        for item in contrasts
    ]
    return Family(judged, correction, factor, len(tested))


def judge_contrast(
    contrast: Contrast,
    factor: float,
    unadjusted_factor: float,
    slight_limit: float | None,
) -> AdjustedMeasure:
    """Return a contrast with its verdict and intervals.

    *factor* and *unadjusted_factor* are the critical values with and without
    adjustment.
    """
    if slight_limit is None:
        slight_limit = (
            SLIGHT_SHARE
            if contrast.is_share
            else SLIGHT_DEVIATIONS * contrast.deviation
        )
    if contrast.is_same or contrast.is_too_rare:
        verdict = Verdict.SAME if contrast.is_same else Verdict.RARE
        return AdjustedMeasure(contrast, verdict, slight_limit)
    interval = interval_around(contrast, factor)
    verdict = verdict_of(interval, slight_limit)
    return AdjustedMeasure(
        contrast,
        verdict,
        slight_limit,
        interval,
        interval_around(contrast, unadjusted_factor),
    )


def verdict_of(interval: tuple[float, float], slight_limit: float) -> Verdict:
    """Return the verdict for an interval, given the threshold of slight differences."""
    low, high = interval
    is_slight = -slight_limit < low and high < slight_limit
    if low > 0 or high < 0:
        return Verdict.SLIGHT if is_slight else Verdict.CERTAIN
    return Verdict.UNCHANGED if is_slight else Verdict.NOT_KNOWN


def interval_around(contrast: Contrast, factor: float) -> tuple[float, float]:
    """Return the interval of *factor* standard errors around a difference."""
    half = factor * contrast.standard_error
    return contrast.difference - half, contrast.difference + half


# ---------------------------------------------------------------- critical values


def bonferroni_factor(measure_count: int, pair_count: int) -> float:
    """Return Bonferroni's critical value for this many measures and pairs."""
    probability = 1 - (1 - CONFIDENCE) / 2 / measure_count
    if pair_count >= MIN_BOOTSTRAP_PAIRS:
        return normal_quantile(probability)
    return student_quantile(probability, max(pair_count - 1, 1))


def largest_deviation_factor(contrasts: Sequence[Contrast]) -> float:
    """Return the critical value for the largest studentised deviation."""
    varying = [contrast for contrast in contrasts if contrast.standard_error > 0]
    if not varying:
        return normal_quantile((1 + CONFIDENCE) / 2)
    influences = np.column_stack([contrast.influence for contrast in varying])
    lengths = np.sqrt(np.sum(influences**2, axis=0))
    unit = influences / lengths
    root = square_root(unit.T @ unit)
    deviations = np.concatenate(
        [
            np.max(np.abs(draws @ root), axis=1)
            for draws in bootstrap_draws(len(varying))
        ]
    )
    return float(np.quantile(deviations, CONFIDENCE))


def square_root(matrix: Array) -> Array:
    """Return the symmetric square root of a correlation matrix, even if singular."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T


@lru_cache(maxsize=2)
def bootstrap_draws(measure_count: int) -> tuple[Array, ...]:
    """Return standard normal numbers for all bootstrap draws, in chunks.

    Each row is one draw. The numbers are always the same.
    """
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    sizes = [min(CHUNK_DRAWS, DRAWS - start) for start in range(0, DRAWS, CHUNK_DRAWS)]
    return tuple(rng.standard_normal((size, measure_count)) for size in sizes)
