"""The door of the native engine: `engine(plan)` gives one, or why there is none.

A game of C is a block of memory. What a step of it cannot do, because the rules have a
mistake there or there is no room for it, the interpreter does from the state before:
so a mistake is told in the same words, and nothing is ever done by half.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import attrs

from interpreter.native.build.loading import loaded
from interpreter.native.build.refusal import NotBuilt
from interpreter.native.program import translated
from interpreter.native.states import States, fields_of
from interpreter.native.writer import Untranslated
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import Decision
from interpreter.tables.layout import RUNNING, STATUS

Times = ctypes.Array[ctypes.c_int32]

FAILED = -1
EVENTS_MAX = 4_096
KNOWN: WeakKeyDictionary[Plan, Engine | NotNative] = WeakKeyDictionary()


@attrs.frozen
class NotNative:
    """Why a plan has no engine of its own: in a few words."""

    reason: str


class Engine:
    """A plan that is compiled: makes games."""

    def __init__(self, plan: Plan, text: str, library: Any, states: States) -> None:
        self.plan = plan
        self.text = text
        self.states = states
        self.kinds = fields_of(plan, states.c)
        self.library = library
        library.rb_size.restype = library.rb_state.restype = ctypes.c_size_t
        library.rb_start.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64]
        library.rb_run.argtypes = [ctypes.c_void_p]
        library.rb_apply.argtypes = [ctypes.c_void_p, ctypes.c_int]
        keys = ctypes.POINTER(ctypes.c_uint64)
        times = ctypes.POINTER(ctypes.c_int32)
        library.rb_random.argtypes = [ctypes.c_void_p, keys, ctypes.c_int64, times]
        library.rb_random.restype = ctypes.c_int64
        log = {"size": ctypes.c_int32, "count": ctypes.c_int32}
        fields = [*log.items(), ("event", self.kinds["Event"] * EVENTS_MAX)]
        self.log = type("Log", (ctypes.Structure,), {"_fields_": fields})
        if library.rb_size() != ctypes.sizeof(self.kinds["Game"]):
            raise Untranslated("its compiler lays out structures in another way")

    def start(self, seed: int = 0, turns: int | None = None) -> NativeGame:
        """Start a game: set-up runs up to the first decision.

        Raises `RulesError` as the interpreter does.
        """
        limit = self.plan.model.turns if turns is None else turns
        game = NativeGame(self, min(limit, self.plan.model.turns), seed)
        game.begin()
        return game


class NativeGame:
    """A game of C. `left` is the state with which the interpreter goes on alone."""

    def __init__(self, engine: Engine, turns: int, seed: int) -> None:
        self.engine = engine
        self.seed = seed
        self.cells = engine.kinds["Game"]()
        self.before = engine.kinds["Game"]()
        self.log = engine.log()
        self.log.size = EVENTS_MAX
        self.cells.log = 0
        self.address = ctypes.addressof(self.cells)
        self.kept = engine.library.rb_state()
        self.left: State | None = None
        self.reason = 0
        engine.library.rb_start(self.address, seed & (1 << 64) - 1, turns)
        self.cells.log = ctypes.addressof(self.log)

    # ------------------------------------------------------------ asking

    @property
    def over(self) -> bool:
        """Whether nothing more happens."""
        if self.left is not None:
            return self.left.over
        return bool(self.cells.s[STATUS] != RUNNING)

    @property
    def seat(self) -> int:
        """The seat that decides."""
        if self.left is not None:
            assert isinstance(self.left.waiting, Decision)
            return self.left.waiting.seat(self.left)
        return int(self.cells.who)

    def legal_indices(self) -> list[int]:
        """Return the indices of the legal actions, ascending."""
        if self.left is not None:
            waiting = self.left.waiting
            assert isinstance(waiting, Decision)
            return waiting.legal(self.left, self.left.s, self.left.frames[-1])
        indices: list[int] = self.cells.legal[: self.cells.legals]
        return indices

    @property
    def why(self) -> str:
        """Why the interpreter goes on with this game."""
        return {1: "the rules have a mistake", 2: "no room"}.get(self.reason, "")

    @property
    def events(self) -> list[Any]:
        """The chance events of the last step: name, outcome, who may know."""
        if self.left is not None:
            return list(self.left.events)
        count = min(self.log.count, EVENTS_MAX)
        return [self.engine.states.event(event) for event in self.log.event[:count]]

    def state(self) -> State:
        """Return the state of the interpreter; it is this game's no longer."""
        if self.left is not None:
            return self.left.copy()
        return self.engine.states.state(self.cells, self.seed)

    # ------------------------------------------------------------ playing

    def begin(self) -> None:
        """Run set-up up to the first decision."""
        self.keep()
        if self.engine.library.rb_run(self.address) == FAILED:
            self.restore()
            self.goes_on_without(None)

    def apply(self, index: int) -> None:
        """Do a legal action. Raises `RulesError` as the interpreter does."""
        if self.left is not None:
            waiting = self.left.waiting
            assert isinstance(waiting, Decision)
            self.left.events = []
            waiting.decide(self.left, index)
            return
        self.keep()
        self.log.count = 0
        done = self.engine.library.rb_apply(self.address, index)
        if done == FAILED or self.log.count > EVENTS_MAX:
            self.restore()
            self.goes_on_without(index)

    def play(self, keys: Sequence[int], most: int, times: Times | None = None) -> int:
        """Let each seat choose at random by a key of its own; return the decisions.

        They are those of `random` bots with these keys. The events are not
        kept. How often the action of an index is done is added up in `times`. -1: the
        game cannot be played on here, and is of no more use.
        """
        self.cells.log = None
        array = (ctypes.c_uint64 * len(keys))(*keys)
        done = self.engine.library.rb_random(self.address, array, most, times)
        self.cells.log = ctypes.addressof(self.log)
        self.log.count = 0
        return int(done)

    def keep(self) -> None:
        """Keep the state as it is before a step."""
        ctypes.memmove(ctypes.addressof(self.before), self.address, self.kept)

    def restore(self) -> None:
        """Go back to the state before a step."""
        self.reason = int(self.cells.why)
        ctypes.memmove(self.address, ctypes.addressof(self.before), self.kept)
        self.log.count = 0

    def goes_on_without(self, index: int | None) -> None:
        """Let the interpreter do a step, and go on from there."""
        state = self.engine.states.state(self.cells, self.seed)
        state.run()
        if index is not None:
            assert isinstance(state.waiting, Decision)
            state.waiting.decide(state, index)
        self.left = state


def engine(plan: Plan) -> Engine | NotNative:
    """Return the engine of a plan, made now or before, or why there is none."""
    if plan not in KNOWN:
        KNOWN[plan] = made(plan)
    return KNOWN[plan]


def made(plan: Plan) -> Engine | NotNative:
    """Return a new engine, or why there is none."""
    try:
        c = translated(plan)
        library = loaded(c.text)
        if isinstance(library, NotBuilt):
            return NotNative(str(library))
        return Engine(plan, c.text, library, States(plan, c))
    except Untranslated as error:
        return NotNative(str(error))
