"""Native engine of a plan, and games that it plays.

A native game is a block of memory. If C cannot perform a step, because of a mistake in
the rules or a lack of memory, the interpreter repeats it from the state before. Both
engines therefore report errors in the same words, and no step is left half done.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from struct import Struct
from typing import Any

import attrs

from interpreter.core.action_index import Action, ActionSpace
from interpreter.core.layout import RUNNING, STATUS
from interpreter.native.bots.bot_program import LEAN_MACRO, SEARCH_MACRO
from interpreter.native.build.background import (
    LOWEST_PRIORITY,
    BackgroundBuild,
    is_building,
)
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.levels import BEST, LeveledLibrary, LibraryLevels
from interpreter.native.build.loading import load_library
from interpreter.native.c_file import NotTranslatable
from interpreter.native.c_program import Translation, translate
from interpreter.native.c_traces import TRACE_MACRO
from interpreter.native.states import CapacityError, StateConverter, structures
from interpreter.native.symbols import symbols
from interpreter.plan.observation_layout import number_names, observed_runs
from interpreter.plan.plan import Plan
from interpreter.state.state import Event, State, WaitPoint
from interpreter.state.wait_points import Decision

Times = ctypes.Array[ctypes.c_int32]

ABSENT, ILLEGAL, FAILED = -3, -2, -1
NOBODY = -1
EVENTS_MAX = 4_096
EVENTS_CACHED = 65_536
"""Maximum number of distinct chance events whose descriptions are cached."""

SHORT_LOG_SIZE = 16
"""Maximum number of chance events in the log for an ordinary step."""

ENGINES_MAX = 32
"""Maximum number of engines that a process caches."""


@attrs.frozen
class NoNativeEngine:
    """Reason why a plan has no native engine, as a short phrase."""

    reason: str


class ArrayReaders(dict[int, Callable[[Any, int], tuple[int, ...]]]):
    """Readers of C arrays by length, created when first used."""

    def __missing__(self, size: int) -> Callable[[Any, int], tuple[int, ...]]:
        """Create a reader for `size` 32-bit numbers."""
        created = self[size] = Struct(f"={size}i").unpack_from
        return created


class KnownActions(dict[int, Action]):
    """Cache, by index, of a seat's actions that are fully determined by their index."""

    def __init__(self, space: ActionSpace, seat: int) -> None:
        super().__init__()
        self.space = space
        self.seat = seat

    def __missing__(self, index: int) -> Action:
        """Create the action with an index.

        Raise `KeyError` if the index does not exist or does not determine the action.
        """
        if not 0 <= index < self.space.size or (
            index and self.space.decode(index)[0].fixed_parameters
        ):
            raise KeyError(index)
        created = self[index] = self.space.of_seat[self.seat][index]
        return created

    def find(self, index: int) -> Action | None:
        """Return the action of an index, or None if the index does not determine it."""
        try:
            return self[index]
        except KeyError:
            return None


