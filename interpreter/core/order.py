"""Order of turns: the next seat, and the end of a round.

A round ends when every seat has had, missed or skipped its turn. A turn out of order
belongs to the current round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.core.layout import (
    ACTIVE,
    BACKWARDS,
    HAD_TURN,
    MISSES_TURN,
    NEXT,
    PLACE,
    ROUND,
    STARTER,
    TURN,
)
from interpreter.errors import PositionError
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import TurnState, effects_within

SKIPPED = "skip"
BEFORE, AFTER = "before_round", "after_round"
ORDER = {TurnState.NEXT_PLAYER, TurnState.MISSED_TURNS, TurnState.DIRECTION}
"""Parts of the state that change the usual order of turns."""

Cells = list[Any]
Skips = Callable[[Cells, int], bool]


def changes_turn_order(model: m.Model) -> bool:
    """Return whether the rules change the order of turns."""
    names = {SKIPPED, BEFORE, AFTER}
    if model.phases_each_round or names & {*model.defines, *model.procedures}:
        return True
    code = effects_within(model.procedures, model.actions)
    return any(write.place in ORDER for effects in code for write in effects.writes)


def turns_in_round(model: m.Model, players: int) -> int:
    """Return the usual number of turns in a round."""
    return 1 if model.phases_each_round else players


def set_usual_order(s: Cells, players: int, turns: int) -> None:
    """Derive the round and the place in it from the turn number.

    This is only correct for rules that do not change the order of turns; `turns` is the
    number of turns in a round.
    """
    s[ROUND] = (s[TURN] + turns - 1) // turns
    s[PLACE] = s[ACTIVE]
    turns_taken = (s[TURN] - 1) % turns + 1 if s[TURN] else 0
    seats = range(turns_taken * (players // turns))
    s[HAD_TURN] = sum([1 << (s[ACTIVE] - back) % players for back in seats])


def next_seat(s: Cells, players: int, skips: Skips | None) -> int | None:
    """Advance to the seat with the next turn; return None if the round ends first.

    A seat that misses a turn or is skipped counts as having had its turn. Return -1 if
    all seats are skipped.
    """
    if s[NEXT] >= 0:
        seat: int = s[NEXT]
        return seat
    step = -1 if s[BACKWARDS] else 1
    has_begun = s[HAD_TURN] != 0
    if not has_begun and skips is not None and all(skips(s, n) for n in range(players)):
        return -1
    if s[PLACE] < 0:
        s[PLACE] = (max(s[STARTER], 0) - step) % players
    for _ in range(players):
        seat = (s[PLACE] + step) % players
        misses = s[MISSES_TURN] >> seat & 1
        if not misses and not (skips is not None and skips(s, seat)):
            return seat
        s[MISSES_TURN] &= ~(1 << seat)
        s[PLACE] = seat
        s[HAD_TURN] |= 1 << seat
        if s[HAD_TURN] == (1 << players) - 1:
            return None
    return None


def write_order(names: tuple[str, ...], s: Cells) -> dict[str, Any]:
    """Return the state of the turn order as plain data."""

    def name_at(seat: int) -> str | None:
        return names[seat] if seat >= 0 else None

    def seat_names(bits: int) -> list[str]:
        return [name for seat, name in enumerate(names) if bits >> seat & 1]

    return {
        "next": name_at(s[NEXT]),
        "place": name_at(s[PLACE]),
        "backwards": s[BACKWARDS],
        "missing": seat_names(s[MISSES_TURN]),
        "had": seat_names(s[HAD_TURN]),
    }


def read_order(names: tuple[str, ...], s: Cells, order: Any, rounds: Any) -> None:
    """Read the turn order, and the number of the round, from a position into cells."""

    def seat(name: Any, path: str) -> int:
        if name not in names:
            raise PositionError(f"order.{path}", f"there is no seat {name!r}")
        return names.index(name)

    def seat_bits(path: str) -> int:
        listed = order.get(path, [])
        if not isinstance(listed, list):
            raise PositionError(f"order.{path}", "expected a list")
        return sum([1 << number for number in {seat(name, path) for name in listed}])

    if not isinstance(order, dict):
        raise PositionError("order", "expected an object")
    if type(rounds) is not int or not 0 <= rounds <= tooling.HOLDER_MAX:
        raise PositionError("round", "expected a number of rounds")
    if type(order.get("backwards", False)) is not bool:
        raise PositionError("order.backwards", "expected yes or no")
    for cell, path in ((NEXT, "next"), (PLACE, "place")):
        name = order.get(path)
        s[cell] = m.NONE if name is None else seat(name, path)
    s[BACKWARDS] = order.get("backwards", False)
    s[MISSES_TURN], s[HAD_TURN] = seat_bits("missing"), seat_bits("had")
    s[ROUND] = rounds
