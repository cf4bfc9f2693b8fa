"""The least range in which a number surely lies, by its parts and what is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook import model as m
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.types import Whole
from rulebook.sorts import Comparison, Reckoning

ZERO = Whole(0, 0)
ANY = Whole(-NUMBER_MAX - 1, NUMBER_MAX + 1)
"""The range of a number that is beyond the limit, or of which nothing is known."""

DIVISIONS = frozenset((Reckoning.DOWN, Reckoning.UP, Reckoning.LEFT_OVER))
"""Rounded down, rounded up, and what is left over."""

Facts = tuple[m.Expr, ...]


def clipped(low: int, high: int) -> Whole:
    """Return a range; what is beyond the limit is not told apart."""
    return Whole(max(ANY.low, min(low, ANY.high)), min(ANY.high, max(high, ANY.low)))


def joined(left: Whole, right: Whole) -> Whole:
    """Return the least range that holds both."""
    return Whole(min(left.low, right.low), max(left.high, right.high))


def reckoned(op: Reckoning, left: Whole, right: Whole) -> Whole:
    """Return the range of a sum, a difference, a product, a quotient or a remainder."""
    if op in DIVISIONS:
        return _divided(op, left, right)
    if op is Reckoning.PLUS:
        return clipped(left.low + right.low, left.high + right.high)
    if op is Reckoning.MINUS:
        return clipped(left.low - right.high, left.high - right.low)
    ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return clipped(min(ends), max(ends))


def _divided(op: Reckoning, left: Whole, right: Whole) -> Whole:
    """Return the range of a quotient or a remainder; the divisor is never 0."""
    if op is Reckoning.LEFT_OVER:
        least = min(0, right.low + 1)
        most = max(0, right.high - 1)
        short = left.low >= 0 and right.low > 0
        return Whole(least, min(most, left.high) if short else most)
    ends = [
        op.meaning(a, b)
        for a in (left.low, left.high)
        for b in (right.low, right.high)
        if b
    ]
    return clipped(min(ends), max(ends))


def extreme(smaller: bool, left: Whole, right: Whole) -> Whole:
    """Return the range of the smaller or the larger of two numbers."""
    pick = min if smaller else max
    return Whole(pick(left.low, right.low), pick(left.high, right.high))


def surely(model: m.Model, value: m.Expr) -> Whole | None:
    """Return the range of a number that is made of what is always in its range.

    A field, an option, a column and the number of players are; of what is called and
    counted nothing is sure here.
    """
    return always(model.fields, value)


def always(fields: Mapping[str, m.Field], value: m.Expr) -> Whole | None:
    """Return what `surely` does, of rules of which only the fields are known yet."""
    match value:
        case m.Const(value=number):
            return Whole(number, number)
        case m.FieldValue(field=key, owner=owner):
            held = fields[key].type
            if not isinstance(held, Whole):
                return None
            return held if owner is None else joined(held, ZERO)  # of none it is 0
        case (
            m.OptionValue(type=Whole() as type_) | m.PlayerCount(type=Whole() as type_)
        ):
            return type_
        case m.ColumnValue(type=Whole() as type_):
            return joined(type_, ZERO)
        case m.Arith(left=left, right=right) | m.Extreme(left=left, right=right):
            first, second = always(fields, left), always(fields, right)
            if first is None or second is None:
                return None
            if isinstance(value, m.Arith):
                return reckoned(value.op, first, second)
            return extreme(value.smaller, first, second)
        case m.Conditional(value=left, other=right):
            first, second = always(fields, left), always(fields, right)
            return None if first is None or second is None else joined(first, second)
        case m.Half(value=whole):
            bounds = always(fields, whole)
            return None if bounds is None else Whole(bounds.low // 2, bounds.high // 2)
    return None


def interval(value: m.Expr, facts: Facts) -> Whole:
    """Return the least range in which a number surely lies, given the facts."""
    bounds = _computed(value, facts)
    for op, left, right in _comparisons(facts):
        if left == value:
            bounds = _narrowed(bounds, op, right.type)
    return bounds


def _comparisons(facts: Facts) -> Iterator[tuple[Comparison, m.Expr, m.Expr]]:
    """Yield the comparisons among the facts, read from either side."""
    for fact in facts:
        if isinstance(fact, m.Compare):
            yield fact.op, fact.left, fact.right
            yield fact.op.mirrored, fact.right, fact.left


def _computed(value: m.Expr, facts: Facts) -> Whole:
    assert isinstance(value.type, Whole)
    match value:
        case m.Arith(op=op, left=left, right=right):
            first, second = interval(left, facts), interval(right, facts)
            rest = reckoned(op, first, second)
            return (
                _difference(rest, left, right, facts) if op is Reckoning.MINUS else rest
            )
        case m.Extreme(smaller=smaller, left=left, right=right):
            return extreme(smaller, interval(left, facts), interval(right, facts))
        case m.Conditional(value=left, other=right):
            return joined(interval(left, facts), interval(right, facts))
        case m.Half(value=whole):
            bounds = interval(whole, facts)
            return Whole(bounds.low // 2, bounds.high // 2)
    return value.type


def _difference(
    rest: Whole, minuend: m.Expr, subtrahend: m.Expr, facts: Facts
) -> Whole:
    """The range of a difference, when facts compare what it is taken of."""
    for op, left, right in _comparisons(facts):
        if left == minuend and right == subtrahend:
            rest = _narrowed(rest, op, Whole(0, 0))
    return rest


def _narrowed(bounds: Whole, op: Comparison, other: object) -> Whole:
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
