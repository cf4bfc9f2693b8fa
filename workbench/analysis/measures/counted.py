"""Measures of what the rules decided: counted where a game is played again.

No trace tells them. The interpreter plays by a program that counts (ADR 58), and asks
each action that is offered by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from statistics import fmean
from typing import Any, Self

import attrs

from interpreter import Counts, Tally, counted
from rulebook import Rulebook
from workbench.analysis.measures.parts import RulePart, asked_in_full, parts_of
from workbench.analysis.measures.table import OURS, SHARE, Defined, MeasureScope

Value = int | float | None
Row = dict[str, Value]
DIGITS = 9
"""To how many places a share is kept."""


class How(Enum):
    """What of a part is counted: how often, or in which share of what was asked."""

    TIMES = "times"
    SHARE = "share"


@attrs.frozen
class CountedMeasure(Defined):
    """A measure of parts of the rules."""

    how: How


COUNTED = (
    CountedMeasure(
        "refused",
        MeasureScope.REQUIREMENT,
        "actions",
        "Number of offered actions that were illegal because of this"
        " requirement: all earlier requirements were met, and this one was"
        " not.",
        OURS,
        How.TIMES,
    ),
    CountedMeasure(
        "share_of_refusals",
        MeasureScope.REQUIREMENT,
        SHARE,
        "Share of this requirement among all rejections of its action.",
        OURS,
        How.SHARE,
    ),
    CountedMeasure(
        "decided",
        MeasureScope.LINE,
        "times",
        "Number of times the line determined the value of its definition: the"
        " first line that applied or, in a sum, every line that applied.",
        OURS,
        How.TIMES,
    ),
    CountedMeasure(
        "share_of_lines",
        MeasureScope.LINE,
        SHARE,
        "Share of the evaluations of the definition that the line determined.",
        OURS,
        How.SHARE,
    ),
    CountedMeasure(
        "entered",
        MeasureScope.BRANCH,
        "times",
        "Number of times the condition of an `if` was true.",
        OURS,
        How.TIMES,
    ),
    CountedMeasure(
        "share_of_branches",
        MeasureScope.BRANCH,
        SHARE,
        "Share of the evaluations in which the condition was true.",
        OURS,
        How.SHARE,
    ),
)
"""What is counted. Where nothing was refused or asked in a game, it has no share."""

BY_SORT = {
    of: tuple(measure for measure in COUNTED if measure.of is of)
    for of in dict.fromkeys(measure.of for measure in COUNTED)
}


@attrs.frozen(eq=False)
class Counting:
    """What counts games: the book by which they are played, and its parts."""

    book: Rulebook
    counts: Counts
    parts: tuple[RulePart, ...]

    @classmethod
    def of(cls, book: Rulebook) -> Self:
        """What counts games of a book."""
        same, counts = counted(asked_in_full(book))
        return cls(same, counts, parts_of(same, counts))

    def columns(self) -> Mapping[str, str]:
        """The columns of a game that is counted, each with what it says."""
        return {
            f"{measure.name}.{part.name}": measure.says
            for part in self.parts
            for measure in BY_SORT[part.of]
        }

    def begin(self) -> None:
        """Forget what has been counted so far."""
        self.counts.take()

    def row(self) -> Row:
        """What has been counted since."""
        tally = self.counts.take()
        return {
            f"{measure.name}.{part.name}": _value(measure.how, part, tally)
            for part in self.parts
            for measure in BY_SORT[part.of]
        }


def _value(how: How, part: RulePart, tally: Tally) -> Value:
    """How often a part decided, or in which share of what was asked."""
    refuses = part.of is MeasureScope.REQUIREMENT
    times = tally[part.site][refuses]
    if how is How.TIMES:
        return times
    asked = sum(tally[n][1] if refuses else sum(tally[n]) for n in part.asked)
    return round(times / asked, DIGITS) if asked else None


# ---------------------------------------------------------------- over games


@attrs.frozen
class Counted:
    """A part over games: how often it decided in one, and in which share; None: never.

    Means are of the games that say it.
    """

    part: RulePart
    times: float
    share: float | None

    def to_json(self) -> dict[str, Any]:
        """The part and what it came to, as plain data."""
        return {**self.part.to_json(), "times": self.times, "share": self.share}


def summed_up(parts: Iterable[RulePart], rows: Sequence[Row]) -> Iterator[Counted]:
    """What each part came to over some games that were counted."""
    for part in parts:
        times, share = (
            [row[f"{measure.name}.{part.name}"] for row in rows]
            for measure in BY_SORT[part.of]
        )
        yield Counted(part, _mean(times) or 0, _mean(share))


GROUPS = {
    MeasureScope.REQUIREMENT: "requirements",
    MeasureScope.LINE: "lines",
    MeasureScope.BRANCH: "branches",
}
"""What the parts of a sort are called together."""

HEADS = {
    "requirements": ("requirement", "rejections per game", "of rejections"),
    "lines": ("line", "uses per game", "of evaluations"),
    "branches": ("branch", "entries per game", "of evaluations"),
}
"""What stands above the columns of each group, before clause and source."""


def part_counts(parts: Sequence[RulePart], rows: Sequence[Row]) -> dict[str, Any]:
    """What the parts came to over some games that were counted, as plain data."""
    every = list(summed_up(parts, rows))
    return {
        "games": len(rows),
        **{
            group: [each.to_json() for each in every if each.part.of is of]
            for of, group in GROUPS.items()
        },
    }


def cells(group: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """A row for each part of a group that is told: for people."""
    for part in group:
        share, cited = part["share"], part["citation"]
        yield (
            part["name"],
            f"{part['times']:.2f}",
            "never" if share is None else f"{100 * share:.2f} %",
            f"{part['clause']}, {part['file']}:{part['line']}",
            cited["section"] if cited else "",
        )


def _mean(values: Iterable[Value]) -> float | None:
    """The mean of what there is."""
    there = [value for value in values if value is not None]
    return round(fmean(there), DIGITS) if there else None
