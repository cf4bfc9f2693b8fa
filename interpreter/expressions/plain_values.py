"""Lowering of cells, arithmetic and logic."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from interpreter.core.layout import ACTIVE, ROUND, WINNER
from interpreter.core.optional import may_be_none
from interpreter.expressions.lowerer import (
    ZERO,
    Lowerer,
    NotLowerable,
    Rules,
    add,
    exists,
    times,
)
from interpreter.kernel import operations as k
from rulebook import model as m
from rulebook.completeness import check_complete

CONSTANT_OPERAND_OPERATORS = frozenset(m.ArithmeticOperator) - {
    m.ArithmeticOperator.PLUS,
    m.ArithmeticOperator.MINUS,
}
"""Operators that are much faster if an operand is a constant of the program.

Their constant operands therefore do not become an `Amount`.
"""


def _space_at(t: Lowerer, e: m.SpaceAt) -> k.Value:
    axes = t.facts.model.domains[e.domain].axes
    owner = None if e.owner is None else t.value(e.owner)
    grid = tuple([(axis.low, axis.size) for axis in axes])
    coordinates = tuple([t.literal_number(x) for x in e.coordinates])
    return k.GridIndex(grid, coordinates, owner, t.facts.players)


def _tally(t: Lowerer, e: m.TallyValue) -> k.Value:
    row, index = tally_element(t, e.slot, e.indices)
    number = k.Element(row, index)
    tests = [exists(t.value(part)) for part in e.indices if may_be_none(part)]
    return k.Select(k.All(tuple(tests)), number, ZERO) if tests else number


def tally_element(
    t: Lowerer, slot: int, indices: tuple[m.Expr, ...]
) -> tuple[k.LocalRow, k.Value]:
    """Return the row of a tally, and the index in it of the number for *indices*."""
    if slot not in t.tallies:
        raise NotLowerable("a tally of another unit")
    sizes = [t.facts.sizes[domain] for domain in t.tallies[slot]]
    place: k.Value = ZERO
    for size, index in zip(sizes, indices, strict=True):
        place = add(times(place, size), t.value(index))
    return k.LocalRow(slot, prod(sizes)), place


def _points(t: Lowerer, e: m.PlayerPoints) -> k.Value:
    name = "visible_points" if e.visible else "points"
    return k.CallFunction(name, (t.value(e.player),))


def _arith(t: Lowerer, e: m.Arith) -> k.Value:
    left, right = [
        t.literal_number(x)
        if e.op in CONSTANT_OPERAND_OPERATORS and m.is_constant(x)
        else t.number(x)
        for x in (e.left, e.right)
    ]
    return ARITHMETIC[e.op](left, right, t.is_natural(e.left) and t.is_natural(e.right))


def _quotient_up(left: k.Value, right: k.Value, natural: bool) -> k.Value:
    down = k.Binary("//", k.Binary("-", ZERO, left), right)
    return k.Binary("-", ZERO, down)


ARITHMETIC: dict[m.ArithmeticOperator, Callable[[k.Value, k.Value, bool], k.Value]] = {
    m.ArithmeticOperator.PLUS: lambda left, right, _: k.Binary("+", left, right),
    m.ArithmeticOperator.MINUS: lambda left, right, _: k.Binary("-", left, right),
    m.ArithmeticOperator.TIMES: lambda left, right, _: k.Binary("*", left, right),
    m.ArithmeticOperator.DOWN: lambda left, right, natural: k.Binary(
        "//", left, right, natural
    ),
    m.ArithmeticOperator.UP: _quotient_up,
    m.ArithmeticOperator.REMAINDER: lambda left, right, natural: k.Binary(
        "%", left, right, natural
    ),
}
"""Operations for arithmetic operators, given the two operands and a flag.

The flag is true if neither operand can be negative.
"""

check_complete("the lowering of arithmetic operators", ARITHMETIC, m.ArithmeticOperator)


def _half(t: Lowerer, e: m.HalfOf) -> k.Value:
    return k.Binary("//", t.number(e.value), k.Int(2), t.is_natural(e.value))


def _member_after(t: Lowerer, e: m.MemberAfter) -> k.Value:
    assert isinstance(e.type, m.Member)
    member = t.value(e.member)
    sum_ = k.Binary("-" if e.before else "+", member, t.number(e.places))
    natural = not e.before and t.is_natural(e.places)
    moved = k.Binary("%", sum_, k.Int(t.facts.sizes[e.type.domain]), natural)
    if not may_be_none(e.member):
        return moved
    return k.Select(exists(member), moved, k.Int(m.NONE))


def _conditional(t: Lowerer, e: m.Conditional) -> k.Value:
    return k.Select(t.value(e.condition), t.number(e.value), t.number(e.other))


def _extreme(t: Lowerer, e: m.Extreme) -> k.Value:
    operator = "min" if e.smaller else "max"
    return k.Binary(operator, t.number(e.left), t.number(e.right))


def _compare(t: Lowerer, e: m.Compare) -> k.Value:
    match e.left.type, e.right.type:
        case (m.Bag() | m.Stack(), _) | (_, m.Bag() | m.Stack()):
            are_equal = bags_equal(t, e)
        case (m.SetOf(), _) | (_, m.SetOf()):
            are_equal = k.SameSequence(t.sequence(e.left), t.sequence(e.right))
        case _:
            operator = "==" if e.op is m.Comparison.EQUAL else str(e.op)
            return k.CompareValues(operator, operand(t, e.left), operand(t, e.right))
    return are_equal if e.op is m.Comparison.EQUAL else k.Negate(are_equal)


def operand(t: Lowerer, e: m.Expr) -> k.Value:
    """Lower an operand of a comparison; an absent seat equals no other seat."""
    value = t.value(e)
    return k.Int(value.value) if isinstance(value, k.Absent) else value


def bags_equal(t: Lowerer, e: m.Compare) -> k.Value:
    """Lower a test whether two bags have the same cards."""
    assert isinstance(e.left.type, m.Bag | m.Stack)
    index = k.Var(t.new_slot())
    sides = [k.Element(t.row(side), index) for side in (e.left, e.right)]
    everything = k.Range(ZERO, k.Int(t.facts.sizes[e.left.type.domain] - 1))
    differs = k.CompareValues("!=", *sides)
    return k.Negate(k.Fold(k.FoldKind.ANY, index.slot, everything, differs))


VALUES: Rules = {
    m.PlayerCount: lambda t, _: k.Int(t.facts.players),
    m.SpaceAt: _space_at,
    m.TallyValue: _tally,
    m.AwardHolder: lambda t, e: k.Load(k.Int(t.facts.layout.awards[e.award])),
    m.PlayerPoints: _points,
    m.ActivePlayer: lambda _, __: k.Load(k.Int(ACTIVE)),
    m.RoundNumber: lambda _, __: k.Load(k.Int(ROUND)),
    m.Winner: lambda _, __: k.Load(k.Int(WINNER)),
    m.Arith: _arith,
    m.HalfOf: _half,
    m.MemberAfter: _member_after,
    m.Conditional: _conditional,
    m.Extreme: _extreme,
    m.Compare: _compare,
    m.And: lambda t, e: k.All(tuple(map(t.value, e.parts))),
    m.Or: lambda t, e: k.Some(tuple(map(t.value, e.parts))),
    m.Not: lambda t, e: k.Negate(t.value(e.value)),
}
