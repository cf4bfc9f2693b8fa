"""Measured games as rows, with a value for each column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from interpreter.tracing import Legend, Trace
from workbench.analysis.measures.measure_table import (
    ALL_MEASURES,
    Measure,
    declared_measures,
)
from workbench.analysis.measures.measured_games import GameEnd, MeasuredGames
from workbench.analysis.measures.seat_holdings import SEAT_MEASURES

Value = int | float | None
Row = dict[str, Value]
"""Values of a game by column; None if a measure does not apply to the game."""

VALUE_DIGITS = 9
"""Number of decimal places to which values are rounded."""


def column_name(name: str, part: str) -> str:
    """Return the column name of a measure for a part; part `""` is the whole game.

    >>> column_name("turns", ""), column_name("wins", "red")
    ('turns', 'wins.red')
    """
    return f"{name}.{part}" if part else name


def all_measures(legend: Legend, *, by_seat: bool = False) -> tuple[Measure, ...]:
    """Return all measures of games with this legend, including those the rules declare.

    With *by_seat*, the measures of individual seats are included.
    """
    names = [measure.name for measure in (*ALL_MEASURES, *SEAT_MEASURES)]
    more = SEAT_MEASURES if by_seat else ()
    return (*ALL_MEASURES, *more, *declared_measures(legend, names))


def measure_rows(
    legend: Legend,
    trace: Trace,
    game_ends: Sequence[GameEnd],
    bots: Sequence[str],
    table: Sequence[Measure] | None = None,
) -> Iterator[Row]:
    """Yield a row for each game, in order.

    *table* contains the measures to compute; by default, all of them.
    """
    games = MeasuredGames(legend, trace, game_ends, bots)
    table = all_measures(legend) if table is None else table
    columns = {
        column_name(measure.name, part): values
        for measure in table
        for part, values in measure.compute(games).items()
    }
    names = tuple(columns)
    for row in zip(
        *[_plain_values(values) for values in columns.values()], strict=True
    ):
        yield dict(zip(names, row, strict=True))


def _plain_values(values: object) -> list[Value]:
    """Return an array as plain numbers: NaN becomes None, whole floats ints."""
    plain: list[Value] = values.tolist()  # type: ignore[attr-defined]
    if plain and isinstance(plain[0], int):
        return plain
    return [_plain_number(value) for value in plain]


def _plain_number(value: Value) -> Value:
    """Return a value rounded to `VALUE_DIGITS` places, or as an int if it is whole."""
    if value is None or isnan(value):
        return None
    rounded = round(value, VALUE_DIGITS)
    return int(rounded) if rounded == int(rounded) else rounded
