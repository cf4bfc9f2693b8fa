"""Course of a game in the interpreter: a state, and the events that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from interpreter.core.layout import TURN
from interpreter.documents.records import ActionEvent, Events, make_event
from interpreter.errors import IllegalAction
from interpreter.explain.why import explain_action
from interpreter.knowledge.observations import observation
from interpreter.play.action_lookup import legal_index, legal_indices
from interpreter.play.chance_events import (
    apply_outcome,
    chance_outcomes,
    outcome_number,
    possible_outcomes,
)
from interpreter.state.state import RestoreOnError, State
from interpreter.state.wait_points import ChanceStep, Decision

NATIVE, REFERENCE = "native", "reference"
CHANCE = -1
"""Value used instead of a seat number when an outcome of chance must be given."""

Plain = tuple[dict[str, Any], ...]


class ReferenceCourse:
    """Course of a game in the interpreter: its state, and all events up to it."""

    __slots__ = ("events", "state")
    engine = REFERENCE

    def __init__(self, state: State, events: Events | None = None) -> None:
        self.state = state
        self.events = Events(None, None, 0) if events is None else events

    def copy(self) -> Self:
        """Return an independent copy of the course."""
        return type(self)(self.state.copy(), self.events)

    def from_other_state(self, state: State) -> ReferenceCourse:
        """Return a course of the same engine that starts from a state."""
        return ReferenceCourse(state)

    # ----------------------------------------------------------- queries

    @property
    def chooser(self) -> int | None:
        """Number of the seat that must decide, `CHANCE`, or None at the end."""
        waiting = self.state.waiting
        if isinstance(waiting, Decision):
            return waiting.seat(self.state)
        return CHANCE if isinstance(waiting, ChanceStep) else None

    @property
    def turn(self) -> int:
        """Number of turns that have started."""
        turn: int = self.state.s[TURN]
        return turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or was stopped."""
        return self.state.is_over

    def legal_indices(self) -> list[int]:
        """Return the indices of the legal actions, ascending."""
        state = self.state
        return legal_indices(state) if isinstance(state.waiting, Decision) else []

    def observation(self, seat: int) -> list[int]:
        """Return the numbers that a seat sees."""
        return observation(self.state.plan, self.state, seat)

    def choices(self) -> tuple[Any, ...]:
        """Return the legal actions, or the outcomes of the pending chance event."""
        state = self.state
        waiting, actions = state.waiting, state.plan.actions
        if isinstance(waiting, Decision):
            number, indices = waiting.seat(state), legal_indices(state)
            if not waiting.has_fixed_values:
                known = actions.of_seat[number]
                return tuple([known[index] for index in indices])
            action, given = actions.action, waiting.fixed_values
            return tuple([action(number, n, given(state, n)) for n in indices])
        return (
            chance_outcomes(state, waiting) if isinstance(waiting, ChanceStep) else ()
        )

    # ------------------------------------------------------------ playing

    def apply(self, action: Any) -> Plain:
        """Apply an action or a chance outcome; return the events."""
        state, before = self.state, self.events.count
        waiting = state.waiting
        if isinstance(waiting, ChanceStep):
            apply_outcome(state, waiting, outcome_number(state, waiting, action))
        elif isinstance(waiting, Decision):
            index = legal_index(state, waiting, action)
            done = make_action_event(state, waiting, index)
            with RestoreOnError(state):
                waiting.decide(state, index)
            self.events = self.events.after(done)
        else:
            raise IllegalAction(explain_action(state.plan, state, None, action))
        self.record_run()
        return self.events.since(before)

    def advance(self, index: int) -> list[int]:
        """Apply an action by its index; return the indices that are legal next."""
        self.apply(index)
        return legal_indices(self.state) if self.chooser not in {None, CHANCE} else []

    def branches(self) -> Iterator[ReferenceCourse]:
        """Yield the course after each possible choice."""
        state = self.state
        if isinstance(state.waiting, ChanceStep):
            for number in range(len(possible_outcomes(state, state.waiting))):
                after = self.copy()
                apply_outcome(after.state, state.waiting, number)
                after.record_run()
                yield after
            return
        for index in () if state.waiting is None else self.legal_indices():
            after = self.copy()
            after.apply(index)
            yield after

    def count_sequences(self, choices: int) -> int | None:
        """Count sequences of *choices* choices; return None if that is slow."""
        return len(self.choices()) if choices == 1 else None

    def record_run(self) -> None:
        """Record the chance events and announcements of the last run."""
        for event in self.state.happened:
            self.events = self.events.after(make_event(*event))
        self.state.clear_events()

    def limit_turns(self, turns: int) -> None:
        """Limit the game to *turns* turns, after which it stops unfinished."""
        self.state.turns = turns


def make_action_event(state: State, decision: Decision, index: int) -> ActionEvent:
    """Return a legal action as an event, before it is applied."""
    given = decision.fixed_values(state, index)
    done = state.plan.actions.action(decision.seat(state), index, given)
    return ActionEvent(done.seat, done.text, decision.audience(state, index))
