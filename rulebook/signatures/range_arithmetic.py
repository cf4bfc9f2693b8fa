"""Arithmetic on ranges of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, reduce

from rulebook.completeness import check_complete
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.value_types import Whole
from rulebook.shared_enums import ArithmeticOperator

ZERO = Whole(0, 0)
ANY_NUMBER = Whole(-NUMBER_MAX - 1, NUMBER_MAX + 1)
"""Range of a number that is unknown or may exceed the limit."""

DIVISION_OPERATORS = frozenset(
    (ArithmeticOperator.DOWN, ArithmeticOperator.UP, ArithmeticOperator.REMAINDER)
)
"""Operators that divide: quotient rounded down, rounded up, and remainder."""


def clip_range(low: int, high: int) -> Whole:
    """Return a range; bounds beyond the number limit become those of `ANY_NUMBER`."""
    return Whole(
        max(ANY_NUMBER.low, min(low, ANY_NUMBER.high)),
        min(ANY_NUMBER.high, max(high, ANY_NUMBER.low)),
    )


def join_ranges(left: Whole, right: Whole) -> Whole:
    """Return the smallest range that contains both ranges."""
    return Whole(min(left.low, right.low), max(left.high, right.high))


def result_range(op: ArithmeticOperator, left: Whole, right: Whole) -> Whole:
    """Return the range of the result of an arithmetic operator."""
    return _RESULTS[op](left, right)


def _sum(left: Whole, right: Whole) -> Whole:
    return clip_range(left.low + right.low, left.high + right.high)


def _difference(left: Whole, right: Whole) -> Whole:
    return clip_range(left.low - right.high, left.high - right.low)


def _product(left: Whole, right: Whole) -> Whole:
    ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return clip_range(min(ends), max(ends))


def _quotient(op: ArithmeticOperator, left: Whole, right: Whole) -> Whole:
    """Return the range of a quotient or a remainder; the divisor is never 0."""
    if op is ArithmeticOperator.REMAINDER:
        least = min(0, right.low + 1)
        most = max(0, right.high - 1)
        short = left.low >= 0 and right.low > 0
        return Whole(least, min(most, left.high) if short else most)
    divisors = [b for b in (right.low, -1, 1, right.high) if b and _is_within(b, right)]
    ends = [op.function(a, b) for a in (left.low, left.high) for b in divisors]
    return clip_range(min(ends, default=0), max(ends, default=0))


_RESULTS: dict[ArithmeticOperator, Callable[[Whole, Whole], Whole]] = {
    ArithmeticOperator.PLUS: _sum,
    ArithmeticOperator.MINUS: _difference,
    ArithmeticOperator.TIMES: _product,
    **{op: partial(_quotient, op) for op in DIVISION_OPERATORS},
}
check_complete(
    "the table of ranges of arithmetic operators", _RESULTS, ArithmeticOperator
)


def _is_within(number: int, bounds: Whole) -> bool:
    return bounds.low <= number <= bounds.high


def extreme_range(smaller: bool, left: Whole, right: Whole) -> Whole:
    """Return the range of the smaller or the larger of two numbers."""
    pick = min if smaller else max
    return Whole(pick(left.low, right.low), pick(left.high, right.high))


def sum_range(bounds: Whole, count: int) -> Whole:
    """Return the range of a sum of up to *count* numbers in *bounds*."""
    return clip_range(min(0, bounds.low * count), max(0, bounds.high * count))


def total_range(ranges: Iterable[Whole]) -> Whole:
    """Return the range of the sum of one number from each range."""
    return reduce(partial(result_range, ArithmeticOperator.PLUS), ranges, ZERO)


def count_selections(items: int, most: int) -> int:
    """Return the number of ways to select 1 to *most* of *items* different items.

    A number beyond the limit for numbers is returned as that limit.
    """
    total, ways = 0, 1
    for size in range(1, min(items, most) + 1):
        ways = ways * (items - size + 1) // size
        total += ways
        if total > NUMBER_MAX:
            return NUMBER_MAX
    return total