class Engine:
    """Compiled plan that creates and runs games.

    `run`, `step` and `copy_to` are C functions for games at an address. `waits` maps
    each (unit, step) pair at which a game has waited to its wait point. `has_greedy` is
    true if the bot `greedy` is included, and `has_search` is true if tree search is
    included.
    """

    def __init__(
        self,
        plan: Plan,
        text: str,
        library: Any,
        states: StateConverter,
        *,
        with_greedy: bool,
        with_search: bool = False,
    ) -> None:
        self.plan = plan
        self.has_greedy = with_greedy
        self.has_search = with_search
        self.text = text
        self.states = states
        self.kinds = structures(plan, states.translation)
        self.library = library
        library.rb_size.restype = library.rb_state.restype = ctypes.c_size_t
        library.rb_start.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64]
        library.rb_run.argtypes = [ctypes.c_void_p]
        library.rb_apply.argtypes = [ctypes.c_void_p, ctypes.c_int]
        keys = ctypes.POINTER(ctypes.c_uint64)
        times = ctypes.POINTER(ctypes.c_int32)
        library.rb_random.argtypes = [ctypes.c_void_p, keys, ctypes.c_int64, times]
        library.rb_random.restype = ctypes.c_int64
        library.rb_leaves.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        library.rb_leaves.restype = ctypes.c_int64
        memory = ctypes.c_void_p
        self.run = fast_function(library.rb_run, ctypes.c_int, memory)
        self.step = fast_function(
            library.rb_step, ctypes.c_int, memory, ctypes.c_int, memory
        )
        self.copy_to = fast_function(library.rb_copy, None, memory, memory)
        self.observe = fast_function(
            library.rb_observe, ctypes.c_int, memory, memory, ctypes.c_int, memory
        )
        self.room = self.allocate_game()
        self.row = ctypes.c_int32 * len(number_names(observed_runs(plan)))
        self.log = self.new_log(EVENTS_MAX)
        self.legal_offset = self.kinds["Game"].legal.offset
        self.array_readers = ArrayReaders()
        seats = range(plan.players)
        self.known = [KnownActions(plan.actions, seat) for seat in seats]
        self.short_log_type = self.new_log(SHORT_LOG_SIZE)
        self.event_cache: dict[bytes, Event] = {}
        self.waits: dict[tuple[int, int], WaitPoint] = {}
        if library.rb_size() != ctypes.sizeof(self.kinds["Game"]):
            raise NotTranslatable(
                "the compiler lays out structures in an unexpected way"
            )

    def new_log(self, size: int) -> Any:
        """Return the C structure type of a log for *size* events."""
        log = {"size": ctypes.c_int32, "count": ctypes.c_int32}
        fields = [*log.items(), ("event", self.kinds["Event"] * size)]
        return type("Log", (ctypes.Structure,), {"_fields_": fields})

    def short_log(self) -> Any:
        """Return an empty log for a step with few events."""
        log = self.short_log_type()
        log.size = SHORT_LOG_SIZE
        return log

    def long_log(self) -> Any:
        """Return an empty log for a step that may have many events."""
        log = self.log()
        log.size = EVENTS_MAX
        return log

    def events_in(self, log: Any, count: int) -> list[Event]:
        """Return the first *count* events of a log, with cached descriptions."""
        size, known = ctypes.sizeof(self.kinds["Event"]), self.event_cache
        address = ctypes.addressof(log) + self.log.event.offset
        events = []
        for number in range(count):
            raw = ctypes.string_at(address + number * size, size)
            if (event := known.get(raw)) is None:
                if len(known) > EVENTS_CACHED:
                    known.clear()
                event = known[raw] = self.states.event(log.event[number])
            name, outcome, seats = event
            own = outcome.copy() if isinstance(outcome, list) else outcome
            events.append((name, own, seats))
        return events

    # ------------------------------------------------------------ games as memory

    def allocate_game(self) -> Any:
        """Return memory for a game."""
        return self.kinds["Game"]()

    def memory_before_setup(self, seed: int, turns: int, *, chance_given: bool) -> Any:
        """Return the memory of a game whose set-up has not run yet."""
        memory = self.kinds["Game"]()
        self.library.rb_start(ctypes.addressof(memory), seed & (1 << 64) - 1, turns)
        memory.given = chance_given
        return memory

    def copy_memory(self, memory: Any) -> Any:
        """Return a copy of a game's memory."""
        copy = self.kinds["Game"]()
        self.copy_to(ctypes.addressof(copy), ctypes.addressof(memory))
        return copy

    def write_state(self, state: State) -> Any:
        """Return the memory of a game in a state, or None if C has no room for it.

        The game still has to run to the wait point of the state.
        """
        memory = self.kinds["Game"]()
        try:
            self.states.write(state, memory)
        except CapacityError:
            return None
        return memory

    def observation(self, address: int, seat: int) -> list[int] | None:
        """Return a seat's observation of a game, or None if C cannot compute it.

        Threads share the engine, so each call fills a new row. `room` is only used
        inside the C function, which holds Python's global interpreter lock.
        """
        if self.states.translation.cells.is_long:
            return None
        row = self.row()
        succeeded = self.observe(
            address, ctypes.addressof(self.room), seat, ctypes.addressof(row)
        )
        return row[:] if succeeded else None

    def read_state(self, memory: Any, seed: int) -> State:
        """Return a waiting native game as a state of the interpreter."""
        state = self.states.state(memory, seed, chance_given=memory.given != 0)
        if not state.frames:
            return state
        unit, step = state.frames[-1][:2]
        if (waiting := self.waits.get((unit, step))) is None:
            state.run()
            assert state.waiting is not None
            self.waits[state.waiting.unit, state.waiting.pc] = state.waiting
            return state
        state.waiting = waiting
        if memory.who != NOBODY:
            state.legal = memory.legal[: memory.legals]
        return state

    def start(self, seed: int = 0, turns: int | None = None) -> NativeGame:
        """Start a game and run set-up up to the first decision.

        Raise `RulesError` if the rules fail, as the interpreter does.
        """
        limit = self.plan.model.turns if turns is None else turns
        game = NativeGame(self, min(limit, self.plan.model.turns), seed)
        game.begin()
        return game


