"""Outcomes of the pending chance event, and application of a caller's outcome."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from interpreter.errors import IllegalAction
from interpreter.explanation import Explanation
from interpreter.outcome import Chance
from interpreter.state.state import RestoreOnError, State
from interpreter.state.wait_points import ChanceStep


def chance_outcomes(state: State, step: ChanceStep) -> tuple[Chance, ...]:
    """Return the outcomes of the pending chance event, with their probabilities."""
    weighted = outcomes(state, step)
    total = sum(weight for _, weight in weighted)
    return tuple(
        Chance(step.event, step.plain(state, raw), Fraction(weight, total))
        for raw, weight in weighted
    )


def outcomes(state: State, step: ChanceStep) -> list[tuple[Any, int]]:
    """Return the raw outcomes of the pending chance event, with their weights."""
    weighted = step.outcomes(state, state.s, state.frames[-1])
    assert not isinstance(weighted, int)
    return weighted


def possible_outcomes(state: State, step: ChanceStep) -> list[Any]:
    """Return the possible raw outcomes, in order."""
    return [raw for raw, weight in outcomes(state, step) if weight]


def outcome_number(state: State, step: ChanceStep, outcome: Any) -> int:
    """Return the number of a given outcome, or raise `IllegalAction`."""
    wanted = outcome.to_json() if isinstance(outcome, Chance) else outcome
    for number, raw in enumerate(possible_outcomes(state, step)):
        plain = step.plain(state, raw)
        if wanted == {"chance": step.event, "outcome": plain}:
            return number
    raise IllegalAction(
        Explanation(
            legal=False,
            seat=None,
            action=json.dumps(wanted, ensure_ascii=False, default=str),
            clause=step.event,
            reason="this is not an outcome of the pending chance event",
        )
    )


def apply_outcome(state: State, step: ChanceStep, number: int) -> None:
    """Apply an outcome of the pending chance event, given by its number."""
    raw = possible_outcomes(state, step)[number]
    with RestoreOnError(state):
        frame = state.frames[-1]
        state.resume(step.accept(state, state.s, frame, raw))
