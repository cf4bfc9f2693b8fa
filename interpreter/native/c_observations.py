"""C tables for observations: the observed runs, and the cells that seats own."""

from __future__ import annotations

import attrs

from interpreter.native.c_layout import Cells
from interpreter.plan.observation_layout import (
    ObservedRun,
    RunSort,
    number_names,
    observed_runs,
)
from interpreter.plan.plan import Plan, owning_seat

STACKS = (RunSort.SIZE, RunSort.KNOWN, RunSort.TOP)


@attrs.frozen
class OwnedCells:
    """Cells, or a stack, that a seat owns and whose changes it sees during a block."""

    seat: int
    place: int
    cells: int


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
    rows, stacks = own_cells(plan, cells)
    return {
        "HIDDEN": "INT32_MIN",
        "SIGHTS": ", ".join([table_row(run, cells) for run in runs]),
        "OBSERVED": len(number_names(runs)),
        "OWN_CELLS": table_rows(rows),
        "OWN_STACKS": table_rows(stacks),
        "INDICES": plan.actions.size,
    }


def table_rows(owned: list[OwnedCells]) -> str:
    """Return the rows of a C table; an empty table gets a row that no seat owns."""
    rows = [f"{{{own.seat}, {own.place}, {own.cells}}}" for own in owned]
    return ", ".join(rows or ["{-1, 0, 0}"])


def table_row(run: ObservedRun, cells: Cells) -> str:
    """Return the C table row of an observed run; stacks are numbered separately."""
    place = cells.stacks[run.place] if run.sort in STACKS else run.place
    numbers = (
        run.sort,
        len(run.names),
        place,
        run.cells,
        run.owner,
        run.viewers_cell,
    )
    return f"{{{', '.join([str(int(number)) for number in numbers])}}}"
