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

from workbench.analysis.statistics.contrasts import Columns, Contrast, paired, unpaired
from workbench.analysis.statistics.quantiles import normal, student

SURE = 0.95
DRAWS = 20_000
CHUNK = 4_000
SEED = 20_061
"""Random seed of the bootstrap; equal games always give the same critical value."""

FEW = 100
"""Minimum number of pairs for the bootstrap instead of Bonferroni's correction."""

SLIGHT, SLIGHT_SHARE = 0.2, 0.05
"""Largest slight difference: in standard deviations of a game, and for shares."""

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
    def tested(self) -> bool:
        """Whether the measure was tested as part of the family."""
        return self not in {Verdict.RARE, Verdict.SAME}


class Correction(StrEnum):
    """Correction for testing several measures at once."""

    LARGEST = "largest deviation"
    BONFERRONI = "Bonferroni"
    NONE = "none"


@attrs.frozen(eq=False)
class AdjustedMeasure:
    """Contrast of a measure with its verdict.

    `interval` is adjusted for the whole family; `alone` is the unadjusted interval.
    `slight` is the largest difference that counts as slight.
    """

    contrast: Contrast
    verdict: Verdict
    slight: float
    interval: tuple[float, float] | None = None
    alone: tuple[float, float] | None = None

    @property
    def size(self) -> float:
        """Absolute difference in standard deviations of a game, used for ranking."""
        swing = self.contrast.swing
        return abs(self.contrast.difference) / swing if swing else np.inf


@attrs.frozen(eq=False)
class Family:
    """Measures tested together, in the order given.

    `factor` is the half-width of each interval in standard errors, and `looked_at` the
    number of tested measures.
    """

    measures: Sequence[AdjustedMeasure]
    correction: Correction
    factor: float
    looked_at: int

    def of(self, verdict: Verdict) -> list[AdjustedMeasure]:
        """Return the measures with this verdict, the largest difference first."""
        chosen = [judged for judged in self.measures if judged.verdict is verdict]
        return sorted(chosen, key=lambda judged: -judged.size)

    def __getitem__(self, name: str) -> AdjustedMeasure:
        return next(judged for judged in self.measures if judged.contrast.name == name)


def pairs(
    first: Columns, second: Columns, slight: Mapping[str, float] | None = None
) -> Family:
    """Return the family of differences between games paired by seed."""
    return family([paired(*both) for both in columns(first, second)], slight)


def unpaired_contrasts(
    first: Columns, second: Columns, slight: Mapping[str, float] | None = None
) -> Family:
    """Return the family of differences between two independent samples of games."""
    return family([unpaired(*both) for both in columns(first, second)], slight)


def columns(first: Columns, second: Columns) -> Iterator[tuple[str, Array, Array]]:
    """Yield each measure's name and its column in both variants; missing ones are 0."""
    sizes = [len(next(iter(side.values()), ())) for side in (first, second)]
    for name in dict.fromkeys((*first, *second)):
        sides = zip((first, second), sizes, strict=True)
        mine, theirs = (side.get(name, np.zeros(size)) for side, size in sides)
        yield name, mine, theirs


def family(
    contrasts: Sequence[Contrast], slight: Mapping[str, float] | None = None
) -> Family:
    """Return the family of these contrasts.

    *slight* contains the thresholds of slight differences that measures declare.
    """
    tested = [each for each in contrasts if not each.same and not each.rare]
    number = min((each.number for each in tested), default=0)
    correction, factor = Correction.NONE, 0.0
    if tested:
        few = number < FEW
        correction = Correction.BONFERRONI if few else Correction.LARGEST
        factor = bonferroni(len(tested), number) if few else largest(tested)
    by_itself = bonferroni(1, number) if tested else 0.0
    judged = [
        judged_by(each, factor, by_itself, (slight or {}).get(each.name))
        for each in contrasts
    ]
    return Family(judged, correction, factor, len(tested))


def judged_by(
    contrast: Contrast, factor: float, by_itself: float, slight: float | None
) -> AdjustedMeasure:
    """Return a contrast with its verdict and intervals.

    *factor* and *by_itself* are the critical values with and without adjustment.
    """
    if slight is None:
        slight = SLIGHT_SHARE if contrast.share else SLIGHT * contrast.swing
    if contrast.same or contrast.rare:
        verdict = Verdict.SAME if contrast.same else Verdict.RARE
        return AdjustedMeasure(contrast, verdict, slight)
    interval = around(contrast, factor)
    verdict = verdict_of(interval, slight)
    return AdjustedMeasure(
        contrast, verdict, slight, interval, around(contrast, by_itself)
    )


def verdict_of(interval: tuple[float, float], slight: float) -> Verdict:
    """Return the verdict for an interval, given the threshold of slight differences."""
    low, high = interval
    inside = -slight < low and high < slight
    if low > 0 or high < 0:
        return Verdict.SLIGHT if inside else Verdict.CERTAIN
    return Verdict.UNCHANGED if inside else Verdict.NOT_KNOWN


def around(contrast: Contrast, factor: float) -> tuple[float, float]:
    """Return the interval of *factor* standard errors around a difference."""
    half = factor * contrast.error
    return contrast.difference - half, contrast.difference + half


# ---------------------------------------------------------------- critical values


def bonferroni(measures: int, number: int) -> float:
    """Return Bonferroni's critical value for this many measures and pairs."""
    probability = 1 - (1 - SURE) / 2 / measures
    if number >= FEW:
        return normal(probability)
    return student(probability, max(number - 1, 1))


def largest(contrasts: Sequence[Contrast]) -> float:
    """Return the critical value for the largest studentised deviation."""
    varying = [each for each in contrasts if each.error > 0]
    if not varying:
        return normal((1 + SURE) / 2)
    influences = np.column_stack([each.influence for each in varying])
    lengths = np.sqrt(np.sum(influences**2, axis=0))
    unit = influences / lengths
    root = square_root(unit.T @ unit)
    deviations = np.concatenate(
        [np.max(np.abs(draws @ root), axis=1) for draws in normals(len(varying))]
    )
    return float(np.quantile(deviations, SURE))


def square_root(matrix: Array) -> Array:
    """Return the symmetric square root of a correlation matrix, even if singular."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T


@lru_cache(maxsize=2)
def normals(measures: int) -> tuple[Array, ...]:
    """Return standard normal numbers for all bootstrap draws, in chunks.

    Each row is one draw. The numbers are always the same.
    """
    numbers = np.random.default_rng(SEED)
    sizes = [min(CHUNK, DRAWS - begun) for begun in range(0, DRAWS, CHUNK)]
    return tuple(numbers.standard_normal((size, measures)) for size in sizes)