class NativeGame:
    """Game that runs in C until the interpreter takes over.

    `interpreter_state` is its state from then on, and None before.
    """

    def __init__(self, engine: Engine, turns: int, seed: int) -> None:
        self.engine = engine
        self.seed = seed
        self.cells = engine.kinds["Game"]()
        self.before = engine.kinds["Game"]()
        self.log = engine.log()
        self.log.size = EVENTS_MAX
        self.cells.log = 0
        self.address = ctypes.addressof(self.cells)
        self.state_size = engine.library.rb_state()
        self.interpreter_state: State | None = None
        self.reason = 0
        engine.library.rb_start(self.address, seed & (1 << 64) - 1, turns)
        self.cells.log = ctypes.addressof(self.log)

    # ------------------------------------------------------------ queries

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        if self.interpreter_state is not None:
            return self.interpreter_state.is_over
        return bool(self.cells.s[STATUS] != RUNNING)

    @property
    def seat(self) -> int:
        """Index of the seat to act."""
        if self.interpreter_state is not None:
            assert isinstance(self.interpreter_state.waiting, Decision)
            return self.interpreter_state.waiting.seat(self.interpreter_state)
        return int(self.cells.who)

    def legal_indices(self) -> list[int]:
        """Return the indices of the legal actions in ascending order."""
        if self.interpreter_state is not None:
            waiting = self.interpreter_state.waiting
            assert isinstance(waiting, Decision)
            return waiting.legal(
                self.interpreter_state,
                self.interpreter_state.s,
                self.interpreter_state.frames[-1],
            )
        indices: list[int] = self.cells.legal[: self.cells.legals]
        return indices

    @property
    def takeover_reason(self) -> str:
        """Reason why the interpreter has taken over this game, or an empty string."""
        return {1: "the rules have a mistake", 2: "no room"}.get(self.reason, "")

    @property
    def events(self) -> list[Any]:
        """Chance events of the last step: name, outcome, and observers as bits."""
        if self.interpreter_state is not None:
            return list(self.interpreter_state.happened)
        count = min(self.log.count, EVENTS_MAX)
        return [self.engine.states.event(event) for event in self.log.event[:count]]

    def state(self) -> State:
        """Return the state as the interpreter stores it, independent of this game."""
        if self.interpreter_state is not None:
            return self.interpreter_state.copy()
        return self.engine.states.state(self.cells, self.seed)

    # ------------------------------------------------------------ play

    def begin(self) -> None:
        """Run set-up up to the first decision."""
        self.save()
        if self.engine.library.rb_run(self.address) == FAILED:
            self.restore()
            self.continue_in_interpreter(None)

    def apply(self, index: int) -> None:
        """Apply the legal action with an index.

        Raise `RulesError` if the rules fail, as the interpreter does.
        """
        if self.interpreter_state is not None:
            waiting = self.interpreter_state.waiting
            assert isinstance(waiting, Decision)
            self.interpreter_state.clear_events()
            waiting.decide(self.interpreter_state, index)
            return
        self.save()
        self.log.count = 0
        done = self.engine.library.rb_apply(self.address, index)
        if done == FAILED or self.log.count > EVENTS_MAX:
            self.restore()
            self.continue_in_interpreter(index)

    def play(
        self,
        keys: Sequence[int],
        max_decisions: int,
        action_counts: Times | None = None,
    ) -> int:
        """Play random legal actions; return the number of decisions, or -1.

        `keys` contains one random key per seat; the actions are those of `random` bots
        with these keys. Events are not stored. `action_counts` counts how often each
        action index is applied. The result is -1 if C cannot finish the game, which is
        then unusable.
        """
        self.cells.log = None
        array = (ctypes.c_uint64 * len(keys))(*keys)
        done = self.engine.library.rb_random(
            self.address, array, max_decisions, action_counts
        )
        self.cells.log = ctypes.addressof(self.log)
        self.log.count = 0
        return int(done)

    def save(self) -> None:
        """Save the state before a step."""
        ctypes.memmove(ctypes.addressof(self.before), self.address, self.state_size)

    def restore(self) -> None:
        """Restore the saved state, and store the reason why the step failed."""
        self.reason = int(self.cells.why)
        ctypes.memmove(self.address, ctypes.addressof(self.before), self.state_size)
        self.log.count = 0

    def continue_in_interpreter(self, index: int | None) -> None:
        """Repeat a step in the interpreter, which then plays the rest of the game."""
        state = self.engine.states.state(self.cells, self.seed)
        state.run()
        if index is not None:
            assert isinstance(state.waiting, Decision)
            state.waiting.decide(state, index)
        self.interpreter_state = state


