"""The chance event that is due: its outcomes, and the one that a caller gives."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from interpreter.errors import IllegalAction
from interpreter.explanation import Explanation
from interpreter.outcome import Chance
from interpreter.state.state import RestoreOnError, State
from interpreter.state.wait_points import ChanceStep


def chances(state: State, waiting: ChanceStep) -> tuple[Chance, ...]:
    """Return the outcomes of the due chance event, with their probabilities."""
    weighted = outcomes(state, waiting)
    total = sum(weight for _, weight in weighted)
    return tuple(
        Chance(waiting.event, waiting.plain(state, raw), Fraction(weight, total))
        for raw, weight in weighted
    )


def outcomes(state: State, waiting: ChanceStep) -> list[tuple[Any, int]]:
    """Return the raw outcomes of the due chance event, with their weights."""
    weighted = waiting.outcomes(state, state.s, state.frames[-1])
    assert not isinstance(weighted, int)
    return weighted


def possible_outcomes(state: State, waiting: ChanceStep) -> list[Any]:
    """Return the possible raw outcomes, in order."""
    return [raw for raw, weight in outcomes(state, waiting) if weight]


def number_of(state: State, waiting: ChanceStep, given: Any) -> int:
    """Return the number of a given outcome, or raise `IllegalAction`."""
    wanted = given.to_json() if isinstance(given, Chance) else given
    for number, raw in enumerate(possible_outcomes(state, waiting)):
        plain = waiting.plain(state, raw)
        if wanted == {"chance": waiting.event, "outcome": plain}:
            return number
    raise IllegalAction(
        Explanation(
            legal=False,
            seat=None,
            action=json.dumps(wanted, ensure_ascii=False, default=str),
            clause=waiting.event,
            reason="this is not an outcome of the pending chance event",
        )
    )


def apply_outcome(state: State, waiting: ChanceStep, number: int) -> None:
    """Apply an outcome of the due chance event, given by its number."""
    raw = possible_outcomes(state, waiting)[number]
    with RestoreOnError(state):
        frame = state.frames[-1]
        state.resume(waiting.accept(state, state.s, frame, raw))
