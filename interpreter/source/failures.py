"""Failures of effects that the checker could not rule out (ADR 7).

Compiled effects call these functions. They raise `RulesError` with a diagnostic like
those of the checker.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import attrs

import rulebook as rb
from rulebook import model as m
from rulebook import tooling
from rulebook.completeness import check_complete
from rulebook.signatures import Failure


@attrs.frozen
class EffectPlace:
    """Effect that may fail: its place in the file, and the field or piece it uses.

    `owners` are the names of all owners of a piece.
    """

    span: rb.Span
    part: m.Field | m.Piece
    owners: tuple[str, ...] = ()

    def fail(self, code: str, message: str, help_: str) -> NoReturn:
        """Raise `RulesError` for the effect."""
        related = ((self.part.span, "declared here"),)
        raise rb.RulesError([rb.Diagnostic(code, message, self.span, help_, related)])


def fail_no_piece_left(place: EffectPlace, owner: int) -> NoReturn:
    """Raise an error because a piece was placed although all are on the board."""
    assert isinstance(place.part, m.Piece)
    piece = place.part
    whose, left = "there is", f"{piece.plural}_left"
    if piece.owner is not None:
        whose = f"{place.owners[owner]} has"
        left = f"your {left}" if piece.each_player else f"{piece.owner}'s {left}"
    place.fail(
        "RB142",
        f"{whose} no {piece.name} left to place",
        f"write `if {left} > 0:` above it, or increase the number of this piece",
    )


def fail_no_room(place: EffectPlace) -> NoReturn:
    """Raise an error because a piece was placed on a space without room for it."""
    assert isinstance(place.part, m.Piece)
    piece = place.part
    taken = f"a {piece.name} is already here" if piece.room is None else ""
    place.fail(
        "RB142",
        taken or f"there is no room for this {piece.name} here",
        f"write `if SPACE has room for a {piece.name}:` above it, or "
        "`in place of what stands there`",
    )


def fail_no_such_piece(place: EffectPlace) -> NoReturn:
    """Raise an error because pieces were removed from a space without them."""
    place.fail(
        "RB142",
        f"there is no {place.part.name} here to remove",
        f"write `if SPACE has a {place.part.name}:` above it",
    )


def fail_space_is_none(place: EffectPlace) -> NoReturn:
    """Raise an error because a piece was moved to or from a space that is none."""
    place.fail(
        "RB142",
        f"the space for this {place.part.name} is none",
        "write `if SPACE is not none:` above it",
    )


def fail_missing_cards(place: EffectPlace) -> NoReturn:
    """Raise an error because cards were moved from a holder without them."""
    place.fail(
        "RB142",
        f"`{place.part.name}` does not have the cards that are moved here",
        "write an `if` above it, add a `needs` line, or write `up to` before the "
        "number",
    )


def fail_slot_taken(place: EffectPlace) -> NoReturn:
    """Raise an error because a card was put into a slot that already contains one."""
    place.fail(
        "RB142",
        f"`{place.part.name}` already holds a card",
        f"write `if {place.part.name} is none:` above it",
    )


def fail_out_of_range(place: EffectPlace, value: int) -> NoReturn:
    """Raise an error because a number is outside the range of its field."""
    assert isinstance(place.part, m.Field)
    place.fail(
        "RB145",
        f"{value} is out of range: `{place.part.name}` holds {place.part.type}",
        "limit it with `smaller of` or `larger of`, or write an `if` above it",
    )


def fail_holder_full(place: EffectPlace) -> NoReturn:
    """Raise an error because a holder would exceed the maximum number of cards."""
    place.fail(
        "RB152",
        f"`{place.part.name}` receives more than {tooling.HOLDER_MAX:,} cards",
        "limit the number: use `smaller of`, or a condition on the number of cards",
    )


def fail_deal_not_found(place: EffectPlace) -> NoReturn:
    """Raise an error because the bounded search could not complete a deal."""
    place.fail(
        "RB152",
        f"dealing `{place.part.name}` under this condition requires trying"
        f" more than {tooling.DEAL_SEARCHES_MAX:,} arrangements",
        "relax the condition, or deal to fewer spaces",
    )


class RequireFailed(Exception):
    """Raised for a failed `require` of a test; it stores the cells and variables."""

    def __init__(self, node: m.Require, s: list[Any], f: list[Any]) -> None:
        super().__init__("a `require` of a test is not met")
        self.node = node
        self.s = s
        self.f = f


def raise_require_failed(
    node: m.Require, s: list[Any], f: list[Any], loop_variables: dict[int, Any]
) -> NoReturn:
    """Raise `RequireFailed` for a `require`, with the loop variables in its frame."""
    frame = [*f, *[None] * (max(loop_variables, default=0) + 1 - len(f))]
    for place, value in loop_variables.items():
        frame[place] = value
    raise RequireFailed(node, s, frame)


FAILURE_FUNCTIONS: dict[Failure, Callable[..., NoReturn]] = {
    Failure.BEYOND: fail_out_of_range,
    Failure.NO_ROOM: fail_no_room,
    Failure.NO_SPACE: fail_space_is_none,
    Failure.NONE_LEFT: fail_no_piece_left,
    Failure.NOT_FREE: fail_slot_taken,
    Failure.NOT_STANDING: fail_no_such_piece,
    Failure.NOT_THERE: fail_missing_cards,
    Failure.TOO_MANY: fail_holder_full,
}
"""For each kind of failure of an effect, the function that raises its error."""

check_complete(
    "the table of failures", FAILURE_FUNCTIONS, set(Failure) - {Failure.UNTRUE}
)