def fast_function(function: Any, result: Any, *arguments: Any) -> Callable[..., int]:
    """Return a wrapper for a very fast C function.

    The call holds Python's global interpreter lock, because releasing the lock would
    take longer than the function.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    called: Callable[..., int] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return called


@attrs.frozen
class EngineParts:
    """Optional parts of an engine.

    `greedy` includes the bot `greedy`, which makes compiling take 1.3 times as long.
    `traces` includes tracing. `search` includes tree search, which needs the code of
    `greedy`.
    """

    greedy: bool = False
    traces: bool = False
    search: bool = False

    def source(self, program: Translation) -> tuple[str, tuple[str, ...]]:
        """Return the C source of a library, and the functions that it exports.

        Raise `NotTranslatable` if these rules cannot be traced.
        """
        if self.traces and program.no_measures_reason is not None:
            raise NotTranslatable(program.no_measures_reason)
        wanted = {
            LEAN_MACRO: not self.greedy,
            TRACE_MACRO: self.traces,
            SEARCH_MACRO: self.search,
        }
        defines = [f"#define {name}\n" for name, wants in wanted.items() if wants]
        searched = self.search and self.greedy and program.no_greedy_reason is None
        exported = symbols(traces=self.traces, searches=searched)
        return "".join([*defines, program.text]), exported

    def engine(self, plan: Plan, program: Translation, library: Any) -> Engine:
        """Return the engine of a loaded library.

        Raise `NotTranslatable` if the compiler lays out structures unexpectedly.
        """
        library.rb_numbers((ctypes.c_int64 * len(program.numbers))(*program.numbers))
        return Engine(
            *(plan, program.listing, library, StateConverter(plan, program)),
            with_greedy=self.greedy,
            with_search=self.search,
        )


class EngineSource:
    """Source of the engines of a plan, of which a later one may be faster.

    All of them play the same games. `engine` is the latest one, or None before the
    first, and `level` is its level. `failure` is the reason if there will be none.
    `build` is the last compilation that was started in the background.
    """

    def __init__(
        self,
        plan: Plan,
        parts: EngineParts,
        program: Translation,
        levels: LibraryLevels,
    ) -> None:
        """Start without an engine."""
        self.plan = plan
        self.parts = parts
        self.program = program
        self.levels = levels
        self.engine: Engine | None = None
        self.level: str | None = None
        self.failure: NoNativeEngine | None = None
        self.build: BackgroundBuild | None = None
        self._is_improving = False

    def wait(self) -> Engine | NoNativeEngine:
        """Return the latest engine, compiled or cached, or the reason why not."""
        if self.engine is None and self.failure is None:
            loaded = self.levels.load()
            if isinstance(loaded, BuildFailure):
                self.failure = NoNativeEngine(str(loaded))
            else:
                self._accept(loaded)
        engine = self.find()
        if engine is None:
            assert self.failure is not None
            return self.failure
        return engine

    def find(self) -> Engine | None:
        """Return the latest engine, or None as long as no library is in the cache."""
        if self.level != BEST and self.failure is None:
            better = self.levels.find_soon(better_than=self.level)
            if better is not None:
                self._accept(better)
        return self.engine

    def start(self, level: str, *, nice: int = 0) -> None:
        """Start to compile a level in the background, if that is possible."""
        self.build = self.levels.start(level, nice=nice)

    def start_improvement(self) -> None:
        """Start to compile the best level with idle processors, once for this plan.

        A process does this for one plan at a time.
        """
        if self.level in {None, BEST} or self._is_improving or is_building():
            return
        self._is_improving = True
        self.start(BEST, nice=LOWEST_PRIORITY)

    def _accept(self, loaded: LeveledLibrary) -> None:
        try:
            self.engine = self.parts.engine(self.plan, self.program, loaded.library)
            self.level = loaded.level
        except NotTranslatable as error:
            self.failure = NoNativeEngine(str(error))


@lru_cache(maxsize=ENGINES_MAX)
def engine_source(plan: Plan, parts: EngineParts) -> EngineSource | NoNativeEngine:
    """Return the source of engines of a plan, or the reason if there is none."""
    try:
        program = translate(plan)
        levels = LibraryLevels.of_source(*parts.source(program))
    except NotTranslatable as error:
        return NoNativeEngine(str(error))
    if isinstance(levels, BuildFailure):
        return NoNativeEngine(str(levels))
    return EngineSource(plan, parts, program, levels)


def engine_for(
    plan: Plan,
    *,
    with_greedy: bool = False,
    with_traces: bool = False,
    with_search: bool = False,
) -> Engine | NoNativeEngine:
    """Return the latest engine of a plan, or the reason if there is none.

    The first call may wait for a compiler. A faster engine is then compiled in the
    background, and a later call returns it. `EngineParts` describes the arguments.
    """
    source = engine_source(plan, EngineParts(with_greedy, with_traces, with_search))
    if isinstance(source, NoNativeEngine):
        return source
    engine = source.wait()
    source.start_improvement()
    return engine


def build_engine(
    plan: Plan,
    *,
    with_greedy: bool = False,
    with_traces: bool = False,
    with_search: bool = False,
) -> Engine | NoNativeEngine:
    """Return a new engine of the best level, or the reason if there is none."""
    parts = EngineParts(with_greedy, with_traces, with_search)
    try:
        program = translate(plan)
        text, exported = parts.source(program)
        library = load_library(text, symbols=exported)
        if isinstance(library, BuildFailure):
            return NoNativeEngine(str(library))
        return parts.engine(plan, program, library)
    except NotTranslatable as error:
        return NoNativeEngine(str(error))
