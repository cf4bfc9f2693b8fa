"""Failures of effects that the checker could not rule out (ADR 7).

Compiled effects call these functions. They raise `RulesError` with a diagnostic like
those of the checker.
"""

from __future__ import annotations

from typing import Any, NoReturn

import attrs

import rulebook as rb
from rulebook import model as m
from rulebook import tooling


@attrs.frozen
class EffectPlace:
    """Effect that may fail: its place in the file, and the source or destination it
    uses.
    """

    span: rb.Span
    part: m.Field | m.Piece
    seats: tuple[str, ...] = ()

    def fail(self, code: str, message: str, help_: str) -> NoReturn:
        """Raise `RulesError` for the effect."""
        related = ((self.part.span, "declared here"),)
        raise rb.RulesError([rb.Diagnostic(code, message, self.span, help_, related)])


def none_left(failing: EffectPlace, owner: int) -> NoReturn:
    """Raise an error because a piece was placed although all are on the board."""
    assert isinstance(failing.part, m.Piece)
    piece = failing.part
    whose = f"{failing.seats[owner]} has" if piece.each_player else "there is"
    left = f"your {piece.plural}_left" if piece.each_player else f"{piece.plural}_left"
    failing.fail(
        "RB142",
        f"{whose} no {piece.name} left to place",
        f"write `if {left} > 0:` above it, or increase the number of this piece",
    )


def no_room(failing: EffectPlace) -> NoReturn:
    """Raise an error because a piece was placed on a space without room for it."""
    assert isinstance(failing.part, m.Piece)
    piece = failing.part
    taken = f"a {piece.name} is already here" if piece.room is None else ""
    failing.fail(
        "RB142",
        taken or f"there is no room for this {piece.name} here",
        f"write `if SPACE has room for a {piece.name}:` above it, or "
        "`in place of what stands there`",
    )


def not_standing(failing: EffectPlace) -> NoReturn:
    """Raise an error because pieces were removed from a space where they are not."""
    failing.fail(
        "RB142",
        f"there is no {failing.part.name} here to remove",
        f"write `if SPACE has a {failing.part.name}:` above it",
    )


def no_space(failing: EffectPlace) -> NoReturn:
    """Raise an error because a piece was moved to or from a space that is none."""
    failing.fail(
        "RB142",
        f"the space for this {failing.part.name} is none",
        "write `if SPACE is not none:` above it",
    )


def not_there(failing: EffectPlace) -> NoReturn:
    """Raise an error because cards were moved from a holder that does not
    contain them.
    """
    failing.fail(
        "RB142",
        f"`{failing.part.name}` does not have the cards that are moved here",
        "write an `if` above it, add a `needs`, or write `up to` before the number",
    )


def not_free(failing: EffectPlace) -> NoReturn:
    """Raise an error because a card was put into a slot that already contains one."""
    failing.fail(
        "RB142",
        f"`{failing.part.name}` already holds a card",
        f"write `if {failing.part.name} is none:` above it",
    )


def beyond(failing: EffectPlace, value: int) -> NoReturn:
    """Raise an error because a number is outside the range of its field."""
    assert isinstance(failing.part, m.Field)
    failing.fail(
        "RB145",
        f"this became {value}, but `{failing.part.name}` holds {failing.part.type}",
        "limit it with `smaller of` or `larger of`, or write an `if` above it",
    )


def too_many(failing: EffectPlace) -> NoReturn:
    """Raise an error because a holder has no room for more cards from outside."""
    failing.fail(
        "RB152",
        f"`{failing.part.name}` receives more than {tooling.HOLDER_MAX:,} cards",
        "limit the number: use `smaller of`, or a condition on the number of cards",
    )


def too_hard(failing: EffectPlace) -> NoReturn:
    """Raise an error because the bounded search could not complete a deal."""
    failing.fail(
        "RB152",
        f"dealing `{failing.part.name}` under this condition requires trying"
        f" more than {tooling.SEARCHES:,} arrangements",
        "relax the condition, or deal to fewer spaces",
    )


class RequireFailed(Exception):
    """Raised for a failed `require` of a test; it stores the cells and variables."""

    def __init__(self, node: m.Require, s: list[Any], f: list[Any]) -> None:
        super().__init__("a `require` of a test is not met")
        self.node = node
        self.s = s
        self.f = f


def failed(
    node: m.Require, s: list[Any], f: list[Any], bound: dict[int, Any]
) -> NoReturn:
    """Raise `RequireFailed` for a `require`; `bound` are the variables of loops."""
    frame = [*f, *[None] * (max(bound, default=0) + 1 - len(f))]
    for place, value in bound.items():
        frame[place] = value
    raise RequireFailed(node, s, frame)
