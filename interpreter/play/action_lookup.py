"""Conversion of an action from a caller to the index of a legal action."""

from __future__ import annotations

from typing import Any

from interpreter.arguments import action_index, action_text
from interpreter.core.action_index import Action
from interpreter.errors import IllegalAction
from interpreter.explain.why import explain_action
from interpreter.state.state import State
from interpreter.state.wait_points import Decision


def legal_indices(state: State) -> list[int]:
    """Return the indices of the legal actions, ascending and without duplicates."""
    if state.legal is None:
        assert isinstance(state.waiting, Decision)
        state.legal = state.waiting.legal(state, state.s, state.frames[-1])
    return state.legal


def legal_index(state: State, decision: Decision, action: Any) -> int:
    """Return the index of an action, or raise `IllegalAction` if it is not legal."""
    actions, number = state.plan.actions, action_index(action)
    seat: str | None = None
    index = number
    if isinstance(action, Action):
        index = action.index
        if action.seat != state.plan.values.names["player"][decision.seat(state)]:
            seat = action.seat
    elif number is None:
        index = actions.index_of(action_text(action))
    if seat is not None or index is None or index not in legal_indices(state):
        raise IllegalAction(explain_action(state.plan, state, seat, action))
    if number is None and not matches_offer(state, decision, index, action):
        raise IllegalAction(explain_action(state.plan, state, seat, action))
    return index


def matches_offer(state: State, decision: Decision, index: int, action: Any) -> bool:
    """Return whether a text omits or repeats the values that its offer fixes."""
    given = decision.fixed_values(state, index)
    repeated = state.plan.actions.fixed_values_in(action_text(action)) if given else ()
    return repeated in ((), given)
