"""C tables for observations: what each seat sees, and the cells that seats own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum

import attrs

from interpreter.native.c_layout import Cells
from interpreter.plan.observation_layout import (
    EVERYBODY,
    ObservedRun,
    RunSort,
    number_names,
    observed_runs,
)
from interpreter.plan.plan import Plan, owning_seat


class Sight(IntEnum):
    """Sort of a row of the C table, with the values of `SEES_…` in C."""

    CELLS = 0
    NOTHING = 1
    MARKED = 2
    TOTAL = 3
    SEAT = 4
    ASKS = 5
    POINTS = 6
    SIZE = 7
    TOP = 8
    KNOWN = 9
    FILLED = 10


SAME_FOR_ALL = {
    RunSort.SEAT: Sight.SEAT,
    RunSort.ASKS: Sight.ASKS,
    RunSort.TOTAL: Sight.TOTAL,
    RunSort.POINTS: Sight.POINTS,
    RunSort.SIZE: Sight.SIZE,
    RunSort.TOP: Sight.TOP,
    RunSort.KNOWN: Sight.KNOWN,
    RunSort.FILLED: Sight.FILLED,
}
"""Sorts of runs whose rows in C do not depend on the seat."""

STACKS = (RunSort.SIZE, RunSort.KNOWN, RunSort.TOP)


@attrs.frozen
class SightRow:
    """Row of the C table: numbers of an observation, as C reads them (`batch.h`)."""

    sort: Sight
    size: int
    place: int
    out: int
    also: int = 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """The row as integers, in the order of the C structure."""
        return (self.size, self.place, self.out, self.also)


@attrs.frozen
class OwnedCells:
    """Cells, or a stack, that a seat owns and whose changes it sees during a block."""

    seat: int
    place: int
    cells: int


def seat_rows(
    runs: Sequence[ObservedRun], cells: Cells, seats: int
) -> list[list[SightRow]]:
    """Return for each seat the rows of its observation, by their sorts."""
    rows: list[list[SightRow]] = []
    for seat in range(seats):
        out, seen = 0, list[SightRow]()
        for run in runs:
            add_row(seen, row_of(run, cells, seat, out))
            out += len(run.names)
        rows.append(sorted(seen, key=lambda row: (row.sort, row.size, row.also)))
    return rows


def row_of(run: ObservedRun, cells: Cells, seat: int, out: int) -> SightRow:
    """Return the row of a run for a seat."""
    size = len(run.names)
    match run.sort:
        case RunSort.CELLS if run.owner in (EVERYBODY, seat):
            return SightRow(Sight.CELLS, size, run.place + run.first, out)
        case RunSort.CELLS if run.viewers_cell < 0:
            return SightRow(Sight.NOTHING, size, 0, out)
        case RunSort.CELLS:
            place, viewers = run.place + run.first, run.viewers_cell
            return SightRow(Sight.MARKED, size, place, out, viewers)
        case RunSort.POINTS:
            return SightRow(Sight.POINTS, size, run.first, out)
        case RunSort.TOTAL:
            return SightRow(Sight.TOTAL, size, run.place, out, run.cells)
    place = cells.stacks[run.place] if run.sort in STACKS else run.place
    return SightRow(SAME_FOR_ALL[run.sort], size, place, out, run.first)


def add_row(rows: list[SightRow], row: SightRow) -> None:
    """Add a row, merged with the last one if both are hidden or adjacent cells."""
    last = rows[-1] if rows else None
    is_next = (
        last is not None
        and last.sort == row.sort
        and (
            row.sort == Sight.NOTHING
            or (row.sort == Sight.CELLS and row.place == last.place + last.size)
        )
    )
    if last is not None and is_next:
        rows[-1] = attrs.evolve(last, size=last.size + row.size)
    else:
        rows.append(row)


def row_starts(rows: Iterable[Sequence[SightRow]]) -> list[int]:
    """Return the number of the first row of each sort of each seat, and of all rows.

    >>> row_starts([[SightRow(Sight.TOTAL, 1, 0, 0)]])
    [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    starts = [0]
    for seen in rows:
        counts = Counter(row.sort for row in seen)
        for sort in Sight:
            starts.append(starts[-1] + counts[sort])
    return starts


def own_cells(plan: Plan, cells: Cells) -> tuple[list[OwnedCells], list[OwnedCells]]:
    """Return the owned cells and the owned stacks of all seats."""
    rows, stacks = [], []
    for block in plan.layout.fields.values():
        for index in range(block.count):
            seat, row = owning_seat(plan, block, index), block.row(index)
            if seat is None:
                continue
            if row in cells.stacks:
                stacks.append(OwnedCells(seat, cells.stacks[row], 1))
            else:
                rows.append(OwnedCells(seat, row, block.size))
    return rows, stacks


def size_macros(plan: Plan, cells: Cells) -> dict[str, int | str]:
    """Return the values of the C macros for observations, by name."""
    runs = observed_runs(plan)
    owned, stacks = own_cells(plan, cells)
    seen = seat_rows(runs, cells, plan.players)
    return {
        "HIDDEN": "INT32_MIN",
        "SIGHTS": ", ".join([braced(row.numbers) for rows in seen for row in rows]),
        "SIGHT_STARTS": ", ".join(map(str, row_starts(seen))),
        "OBSERVED": len(number_names(runs)),
        "OWN_CELLS": table_rows(owned),
        "OWN_STACKS": table_rows(stacks),
        "INDICES": plan.actions.size,
    }


def table_rows(owned: list[OwnedCells]) -> str:
    """Return the rows of a C table; an empty table gets a row that no seat owns."""
    rows = [braced((own.seat, own.place, own.cells)) for own in owned]
    return ", ".join(rows or ["{-1, 0, 0}"])


def braced(numbers: Iterable[int]) -> str:
    """Return numbers as a C initializer.

    >>> braced((1, 2))
    '{1, 2}'
    """
    return f"{{{', '.join(map(str, numbers))}}}"
