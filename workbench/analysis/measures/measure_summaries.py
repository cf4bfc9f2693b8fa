"""Summaries of measures over many games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import attrs

from workbench.analysis.measures.measure_rows import VALUE_DIGITS, Row
from workbench.analysis.measures.measure_table import (
    ALL_MEASURES,
    SHARE,
    Measure,
    MeasureDefinition,
    MeasureScope,
)

HIDDEN_SCOPES = frozenset({MeasureScope.SPACE})
"""Scopes whose members are too many to be shown individually."""


@attrs.frozen
class Summary:
    """Number of games, mean, standard deviation and median of a measure.

    `of` is the part, or None for the whole game. `games` counts the games with a
    value. Mean and median are None without any value, and the deviation with fewer than
    two.
    """

    measure: str
    of: str | None
    unit: str
    games: int
    mean: float | None
    deviation: float | None
    median: float | None

    @property
    def name(self) -> str:
        """Display name of the measure and its part."""
        return " ".join(filter(None, (self.measure, self.of)))

    def to_json(self) -> dict[str, Any]:
        """Return the summary as plain data."""
        return attrs.asdict(self)


def summarize(
    rows: Sequence[Row], table: Sequence[Measure] = ALL_MEASURES
) -> Iterator[Summary]:
    """Yield a summary of each column of the rows."""
    numpy = import_module("numpy")
    units = {measure.name: measure.unit for measure in table}
    for column in rows[0] if rows else ():
        name, _, of = column.partition(".")
        values = [value for row in rows if (value := row.get(column)) is not None]
        yield Summary(
            name,
            of or None,
            units[name],
            len(values),
            rounded_value(numpy.mean(values)) if values else None,
            rounded_value(numpy.std(values, ddof=1)) if len(values) > 1 else None,
            rounded_value(numpy.median(values)) if values else None,
        )


def rounded_value(number: float) -> float:
    """Return a numpy number as a float, rounded to `VALUE_DIGITS` places."""
    return round(float(number), VALUE_DIGITS)


def shown_summaries(summaries: Sequence[Summary]) -> Iterator[Summary]:
    """Yield the summaries to show: no individual spaces, and no parts that are 0."""
    hidden = {
        measure.name for measure in ALL_MEASURES if measure.scope in HIDDEN_SCOPES
    }
    for summary in summaries:
        if summary.measure in hidden:
            continue
        if summary.of is None or summary.mean:
            yield summary


def summary_cells(summary: Summary, all_games: int) -> tuple[str, str, str, str]:
    """Return the table cells of a summary: name, mean, margin of error, and unit."""
    if summary.mean is None:
        return summary.name, "never", "", ""
    factor, unit = (100, "%") if summary.unit == SHARE else (1, summary.unit)
    margin = ""
    if summary.deviation is not None:
        margin = f"± {2 * factor * summary.deviation / summary.games**0.5:.2f}"
    note = "" if summary.games == all_games else f"in {summary.games} games"
    mean = f"{factor * summary.mean:.2f}"
    return summary.name, mean, margin, f"{unit} {note}".strip()


def definitions(
    table: Sequence[MeasureDefinition] = ALL_MEASURES,
) -> Iterator[Mapping[str, str]]:
    """Yield the definition of each measure as plain data."""
    for measure in table:
        yield {
            "measure": measure.name,
            "of": measure.scope.value,
            "unit": measure.unit,
            "says": measure.meaning,
            "source": measure.source,
        }
