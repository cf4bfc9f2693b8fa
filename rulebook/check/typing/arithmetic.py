"""Checks of arithmetic, comparisons and logical operators."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbols import Mistake, comparable, mistake
from rulebook.check.typing.assignability import TRUTH, describe
from rulebook.check.typing.expressions import (
    CHECKS,
    check_expr,
    check_truth,
    check_whole,
)
from rulebook.check.typing.ranges import extreme, joined, result_range
from rulebook.model.types import Bag, SetOf, Stack, Truth, Type, Whole
from rulebook.source.spans import Span


def _arith(unit: Unit, node: s.Arith, expected: Type | None) -> m.Expr:
    left, right = check_whole(unit, node.left), check_whole(unit, node.right)
    assert isinstance(left.type, Whole) and isinstance(right.type, Whole)
    return m.Arith(
        op=node.op,
        left=left,
        right=right,
        type=result_range(node.op, left.type, right.type),
        span=node.span,
    )


def _negate(unit: Unit, node: s.Negate, expected: Type | None) -> m.Expr:
    value = check_whole(unit, node.value)
    assert isinstance(value.type, Whole)
    zero = m.Const(value=0, type=Whole(0, 0), span=node.span)
    type_ = Whole(-value.type.high, -value.type.low)
    return m.Arith(
        op=m.Reckoning.MINUS, left=zero, right=value, type=type_, span=node.span
    )


def _half(unit: Unit, node: s.HalfOf, expected: Type | None) -> m.Expr:
    value = check_whole(unit, node.value)
    assert isinstance(value.type, Whole)
    type_ = Whole(value.type.low // 2, value.type.high // 2)
    return m.Half(value=value, type=type_, span=node.span)


def _conditional(unit: Unit, node: s.Conditional, expected: Type | None) -> m.Expr:
    value, other = check_whole(unit, node.value), check_whole(unit, node.other)
    assert isinstance(value.type, Whole) and isinstance(other.type, Whole)
    return m.Conditional(
        condition=check_truth(unit, node.condition),
        value=value,
        other=other,
        type=joined(value.type, other.type),
        span=node.span,
    )


def _extreme(unit: Unit, node: s.Extreme, expected: Type | None) -> m.Expr:
    left, right = check_whole(unit, node.left), check_whole(unit, node.right)
    assert isinstance(left.type, Whole) and isinstance(right.type, Whole)
    type_ = extreme(node.smaller, left.type, right.type)
    return m.Extreme(
        smaller=node.smaller, left=left, right=right, type=type_, span=node.span
    )


def capped(changed: m.Stmt, node: s.Change) -> m.Stmt:
    """Return a change of a field that stops at the bounds of the field's range."""
    if not isinstance(changed, m.SetField) or not isinstance(changed.value, m.Arith):
        raise mistake(
            "RB131",
            node.target.span,
            "`up to` needs a number in a field, which has a range",
            "remove `up to`, or write `smaller of` or `larger of`",
        )
    kept = changed.value.left.type
    assert isinstance(kept, Whole)
    edge = kept.high if node.increase else kept.low
    limit = m.Const(value=edge, type=Whole(edge, edge), span=node.value.span)
    value = m.Extreme(
        smaller=node.increase,
        left=limit,
        right=changed.value,
        type=kept,
        span=changed.value.span,
    )
    return attrs.evolve(changed, value=value)


def check_pair(unit: Unit, mine: s.Expr, theirs: s.Expr) -> tuple[m.Expr, m.Expr]:
    """Check two compared values; the type of one may resolve a name in the other."""
    try:
        left = check_expr(unit, mine)
    except Mistake as first:
        try:
            right = check_expr(unit, theirs)
        except Mistake:
            raise first from None
        return check_expr(unit, mine, right.type), right
    return left, check_expr(unit, theirs, left.type)


def _misplaced(node: s.Compare) -> Span:
    """Return the span to report for a comparison, since either side may be wrong.

    For a comparison on several lines, it is a side that is on one line.
    """
    spans = (node.span, node.right.span, node.left.span)
    return next((span for span in spans if span.line == span.end_line), node.span)


def _compare(unit: Unit, node: s.Compare, expected: Type | None) -> m.Expr:
    left, right = check_pair(unit, node.left, node.right)
    if not comparable(left.type, right.type):
        raise mistake(
            "RB117",
            _misplaced(node),
            f"{describe(left.type)} cannot be compared with {describe(right.type)}",
            _counted(node, left.type, right.type),
            related=((left.span, str(left.type)), (right.span, str(right.type))),
        )
    if not node.op.is_sameness and not isinstance(left.type, Whole):
        raise mistake(
            "RB117", node.span, f"`{node.op}` compares numbers, not {left.type}"
        )
    return m.Compare(op=node.op, left=left, right=right, type=TRUTH, span=node.span)


def _counted(node: s.Compare, *types: Type) -> str | None:
    """Return help if a bag is compared with a number, or if brackets are missing."""
    numbers = [type_ for type_ in types if isinstance(type_, Whole)]
    holders = [type_ for type_ in types if isinstance(type_, Bag | Stack | SetOf)]
    if numbers and any(isinstance(type_, Truth) for type_ in types):
        sides = (node.left, node.right)
        holds = "put brackets round the whole phrase: `(number of … where …) > 1`"
        brackets = any(isinstance(side, s.Compare | s.And | s.Or) for side in sides)
        return holds if brackets else None
    return "`number of` counts what is in it" if numbers and holders else None


def _and(unit: Unit, node: s.And, expected: Type | None) -> m.Expr:
    parts = [_side(unit, part, "and") for part in _flat(s.And, node)]
    return m.And(parts=tuple(parts), type=TRUTH, span=node.span)


def _or(unit: Unit, node: s.Or, expected: Type | None) -> m.Expr:
    parts = [_side(unit, part, "or") for part in _flat(s.Or, node)]
    return m.Or(parts=tuple(parts), type=TRUTH, span=node.span)


def _side(unit: Unit, node: s.Expr, word: str) -> m.Expr:
    """Check an operand of `and` or `or`; `a = 1 or 2` is a common mistake."""
    value = check_expr(unit, node, TRUTH)
    if isinstance(value.type, Truth):
        return value
    raise mistake(
        "RB110",
        value.span,
        f"expected a condition (yes/no), but this is {describe(value.type)}",
        f"write a complete condition on each side of `{word}`: `a = 1 {word} a = 2`",
    )


def _flat(sort: type[Any], node: Any) -> list[s.Expr]:
    """Return the operands of a chain such as `a and b and c`, without recursion."""
    parts: list[s.Expr] = []
    while isinstance(node, sort):
        parts.append(node.right)
        node = node.left
    return [node, *reversed(parts)]


def _not(unit: Unit, node: s.Not, expected: Type | None) -> m.Expr:
    return negated(check_truth(unit, node.value), True)


def negated(value: m.Expr, negative: bool) -> m.Expr:
    """Return a condition, or its negation if *negative*."""
    return m.Not(value=value, type=TRUTH, span=value.span) if negative else value


CHECKS.update(
    {
        s.Arith: _arith,
        s.Negate: _negate,
        s.HalfOf: _half,
        s.Conditional: _conditional,
        s.Extreme: _extreme,
        s.Compare: _compare,
        s.And: _and,
        s.Or: _or,
        s.Not: _not,
    }
)
