"""The chance event that is due, seen from outside: its outcomes, one of them given."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from interpreter.errors import IllegalAction
from interpreter.explanation import Explanation
from interpreter.outcome import Chance
from interpreter.state.state import State, Unbroken
from interpreter.state.wait_points import ChanceStep


def chances(state: State, waiting: ChanceStep) -> tuple[Chance, ...]:
    """Return the outcomes of the chance event that is due."""
    weighted = outcomes(state, waiting)
    total = sum(weight for _, weight in weighted)
    return tuple(
        Chance(waiting.event, waiting.plain(state, raw), Fraction(weight, total))
        for raw, weight in weighted
    )


def outcomes(state: State, waiting: ChanceStep) -> list[tuple[Any, int]]:
    """Return the raw outcomes of the chance event that is due, with their weights."""
    weighted = waiting.outcomes(state, state.s, state.frames[-1])
    assert not isinstance(weighted, int)
    return weighted


def give(state: State, waiting: ChanceStep, given: Any) -> None:
    """Let an outcome happen that was given, or raise `IllegalAction`."""
    wanted = given.to_json() if isinstance(given, Chance) else given
    for raw, _ in outcomes(state, waiting):
        plain = waiting.plain(state, raw)
        if wanted == {"chance": waiting.event, "outcome": plain}:
            with Unbroken(state):
                frame = state.frames[-1]
                state.resume(waiting.accept(state, state.s, frame, raw))
            return
    raise IllegalAction(
        Explanation(
            legal=False,
            seat=None,
            action=json.dumps(wanted, ensure_ascii=False, default=str),
            clause=waiting.event,
            reason="this is no outcome of the chance event that is due",
        )
    )
