"""Measured games as rows: the values of each game by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from interpreter.tracing import Legend, Trace
from workbench.analysis.measures.games import GameEnd, Games
from workbench.analysis.measures.seats import BY_SEAT
from workbench.analysis.measures.table import TABLE, Measure, declared

Value = int | float | None
Row = dict[str, Value]
"""Values of a game by column; None for a measure that does not apply to it."""

DIGITS = 9
"""Number of decimal places of a value."""


def column(name: str, of: str) -> str:
    """Return the name of the column for a measure of the whole game or of a part.

    >>> column("turns", ""), column("wins", "red")
    ('turns', 'wins.red')
    """
    return f"{name}.{of}" if of else name


def whole_table(legend: Legend, *, by_seat: bool = False) -> tuple[Measure, ...]:
    """Return all measures of some games, including those that the rules declare.

    With `by_seat`, the measures of each seat are included.
    """
    names = [measure.name for measure in (*TABLE, *BY_SEAT)]
    more = BY_SEAT if by_seat else ()
    return (*TABLE, *more, *declared(legend, names))


def measured(
    legend: Legend,
    trace: Trace,
    ended: Sequence[GameEnd],
    bots: Sequence[str],
    table: Sequence[Measure] | None = None,
) -> Iterator[Row]:
    """Yield the rows of some games, in order, by all measures or those in `table`."""
    games = Games(legend, trace, ended, bots)
    table = whole_table(legend) if table is None else table
    columns = {
        column(measure.name, of): values
        for measure in table
        for of, values in measure.games(games).items()
    }
    names = tuple(columns)
    for row in zip(*[_plain(values) for values in columns.values()], strict=True):
        yield dict(zip(names, row, strict=True))


def _plain(values: object) -> list[Value]:
    """Return numpy values as numbers: NaN becomes None, and whole values ints."""
    listed: list[Value] = values.tolist()  # type: ignore[attr-defined]
    if listed and isinstance(listed[0], int):
        return listed
    return [_number(value) for value in listed]


def _number(value: Value) -> Value:
    if value is None or isnan(value):
        return None
    whole = round(value, DIGITS)
    return int(whole) if whole == int(whole) else whole
