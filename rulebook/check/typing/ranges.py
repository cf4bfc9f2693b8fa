"""The least range in which a number surely lies, by its parts and what is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook import model as m
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.types import Whole

ZERO = Whole(0, 0)
ANY = Whole(-NUMBER_MAX - 1, NUMBER_MAX + 1)
"""The range of a number that is beyond the limit, or of which nothing is known."""

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

DIVISIONS = frozenset(("//", "//up", "%"))
"""Rounded down, rounded up, and what is left over."""

Facts = tuple[m.Expr, ...]


def clipped(low: int, high: int) -> Whole:
    """Return a range; what is beyond the limit is not told apart."""
    return Whole(max(ANY.low, min(low, ANY.high)), min(ANY.high, max(high, ANY.low)))


def joined(one: Whole, other: Whole) -> Whole:
    """Return the least range that holds both."""
    return Whole(min(one.low, other.low), max(one.high, other.high))


def reckoned(op: str, one: Whole, two: Whole) -> Whole:
    """Return the range of a sum, a difference, a product, a quotient or a remainder."""
    if op in DIVISIONS:
        return _divided(op, one, two)
    if op == "+":
        return clipped(one.low + two.low, one.high + two.high)
    if op == "-":
        return clipped(one.low - two.high, one.high - two.low)
    ends = [a * b for a in (one.low, one.high) for b in (two.low, two.high)]
    return clipped(min(ends), max(ends))


def _divided(op: str, one: Whole, two: Whole) -> Whole:
    """Return the range of a quotient or a remainder; the divisor is never 0."""
    if op == "%":
        least = min(0, two.low + 1)
        most = max(0, two.high - 1)
        short = one.low >= 0 and two.low > 0
        return Whole(least, min(most, one.high) if short else most)
    ends = [
        -(-a // b) if op == "//up" else a // b
        for a in (one.low, one.high)
        for b in (two.low, two.high)
        if b
    ]
    return clipped(min(ends), max(ends))


def extreme(smaller: bool, one: Whole, two: Whole) -> Whole:
    """Return the range of the smaller or the larger of two numbers."""
    pick = min if smaller else max
    return Whole(pick(one.low, two.low), pick(one.high, two.high))


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
            one, two = always(fields, left), always(fields, right)
            if one is None or two is None:
                return None
            if isinstance(value, m.Arith):
                return reckoned(value.op, one, two)
            return extreme(value.smaller, one, two)
        case m.Half(value=whole):
            found = always(fields, whole)
            return None if found is None else Whole(found.low // 2, found.high // 2)
    return None


def interval(value: m.Expr, facts: Facts) -> Whole:
    """Return the least range in which a number surely lies, given the facts."""
    found = _computed(value, facts)
    for op, left, right in _comparisons(facts):
        if left == value:
            found = _narrowed(found, op, right.type)
    return found


def _comparisons(facts: Facts) -> Iterator[tuple[str, m.Expr, m.Expr]]:
    """Yield the comparisons among the facts, read from either side."""
    for fact in facts:
        if isinstance(fact, m.Compare):
            yield fact.op, fact.left, fact.right
            yield MIRRORED.get(fact.op, fact.op), fact.right, fact.left


def _computed(value: m.Expr, facts: Facts) -> Whole:
    assert isinstance(value.type, Whole)
    match value:
        case m.Arith(op=op, left=left, right=right):
            one, two = interval(left, facts), interval(right, facts)
            rest = reckoned(op, one, two)
            return _difference(rest, left, right, facts) if op == "-" else rest
        case m.Extreme(smaller=smaller, left=left, right=right):
            return extreme(smaller, interval(left, facts), interval(right, facts))
        case m.Half(value=whole):
            found = interval(whole, facts)
            return Whole(found.low // 2, found.high // 2)
    return value.type


def _difference(rest: Whole, one: m.Expr, other: m.Expr, facts: Facts) -> Whole:
    """The range of a difference, when facts compare what it is taken of."""
    for op, left, right in _comparisons(facts):
        if left == one and right == other:
            rest = _narrowed(rest, op, Whole(0, 0))
    return rest


def _narrowed(found: Whole, op: str, other: object) -> Whole:
    if not isinstance(other, Whole):
        return found
    low, high = found.low, found.high
    if op in ("<", "<="):
        high = min(high, other.high - (op == "<"))
    elif op in (">", ">="):
        low = max(low, other.low + (op == ">"))
    elif op == "=":
        low, high = max(low, other.low), min(high, other.high)
    elif op == "!=" and other.low == other.high == low:
        low += 1
    elif op == "!=" and other.low == other.high == high:
        high -= 1
    return Whole(low, max(low, high))
