"""Effects of each statement as its kernel shows them, without those of its blocks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import attrs
import pytest

from interpreter import planning
from interpreter.core.facts import Facts
from interpreter.core.layout import BACKWARDS, MISSES_TURN, NEXT, STARTER
from interpreter.expressions.lowerer import FIRST_TEMPORARY_SLOT
from interpreter.kernel import operations as k
from interpreter.kernel.traversal import parts
from interpreter.lowering.rule_tables import STATEMENTS, StatementTables
from interpreter.python.python_program import Program
from rulebook import Rulebook
from rulebook import model as m
from rulebook.addresses import ACTION, Address
from rulebook.signatures import Ending, Pause, TurnState, is_statement

Seen = tuple[Any, ...]
"""Effect that the kernel shows: its sort, and what it concerns."""

TURN_CELLS = {
    NEXT: TurnState.NEXT_PLAYER,
    STARTER: TurnState.FIRST_PLAYER,
    BACKWARDS: TurnState.DIRECTION,
    MISSES_TURN: TurnState.MISSED_TURNS,
}
STACK_CHANGES = {
    k.StackPut: "gain",
    k.StackTake: "loss",
    k.StackDraw: "loss",
    k.StackShuffle: "shuffle",
    k.StackLearn: "reveal",
    k.StackShow: "reveal",
}
SIMPLE: dict[type, Seen] = {
    k.RequireTruth: ("failure", "untrue"),
    k.Leave: ("ends", Ending.UNIT),
    k.CheckBudget: ("loop",),
    k.ForCounts: ("any card",),
}
Change = k.Store | k.StoreRow | k.StoreSet | k.Clear
Assignment = k.Assign | k.AssignSet | k.AssignRow | k.AssignElement


@attrs.frozen(eq=False)
class Example:
    """Statement of the rules, with the effects and the statements in its kernel."""

    facts: Facts
    node: Any
    seen: frozenset[Seen]
    inside: tuple[Any, ...]


@attrs.define(eq=False)
class Recorder:
    """Tables of lowering that record the kernel of each statement.

    `open` are the statements that are being lowered: for each, the statements inside
    and the identities of their operations. `kept` keeps these operations alive.
    """

    examples: list[Example] = attrs.field(factory=list)
    open: list[tuple[list[Any], set[int]]] = attrs.field(factory=lambda: [([], set())])
    kept: list[Any] = attrs.field(factory=list)

    @property
    def tables(self) -> StatementTables:
        """Tables with the rules of lowering."""
        return StatementTables(
            {kind: self.effect(rule) for kind, rule in STATEMENTS.effects.items()},
            {kind: self.flow(rule) for kind, rule in STATEMENTS.flows.items()},
        )

    def effect(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Return a rule for statements that never wait, which records."""

        def lower(t: Any, node: Any) -> k.Block:
            self.open.append(([], set()))
            ops: k.Block = rule(t, node)
            self.record(t, node, ops)
            return ops

        return lower

    def flow(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Return a rule for statements that may wait, which records."""

        def lower(t: Any, node: Any, end: k.Label) -> None:
            first, before = len(t.steps), len(t.current or ())
            self.open.append(([], set()))
            rule(t, node, end)
            steps = [*t.steps, tuple(t.current or ())][first:]
            ops = [op for step in steps for op in step][before:]
            self.record(t, node, ops, end)

        return lower

    def record(self, t: Any, node: Any, ops: Iterable[Any], end: k.Label = -1) -> None:
        """Record a statement that has been lowered; `end` is the end of its block."""
        ops = tuple(ops)
        inside, taken = self.open.pop()
        slots = len(t.code.slots) if hasattr(t, "code") else FIRST_TEMPORARY_SLOT
        reader = KernelReader(t.low.facts, t.units, slots, taken, end)
        seen = frozenset(reader.all_effects(ops))
        self.examples.append(Example(t.low.facts, node, seen, tuple(inside)))
        statements, known = self.open[-1]
        statements.append(node)
        known |= taken | set(map(id, ops))
        self.kept.append(ops)


@attrs.define
class KernelReader:
    """Reader of the effects of one statement in its operations.

    `slots` is the number of variables of its unit, and `taken` are the operations of
    the statements inside it. `end` is the end of its block.
    """

    facts: Facts
    units: dict[str, int]
    slots: int
    taken: set[int]
    end: k.Label

    def all_effects(self, ops: Iterable[Any]) -> Iterator[Seen]:
        """Yield the effects of operations."""
        own = [x for op in ops for x in self.own_operations(op)]
        waits = any(isinstance(op, k.Chance | k.Decision) for op in own)
        deals = any(isinstance(op, k.Deal) for op in own)
        for op in own:
            for sort, *rest in self.effects(op):
                if sort == "binding" and not waits and isinstance(op, Assignment):
                    yield ("variable", *rest)
                yield ("write" if deals and sort == "gain" else sort, *rest)

    def own_operations(self, e: Any) -> Iterator[Any]:
        """Yield an operation and those inside it, without those of other statements."""
        if id(e) not in self.taken:
            yield e
            for part in parts(e):
                yield from self.own_operations(part)

    def effects(self, e: Any) -> Iterator[Seen]:
        """Yield the effects of an operation itself."""
        if isinstance(e, Change):
            yield from self.change(e, constant_part(first_cell(e)))
        elif isinstance(e, k.Control):
            yield from self.control(e)
        elif type(e) in STACK_CHANGES:
            yield (STACK_CHANGES[type(e)], self.place(e.stack.base)[1])
        elif isinstance(e, k.Fail):
            yield ("failure", str(e.reason))
        elif isinstance(e, k.Announce):
            yield ("announce", len(e.values))
        elif type(e) in SIMPLE:
            yield SIMPLE[type(e)]
        elif isinstance(e, k.Run):
            yield from self.run(self.unit_name(e.unit), e.slots, e.arguments)
        elif isinstance(e, k.ActionOffer):
            name = str(Address(ACTION, e.action.name))
            yield from (("run", name, e.slots), ("seat", name))
        for slot in slots_bound(e):
            if slot < self.slots:
                yield ("binding", slot)
                if isinstance(e, k.ForEach | k.TakeFirst):
                    yield ("loop",)

    def control(self, e: k.Control) -> Iterator[Seen]:
        """Yield the effects of an operation of a unit that may wait."""
        match e:
            case k.EndGame():
                yield ("ends", Ending.GAME)
            case k.Finish():
                yield ("ends", Ending.GAME)
                yield ("turn", TurnState.WINNER)
            case k.BeginTogether():
                yield ("pause", Pause.SIMULTANEOUS)
            case k.BeginDeal(deal=deal):
                yield ("deal", deal.domain)
            case k.Chance():
                yield from (("pause", Pause.CHANCE), ("event", e.event))
                if e.empty == self.end:
                    yield ("ends", Ending.UNIT)
                if isinstance(e.outcomes, k.Dice):
                    yield from (("die", self.place(x)[1]) for x in e.outcomes.cells)
            case k.Decision():
                yield from (("pause", Pause.DECISION), ("asks",))
                must = isinstance(e, k.WaitForMember) and not e.source.optional
                if must and getattr(e, "empty", None) == self.end:
                    yield ("ends", Ending.UNIT)
            case k.Push(unit=unit):
                name = self.unit_name(unit.value) if isinstance(unit, k.Int) else None
                yield from self.run(name, e.slots, e.arguments)
            case _:
                pass

    def unit_name(self, unit: int) -> str:
        """Return the name of the procedure with a number."""
        return next(name for name, number in self.units.items() if number == unit)

    def run(self, name: str | None, slots: Any, arguments: Any) -> Iterator[Seen]:
        """Yield the effects of running another unit."""
        for slot, argument in zip(slots, arguments, strict=True):
            if slot == m.YOU and argument != k.Var(m.YOU):
                yield ("seat", name)
        yield ("run", name, tuple(slot for slot in slots if slot != m.YOU))

    def change(self, e: Change, cell: int) -> Iterator[Seen]:
        """Yield the effects of a write to the cells from one on."""
        if cell in TURN_CELLS:
            yield ("turn", TURN_CELLS[cell])
            return
        sort, name = self.place(cell)
        if sort == "piece":
            yield from self.piece_change(e, name)
        elif sort == "knowledge":
            forgets = isinstance(e, k.Store) and (
                e.value == k.Int(0)
                or (isinstance(e.value, k.Binary) and e.value.operator == "&")
            )
            yield ("write" if forgets else "reveal", name)
        elif isinstance(self.facts.layout.fields[name].field.type, m.Bag):
            yield ({"+": "gain", "-": "loss"}.get(operator_of(e), "write"), name)
        else:
            yield ("write", name)

    def piece_change(self, e: Change, name: str) -> Iterator[Seen]:
        """Yield the effects of a change of the pieces on a space, or on all."""
        cells = self.facts.layout.pieces[name]
        if isinstance(e, k.Clear) and e.row.size > cells.owners:
            yield ("lifted", name)
        elif isinstance(e, k.Clear) or lessens(e, cells.owners):
            yield ("piece loss", name)
        else:
            yield ("piece gain", name)
            if not cells.owners:
                yield ("unchecked space", name)

    def place(self, cell: int) -> tuple[str, str]:
        """Return the field, piece or award of a cell: its sort and its name."""
        starts: list[tuple[int, str, str]] = []
        for name, block in self.facts.layout.fields.items():
            before = block.stride + 1 if isinstance(block.field.type, m.Bag) else 1
            starts.append((block.base - before, "field", name))
            if block.viewers_base is not None:
                starts.append((block.viewers_base - 1, "knowledge", name))
        for name, cells in self.facts.layout.pieces.items():
            starts.append((cells.low, "piece", name))
        for name, award in self.facts.layout.awards.items():
            starts.append((award, "award", name))
        starts.sort()
        return starts[bisect_right([start for start, _, _ in starts], cell) - 1][1:]


def slots_bound(e: Any) -> tuple[int, ...]:
    """Return the variables that an operation assigns, or binds for a block."""
    match e:
        case k.Assign() | k.AssignSet() | k.AssignRow() | k.WaitForMember():
            return (e.slot,)
        case k.ForEach() | k.TakeFirst():
            return (e.slot,)
        case k.AssignElement():
            return (e.row.slot,)
        case k.WaitForCards(sequence=k.FilteredSet(slot=slot)) if e.source.where:
            return (e.bag.slot, slot)
        case k.WaitForCards():
            return (e.bag.slot,)
        case _:
            return ()


def first_cell(e: Change) -> k.Value:
    """Return the first cell that a write changes."""
    if isinstance(e, k.Clear):
        return e.row.first
    return e.first if isinstance(e, k.StoreRow) else e.cell


def constant_part(e: k.Value) -> int:
    """Return the sum of the constants in a sum, in which other numbers count as 0."""
    match e:
        case k.Int(value=value):
            return value
        case k.Binary(operator="+", left=left, right=right):
            return constant_part(left) + constant_part(right)
        case _:
            return 0


def operator_of(e: Change) -> str:
    """Return the operator that changes a cell by an amount, or an empty text."""
    if isinstance(e, k.Store) and isinstance(e.value, k.Binary):
        return e.value.operator if e.value.left == k.Load(e.cell) else ""
    return ""


def lessens(e: Change, owners: int) -> bool:
    """Return whether a write of the cells of a space removes pieces."""
    none = k.Int(0 if owners else -1)
    return operator_of(e) == "-" or (isinstance(e, k.Store) and e.value == none)


# ---------------------------------------------------------------- rule files


def examples_of(book: Rulebook) -> list[Example]:
    """Return all statements of a rulebook, with their effects in the kernel."""
    recorder = Recorder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "Program", partial(Program, tables=recorder.tables))
        players = max(book.players)
        options = planning.complete_options(book, players, {})
        plan = planning.make_plan(book, players, options, frozenset())
    tests = [(x.title, x.body, x.slots) for x in book.model.invariants]
    for scenario in book.model.scenarios:
        steps = [x for _, step in scenario.steps for x in step if is_statement(x)]
        tests.append((scenario.title, tuple(steps), scenario.slots))
    for number, (title, body, slots) in enumerate(tests):
        code = m.Procedure(name=title, parameters=(), body=body, slots=slots)
        plan.write_unit(code, len(plan.units) + number, 0)
    return recorder.examples
