"""Ranges of numbers: bounds that certainly contain the value of an expression."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from rulebook import model as m
from rulebook.model.value_types import Whole
from rulebook.shared_enums import ArithmeticOperator, Comparison
from rulebook.signatures.expression_signatures import derived_range
from rulebook.signatures.range_arithmetic import (
    ANY_NUMBER,
    ZERO,
    join_ranges,
    total_range,
)

Facts = tuple[m.Expr, ...]


def range_of(model: m.Model, value: m.Expr) -> Whole:
    """Return a range that always contains the value of a numeric expression.

    Definitions must not be recursive. The range of a definition is computed from its
    lines, not from its declared range.
    """
    return _unconditional_range(model, value, {})


def _unconditional_range(
    model: m.Model, value: m.Expr, cache: dict[str, Whole]
) -> Whole:
    """Compute `range_of`; *cache* stores the ranges of definitions by name."""
    match value:
        case m.Const(value=number):
            return Whole(number, number)
        case m.FieldValue(field=key, owner=owner):
            held = model.fields[key].type
            if not isinstance(held, Whole):
                return ANY_NUMBER
            return (
                held if owner is None else join_ranges(held, ZERO)
            )  # 0 if the owner is none
        case (
            m.OptionValue(type=Whole() as type_) | m.PlayerCount(type=Whole() as type_)
        ):
            return type_
        case m.ColumnValue(type=Whole() as type_):
            return join_ranges(type_, ZERO)
        case m.CountMembers() | m.CountIn() | m.SizeOf() | m.PieceCount():
            return Whole(0, ANY_NUMBER.high)
        case m.CallDefine(define=name):
            if name not in cache:
                cache[name] = _definition_range(model, model.defines[name], cache)
            return cache[name]
    bounds = derived_range(value, lambda e: _unconditional_range(model, e, cache))
    return ANY_NUMBER if bounds is None else bounds


def _definition_range(
    model: m.Model, define: m.Define, cache: dict[str, Whole]
) -> Whole:
    """Return the range of a definition's lines, including 0 if no line may apply."""
    lines = [_unconditional_range(model, line.value, cache) for line in define.lines]
    if define.adds:
        return total_range(lines)
    if define.lines and define.lines[-1].condition is None:
        return reduce(join_ranges, lines)
    return reduce(join_ranges, lines, ZERO)


def range_given_facts(value: m.Expr, facts: Facts) -> Whole:
    """Return the smallest range that certainly contains a number, given the facts.

    Comparisons of sums of the same terms are used in any form: `a <= 9 - b` and `9 - a
    >= b` give `a + b` the same range.
    """
    bounds = _computed_range(value, facts)
    terms, constant = _linear_sum(value)
    for op, left, right in comparisons(facts):
        if left == value:
            bounds = narrow(bounds, op, right.type)
        elif terms and isinstance(right.type, Whole):
            others, other = _difference(_linear_sum(left), _linear_sum(right))
            if others == terms:
                bounds = narrow(bounds, op, _single_value_range(constant - other))
    return bounds


LinearSum = tuple[dict[m.Expr, int], int]
"""Linear sum: a mapping from each term to its factor, and the constant."""


def _linear_sum(value: m.Expr) -> LinearSum:
    """Return a number as a linear sum; a part that may overflow becomes one term."""
    match value:
        case m.Const(value=int() as number):
            return {}, number
        case m.Arith(op=op, left=left, right=right, type=Whole(low=low, high=high)) if (
            op in (ArithmeticOperator.PLUS, ArithmeticOperator.MINUS)
            and ANY_NUMBER.low < low
            and high < ANY_NUMBER.high
        ):
            sign = 1 if op is ArithmeticOperator.PLUS else -1
            return _difference(_linear_sum(left), _linear_sum(right), -sign)
    return {value: 1}, 0


def _difference(left: LinearSum, right: LinearSum, times: int = 1) -> LinearSum:
    """Return the first linear sum minus *times* the second."""
    terms = dict(left[0])
    for term, number in right[0].items():
        terms[term] = terms.get(term, 0) - times * number
    rest = {term: number for term, number in terms.items() if number}
    return rest, left[1] - times * right[1]


def _single_value_range(value: int) -> Whole:
    return Whole(value, value)


def comparisons(facts: Facts) -> Iterator[tuple[Comparison, m.Expr, m.Expr]]:
    """Yield the operator, left and right of each comparison, in both directions."""
    for fact in facts:
        if m.is_comparison(fact):
            yield fact.op, fact.left, fact.right
            yield fact.op.mirrored, fact.right, fact.left


def _computed_range(value: m.Expr, facts: Facts) -> Whole:
    assert isinstance(value.type, Whole)
    bounds = derived_range(value, lambda e: range_given_facts(e, facts))
    return value.type if bounds is None else bounds


def narrow(bounds: Whole, op: Comparison, other: object) -> Whole:
    """Return the range of a number that is compared with a number in *other*."""
    if not isinstance(other, Whole):
        return bounds
    low, high = bounds.low, bounds.high
    match op:
        case Comparison.LESS | Comparison.AT_MOST:
            high = min(high, other.high - (op is Comparison.LESS))
        case Comparison.MORE | Comparison.AT_LEAST:
            low = max(low, other.low + (op is Comparison.MORE))
        case Comparison.EQUAL:
            low, high = max(low, other.low), min(high, other.high)
        case Comparison.UNEQUAL if other.low == other.high == low:
            low += 1
        case Comparison.UNEQUAL if other.low == other.high == high:
            high -= 1
    return Whole(low, max(low, high))
