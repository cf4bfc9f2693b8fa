"""The least range in which a number surely lies, by its parts and what is known."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import model as m
from rulebook.types import Whole

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

Facts = tuple[m.Expr, ...]


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
            if op == "+":
                return Whole(one.low + two.low, one.high + two.high)
            if op == "-":
                rest = Whole(one.low - two.high, one.high - two.low)
                return _difference(rest, left, right, facts)
            ends = [a * b for a in (one.low, one.high) for b in (two.low, two.high)]
            return Whole(min(ends), max(ends))
        case m.Extreme(smaller=smaller, left=left, right=right):
            one, two = interval(left, facts), interval(right, facts)
            pick = min if smaller else max
            return Whole(pick(one.low, two.low), pick(one.high, two.high))
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
    return Whole(low, max(low, high))
