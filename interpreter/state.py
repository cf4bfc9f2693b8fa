"""A game that runs: cells, control stack, chance counters. All of it is plain data.

`frames` is the control stack: lists of unit number, step number, and locals. `run`
executes steps until a decision or a given chance event is due, or the game is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.chance import below
from interpreter.layout import (
    ACTIVE,
    ENDED,
    REASON,
    RUNNING,
    STATUS,
    UNFINISHED,
    WINNER,
)
from rulebook import NONE

if TYPE_CHECKING:
    from interpreter.plan import Plan
    from interpreter.steps import Waiting

WAIT = -1
SWITCH = -2
Frame = list[Any]
Event = tuple[str, Any, int]


class State:
    """The state of a game and what happens in it until somebody must act.

    `split` is the cells as they were when a simultaneous block began, `answered` the
    actions done in it so far, as (seat, index). `waiting` is the
    step that must be answered, `legal` its legal actions once they are known. `events`
    are the chance events of the last run: name, outcome in plain data, who may know.
    """

    __slots__ = (
        "answered",
        "counts",
        "events",
        "frames",
        "given",
        "legal",
        "plan",
        "s",
        "seed",
        "split",
        "triggers",
        "waiting",
    )

    def __init__(self, plan: Plan, seed: int, *, given: bool) -> None:
        self.plan = plan
        self.s: list[Any] = []
        self.frames: list[Frame] = []
        self.triggers = 0
        self.split: tuple[Any, ...] | None = None
        self.answered: tuple[tuple[int, int], ...] = ()
        self.counts: dict[str, int] = {}
        self.seed = seed
        self.given = given
        self.waiting: Waiting | None = None
        self.legal: list[int] | None = None
        self.events: list[Event] = []

    def copy(self) -> State:
        """Return a state that goes on by itself."""
        new = State.__new__(State)
        self.copy_to(new)
        return new

    def copy_to(self, new: State) -> None:
        """Make a state the same as this one."""
        new.plan, new.seed, new.given = self.plan, self.seed, self.given
        new.s = self.s.copy()
        new.frames = [frame.copy() for frame in self.frames]
        new.triggers = self.triggers
        new.split = self.split
        new.answered = self.answered
        new.counts = self.counts.copy()
        new.waiting = self.waiting
        new.legal = self.legal
        new.events = []

    def run(self, floor: int = 0) -> None:
        """Go on until a wait, or until the control stack is down to `floor` frames."""
        frames = self.frames
        while len(frames) > floor:
            if self.run_unit(frames[-1]) == WAIT:
                return

    def run_unit(self, frame: Frame) -> int:
        """Execute steps of one frame until it waits or control moves to another."""
        steps = self.plan.units[frame[0]].steps
        step: int = frame[1]
        while step >= 0:
            step = steps[step](self, self.s, frame)
        return step

    def resume(self, step: int) -> None:
        """Go on at a step of the top frame, after a decision or chance outcome."""
        self.waiting = None
        self.legal = None
        if step >= 0:
            self.frames[-1][1] = step
        self.run()
        if self.split is None:
            self.answered = ()

    def looks_at(self, seat: int) -> None:
        """Hear that what follows hangs on what a seat hides from the others."""

    def leave(self) -> int:
        """End the top unit."""
        self.frames.pop()
        return SWITCH

    def settle(self, frame: Frame, step: int) -> bool:
        """Bring awards up to date and fire rules; true if control has moved.

        Not inside a simultaneous block: what happens there takes effect at its end.
        """
        if self.split is not None:
            return False
        plan = self.plan
        while self.triggers:
            bit = self.triggers & -self.triggers
            self.triggers ^= bit
            number = bit.bit_length() - 1
            if number < len(plan.awards):
                if plan.awards[number].settle(self):
                    frame[1] = step
                    return True
            elif plan.rules[number - len(plan.awards)].fires(self):
                frame[1] = step
                return True
            if self.s[STATUS] != RUNNING:
                return True
        return False

    def finish(self, winner: int, reason: str) -> int:
        """End the game."""
        self.s[WINNER] = winner
        self.s[REASON] = reason
        return self.close(ENDED)

    def close(self, status: int) -> int:
        """Stop for good, as ended or unfinished."""
        self.s[STATUS] = status
        self.frames.clear()
        self.triggers = 0
        self.split = None
        self.waiting = None
        return WAIT

    def give_up(self) -> int:
        """Stop at the limit of turns, unfinished."""
        return self.close(UNFINISHED)

    def draw(self, event: str, outcomes: list[tuple[Any, int]]) -> Any:
        """Draw one of the outcomes of an event, by weight."""
        number = self.counts.get(event, 0)
        self.counts[event] = number + 1
        rest = below(sum([w for _, w in outcomes]), self.seed, event, number)
        for outcome, weight in outcomes:
            if rest < weight:
                return outcome
            rest -= weight
        raise AssertionError(event)

    @property
    def over(self) -> bool:
        """Whether nothing more happens."""
        return bool(self.s[STATUS] != RUNNING)

    @property
    def active(self) -> int:
        """The player whose turn it is."""
        active: int = self.s[ACTIVE]
        return active if active != NONE else 0


class Unbroken:
    """While it lasts, whatever breaks off leaves the state as it was before."""

    __slots__ = ("before", "state")

    def __init__(self, state: State) -> None:
        self.state = state

    def __enter__(self) -> None:
        self.state.events = []
        self.before = self.state.copy()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None:
            self.before.copy_to(self.state)
