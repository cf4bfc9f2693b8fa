"""Enumerations that both syntax and model use, such as operators and periods."""

from __future__ import annotations

import operator
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from rulebook.completeness import check_complete


class ArithmeticOperator(StrEnum):
    """Arithmetic operator; `DOWN` and `UP` are division rounded down and up."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    DOWN = "//"
    UP = "//up"
    REMAINDER = "%"

    @property
    def function(self) -> Callable[[int, int], int]:
        """Function that applies this operator to two numbers; no divisor may be 0."""
        return _ARITHMETIC_FUNCTIONS[self]


_ARITHMETIC_FUNCTIONS: dict[ArithmeticOperator, Callable[[int, int], int]] = {
    ArithmeticOperator.PLUS: operator.add,
    ArithmeticOperator.MINUS: operator.sub,
    ArithmeticOperator.TIMES: operator.mul,
    ArithmeticOperator.DOWN: operator.floordiv,
    ArithmeticOperator.UP: lambda number, divisor: -(-number // divisor),
    ArithmeticOperator.REMAINDER: operator.mod,
}
check_complete(
    "the meaning of arithmetic operators", _ARITHMETIC_FUNCTIONS, ArithmeticOperator
)


class Comparison(StrEnum):
    """Comparison operator."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="

    @property
    def function(self) -> Callable[[Any, Any], bool]:
        """Function that compares two values with this operator."""
        return _COMPARISON_FUNCTIONS[self]

    @property
    def negation(self) -> Comparison:
        """Operator with the opposite result."""
        return _NEGATIONS[self]

    @property
    def mirrored(self) -> Comparison:
        """Operator with the same result when the operands are swapped."""
        return _MIRRORED.get(self, self)

    @property
    def is_equality_test(self) -> bool:
        """True for `=` and `!=`, which can compare values of any type."""
        return self in {Comparison.EQUAL, Comparison.UNEQUAL}


_COMPARISON_FUNCTIONS: dict[Comparison, Callable[[Any, Any], bool]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.UNEQUAL: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.MORE: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}
_OPPOSITE_PAIRS = (
    (Comparison.EQUAL, Comparison.UNEQUAL),
    (Comparison.LESS, Comparison.AT_LEAST),
    (Comparison.MORE, Comparison.AT_MOST),
)
_NEGATIONS = {
    **dict(_OPPOSITE_PAIRS),
    **{other: first for first, other in _OPPOSITE_PAIRS},
}
check_complete("the meaning of comparisons", _COMPARISON_FUNCTIONS, Comparison)
check_complete("the table of opposite comparisons", _NEGATIONS, Comparison)
_MIRRORED = {
    Comparison.LESS: Comparison.MORE,
    Comparison.AT_MOST: Comparison.AT_LEAST,
    Comparison.MORE: Comparison.LESS,
    Comparison.AT_LEAST: Comparison.AT_MOST,
}


class Period(StrEnum):
    """Period in which a limit counts uses."""

    TURN = "turn"
    ROUND = "round"
    GAME = "game"


class Tie(StrEnum):
    """Rule for a tie: the current holder keeps the award, or nobody has it."""

    HOLDER = "holder"
    NOBODY = "nobody"

    @property
    def other(self) -> Tie:
        """Opposite tie rule."""
        return Tie.NOBODY if self is Tie.HOLDER else Tie.HOLDER


class StackEnd(StrEnum):
    """Top or bottom of a stack."""

    TOP = "top"
    BOTTOM = "bottom"


class TurnDirection(StrEnum):
    """Direction of turns; `OTHER` reverses the current direction."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"
    OTHER = "other way"


class Orientation(StrEnum):
    """Orientation of the faces of a hex layout."""

    POINTY_TOP = "pointy_top"
    FLAT_TOP = "flat_top"
    NO_HEXES = ""
    """Value for a board of spaces that are not hexes."""


class StepWord(StrEnum):
    """Word that begins a step of a scenario."""

    GIVEN = "given"
    WHEN = "when"
    THEN = "then"
