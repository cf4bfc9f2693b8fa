"""Lowering of bags and stacks of cards."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeGuard

from interpreter.core.layout import ENDLESS
from interpreter.core.optional import may_be_none
from interpreter.expressions.lowerer import (
    NO,
    YES,
    ZERO,
    Lowerer,
    Rules,
    add,
    at_least_0,
    exists,
)
from interpreter.kernel import operations as k
from rulebook import model as m


def is_endless(t: Lowerer, holder: m.Expr) -> bool:
    """Return whether a holder never runs out."""
    return m.is_field(holder) and t.facts.block(holder).field.endless


def kinds_of(t: Lowerer, kind: m.Type) -> int:
    """Return the number of kinds of cards that a bag or stack type can contain."""
    assert isinstance(kind, m.Bag | m.Stack)
    return t.facts.sizes[kind.domain]


def is_in_cells(e: m.Expr) -> TypeGuard[m.FieldValue]:
    """Return whether an expression is a bag stored in cells of the state."""
    return m.is_field(e) and isinstance(e.type, m.Bag)


# ---------------------------------------------------------------- rows


def _single(t: Lowerer, e: m.SingleBag) -> k.Row:
    member, slot = t.value(e.member), t.new_slot()
    where = exists(k.Var(slot)) if may_be_none(e.member) else None
    count = at_least_0(t.value(e.count))
    members = k.Range(member, member)
    return k.BuiltRow(kinds_of(t, e.type), slot, members, where, count)


def _over(t: Lowerer, e: m.BagOver) -> k.Row:
    value = at_least_0(t.number(e.value))
    size = kinds_of(t, e.type)
    return k.BuiltRow(size, e.slot, t.sequence(e.set), t.condition(e.where), value)


ROWS: Rules = {
    m.SingleBag: _single,
    m.SumBags: lambda t, e: k.SumRow(tuple(map(t.row, e.bags)), kinds_of(t, e.type)),
    m.BagOver: _over,
}

# ---------------------------------------------------------------- values


def _count_in(t: Lowerer, e: m.CountIn) -> k.Value:
    if is_endless(t, e.holder):
        return k.Int(ENDLESS)
    if is_in_cells(e.holder):
        return k.Load(add(t.first_cell(e.holder), t.value(e.member)))
    member, row = t.value(e.member), t.row(e.holder)
    count = k.Element(row, member)
    if isinstance(row, k.StackRow) or not may_be_none(e.member):
        return count
    return k.Select(exists(member), count, ZERO)


def _size_of(t: Lowerer, e: m.SizeOf) -> k.Value:
    match e.holder.type:
        case m.SetOf():
            return k.Fold(k.FoldKind.COUNT, t.new_slot(), t.sequence(e.holder))
        case m.Stack():
            return k.StackSize(t.stack(e.holder))
        case _ if is_endless(t, e.holder):
            return k.Int(ENDLESS)
        case _:
            return k.Total(t.row(e.holder))


def _covers(t: Lowerer, e: m.Covers) -> k.Value:
    if is_endless(t, e.holder):
        return YES
    match e.bag:
        case bag if m.is_constant(bag):
            row = t.row(e.holder)
            tests = [
                k.CompareValues(
                    ">=", element(row, card), k.Amount(number, e.bag, (card,))
                )
                for card, number in enumerate(bag.value)
                if number
            ]
            return k.All(tuple(tests))
        case m.SingleBag(member=member, count=number) if is_in_cells(e.holder):
            card = t.value(member)
            cell = k.Load(add(t.first_cell(e.holder), card))
            has_enough = k.CompareValues(">=", cell, t.value(number))
            if not may_be_none(member):
                return has_enough
            return k.Some((has_enough, k.CompareValues("<", card, ZERO)))
        case _:
            return k.CoversRow(t.row(e.holder), t.row(e.bag))


def element(row: k.Row, card: int) -> k.Value:
    """Return the operation for a card's count; it loads a cell if the row has cells."""
    if isinstance(row, k.CellRow):
        return k.Load(add(row.first, k.Int(card * row.step)))
    return k.Element(row, k.Int(card))


def _kinds_in(t: Lowerer, e: m.KindsIn) -> k.Sequence:
    size = kinds_of(t, e.holder.type)
    if is_endless(t, e.holder):
        return k.Range(ZERO, k.Int(size - 1))
    return k.Nonzero(t.row(e.holder), size)


def _stack_card(t: Lowerer, e: m.StackCard) -> k.Value:
    stack = t.stack(e.stack)
    if e.place is None:
        return k.StackEntry(stack, ZERO)
    place = t.value(e.place)
    if e.from_bottom:
        return k.StackEntry(stack, k.Binary("-", k.StackSize(stack), place))
    return k.StackEntry(stack, k.Binary("-", place, k.Int(1)))


def _combinations(kind: k.FoldKind, t: Lowerer, e: Any) -> k.Value:
    """Lower a fold over combinations of cards; it is 0 or no if `given` is false."""
    value = t.number(e.value) if hasattr(e, "value") else None
    low = k.Int(1) if e.least is None else t.number(e.least)
    row = t.row(e.holder)
    high = k.Total(row) if e.most is None else t.number(e.most)
    where = t.condition(e.where)
    limit = t.facts.limits.quick_steps
    result = k.FoldSelections(
        kind, e.slot, row, low, high, limit, e.holder.span, where, value
    )
    if e.given is None:
        return result
    nothing = NO if kind is k.FoldKind.ANY else ZERO
    return k.Select(t.value(e.given), result, nothing)


def _highest_combination(t: Lowerer, e: m.HighestCombination) -> k.Value:
    return _combinations(k.FoldKind.MIN if e.smallest else k.FoldKind.MAX, t, e)


VALUES: Rules = {
    m.CombinationExists: partial(_combinations, k.FoldKind.ANY),
    m.CountCombinations: partial(_combinations, k.FoldKind.COUNT),
    m.HighestCombination: _highest_combination,
    m.CountIn: _count_in,
    m.SizeOf: _size_of,
    m.Covers: _covers,
    m.StackCard: _stack_card,
}
SEQUENCES: Rules = {m.KindsIn: _kinds_in}
