"""State of a running game as plain data: cells, control stack, chance counters.

`frames` is the control stack: lists of unit number, step number, and local variables.
`run` executes steps until a decision or a given chance event is due, or the game is
over.
"""

from __future__ import annotations

from typing import Any

import attrs

import rulebook as rb
from interpreter.core.announcement import Announcement
from interpreter.core.chance import random_below
from interpreter.core.layout import (
    ACTIVE,
    ENDED,
    RANKS,
    REASON,
    RUNNING,
    STATUS,
    UNFINISHED,
    WINNER,
)
from interpreter.core.ranks import Ranks, team_ranks, winners_of
from interpreter.core.run_budget import Clause, raise_budget_exceeded
from interpreter.plan.plan import Plan
from interpreter.plan.triggers import PlannedAward, PlannedRule
from interpreter.plan.units import SimultaneousBlock
from interpreter.state.simultaneous import Answers
from rulebook.model import NONE

WAIT = -1
SWITCH = -2
Cells = list[Any]
Frame = list[Any]
Event = tuple[str | Announcement, Any, int]
"""Chance event or announcement: (name or sentence, outcome or values, seats).

The outcome or values are plain data. The seats, as bits, may know them.
"""


class WeightedOutcomes(list[tuple[Any, int]]):
    """List of fixed outcomes with their weights.

    `table` repeats each outcome as often as its weight.
    """

    def __init__(self, outcomes: list[tuple[Any, int]]) -> None:
        super().__init__(outcomes)
        self.table = [outcome for outcome, weight in outcomes for _ in range(weight)]


