"""What a rulebook is made quicker by: the rewrites, by name."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from rulebook import model as m
from rulebook import tooling


class Rewrite(StrEnum):
    """What can be switched off by name."""

    FOLD = "fold"
    INLINE = "inline"
    UNROLL = "unroll"
    SPLIT = "split"
    BOUND = "bound"
    ORDER = "order"
    BRANCH = "branch"
    ROUNDS = "rounds"


REWRITES: dict[Rewrite, str] = {
    Rewrite.FOLD: (
        "what is the same in every state of the game is worked out beforehand"
    ),
    Rewrite.INLINE: "a short definition is written out where it is called",
    Rewrite.UNROLL: (
        "what runs through few members that are known is written out for each"
    ),
    Rewrite.SPLIT: "what must hold together, or must not, is taken apart",
    Rewrite.BOUND: (
        "what cannot reach the least that is called is told without calling it"
    ),
    Rewrite.ORDER: "of what must hold together the cheapest is tested first",
    Rewrite.BRANCH: "of an `if` that is always decided alike that side alone is left",
    Rewrite.ROUNDS: "few rounds of a loop that are known are written out one by one",
}
"""What a rulebook is made quicker by, by name, in the order in which it is tried."""

ALL: frozenset[str] = frozenset(REWRITES)


def is_const(e: m.Expr, *, value: bool) -> bool:
    """Whether a condition always has this value."""
    return isinstance(e, m.Const) and e.value is value


def measured(e: Any) -> tuple[m.Expr, ...]:
    """Return what is asked of each member, its condition aside."""
    if isinstance(e, m.Best):
        return tuple([measure.value for measure in e.by])
    return (e.value,) if hasattr(e, "value") else ()


def whole_of(define: m.Define) -> m.Expr | None:
    """Return what a definition says as one expression, where it can be."""
    match define.lines:
        case (m.DefineLine(condition=None, value=value),) if not define.adds:
            return value
        case _:
            return tooling.condition_of(define)
