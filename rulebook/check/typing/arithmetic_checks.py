"""Checks of arithmetic, comparisons and logical operators."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import Mistake, are_comparable, mistake
from rulebook.check.typing.assignability import TRUTH, describe_type
from rulebook.check.typing.expression_checks import (
    CHECKS,
    check_condition,
    check_expr,
    check_number,
)
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Truth, Type, Whole
from rulebook.signatures.range_arithmetic import (
    extreme_range,
    join_ranges,
    result_range,
)
from rulebook.source.spans import Span


def _arith(unit: Unit, node: s.ArithExpression, expected: Type | None) -> m.Expr:
    left, right = check_number(unit, node.left), check_number(unit, node.right)
    assert isinstance(left.type, Whole) and isinstance(right.type, Whole)
    type_ = result_range(node.op, left.type, right.type)
    return m.arithmetic(node.op, left, right, type_, node.span)


def _negate(unit: Unit, node: s.Negate, expected: Type | None) -> m.Expr:
    value = check_number(unit, node.value)
    assert isinstance(value.type, Whole)
    type_ = Whole(-value.type.high, -value.type.low)
    return m.subtract(m.number(0, node.span), value, type_, node.span)


def _half(unit: Unit, node: s.HalfOf, expected: Type | None) -> m.Expr:
    value = check_number(unit, node.value)
    assert isinstance(value.type, Whole)
    type_ = Whole(value.type.low // 2, value.type.high // 2)
    return m.HalfOf(value=value, type=type_, span=node.span)


def _member_after(
    unit: Unit, node: s.MemberAfterExpression, expected: Type | None
) -> m.Expr:
    places = check_number(unit, node.places)
    member = check_expr(unit, node.member, expected)
    kind = member.type
    if not isinstance(kind, Member) or unit.world.domains[kind.domain].each_player:
        raise mistake(
            "RB120",
            member.span,
            "places are counted from a member of a kind, not from "
            f"{describe_type(kind)}",
        )
    return m.MemberAfter(places, member, node.before, type=kind, span=node.span)


def _conditional(
    unit: Unit, node: s.ConditionalExpression, expected: Type | None
) -> m.Expr:
    value, other = check_number(unit, node.value), check_number(unit, node.other)
    assert isinstance(value.type, Whole) and isinstance(other.type, Whole)
    return m.Conditional(
        condition=check_condition(unit, node.condition),
        value=value,
        other=other,
        type=join_ranges(value.type, other.type),
        span=node.span,
    )


def _extreme(unit: Unit, node: s.ExtremeExpression, expected: Type | None) -> m.Expr:
    left, right = check_number(unit, node.left), check_number(unit, node.right)
    assert isinstance(left.type, Whole) and isinstance(right.type, Whole)
    type_ = extreme_range(node.smaller, left.type, right.type)
    return m.Extreme(
        smaller=node.smaller, left=left, right=right, type=type_, span=node.span
    )


def cap_change(statement: m.Stmt, node: s.Change) -> m.Stmt:
    """Return a change of a field that stops at the bounds of the field's range."""
    if not isinstance(statement, m.SetField) or not isinstance(
        statement.value, m.Arith
    ):
        raise mistake(
            "RB131",
            node.target.span,
            "`up to` needs a number in a field, which has a range",
            "remove `up to`, or write `smaller of` or `larger of`",
        )
    type_ = statement.value.left.type
    assert isinstance(type_, Whole)
    edge = type_.high if node.increase else type_.low
    limit = m.number(edge, node.value.span)
    value = m.Extreme(
        smaller=node.increase,
        left=limit,
        right=statement.value,
        type=type_,
        span=statement.value.span,
    )
    return attrs.evolve(statement, value=value)


def check_compared_values(
    unit: Unit, left_node: s.Expr, right_node: s.Expr
) -> tuple[m.Expr, m.Expr]:
    """Check two compared values; the type of one may resolve a name in the other."""
    try:
        left = check_expr(unit, left_node)
    except Mistake as first:
        try:
            right = check_expr(unit, right_node)
        except Mistake:
            raise first from None
        return check_expr(unit, left_node, right.type), right
    return left, check_expr(unit, right_node, left.type)


