"""Measured games as rows, with a value for each column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from interpreter.tracing import Legend, Trace
from workbench.analysis.measures.games import GameEnd, Games
from workbench.analysis.measures.seats import BY_SEAT
from workbench.analysis.measures.table import TABLE, Measure, declared

Value = int | float | None
Row = dict[str, Value]
"""Values of a game by column; None if a measure does not apply to the game."""

DIGITS = 9
"""Number of decimal places to which values are rounded."""


def column(name: str, of: str) -> str:
    """Return the column name of a measure for one part, or `""` for the whole game.

    >>> column("turns", ""), column("wins", "red")
    ('turns', 'wins.red')
    """
    return f"{name}.{of}" if of else name


def whole_table(legend: Legend, *, by_seat: bool = False) -> tuple[Measure, ...]:
    """Return all measures of games with this legend, including those the rules declare.

    With *by_seat*, the measures of single seats are included.
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
    """Yield a row for each game, in order.

    *table* are the measures to compute; the default is all of them.
    """
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
    """Return an array as plain numbers: NaN becomes None, whole floats ints."""
    listed: list[Value] = values.tolist()  # type: ignore[attr-defined]
    if listed and isinstance(listed[0], int):
        return listed
    return [_number(value) for value in listed]


def _number(value: Value) -> Value:
    """Return a value rounded to `DIGITS` places, or as an int if it is whole."""
    if value is None or isnan(value):
        return None
    whole = round(value, DIGITS)
    return int(whole) if whole == int(whole) else whole
