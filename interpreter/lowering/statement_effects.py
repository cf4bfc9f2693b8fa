"""Lowering of statements that never wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any

import attrs

from interpreter.core.announcement import Announcement
from interpreter.core.facts import Facts
from interpreter.core.layout import BACKWARDS, MISSES_TURN, NEXT, STARTER
from interpreter.core.optional import may_be_none
from interpreter.core.run_budget import count_statements
from interpreter.expressions.card_values import kinds_of
from interpreter.expressions.lowerer import ZERO, Lowerer, exists, plus
from interpreter.expressions.plain_values import tally_element
from interpreter.kernel import operations as k
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import Failure

Effect = Callable[["StatementLowerer", Any], k.Block]
EffectTable = Mapping[type, Effect]

STABLE = (k.Range, k.Listed, k.TableRow)
"""Classes of sequences that no statement changes during a loop."""


@attrs.define
class StatementLowerer:
    """Lowerer for the statements of one unit.

    `units` contains the unit number of each procedure. `chooser` returns the seat that
    chose a card to be moved, or None.
    """

    low: Lowerer
    table: EffectTable
    units: Mapping[str, int]
    chooser: Callable[[m.Expr], m.Expr | None] = attrs.field(default=lambda _: None)

    def block(self, statements: Iterable[Any]) -> k.Block:
        """Return a block's operations, after the one that counts its statements."""
        return (*count_operation(statements), *self.statements(statements))

    def statements(self, statements: Iterable[Any]) -> k.Block:
        """Return the operations of several statements."""
        return tuple([op for node in statements for op in self.statement(node)])

    def statement(self, node: Any) -> k.Block:
        """Return the operations of one statement."""
        return self.table[type(node)](self, node)

    def wake(self, part: tooling.StatePart) -> k.Block:
        """Return the operation that wakes the triggers that read part of the state."""
        triggers = self.low.facts.masks.get(part, 0)
        return (k.Wake(triggers),) if triggers else ()

    def after_write(
        self, field: m.FieldPlace, observers: k.Value | None = None
    ) -> k.Block:
        """Return the operations that follow a write to a field.

        They wake the triggers that read the field, and clear the seats that have seen
        it. Seats that know the moved cards (`observers`, as bits) still know its
        contents.
        """
        block = self.low.facts.block(field)
        ops = self.wake(tooling.StatePart.field(field.field))
        if block.viewers_base is None:
            return ops
        owner = ZERO if field.owner is None else self.low.value(field.owner)
        cell = plus(block.viewers_base, owner)
        seats = ZERO if observers is None else k.Binary("&", k.Load(cell), observers)
        return (*ops, k.Store(cell, seats))

    def if_exists(self, e: m.Expr | None, ops: k.Block) -> k.Block:
        """Return a block that is skipped if an expression is none."""
        if e is None or not may_be_none(e):
            return ops
        return (k.When(exists(self.low.value(e)), ops),)

    def call_arguments(
        self, node: m.CallProcedure
    ) -> tuple[tuple[int, ...], tuple[Any, ...]]:
        """Return the slots of the arguments of a call, and the arguments."""
        callee = self.low.facts.model.procedures[node.procedure]
        slots = [parameter.slot for parameter in callee.parameters]
        given = [self.low.argument(argument) for argument in node.arguments]
        who = k.Var(m.YOU) if node.player is None else self.low.value(node.player)
        return (m.YOU, *slots), (who, *given)


def count_operation(block: Iterable[Any]) -> k.Block:
    """Return the operation that counts the statements of a block."""
    number = count_statements(block)
    return (k.Tick(number),) if number else ()


# ---------------------------------------------------------------- variables and fields


def _set_local(t: StatementLowerer, node: m.SetLocal) -> k.Block:
    value = node.value
    match value.type:
        case m.SetOf():
            return (k.AssignSet(node.slot, t.low.sequence(value)),)
        case m.Bag() | m.Stack():
            return (assign_row(t, node.slot, value),)
        case _:
            return (k.Assign(node.slot, t.low.value(value)),)


def assign_row(t: StatementLowerer, slot: int, value: m.Expr) -> k.Statement:
    """Return the operation that writes a bag to a local."""
    return k.AssignRow(slot, t.low.row(value), kinds_of(t.low, value.type))


def _set_tally(t: StatementLowerer, node: m.SetTally) -> k.Block:
    t.low.tallies[node.slot] = node.domains
    if node.value is None:
        size = prod(t.low.facts.sizes[domain] for domain in node.domains)
        return (k.AssignRow(node.slot, None, size),)
    row, index = tally_element(t.low, node.slot, node.indices)
    ops: k.Block = (k.AssignElement(row, index, t.low.value(node.value)),)
    for part in node.indices:
        ops = t.if_exists(part, ops)
    return ops