def _comparison_span(node: s.CompareExpression) -> Span:
    """Return the span to report for a comparison.

    It is the first span on one line: of the comparison, its right side or its left
    side. If there is none, it is the span of the comparison.
    """
    spans = (node.span, node.right.span, node.left.span)
    return next((span for span in spans if span.line == span.end_line), node.span)


def _compare(unit: Unit, node: s.CompareExpression, expected: Type | None) -> m.Expr:
    left, right = check_compared_values(unit, node.left, node.right)
    if not are_comparable(left.type, right.type):
        raise mistake(
            "RB117",
            _comparison_span(node),
            f"{describe_type(left.type)} cannot be compared with "
            f"{describe_type(right.type)}",
            _comparison_help(node, left.type, right.type),
            related=((left.span, str(left.type)), (right.span, str(right.type))),
        )
    if not node.op.is_equality_test and not isinstance(left.type, Whole):
        raise mistake(
            "RB117",
            node.span,
            f"`{node.op}` compares numbers, not {describe_type(left.type)}",
        )
    return m.compare(node.op, left, right, node.span)


def _comparison_help(node: s.CompareExpression, *types: Type) -> str | None:
    """Return help if a bag is compared with a number, or if brackets are missing."""
    numbers = [type_ for type_ in types if isinstance(type_, Whole)]
    holders = [type_ for type_ in types if isinstance(type_, Bag | Stack | SetOf)]
    if numbers and any(isinstance(type_, Truth) for type_ in types):
        sides = (node.left, node.right)
        advice = "put brackets round the whole phrase: `(number of … where …) > 1`"
        brackets = any(
            isinstance(side, s.CompareExpression | s.AndExpression | s.OrExpression)
            for side in sides
        )
        return advice if brackets else None
    return "`number of` counts what is in it" if numbers and holders else None


def _and(unit: Unit, node: s.AndExpression, expected: Type | None) -> m.Expr:
    parts = [
        _check_operand(unit, part, "and")
        for part in _chain_operands(s.AndExpression, node)
    ]
    return m.conjunction(tuple(parts), node.span)


def _or(unit: Unit, node: s.OrExpression, expected: Type | None) -> m.Expr:
    parts = [
        _check_operand(unit, part, "or")
        for part in _chain_operands(s.OrExpression, node)
    ]
    return m.disjunction(tuple(parts), node.span)


def _check_operand(unit: Unit, node: s.Expr, word: str) -> m.Expr:
    """Check an operand of `and` or `or`; `a = 1 or 2` is a common mistake."""
    value = check_expr(unit, node, TRUTH)
    if isinstance(value.type, Truth):
        return value
    raise mistake(
        "RB110",
        value.span,
        f"expected a condition (yes/no), but this is {describe_type(value.type)}",
        f"write a complete condition on each side of `{word}`: `a = 1 {word} a = 2`",
    )


def _chain_operands(sort: type[Any], node: Any) -> list[s.Expr]:
    """Return the operands of a chain such as `a and b and c`, without recursion."""
    parts: list[s.Expr] = []
    while isinstance(node, sort):
        parts.append(node.right)
        node = node.left
    return [node, *reversed(parts)]


def _not(unit: Unit, node: s.NotExpression, expected: Type | None) -> m.Expr:
    return m.negation(check_condition(unit, node.value), node.span)


def negate_if(value: m.Expr, negative: bool) -> m.Expr:
    """Return a condition, or its negation if *negative*."""
    return m.negation(value) if negative else value


CHECKS.update(
    {
        s.ArithExpression: _arith,
        s.Negate: _negate,
        s.HalfOf: _half,
        s.MemberAfterExpression: _member_after,
        s.ConditionalExpression: _conditional,
        s.ExtremeExpression: _extreme,
        s.CompareExpression: _compare,
        s.AndExpression: _and,
        s.OrExpression: _or,
        s.NotExpression: _not,
    }
)
