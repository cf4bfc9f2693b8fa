"""What a seat would have after an action: tried in a state of its own."""

from __future__ import annotations

import attrs

from interpreter.secrecy.levels import OTHERS, OWN
from interpreter.state.state import Frame, State
from interpreter.state.wait_points import PASS, AskStep, Decision


@attrs.frozen
class Outlook:
    """Points and hinted value after an action, at the next decision.

    `certain` when they hang neither on chance nor on what the seat does not know: then
    they are the same in every sample of the game.
    """

    points: int
    worth: int
    certain: bool


class Trial(State):
    """A state that notes whether what runs hangs on what a seat does not know."""

    __slots__ = ("certain", "viewer")

    def __init__(self, g: State, viewer: int) -> None:
        g.copy_to(self)
        self.viewer = viewer
        self.certain = g.split is None and not g.given

    def note(self, unit: int, you: int) -> None:
        """Note that a unit runs for a player."""
        grade = self.plan.hidden.grades[unit]
        if grade == OTHERS or (grade == OWN and you != self.viewer):
            self.certain = False

    def looks_at(self, seat: int) -> None:
        """Note that what follows hangs on what a seat hides from the others."""
        if seat != self.viewer:
            self.certain = False

    def run_unit(self, frame: Frame) -> int:
        """Execute steps of one frame, and note whose it is."""
        self.note(frame[0], frame[2])
        return super().run_unit(frame)


def outlook(g: State, index: int) -> Outlook:
    """Try a legal action of the seat that must decide, which is not tested again."""
    waiting, plan = g.waiting, g.plan
    assert isinstance(waiting, Decision)
    seat = waiting.seat(g)
    trial = Trial(g, seat)
    if isinstance(waiting, AskStep) and index != PASS:
        action, _ = plan.actions.decoded(index)
        trial.note(action.unit, seat)
    waiting.decide(trial, index)
    certain = is_certain(trial) and not trial.events
    return Outlook(plan.points(trial.s, seat), plan.worth(trial.s, seat), certain)


def is_certain(trial: Trial) -> bool:
    """Whether a trial hangs on nothing that its seat does not know, but for chance."""
    hidden = trial.plan.hidden
    woken = hidden.trigger_grade
    return (
        trial.certain
        and hidden.value_grade != OTHERS
        and (woken != OTHERS and (woken != OWN or trial.active == trial.viewer))
    )