class State:
    """State of a game, which executes the rules until a seat must act.

    `split` contains the cells at the start of a simultaneous block, and `answered` the
    events in it so far. `waiting` is the step that waits for a decision or outcome, and
    `legal` its legal actions once computed. `events` are the chance events of the last
    run: name, outcome in plain data, seats that may know it. `announced` are the
    announcements of the last run, each with the number of chance events before it. They
    are not part of a position, because they change nothing. `ran` are the clauses that
    started in this run, `executed` the number of its statements. `turns` is the limit
    of turns, which is not part of a position.
    """

    __slots__ = (
        "announced",
        "answered",
        "counts",
        "events",
        "executed",
        "frames",
        "given",
        "legal",
        "plan",
        "ran",
        "s",
        "seed",
        "split",
        "triggers",
        "turns",
        "waiting",
    )

    def __init__(self, plan: Plan, seed: int, *, chance_given: bool) -> None:
        self.plan = plan
        self.s: list[Any] = []
        self.frames: list[Frame] = []
        self.triggers = 0
        self.split: tuple[Any, ...] | None = None
        self.answered: Answers = ()
        self.counts: dict[str, int] = {}
        self.seed = seed
        self.given = chance_given
        self.waiting: WaitPoint | None = None
        self.legal: list[int] | None = None
        self.events: list[Event] = []
        self.announced: list[tuple[int, Event]] = []
        self.ran: list[Clause] = []
        self.executed = 0
        self.turns: int = plan.model.turns

    def copy(self) -> State:
        """Return an independent copy of the state."""
        new = State.__new__(State)
        self.copy_to(new)
        return new

    def copy_to(self, new: State) -> None:
        """Copy this state into another state object."""
        new.plan, new.seed, new.given = self.plan, self.seed, self.given
        new.s = self.s.copy()
        new.frames = [frame.copy() for frame in self.frames]
        new.triggers = self.triggers
        new.split = self.split
        new.answered = self.answered
        new.counts = self.counts.copy()
        new.waiting = self.waiting
        new.legal = self.legal
        new.clear_events()
        new.ran = []
        new.executed = 0
        new.turns = self.turns

    def clear_events(self) -> None:
        """Forget the chance events and announcements of the last run."""
        self.events = []
        self.announced = []

    def announce(self, sentence: Announcement, values: tuple[Any, ...]) -> None:
        """Announce a sentence with the values of its gaps to all seats."""
        to_plain = self.plan.values.to_plain
        plain = [to_plain(*pair) for pair in zip(sentence.types, values, strict=True)]
        event = (sentence, plain, self.plan.all_seats)
        self.announced.append((len(self.events), event))

    @property
    def happened(self) -> list[Event]:
        """Chance events and announcements of the last run, in order."""
        if not self.announced:
            return self.events
        happened = [*self.events]
        for place, event in reversed(self.announced):
            happened.insert(place, event)
        return happened

    def run(self, floor: int = 0) -> None:
        """Run until the game waits, or only *floor* frames are left."""
        frames = self.frames
        try:
            while len(frames) > floor:
                if self.run_unit(frames[-1]) == WAIT:
                    return
        except rb.RulesError as error:
            error.texts = self.plan.book.files
            raise

    def run_unit(self, frame: Frame) -> int:
        """Execute steps of a frame until it waits (WAIT) or loses control (SWITCH)."""
        steps = self.plan.units[frame[0]].steps
        step: int = frame[1]
        while step >= 0:
            step = steps[step](self, self.s, frame)
        return step

    def resume(self, step: int) -> None:
        """Continue at a step of the top frame, after a decision or chance outcome."""
        self.waiting = None
        self.legal = None
        if step >= 0:
            self.frames[-1][1] = step
        self.run()

    def current_block(self) -> tuple[int, SimultaneousBlock] | None:
        """Return the frame number and the simultaneous block in progress, or None."""
        for height, frame in enumerate(self.frames):
            for split in self.plan.units[frame[0]].simultaneous_blocks:
                if frame[split.started]:
                    return height, split
        return None

    @property
    def answering_seat(self) -> int | None:
        """Seat that is answering in a simultaneous block, or None."""
        block = None if self.split is None else self.current_block()
        return None if block is None else self.frames[block[0]][block[1].member]

    def note_secret_read(self, seat: int) -> None:
        """Note that the following steps depend on a secret of *seat*.

        A game in progress ignores this; only a lookahead uses it.
        """

    def start_clause(self, clause: Clause) -> None:
        """Record that a clause starts automatically, and check the budget."""
        self.ran.append(clause)
        self.check_budget()

    def check_budget(self) -> None:
        """Raise an error if the budget of this run is used up."""
        limits = self.plan.limits
        if self.executed > limits.statements or len(self.ran) > limits.firings:
            raise_budget_exceeded(
                self.ran or self.active_clauses(), self.executed, limits
            )

    def end_run(self) -> None:
        """End this run, because a decision or a given chance outcome is due."""
        if self.executed > self.plan.limits.statements:
            self.check_budget()
        self.ran = []
        self.executed = 0

    def active_clauses(self) -> list[Clause]:
        """Return the clauses whose units are on the control stack."""
        clauses = [self.plan.units[frame[0]].code for frame in self.frames]
        return [clause for clause in clauses if clause is not None]

    def leave_unit(self) -> int:
        """End the unit of the top frame; return SWITCH."""
        self.frames.pop()
        return SWITCH

    def settle(self, frame: Frame, step: int) -> bool:
        """Update awards and run rules; return whether control left this frame.

        Inside a simultaneous block this does nothing; the effects are settled at the
        end of the block.
        """
        if self.split is not None:
            return False
        plan = self.plan
        while self.triggers:
            bit = self.triggers & -self.triggers
            self.triggers ^= bit
            number = bit.bit_length() - 1
            if number < len(plan.awards):
                if self.settle_award(plan.awards[number]):
                    frame[1] = step
                    return True
            elif self.is_closing:
                continue
            elif self.fire_rule(plan.rules[number - len(plan.awards)]):
                frame[1] = step
                return True
            if self.s[STATUS] != RUNNING:
                return True
        return False

    def settle_award(self, award: PlannedAward) -> bool:
        """Give an award to its holder; return whether this calls a procedure."""
        before, now = self.s[award.cell], award.holder(self.s)
        if before == now:
            return False
        self.start_clause(award.award)
        self.s[award.cell] = now
        self.triggers |= award.mask
        you, units = self.active_player, self.plan.units
        height = len(self.frames)
        if now >= 0 and award.on_gaining is not None:
            self.frames.append(units[award.on_gaining].frame(you, now))
        if before >= 0 and award.on_losing is not None:
            self.frames.append(units[award.on_losing].frame(you, before))
        return len(self.frames) > height

    def fire_rule(self, rule: PlannedRule) -> bool:
        """Evaluate a rule; return whether its procedure was called.

        The rule is not evaluated while its procedure runs; the end of the procedure
        wakes it.
        """
        if self.s[ACTIVE] < 0 and rule.reads_you:
            return False
        if any(frame[0] == rule.procedure for frame in self.frames):
            return False
        you = max(self.s[ACTIVE], 0)
        member = rule.find_member(self.s, [0, 0, you])
        if member < 0:
            return False
        self.start_clause(rule.rule)
        bound_member = () if rule.rule.slot is None else (member,)
        self.frames.append(self.plan.units[rule.procedure].frame(you, *bound_member))
        return True

    def finish(self, ranks: Ranks, reason: str) -> int:
        """End the game, won by all players with rank 1; return WAIT."""
        self.s[RANKS] = ranks = team_ranks(ranks, self.plan.teams)
        winners = winners_of(ranks)
        self.s[WINNER] = winners[0] if len(winners) == 1 else NONE
        self.s[REASON] = reason
        return self.close(ENDED)

    def end_game(self) -> int:
        """Leave all units to continue at the step that ends the game; return SWITCH."""
        del self.frames[1:]
        self.frames[0][1] = self.plan.closing_step
        self.split = None
        self.answered = ()
        return SWITCH

    @property
    def is_closing(self) -> bool:
        """Whether the winner is being determined; rules no longer act then."""
        bottom = self.frames[0]
        first = self.plan.closing_step
        return bool(bottom[0] == 0 and first <= bottom[1] <= first + 1)

    def close(self, status: int) -> int:
        """Stop the game permanently, with status ended or unfinished; return WAIT."""
        self.s[STATUS] = status
        self.frames.clear()
        self.triggers = 0
        self.split = None
        self.answered = ()
        self.waiting = None
        return WAIT

    def stop_unfinished(self) -> int:
        """Stop the game at the limit of turns, unfinished; return WAIT."""
        return self.close(UNFINISHED)

    def draw(self, event: str, outcomes: list[tuple[Any, int]]) -> Any:
        """Draw an outcome of a chance event at random, by weight."""
        number = self.counts.get(event, 0)
        self.counts[event] = number + 1
        if isinstance(outcomes, WeightedOutcomes):
            return outcomes.table[
                random_below(len(outcomes.table), self.seed, event, number)
            ]
        rest = random_below(sum([w for _, w in outcomes]), self.seed, event, number)
        for outcome, weight in outcomes:
            if rest < weight:
                return outcome
            rest -= weight
        raise AssertionError(event)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or was stopped."""
        return bool(self.s[STATUS] != RUNNING)

    @property
    def active_player(self) -> int:
        """Player whose turn it is; player 0 before the first turn."""
        active: int = self.s[ACTIVE]
        return active if active != NONE else 0


@attrs.define(eq=False)
class WaitPoint:
    """Step at which a game may wait; `pc` is its number in its unit.

    It is not an ABC, because `isinstance` tests of steps happen often.
    """

    unit: int
    pc: int
    name: str

    def reach(self, g: State, s: Cells, f: Frame) -> int:
        """Enter this step; return the next step, WAIT or SWITCH."""
        raise NotImplementedError

    def wait(self, g: State, f: Frame) -> int:
        """Wait at this step; return WAIT."""
        f[1] = self.pc
        g.waiting = self
        g.end_run()
        return WAIT

    def start_run(self, g: State) -> None:
        """Start a new run at this step after it has received its answer."""
        code = g.plan.units[self.unit].code
        if code is not None:
            g.ran.append(code)


class RestoreOnError:
    """Context manager that restores a state if its block raises an exception."""

    __slots__ = ("before", "state")

    def __init__(self, state: State) -> None:
        self.state = state

    def __enter__(self) -> None:
        g = self.state
        g.clear_events()
        changing = g.s.copy(), [frame.copy() for frame in g.frames], g.counts.copy()
        self.before = (*changing, g.triggers, g.split, g.answered, g.waiting, g.legal)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            return
        g = self.state
        g.s, g.frames, g.counts = self.before[:3]
        g.triggers, g.split, g.answered, g.waiting, g.legal = self.before[3:]
        g.clear_events()
        g.ran, g.executed = [], 0
        if isinstance(error, rb.RulesError):
            error.texts = g.plan.book.files
