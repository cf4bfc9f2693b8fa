"""Blocks of cells of a plan, and which of them are seldom written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from interpreter.core.layout import HAD_TURN
from interpreter.kernel import operations as k
from interpreter.kernel.passes.keeping import CellBlocks, constant_part
from interpreter.kernel.traversal import walk
from interpreter.native.c_layout import range_of
from interpreter.plan.plan import Plan
from interpreter.state.turn_loop import phase_procedure
from rulebook import model as m

STABLE_SHARE = Fraction(1, 5)
"""Share of actions and phases below which a block that they write is called stable."""

FIRST_CELL = HAD_TURN + 1
"""First cell that does not belong to the order of turns."""


def cell_blocks(plan: Plan) -> CellBlocks:
    """Return the blocks of a plan: one for each field and each piece.

    A block includes the cells before it that are never written.
    """
    ends = sorted(block_ends(plan))
    first = [FIRST_CELL, *ends]
    number = {cell: n for n, end in enumerate(ends) for cell in range(first[n], end)}
    tops = {
        block.base + cell: range_of(plan, block)[1]
        for block in plan.layout.fields.values()
        if isinstance(block.field.type, m.Whole | m.Member)
        for cell in range(-1, block.count * block.stride)
    }
    stable = stable_blocks(plan, number, len(ends))
    return CellBlocks(number.get, stable, tops.get, dict(rows(plan)).get)


def rows(plan: Plan) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the rows of cells with members: first cell, size, and number of members."""
    sizes = plan.facts.sizes
    for block in plan.layout.fields.values():
        if isinstance(block.field.type, m.Member) and block.count > 1:
            yield block.base, (block.count, sizes[block.field.type.domain])
    for name, piece in plan.layout.pieces.items():
        owner = plan.model.pieces[name].owner
        for domain, base in () if piece.owners else piece.bases.items():
            yield base, (sizes[domain], sizes[owner] if owner else 1)


def block_ends(plan: Plan) -> Iterator[int]:
    """Yield the cell after each block."""
    for block in plan.layout.fields.values():
        yield block.base + block.count * block.stride
        if block.viewers_base is not None:
            yield block.viewers_base + block.count
    for piece in plan.layout.pieces.values():
        yield piece.high
    for cell in plan.layout.awards.values():
        yield cell + 1


def stable_blocks(plan: Plan, number: dict[int, int], count: int) -> frozenset[int]:
    """Return the blocks that few of the actions and phases write, and no dice."""
    writes = UnitWrites(plan, number)
    names = [phase_procedure(plan.model.procedures, name) for name in plan.model.phases]
    starts = {action.unit for action in plan.actions.by_name.values()}
    starts |= {unit.number for unit in plan.rule_units if unit.name in names}
    times = Counter(block for unit in starts for block in writes.of(unit))
    return frozenset(
        [
            block
            for block in range(count)
            if block not in writes.temporary
            and times[block] < STABLE_SHARE * len(starts)
        ]
    )


class UnitWrites:
    """Blocks that each unit writes, itself or in units that it calls.

    `temporary` are the blocks that dice write, or that are reset at every turn.
    """

    def __init__(self, plan: Plan, number: dict[int, int]) -> None:
        self.number = number
        self.temporary = {
            number[plan.layout.fields[key].base]
            for key, field in plan.model.fields.items()
            if field.resets
        }
        self.own: dict[int, set[int]] = {}
        self.calls: dict[int, set[int]] = {}
        for unit, lowered in plan.lowered_units.items():
            self.own[unit], self.calls[unit] = set(), set()
            for operation in (*lowered.block, *[x for s in lowered.steps for x in s]):
                for inner in walk(operation):
                    self.enter(unit, inner)

    def enter(self, unit: int, e: Any) -> None:
        """Enter what one operation of a unit writes and calls."""
        match e:
            case k.Store(cell=cell) | k.StoreRow(first=cell) | k.StoreSet(cell=cell):
                self.own[unit].add(self.number.get(constant_part(cell), -1))
            case k.Clear(row=row):
                self.own[unit].add(self.number.get(constant_part(row.first), -1))
            case k.Run(unit=called) | k.Push(unit=k.Int(value=called)):
                self.calls[unit].add(called)
            case k.Dice(cells=cells):
                self.temporary |= {self.number.get(cell, -1) for cell in cells}
            case _:
                pass

    def of(self, unit: int) -> set[int]:
        """Return the blocks that a unit and everything it calls write."""
        units, waiting = {unit}, [unit]
        while waiting:
            more = self.calls.get(waiting.pop(), set()) - units
            units |= more
            waiting += more
        return set().union(*[self.own.get(each, set()) for each in units])
