"""Course of a game in C: a block of memory, from which the state is read on demand.

The history is stored as choices since a `mark`, an earlier copy of the memory.
Replaying them gives the events. Replaying also gives the state before a step that the
interpreter must perform, because the rules fail there or C has no room for the result.
After such a step the game returns to C as soon as possible.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import Any, Self

import attrs

from interpreter.arguments import action_index, action_text
from interpreter.core.action_index import Action
from interpreter.core.layout import RUNNING, STATUS, TURN
from interpreter.documents.records import ActionEvent, Events, make_event
from interpreter.documents.supplies import check_totals
from interpreter.errors import IllegalAction, PositionError
from interpreter.explain.why import explain_action
from interpreter.native.engine import (
    ABSENT,
    FAILED,
    Engine,
    KnownActions,
    NoNativeEngine,
    engine_for,
)
from interpreter.plan.plan import Plan
from interpreter.play.action_lookup import legal_index
from interpreter.play.chance_events import apply_outcome, outcome_number
from interpreter.play.courses.reference import (
    CHANCE,
    NATIVE,
    Plain,
    ReferenceCourse,
    make_action_event,
)
from interpreter.state.state import Event, State, WaitPoint
from interpreter.state.wait_points import AskStep, ChanceStep, Decision

SET_UP = None
"""Value in the list of choices that represents set-up."""

INDEX_MAX = (1 << 31) - 1
PATIENCE_MAX = 64
"""Maximum number of steps in the interpreter before the engine tries C again."""

NEVER = 1 << 62
UNKNOWN: Mapping[int, Action] = {}
MAX_C_DEPTH = 2
"""Maximum number of choices counted in one call of C, which cannot be interrupted."""


class NativeCourse(ReferenceCourse):
    """Course of a game in C; while the interpreter plays it, `address` is 0.

    The state of a game in C is read from its memory and must not be changed.
    """

    __slots__ = (
        "address",
        "count",
        "drawn",
        "known",
        "legal_at",
        "lists",
        "log",
        "log_address",
        "mark",
        "memory",
        "native_engine",
        "patience",
        "read",
        "seed",
        "since",
        "step",
        "stored_events",
        "wait",
    )
    engine = NATIVE

    def __init__(self, engine: Engine, seed: int, *, chance_given: bool) -> None:
        self.native_engine = engine
        self.seed = seed
        self.drawn = not chance_given
        self.step = engine.step
        self.lists, self.legal_at = engine.array_readers, engine.legal_offset
        self.known = engine.known
        self.log = engine.short_log()
        self.log_address = ctypes.addressof(self.log)
        self.address = self.count = 0
        self.memory: Any = None
        self.mark: Any = None
        self.since: list[int | None] = []
        self.stored_events = Events(None, None, 0)
        self.read: State | None = None
        self.patience = self.wait = 0

    # ------------------------------------------------------------- creation

    @classmethod
    def start(cls, engine: Engine, state: State, *, board_given: bool) -> Self:
        """Start from a state before set-up.

        `board_given` is true if the caller gives the board.
        """
        course = cls(engine, state.seed, chance_given=state.given)
        memory = engine.memory_before_setup(
            state.seed, state.turns, chance_given=state.given
        )
        if board_given:
            memory = engine.write_state(state)
        if memory is not None:
            course.mark = engine.copy_memory(memory)
            if course.accept_memory(memory, engine.run(ctypes.addressof(memory))):
                course.since.append(SET_UP)
                return course
        state.run()
        course.state = state
        course.record_run()
        return course

    @classmethod
    def from_position(cls, engine: Engine, state: State) -> Self:
        """Start from the state of a position.

        If it contains more cards or pieces than a game has, the interpreter plays,
        because C may have no room for them.
        """
        course = cls(engine, state.seed, chance_given=state.given)
        course.state = state
        course.record_run()
        try:
            check_totals(state.plan, state.s)
            check_totals(state.plan, list(state.split or state.s))
        except PositionError:
            course.wait = NEVER
        return course

    def from_other_state(self, state: State) -> ReferenceCourse:
        """Return a course of the same engine that starts from a state."""
        course = type(self)(self.native_engine, state.seed, chance_given=state.given)
        course.state = state
        course.wait = NEVER if self.wait == NEVER else 0
        return course

    def copy(self) -> Self:
        """Return an independent copy of the course."""
        course = type(self)(self.native_engine, self.seed, chance_given=not self.drawn)
        course.stored_events = self.stored_events
        course.patience, course.wait = self.patience, self.wait
        if self.address:
            course.memory = self.native_engine.copy_memory(self.memory)
            course.address = ctypes.addressof(course.memory)
            course.count, course.mark = self.count, self.mark
            course.since, course.read = self.since.copy(), self.read
        else:
            course.read = self.state.copy()
        return course

    # ----------------------------------------------------------- engine changes

    def accept_memory(self, memory: Any, result: int) -> bool:
        """Continue in memory that C returned; return False if C failed."""
        if result < 0:
            return False
        self.memory, self.address = memory, ctypes.addressof(memory)
        self.count = memory.legals if result else 0
        return True

    def leave_c(self) -> None:
        """Continue in the interpreter, before the step that C could not perform."""
        self.record_events()
        self.state = self.native_engine.read_state(self.mark, self.seed)
        self.stay_in_interpreter()

    def return_to_c(self) -> bool:
        """Return to C if it is time to try; return whether that succeeded."""
        if self.wait:
            self.wait -= self.wait != NEVER
            return False
        state = self.state
        memory = None if state.is_over else self.native_engine.write_state(state)
        if memory is not None:
            left = self.native_engine.run(ctypes.addressof(memory))
            if self.accept_memory(memory, left):
                self.mark = self.native_engine.copy_memory(memory)
                return True
        self.stay_in_interpreter()
        return False

    def stay_in_interpreter(self) -> None:
        """Stay in the interpreter for some steps, longer each time."""
        self.wait = self.patience
        self.patience = min(PATIENCE_MAX, 2 * self.patience + 1)

    @property
    def state(self) -> State:
        """State of the game as the interpreter stores it."""
        if self.read is None:
            self.read = self.native_engine.read_state(self.memory, self.seed)
        return self.read

    @state.setter
    def state(self, state: State) -> None:
        """Continue in the interpreter from a state."""
        self.read = state
        self.address = 0
        self.memory = self.mark = None

    # ----------------------------------------------------------------------- events

    @property
    def events(self) -> Events:
        """All events so far."""
        if self.since:
            self.record_events()
        return self.stored_events

    @events.setter
    def events(self, events: Events) -> None:
        """Replace the events so far."""
        self.record_events()
        self.stored_events = events

    def record_events(self) -> None:
        """Add the events since the mark, and move the mark to the current state."""
        if not self.since:
            return
        engine, events = self.native_engine, self.stored_events
        game, before, log = (
            engine.copy_memory(self.mark),
            engine.allocate_game(),
            engine.long_log(),
        )
        address, log_at = ctypes.addressof(game), ctypes.addressof(log)
        for choice in self.since:
            engine.copy_to(ctypes.addressof(before), address)
            if choice is SET_UP:
                game.log = log_at
                engine.run(address)
                game.log = None
            else:
                if choice >= 0:
                    events = events.after(self.make_event(game, choice))
                self.step(address, choice, log_at)
            for event in self.logged_events(log, before, choice):
                events = events.after(make_event(*event))
        self.mark, self.stored_events, self.since = game, events, []

    def make_event(self, game: Any, index: int) -> ActionEvent:
        """Return an action as an event, before it is applied."""
        frame = game.frame[game.depth - 1]
        waiting = self.native_engine.waits.get((frame[0], frame[1]))
        plan = self.native_engine.plan
        if waiting is None or not is_fully_public(plan, waiting, index):
            state = self.native_engine.read_state(game, self.seed)
            assert isinstance(state.waiting, Decision)
            return make_action_event(state, state.waiting, index)
        known = plan.actions.of_seat[game.who][index]
        return ActionEvent(known.seat, known.text, plan.all_seats)

    def logged_events(self, log: Any, before: Any, choice: int | None) -> list[Event]:
        """Return a step's chance events and announcements, as logged by C."""
        if log.count <= log.size:
            return self.native_engine.events_in(log, log.count)
        if choice is SET_UP:
            state = self.native_engine.states.state(before, self.seed)
            state.run()
            return state.happened
        state = self.native_engine.read_state(before, self.seed)
        if isinstance(state.waiting, ChanceStep):
            apply_outcome(state, state.waiting, -1 - choice)
        elif isinstance(state.waiting, Decision):
            state.waiting.decide(state, choice)
        return state.happened

    # ----------------------------------------------------------- queries

    @property
    def chooser(self) -> int | None:
        """Number of the seat that must decide, `CHANCE`, or None at the end."""
        if not self.address:
            return super().chooser
        if not self.count and self.is_over:
            return None
        who: int = self.memory.who
        return who

    @property
    def turn(self) -> int:
        """Number of turns that have started."""
        return int(self.memory.s[TURN]) if self.address else super().turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or was stopped."""
        if not self.address:
            return super().is_over
        return not self.count and int(self.memory.s[STATUS]) != RUNNING

    def legal_indices(self) -> list[int]:
        """Return the indices of the legal actions, ascending."""
        if not self.address:
            return super().legal_indices()
        if self.memory.who < 0:
            return []
        return list(self.lists[self.count](self.memory, self.legal_at))

    def choices(self) -> tuple[Any, ...]:
        """Return the legal actions, or the outcomes of the pending chance event."""
        if self.address and self.count and (who := self.memory.who) >= 0:
            known = self.known[who]
            indices = self.lists[self.count](self.memory, self.legal_at)
            try:
                return tuple([known[index] for index in indices])
            except LookupError:
                pass
        return super().choices()

    def observation(self, seat: int) -> list[int]:
        """Return the numbers that a seat sees."""
        if self.address and (
            seen := self.native_engine.observation(self.address, seat)
        ):
            return seen
        return super().observation(seat)

    # ------------------------------------------------------------ playing

    def apply(self, action: Any) -> Plain:
        """Apply an action or a chance outcome; return the events."""
        if not self.address and not self.return_to_c():
            return super().apply(action)
        who = self.memory.who if self.count else CHANCE
        known = self.known[who] if who >= 0 else UNKNOWN
        if type(action) is Action and known.get(action.index) is action:
            index, action_events = action.index, action_event(action)
        else:
            index, action_events = self.choice_number(action, known)
        count = self.step(self.address, index, self.log_address)
        if count < 0:
            self.handle_failure(count)
            return super().apply(action)
        if self.log.count:
            return action_events + self.record_choice_events(index, count)
        self.since.append(index)
        self.read = None
        self.count = count
        return action_events

    def record_choice_events(self, choice: int, count: int) -> Plain:
        """Record a choice that C has made; return the events that followed."""
        log = self.log
        if log.count <= log.size:
            self.record_choice(choice, count)
            logged = self.native_engine.events_in(log, log.count)
            return tuple([make_event(*event).to_json() for event in logged])
        before = self.events.count + (choice >= 0)
        self.record_choice(choice, count)
        return self.events.since(before)

    def advance(self, index: int) -> list[int]:
        """Apply an action by its index; return the indices that are legal next."""
        if type(index) is not int or not 0 <= index <= INDEX_MAX:
            return super().advance(index)
        count = self.step(self.address, index, None)
        if count > 0:
            self.since.append(index)
            self.read = None
            self.count = count
            if self.drawn or self.memory.who >= 0:
                return list(self.lists[count](self.memory, self.legal_at))
            return []
        if not count:
            self.record_choice(index, count)
            return []
        if count != ABSENT:
            self.handle_failure(count)
        return super().advance(index)

    def record_choice(self, choice: int, count: int) -> None:
        """Record a choice that C has made; *count* is the number of next choices."""
        self.since.append(choice)
        self.read = None
        self.count = count

    def handle_failure(self, result: int) -> None:
        """Continue in the interpreter if C has failed within a step."""
        if result == FAILED:
            self.leave_c()

    def choice_number(
        self, action: Any, actions: Mapping[int, Action]
    ) -> tuple[int, Plain]:
        """Return the number of a choice in C, and a tuple with the action's event.

        The tuple is empty for an outcome of chance. Raise `IllegalAction` for an
        invalid action. Some illegal indices are rejected only later, by C.
        """
        if type(action) is not Action and isinstance(actions, KnownActions):
            index = action_index(action)
            if index is None:
                index = self.native_engine.plan.actions.index_of(action_text(action))
            if index is not None and (known := actions.find(index)) is not None:
                return index, action_event(known)
        state = self.state
        waiting = state.waiting
        if isinstance(waiting, ChanceStep):
            return -1 - outcome_number(state, waiting, action), ()
        if not isinstance(waiting, Decision):
            raise IllegalAction(explain_action(state.plan, state, None, action))
        index = legal_index(state, waiting, action)
        return index, (make_action_event(state, waiting, index).to_json(),)

    def limit_turns(self, turns: int) -> None:
        """Limit the game to *turns* turns, after which it stops unfinished."""
        if not self.address:
            super().limit_turns(turns)
            return
        self.record_events()
        self.memory.turns = turns
        self.mark, self.read = self.native_engine.copy_memory(self.memory), None

    # ------------------------------------------------------------ counting

    def branches(self) -> Iterator[ReferenceCourse]:
        """Yield the course after each possible choice."""
        if not self.address and not self.return_to_c():
            yield from super().branches()
            return
        choices = range(-1, -1 - self.count, -1)
        for choice in choices if self.chooser == CHANCE else self.legal_indices():
            after = self.copy()
            count = after.step(after.address, choice, None)
            if count >= 0:
                after.record_choice(choice, count)
            else:
                after.leave_c()
                state = after.state
                if isinstance(state.waiting, ChanceStep):
                    apply_outcome(state, state.waiting, -1 - choice)
                    after.record_run()
                else:
                    after.apply(choice)
            yield after

    def count_sequences(self, choices: int) -> int | None:
        """Count sequences of *choices* choices; return None if C cannot."""
        if choices > MAX_C_DEPTH or (not self.address and not self.return_to_c()):
            return super().count_sequences(choices)
        engine = self.native_engine
        memory = (engine.kinds["Game"] * choices)()
        count = engine.library.rb_leaves(
            self.address, choices, ctypes.addressof(memory)
        )
        return None if count < 0 else int(count)


@attrs.frozen
class NativeFactory:
    """Factory for courses in C."""

    engine: Engine

    def start(self, state: State, *, board_given: bool) -> ReferenceCourse:
        """Run set-up, and return the course of the game."""
        return NativeCourse.start(self.engine, state, board_given=board_given)

    def from_state(self, state: State) -> ReferenceCourse:
        """Return the course of a game from the state of a position."""
        return NativeCourse.from_position(self.engine, state)


def native_factory(plan: Plan) -> NativeFactory | str:
    """Return the factory of courses in C, or the reason why there is none."""
    engine = engine_for(plan)
    return (
        engine.reason if isinstance(engine, NoNativeEngine) else NativeFactory(engine)
    )


def action_event(action: Action) -> Plain:
    """Return an action as an event."""
    return ({"seat": action.seat, "action": action.text},)


def is_fully_public(plan: Plan, decision: WaitPoint, index: int) -> bool:
    """Return whether an action is public and its index describes it completely."""
    if not isinstance(decision, AskStep):
        return isinstance(decision, Decision) and decision.observers is None
    if not index:
        return True
    action, _ = plan.actions.decode(index)
    return action.observers is None and not action.fixed_parameters
