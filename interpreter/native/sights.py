"""What a seat may see of a game, as one row of numbers: what stands where in it.

A `Sight` is a run of numbers that the same seats see. C fills the row by the table of
all of them; `named` says what each number is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import attrs

from interpreter.native.layout import Cells
from interpreter.plan.plan import Plan, owning_seat
from interpreter.tables.facts import PLAYER
from interpreter.tables.layout import (
    ACTIVE,
    BACKWARDS,
    MISSING,
    NEXT,
    ROUND,
    STARTER,
    TURN,
    Block,
)
from rulebook import model as m

EVERYBODY, NOBODY = -2, -1

HEADER = {"turn": TURN, "round": ROUND, "active": ACTIVE, "starter": STARTER}
ORDER = {"order.next": NEXT, "order.backwards": BACKWARDS, "order.misses": MISSING}


class What(IntEnum):
    """What a run of numbers is; C has the same numbers for it."""

    SEAT = 0
    ASKS = 1
    CELLS = 2
    TOTAL = 3
    SIZE = 4
    KNOWN = 5
    TOP = 6
    POINTS = 7


@attrs.frozen
class Sight:
    """A run of numbers. `place` is the first cell, or a stack.

    `owner` is the seat that sees it besides those marked in the cell `seen`, or
    `EVERYBODY`, or `NOBODY`.
    """

    what: What
    names: tuple[str, ...]
    place: int = 0
    cells: int = 0
    owner: int = EVERYBODY
    seen: int = -1

    def row(self) -> str:
        """Return the row of the table in C."""
        numbers = (self.what, len(self.names), self.place, self.cells)
        return f"{{{', '.join(map(str, (*map(int, numbers), self.owner, self.seen)))}}}"


@attrs.frozen
class Own:
    """Cells (or a stack) of a seat, of which it knows in a block what it did."""

    seat: int
    place: int
    cells: int


def sights(plan: Plan, cells: Cells) -> list[Sight]:
    """Return the runs of an observation, in its order."""
    header = HEADER | (ORDER if plan.says_order else {})
    seats = plan.values.names[PLAYER]
    runs = [
        Sight(What.SEAT, ("seat",)),
        Sight(What.ASKS, ("asks",)),
        *[Sight(What.CELLS, (name,), cell, 1) for name, cell in header.items()],
        *of_fields(plan, cells),
        *of_pieces(plan),
        *[
            Sight(What.CELLS, (f"award.{name}",), cell, 1)
            for name, cell in plan.layout.awards.items()
        ],
        Sight(What.POINTS, tuple([f"points.{seat}" for seat in seats])),
    ]
    return list(joined(runs))


def joined(runs: list[Sight]) -> Iterator[Sight]:
    """Yield runs of which those of neighbouring cells with the same sight are one."""
    last = runs[0]
    for run in runs[1:]:
        follows = run.place == last.place + last.cells and run.seen == last.seen == -1
        both = run.what == last.what == What.CELLS and run.owner == last.owner
        if follows and both:
            names, cells = last.names + run.names, last.cells + run.cells
            last = attrs.evolve(last, names=names, cells=cells)
        else:
            yield last
            last = run
    yield last


def of_fields(plan: Plan, cells: Cells) -> Iterator[Sight]:
    """Yield what is seen of fields."""
    for block in plan.layout.fields.values():
        if block.field.endless:
            continue
        for index in range(block.count):
            yield from of_field(plan, cells, block, index)


def of_field(plan: Plan, cells: Cells, block: Block, index: int) -> Iterator[Sight]:
    """Yield what is seen of the field of one owner."""
    name, row = called(plan, block, index), block.row(index)
    sees = sight_of(plan, block, index)
    seen = -1 if block.seen is None else block.seen + index
    match block.field.type:
        case m.Bag(domain=domain):
            kinds = tuple([f"{name}.{card}" for card in plan.values.names[domain]])
            yield Sight(What.TOTAL, (f"{name}.count",), row, block.size)
            if sees != NOBODY or seen >= 0:
                yield Sight(What.CELLS, kinds, row, block.size, sees, seen)
        case m.Stack(domain=domain):
            stack = cells.stacks[row]
            cards = plan.values.names[domain]
            kinds = tuple([f"{name}.known.{card}" for card in cards])
            yield Sight(What.SIZE, (f"{name}.count",), stack)
            yield Sight(What.TOP, (f"{name}.top",), stack)
            yield Sight(What.KNOWN, kinds, stack)
        case _:
            if sees != NOBODY or seen >= 0:
                yield Sight(What.CELLS, (name,), row, 1, sees, seen)


def sight_of(plan: Plan, block: Block, index: int) -> int:
    """Return the seat that sees a field, or `EVERYBODY`, or `NOBODY`."""
    seat = owning_seat(plan, block, index)
    match block.field.seen_by:
        case m.Audience.ALL:
            return EVERYBODY
        case m.Audience.OWNER if seat is not None:
            return seat
        case _:
            return NOBODY


def called(plan: Plan, block: Block, index: int) -> str:
    """Return how the field of one owner is called."""
    if block.field.owner is None:
        return f"game.{block.field.name}"
    return f"{plan.values.names[block.field.owner][index]}.{block.field.name}"


def of_pieces(plan: Plan) -> Iterator[Sight]:
    """Yield what stands where."""
    names = plan.values.names
    for piece, cells in plan.layout.pieces.items():
        owners = names[PLAYER][: cells.owners] if cells.owners > 1 else ("",)
        ends = [f".{owner}" if owner else "" for owner in owners]
        for domain, base in cells.bases.items():
            spaces = [
                f"{piece}.{space}{end}" for space in names[domain] for end in ends
            ]
            if spaces:
                yield Sight(What.CELLS, tuple(spaces), base, len(spaces))


def own_cells(plan: Plan, cells: Cells) -> tuple[list[Own], list[Own]]:
    """Return the cells, and the stacks, that belong to seats."""
    rows, stacks = [], []
    for block in plan.layout.fields.values():
        for index in range(block.count):
            seat, row = owning_seat(plan, block, index), block.row(index)
            if seat is None:
                continue
            if row in cells.stacks:
                stacks.append(Own(seat, cells.stacks[row], 1))
            else:
                rows.append(Own(seat, row, block.size))
    return rows, stacks


def named(runs: list[Sight]) -> tuple[str, ...]:
    """Return what each number of an observation is called."""
    return tuple([name for run in runs for name in run.names])


# ---------------------------------------------------------------- in C


def sizes_of(plan: Plan, cells: Cells) -> dict[str, int | str]:
    """Return what C has of this: tables, and how much there is to be seen."""
    runs = sights(plan, cells)
    rows, stacks = own_cells(plan, cells)
    return {
        "HIDDEN": "INT32_MIN",
        "SIGHTS": ", ".join([run.row() for run in runs]),
        "OBSERVED": len(named(runs)),
        "OWN_CELLS": rows_of(rows),
        "OWN_STACKS": rows_of(stacks),
        "INDICES": plan.actions.size,
    }


def rows_of(owned: list[Own]) -> str:
    """Return the rows of a table in C; one of nobody where there are none."""
    rows = [f"{{{own.seat}, {own.place}, {own.cells}}}" for own in owned]
    return ", ".join(rows or ["{-1, 0, 0}"])
