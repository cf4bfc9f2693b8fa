"""Layout of an observation: the meaning of each number that a seat may see.

An `ObservedRun` is a run of numbers that the same seats see. Both engines fill an
observation from the same table of runs.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from enum import IntEnum
from functools import lru_cache

import attrs

from interpreter.core.facts import PLAYER
from interpreter.core.layout import (
    ACTIVE,
    BACKWARDS,
    MISSES_TURN,
    NEXT,
    ROUND,
    STARTER,
    TURN,
    Block,
)
from interpreter.plan.plan import PLANS_MAX, Plan, owning_seat
from rulebook import model as m

HIDDEN = -(1 << 31)
"""Number that replaces every number hidden from the seat in an observation."""

EVERYBODY, NOBODY = -2, -1

HEADER = {"turn": TURN, "round": ROUND, "active": ACTIVE, "starter": STARTER}
ORDER = {"order.next": NEXT, "order.backwards": BACKWARDS, "order.misses": MISSES_TURN}


class RunSort(IntEnum):
    """Sort of a run of numbers in an observation; C uses the same values."""

    SEAT = 0
    ASKS = 1
    CELLS = 2
    TOTAL = 3
    SIZE = 4
    KNOWN = 5
    TOP = 6
    POINTS = 7
    MEMBERS = 8
    FILLED = 9


@attrs.frozen
class ObservedRun:
    """Run of numbers in an observation that the same seats see.

    `place` is the first cell, or the cell of a stack or a set. `owner` is the seat that
    sees the run, or `EVERYBODY`, or `NOBODY`; seats marked in the cell `viewers_cell`
    see the run too. `first` is the number of omitted numbers before the first one, if
    only a part of a run was selected.
    """

    sort: RunSort
    names: tuple[str, ...]
    place: int = 0
    cells: int = 0
    owner: int = EVERYBODY
    viewers_cell: int = -1
    first: int = 0


@lru_cache(maxsize=PLANS_MAX)
def observed_runs(plan: Plan) -> tuple[ObservedRun, ...]:
    """Return all runs of an observation, in order."""
    header = HEADER | (ORDER if plan.changes_turn_order else {})
    seats = plan.values.names[PLAYER]
    runs = [
        ObservedRun(RunSort.SEAT, ("seat",)),
        ObservedRun(RunSort.ASKS, ("asks",)),
        *[
            ObservedRun(RunSort.CELLS, (name,), cell, 1)
            for name, cell in header.items()
        ],
        *field_runs(plan),
        *piece_runs(plan),
        *[
            ObservedRun(RunSort.CELLS, (f"award.{name}",), cell, 1)
            for name, cell in plan.layout.awards.items()
        ],
        ObservedRun(RunSort.POINTS, tuple([f"points.{seat}" for seat in seats])),
    ]
    return tuple(merge_runs(runs))


def merge_runs(runs: list[ObservedRun]) -> Iterator[ObservedRun]:
    """Yield the runs, with adjacent cells of the same visibility merged."""
    last = runs[0]
    for run in runs[1:]:
        follows = (
            run.place == last.place + last.cells
            and run.viewers_cell == last.viewers_cell == -1
        )
        both = run.sort == last.sort == RunSort.CELLS and run.owner == last.owner
        if follows and both:
            names, cells = last.names + run.names, last.cells + run.cells
            last = attrs.evolve(last, names=names, cells=cells)
        else:
            yield last
            last = run
    yield last


def field_runs(plan: Plan) -> Iterator[ObservedRun]:
    """Yield the visible runs of all fields."""
    for block in plan.layout.fields.values():
        if block.field.endless:
            continue
        for index in range(block.count):
            yield from owner_field_runs(plan, block, index)


def owner_field_runs(plan: Plan, block: Block, index: int) -> Iterator[ObservedRun]:
    """Yield the visible runs of a field of one owner."""
    name, row = field_name(plan, block, index), block.row(index)
    sees = seeing_seat(plan, block, index)
    seen = -1 if block.viewers_base is None else block.viewers_base + index
    match block.field.type:
        case m.Bag(domain=domain):
            kinds = tuple([f"{name}.{card}" for card in plan.values.names[domain]])
            yield ObservedRun(RunSort.TOTAL, (f"{name}.count",), row, block.size)
            if sees != NOBODY or seen >= 0:
                yield ObservedRun(RunSort.CELLS, kinds, row, block.size, sees, seen)
        case m.Stack(domain=domain):
            cards = plan.values.names[domain]
            kinds = tuple([f"{name}.known.{card}" for card in cards])
            yield ObservedRun(RunSort.SIZE, (f"{name}.count",), row)
            yield ObservedRun(RunSort.TOP, (f"{name}.top",), row)
            yield ObservedRun(RunSort.KNOWN, kinds, row)
        case m.SetOf(domain=str(domain)):
            kinds = tuple([f"{name}.{member}" for member in plan.values.names[domain]])
            if sees != NOBODY or seen >= 0:
                yield ObservedRun(RunSort.MEMBERS, kinds, row, 1, sees, seen)
        case kind:
            is_hidden = block.field.seen_by is not m.Audience.ALL
            if is_hidden and m.is_card(plan.model.domains, kind):
                yield ObservedRun(RunSort.FILLED, (f"{name}.count",), row, 1)
            if sees != NOBODY or seen >= 0:
                yield ObservedRun(RunSort.CELLS, (name,), row, 1, sees, seen)


def seeing_seat(plan: Plan, block: Block, index: int) -> int:
    """Return the seat that sees a field, or `EVERYBODY`, or `NOBODY`."""
    seat = owning_seat(plan, block, index)
    match block.field.seen_by:
        case m.Audience.ALL:
            return EVERYBODY
        case m.Audience.OWNER if seat is not None:
            return seat
        case _:
            return NOBODY


def field_name(plan: Plan, block: Block, index: int) -> str:
    """Return the name of a field of the owner at *index*, as used in observations."""
    if block.field.owner is None:
        return f"game.{block.field.name}"
    return f"{plan.values.names[block.field.owner][index]}.{block.field.name}"


def piece_runs(plan: Plan) -> Iterator[ObservedRun]:
    """Yield the runs of pieces on spaces."""
    names = plan.values.names
    for piece, cells in plan.layout.pieces.items():
        owner = plan.model.pieces[piece].owner if cells.owners > 1 else None
        ends = [f".{name}" for name in names[owner]] if owner else [""]
        for domain, base in cells.bases.items():
            spaces = [
                f"{piece}.{space}{end}" for space in names[domain] for end in ends
            ]
            if spaces:
                yield ObservedRun(RunSort.CELLS, tuple(spaces), base, len(spaces))


def selected_runs(
    runs: Iterable[ObservedRun], names: Container[str]
) -> list[ObservedRun]:
    """Return the runs, or the parts of them, whose numbers have one of the names."""
    selected = []
    for run in runs:
        places = [n for n, name in enumerate(run.names) if name in names]
        for first, end in adjacent(places):
            part = run.names[first:end]
            selected.append(attrs.evolve(run, names=part, first=run.first + first))
    return selected


def adjacent(places: Iterable[int]) -> list[tuple[int, int]]:
    """Return the ranges (first, end) of ascending numbers without gaps.

    >>> adjacent([1, 2, 5])
    [(1, 3), (5, 6)]
    """
    ranges: list[tuple[int, int]] = []
    for place in places:
        if ranges and ranges[-1][1] == place:
            ranges[-1] = (ranges[-1][0], place + 1)
        else:
            ranges.append((place, place + 1))
    return ranges


def number_names(runs: Iterable[ObservedRun]) -> tuple[str, ...]:
    """Return the names of the numbers in an observation."""
    return tuple([name for run in runs for name in run.names])
