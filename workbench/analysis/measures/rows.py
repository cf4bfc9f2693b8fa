"""Games measured: a row for each, by the names of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from interpreter.tracing import Legend, Trace
from workbench.analysis.measures.games import GameEnd, Games
from workbench.analysis.measures.seats import BY_SEAT
from workbench.analysis.measures.table import TABLE, Measure, declared

Value = int | float | None
Row = dict[str, Value]
"""The values of a game by column; None is what that game cannot say."""

DIGITS = 9
"""To how many places a value that is no whole number is kept."""


def column(name: str, of: str) -> str:
    """What the values of a measure are called, of the whole game or of a part.

    >>> column("turns", ""), column("wins", "red")
    ('turns', 'wins.red')
    """
    return f"{name}.{of}" if of else name


def whole_table(legend: Legend, *, by_seat: bool = False) -> tuple[Measure, ...]:
    """All measures of some games: those of every game, and what the rules declare.

    Those of each seat by itself are among them where they are asked for.
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
    """The rows of some games of some bots, in order, by all measures or by some."""
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
    """Values of numpy as plain numbers; what is none is None, what is whole an int."""
    listed: list[Value] = values.tolist()  # type: ignore[attr-defined]
    if listed and isinstance(listed[0], int):
        return listed
    return [_number(value) for value in listed]


def _number(value: Value) -> Value:
    if value is None or isnan(value):
        return None
    whole = round(value, DIGITS)
    return int(whole) if whole == int(whole) else whole
