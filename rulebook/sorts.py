"""What is one of a few words, both as written and as checked: operators, periods."""

from __future__ import annotations

import operator
from collections.abc import Callable
from enum import StrEnum
from typing import Any


class Reckoning(StrEnum):
    """What two numbers are reckoned with; `UP` is a division rounded up."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    DOWN = "//"
    UP = "//up"
    LEFT_OVER = "%"

    @property
    def meaning(self) -> Callable[[int, int], int]:
        """What comes of two numbers; the divisor is not 0."""
        return _RECKONED[self]


_RECKONED: dict[Reckoning, Callable[[int, int], int]] = {
    Reckoning.PLUS: operator.add,
    Reckoning.MINUS: operator.sub,
    Reckoning.TIMES: operator.mul,
    Reckoning.DOWN: operator.floordiv,
    Reckoning.UP: lambda number, divisor: -(-number // divisor),
    Reckoning.LEFT_OVER: operator.mod,
}


class Comparison(StrEnum):
    """How two values are compared."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="

    @property
    def meaning(self) -> Callable[[Any, Any], bool]:
        """Whether it holds for two values."""
        return _COMPARED[self]

    @property
    def contrary(self) -> Comparison:
        """What holds where this does not."""
        return _CONTRARY[self]

    @property
    def mirrored(self) -> Comparison:
        """The same of the two sides exchanged."""
        return _MIRRORED.get(self, self)

    @property
    def is_sameness(self) -> bool:
        """Whether it asks if two values are the same: of numbers and all others."""
        return self in {Comparison.EQUAL, Comparison.UNEQUAL}


_COMPARED: dict[Comparison, Callable[[Any, Any], bool]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.UNEQUAL: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.MORE: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}
_PAIRS = (
    (Comparison.EQUAL, Comparison.UNEQUAL),
    (Comparison.LESS, Comparison.AT_LEAST),
    (Comparison.MORE, Comparison.AT_MOST),
)
_CONTRARY = {**dict(_PAIRS), **{other: first for first, other in _PAIRS}}
_MIRRORED = {
    Comparison.LESS: Comparison.MORE,
    Comparison.AT_MOST: Comparison.AT_LEAST,
    Comparison.MORE: Comparison.LESS,
    Comparison.AT_LEAST: Comparison.AT_MOST,
}


class Period(StrEnum):
    """For how long a limit counts."""

    TURN = "turn"
    ROUND = "round"
    GAME = "game"


class Tie(StrEnum):
    """Who has an award of which several have the most: who held it, or nobody."""

    HOLDER = "holder"
    NOBODY = "nobody"

    @property
    def other(self) -> Tie:
        """The other of the two."""
        return Tie.NOBODY if self is Tie.HOLDER else Tie.HOLDER


class StackEnd(StrEnum):
    """An end of a stack."""

    TOP = "top"
    BOTTOM = "bottom"


class Way(StrEnum):
    """Which way the turns go."""

    CLOCKWISE = "clockwise"
    COUNTERCLOCKWISE = "counterclockwise"
    OTHER = "other way"


class Orientation(StrEnum):
    """How the faces of a layout of hexes lie."""

    POINTY_TOP = "pointy_top"
    FLAT_TOP = "flat_top"
    NO_HEXES = ""
    """A layout of spaces that are no hexes."""


class StepWord(StrEnum):
    """What a step of a scenario begins with."""

    GIVEN = "given"
    WHEN = "when"
    THEN = "then"
