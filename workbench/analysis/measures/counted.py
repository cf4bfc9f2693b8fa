"""Measures of how often rule parts take effect, computed by replaying a game.

Traces do not contain these counts. The interpreter replays the game with a counting
program (ADR 58) and checks the requirements of each offered action separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from statistics import fmean
from typing import Any, Self

import attrs

from interpreter import Counts, Tally, counted_copy
from rulebook import Rulebook
from workbench.analysis.measures.measure_table import (
    SHARE,
    MeasureDefinition,
    MeasureScope,
)
from workbench.analysis.measures.rule_parts import (
    RulePart,
    rule_parts,
    with_separate_checks,
)

Value = int | float | None
Row = dict[str, Value]
MEAN_DIGITS = 9
"""Number of decimal places to which means and shares are rounded."""


class CountedQuantity(Enum):
    """Quantity that a counted measure reports: a number of times, or a share."""

    TIMES = "times"
    SHARE = "share"


@attrs.frozen
class CountedMeasure(MeasureDefinition):
    """Measure of how often requirements, lines or branches of the rules take effect."""

    quantity: CountedQuantity


COUNTED_MEASURES = (
    CountedMeasure(
        "refused",
        MeasureScope.REQUIREMENT,
        "actions",
        "Number of offered actions that were illegal because of this"
        " requirement: all earlier requirements were met, and this one was"
        " not.",
        CountedQuantity.TIMES,
    ),
    CountedMeasure(
        "share_of_refusals",
        MeasureScope.REQUIREMENT,
        SHARE,
        "Share of this requirement among all rejections of its action.",
        CountedQuantity.SHARE,
    ),
    CountedMeasure(
        "decided",
        MeasureScope.LINE,
        "times",
        "Number of times the line determined the value of its definition: the"
        " first line that applied or, in a sum, every line that applied.",
        CountedQuantity.TIMES,
    ),
    CountedMeasure(
        "share_of_lines",
        MeasureScope.LINE,
        SHARE,
        "Share of the evaluations of the definition that the line determined.",
        CountedQuantity.SHARE,
    ),
    CountedMeasure(
        "entered",
        MeasureScope.BRANCH,
        "times",
        "Number of times the condition of an `if` was true.",
        CountedQuantity.TIMES,
    ),
    CountedMeasure(
        "share_of_branches",
        MeasureScope.BRANCH,
        SHARE,
        "Share of the evaluations in which the condition was true.",
        CountedQuantity.SHARE,
    ),
)
"""All counted measures. A share is None in a game without an evaluation."""

MEASURES_BY_SCOPE = {
    of: tuple(measure for measure in COUNTED_MEASURES if measure.scope is of)
    for of in dict.fromkeys(measure.scope for measure in COUNTED_MEASURES)
}


@attrs.frozen(eq=False)
class RulePartCounter:
    """Counter of how often each rule part takes effect in games of one book."""

    book: Rulebook
    counts: Counts
    parts: tuple[RulePart, ...]

    @classmethod
    def of_book(cls, book: Rulebook) -> Self:
        """Return the counter for the games of a book."""
        counted_book, counts = counted_copy(with_separate_checks(book))
        return cls(counted_book, counts, rule_parts(counted_book, counts))

    def column_definitions(self) -> Mapping[str, str]:
        """Return the definitions of the counts in a game's row, by column name."""
        return {
            f"{measure.name}.{part.name}": measure.meaning
            for part in self.parts
            for measure in MEASURES_BY_SCOPE[part.scope]
        }

    def reset(self) -> None:
        """Reset the counts."""
        self.counts.take()

    def take_row(self) -> Row:
        """Return the counts by column since the last reset, and reset them."""
        tally = self.counts.take()
        return {
            f"{measure.name}.{part.name}": counted_value(measure.quantity, part, tally)
            for part in self.parts
            for measure in MEASURES_BY_SCOPE[part.scope]
        }


def counted_value(quantity: CountedQuantity, part: RulePart, tally: Tally) -> Value:
    """Return how often a rule part took effect or, for `SHARE`, its share, if any."""
    rejects = part.scope is MeasureScope.REQUIREMENT
    times = tally[part.site][rejects]
    if quantity is CountedQuantity.TIMES:
        return times
    base = sum(tally[n][1] if rejects else sum(tally[n]) for n in part.base_counters)
    return round(times / base, MEAN_DIGITS) if base else None


# ---------------------------------------------------------------- means over games


@attrs.frozen
class PartMeans:
    """Means of one rule part over several games: times it took effect, and its share.

    `share` is the mean over the games that have one, or None if no game has one.
    """

    part: RulePart
    times: float
    share: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the rule part and its means as plain data."""
        return {**self.part.to_json(), "times": self.times, "share": self.share}


def part_means(parts: Iterable[RulePart], rows: Sequence[Row]) -> Iterator[PartMeans]:
    """Yield the means of each rule part over the counted games in *rows*."""
    for part in parts:
        times, share = (
            [row[f"{measure.name}.{part.name}"] for row in rows]
            for measure in MEASURES_BY_SCOPE[part.scope]
        )
        yield PartMeans(part, _rounded_mean(times) or 0, _rounded_mean(share))


GROUP_NAMES = {
    MeasureScope.REQUIREMENT: "requirements",
    MeasureScope.LINE: "lines",
    MeasureScope.BRANCH: "branches",
}
"""Group name of the rule parts of each scope, used as a key in documents."""

COLUMN_HEADINGS = {
    "requirements": ("requirement", "rejections per game", "of rejections"),
    "lines": ("line", "uses per game", "of evaluations"),
    "branches": ("branch", "entries per game", "of evaluations"),
}
"""Column headings of the table of each group; columns for clause and source follow."""


def part_counts(parts: Sequence[RulePart], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the mean count of each rule part over counted games as plain data."""
    means = list(part_means(parts, rows))
    return {
        "games": len(rows),
        **{
            group: [mean.to_json() for mean in means if mean.part.scope is scope]
            for scope, group in GROUP_NAMES.items()
        },
    }


def table_rows(group: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield the table row of each rule part in a group returned by `part_counts`."""
    for part in group:
        share, citation = part["share"], part["citation"]
        yield (
            part["name"],
            f"{part['times']:.2f}",
            "never" if share is None else f"{100 * share:.2f} %",
            f"{part['clause']}, {part['file']}:{part['line']}",
            citation["section"] if citation else "",
        )


def _rounded_mean(values: Iterable[Value]) -> float | None:
    """Return the rounded mean of the values that are not None, or None without any."""
    known = [value for value in values if value is not None]
    return round(fmean(known), MEAN_DIGITS) if known else None