def _set_field(t: StatementLowerer, node: m.SetField) -> k.Block:
    block = t.low.facts.block(node)
    first, field = t.low.first_cell(node), block.field
    ops: list[k.Statement]
    match field.type:
        case m.Bag():
            ops = [k.StoreRow(first, t.low.row(node.value), block.size)]
        case m.SetOf():
            ops = [k.StoreSet(first, t.low.sequence(node.value))]
        case _:
            ops = scalar_write(t, node, field, first)
    return t.if_exists(node.owner, (*ops, *t.after_write(node)))


def exceeded_range(facts: Facts, node: m.SetField, field: m.Field) -> m.Whole | None:
    """Return the range of a field if the written value may be outside it, else None."""
    kind, surely = field.type, tooling.range_of(facts.model, node.value)
    if not isinstance(kind, m.Whole):
        return None
    if kind.low <= surely.low and surely.high <= kind.high:
        return None
    return kind


def scalar_write(
    t: StatementLowerer, node: m.SetField, field: m.Field, cell: k.Value
) -> list[k.Statement]:
    """Return the operations that write a number after checking the field's range."""
    value, bounds = t.low.value(node.value), exceeded_range(t.low.facts, node, field)
    if bounds is None:
        return [k.Store(cell, value)]
    new = k.Var(t.low.new_slot())
    inside = k.Between(k.Int(bounds.low), "<=", new, "<=", k.Int(bounds.high))
    fail = k.Fail(k.Negate(inside), Failure.BEYOND, node.span, field, (new,))
    return [k.Scope((k.Bind(new.slot, value), fail, k.Store(cell, new)))]


def _next_turn(t: StatementLowerer, node: m.NextTurn) -> k.Block:
    who, players = t.low.value(node.player), k.Int(t.low.facts.players)
    seated = k.Between(ZERO, "<=", who, "<", players)
    return (k.When(seated, (k.Store(k.Int(NEXT), who),)),)


def _misses_turn(t: StatementLowerer, node: m.MissesTurn) -> k.Block:
    seats = k.Int(t.low.facts.all_seats)
    who = k.Binary("&", k.SeatBit(t.low.value(node.player)), seats)
    cell = k.Int(MISSES_TURN)
    return (k.Store(cell, k.Binary("|", k.Load(cell), who)),)


def _turns_go(t: StatementLowerer, node: m.TurnsGo) -> k.Block:
    way: k.Value = k.Int(int(node.way is m.TurnDirection.COUNTERCLOCKWISE), truth=True)
    if node.way is m.TurnDirection.OTHER:
        way = k.Negate(k.Load(k.Int(BACKWARDS)))
    turn = tooling.StatePart(tooling.PartSort.TURN)
    return (k.Store(k.Int(BACKWARDS), way), *t.wake(turn))


def _starts(t: StatementLowerer, node: m.Starts) -> k.Block:
    return t.if_exists(
        node.player, (k.Store(k.Int(STARTER), t.low.value(node.player)),)
    )


def _announce(t: StatementLowerer, node: m.Announce) -> k.Block:
    types = tuple([value.type for value in node.values])
    sentence = Announcement(node.text, node.names, types)
    return (k.Announce(sentence, tuple([t.low.value(x) for x in node.values])),)


# ---------------------------------------------------------------- control


def _if(t: StatementLowerer, node: m.IfElse) -> k.Block:
    condition = t.low.value(node.condition)
    return (k.When(condition, t.block(node.body), t.block(node.otherwise)),)


def _each(t: StatementLowerer, node: m.EachMember) -> k.Block:
    members = t.low.sequence(node.set)
    where, body = t.low.condition(node.where), t.block(node.body)
    frozen = not isinstance(members, STABLE)
    return (k.ForEach(node.slot, members, where, body, frozen),)


def _repeat(t: StatementLowerer, node: m.Repeat) -> k.Block:
    body = (k.CheckBudget(), *t.block(node.body))
    return (k.Times(t.low.value(node.times), t.low.condition(node.until), body),)


def _require(t: StatementLowerer, node: m.Require) -> k.Block:
    return (k.RequireTruth(t.low.value(node.condition), node),)


def _call(t: StatementLowerer, node: m.CallProcedure) -> k.Block:
    run = k.Run(t.units[node.procedure], *t.call_arguments(node))
    return t.if_exists(node.player, (run,))


EFFECTS: EffectTable = {
    m.SetLocal: _set_local,
    m.SetTally: _set_tally,
    m.SetField: _set_field,
    m.NextTurn: _next_turn,
    m.MissesTurn: _misses_turn,
    m.TurnsGo: _turns_go,
    m.Starts: _starts,
    m.Announce: _announce,
    m.StopUnit: lambda _, __: (k.Leave(),),
    m.Require: _require,
}

CONTAINERS: EffectTable = {
    m.LabelledBlock: lambda t, node: t.statements(node.body),
    m.IfElse: _if,
    m.EachMember: _each,
    m.Repeat: _repeat,
    m.CallProcedure: _call,
}
"""Effects of statements with other code, which wait only if that code waits."""
