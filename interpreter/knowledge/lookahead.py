"""Evaluation of an action by applying it to a copy of the state."""

from __future__ import annotations

import attrs

from interpreter.state.state import Frame, State
from interpreter.state.wait_points import PASS, AskStep, Decision
from rulebook.secrecy import HIDDEN_FROM_ACTOR, KNOWN_TO_ACTOR


@attrs.frozen
class Outlook:
    """Points and hinted value of a seat at the next decision after an action.

    It is `certain` if it depends neither on chance nor on hidden information. Every
    sample of the game then gives the same outlook.
    """

    points: int
    worth: int
    certain: bool


class Trial(State):
    """State that records whether its execution depends on hidden information."""

    __slots__ = ("certain", "viewer")

    def __init__(self, g: State, viewer: int) -> None:
        g.copy_to(self)
        self.viewer = viewer
        self.certain = g.split is None and not g.given

    def note(self, unit: int, you: int) -> None:
        """Record that a unit runs for a player."""
        grade = self.plan.hidden.grades[unit]
        if grade == HIDDEN_FROM_ACTOR or (
            grade == KNOWN_TO_ACTOR and you != self.viewer
        ):
            self.certain = False

    def note_secret_read(self, seat: int) -> None:
        """Record that the following steps depend on a secret of *seat*."""
        if seat != self.viewer:
            self.certain = False

    def run_unit(self, frame: Frame) -> int:
        """Execute steps like `State.run_unit`; record the frame's unit and player."""
        self.note(frame[0], frame[2])
        return super().run_unit(frame)


def outlook(g: State, index: int) -> Outlook:
    """Return the points and hinted value of the deciding seat after a legal action."""
    waiting, plan = g.waiting, g.plan
    assert isinstance(waiting, Decision)
    seat = waiting.seat(g)
    trial = Trial(g, seat)
    if isinstance(waiting, AskStep) and index != PASS:
        action, _ = plan.actions.decode(index)
        trial.note(action.unit, seat)
    waiting.decide(trial, index)
    certain = is_certain(trial) and not trial.events
    return Outlook(
        plan.points(trial.s, seat), plan.position_value(trial.s, seat), certain
    )


def is_certain(trial: Trial) -> bool:
    """Return whether a trial depended only on what its seat knows and on chance."""
    hidden = trial.plan.hidden
    trigger_grade = hidden.trigger_grade
    return (
        trial.certain
        and hidden.value_grade != HIDDEN_FROM_ACTOR
        and (
            trigger_grade != HIDDEN_FROM_ACTOR
            and (trigger_grade != KNOWN_TO_ACTOR or trial.active_player == trial.viewer)
        )
    )
