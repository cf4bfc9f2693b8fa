"""Playouts by built-in bots, entirely in C.

If C cannot make a bot's decision, the interpreter makes it. A game that C cannot
continue at all is left to the caller.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import attrs

import rulebook as rb
from interpreter.algorithms.budget import MCTS, Budget, parse_budget
from interpreter.arguments import check_seed
from interpreter.core.action_index import PASS_NAME
from interpreter.core.chance import Stream
from interpreter.core.layout import ENDED
from interpreter.core.ranks import winners_of
from interpreter.documents import records
from interpreter.documents.logged_lines import LineFormatter
from interpreter.documents.pickling import DRAWN
from interpreter.game import Game
from interpreter.knowledge.sample_tree_search import search_parameters
from interpreter.measure.traces.trace import Trace
from interpreter.native.bots.searches import Searches
from interpreter.native.build.background import LOWEST_PRIORITY
from interpreter.native.build.levels import BEST, FIRST
from interpreter.native.c_layout import STREAM_TYPE, STREAM_WORDS, structure_type
from interpreter.native.c_traces import Tracer
from interpreter.native.engine import (
    Engine,
    EngineParts,
    EngineSource,
    NoNativeEngine,
    engine_source,
)
from interpreter.native.states import WIDE
from interpreter.outcome import Outcome
from interpreter.play.start import prepare_setup, state_before_setup
from interpreter.state.state import State

GREEDY = "greedy"
BOTS = {"random": 0, GREEDY: 1, MCTS: 2}
"""Bots that play in C, with their numbers in C."""

PLAYED, ASKS, FULL, BROKEN, PAUSED = range(5)
"""Status values that C returns, as in `bots.h`."""

LOG_SIZE = 1 << 14
"""Maximum number of events that C logs before they are read."""

MAX_PLANNED = 40
"""Maximum number of planned decisions that a bot stores, as in `bots.h`."""

GAMES_PER_CALL = 32
"""Maximum number of games that one call of C plays."""

MASK = (1 << 64) - 1
Asked = Callable[[Game, str, Stream], int]
"""Callback that chooses an action index, given a game, a seat and a random stream."""


@attrs.frozen
class PendingGame:
    """Game to play: its seed, and a key for the random numbers of each seat."""

    seed: int
    keys: tuple[int, ...]
    notes: Mapping[str, int] = attrs.field(factory=dict)


@attrs.frozen
class PlayoutLimits:
    """Numbers of decisions and turns after which a game is stopped."""

    decisions: int
    turns: int | None = None


@attrs.frozen
class Playout:
    """Result of a game: outcome, points, length, and how often each action was taken.

    `python_decisions` is the number of decisions that the interpreter made. `outcome`
    is None if the game was stopped at a limit. `record` is None unless requested.
    """

    seed: int
    outcome: Outcome | None
    points: dict[str, int]
    turns: int
    decisions: int
    actions: dict[str, int]
    python_decisions: int
    record: str | None


@attrs.define
class RecordedPlayout:
    """Game in the form that its record requires (see `documents.recording`)."""

    book: rb.Rulebook
    players: int
    seats: tuple[str, ...]
    seed: int | None
    notes: dict[str, int]
    options: dict[str, Any]
    outcome: Outcome | None
    turn_limit: int | None
    given_board: dict[str, Any] | None = None
    initial_position: dict[str, Any] | None = None
    events: tuple[dict[str, Any], ...] = ()


@attrs.frozen
class GivenBoard:
    """Board given by the caller, and memory of a game with it before set-up."""

    board: dict[str, Any] | None = None
    memory: Any = None


NO_BOARD = GivenBoard()


class PlayoutRunner:
    """Runner of whole games in C, with the built-in bots.

    A runner plays one game at a time; each thread needs a separate instance.
    """

    def __init__(self, engine: Engine, given_board: GivenBoard = NO_BOARD) -> None:
        self._engine = engine
        self._given_board = given_board
        self._plan = engine.plan
        self._names = [PASS_NAME, *[x.name for x in engine.plan.actions.listed]]
        self._seats = engine.plan.values.names["player"]
        self._memory = PlayoutMemory(engine, len(self._names), self._given_board.memory)
        self._tracer: Tracer | None = None
        self._lines = LineFormatter(engine)

    def unsupported_reason(self, bots: Sequence[str]) -> str | None:
        """Return why a bot in *bots* cannot play in C, or None if all can."""
        engine = self._engine
        parts = EngineParts(greedy=engine.has_greedy, search=engine.has_search)
        return _unsupported(bots, parts, engine.states.translation.no_greedy_reason)

    def play(
        self,
        games: Iterable[PendingGame],
        bots: Sequence[str],
        limits: PlayoutLimits,
        ask: Asked,
        *,
        keep_record: bool = False,
    ) -> Iterator[Playout | None]:
        """Play games to their ends or limits, with a bot for each seat.

        Bots draw random numbers from the keys of the games. Yield None in place of a
        game that cannot be played in C; the interpreter can then report the reason.
        """
        self._memory.set_bots(bots, limits)
        self._memory.set_logging(enabled=keep_record)
        at_once, remaining = 1 if keep_record else GAMES_PER_CALL, iter(games)
        pending: list[PendingGame] = []
        while pending := [*pending, *islice(remaining, at_once - len(pending))]:
            played = self._memory.play_games(pending)
            for game, row in zip(pending, self._memory.rows[:played], strict=False):
                lines = self._take_events() if keep_record else None
                yield self._playout(game, row, 0, lines)
            if played < len(pending):
                yield self._finish(pending[played], ask, keep_record=keep_record)
            pending = pending[played + 1 :]

    def play_traced(
        self,
        games: Iterable[PendingGame],
        bots: Sequence[str],
        limits: PlayoutLimits,
        ask: Asked,
        *,
        keep_record: bool = False,
    ) -> Iterator[tuple[Sequence[Playout | None], Trace]]:
        """Play games as `play` does; yield groups of results, each with a trace.

        The trace contains the games that could be played in C, in order. The engine
        must include tracing.
        """
        if self._tracer is None:
            self._tracer = self._memory.start_tracing(GAMES_PER_CALL)
        remaining = iter(games)
        while pending := list(islice(remaining, GAMES_PER_CALL)):
            played = self.play(pending, bots, limits, ask, keep_record=keep_record)
            yield tuple(played), self._tracer.take()

    def _finish(
        self, game: PendingGame, ask: Asked, *, keep_record: bool
    ) -> Playout | None:
        """Finish the current game; the interpreter decides where C cannot."""
        lines: list[str] = []
        memory = self._memory
        before = memory.table.asked
        status = memory.status.value
        while status in {ASKS, FULL, PAUSED}:
            if keep_record:
                lines += self._take_events()
            if status == FULL and self._tracer is not None:
                self._tracer.grow()
            status = self._ask_bot(game, ask) if status == ASKS else PLAYED
            status = memory.resume() if status == PLAYED else status
        if status == PLAYED:
            status = memory.write_result()
        if status != PLAYED:
            memory.log.count = 0
            return None
        if keep_record:
            lines += self._take_events()
        python_decisions = memory.table.asked - before
        return self._playout(
            game,
            memory.rows[0],
            python_decisions,
            lines if keep_record else None,
        )

    def _ask_bot(self, game: PendingGame, ask: Asked) -> int:
        """Let a bot in the interpreter decide, and apply its decision."""
        memory = self._memory
        state = self._engine.states.state(memory.cells, game.seed)
        state.run()
        state.clear_events()
        seat = int(memory.cells.who)
        stream = memory.stream(seat, game.keys[seat])
        index = ask(Game(self._plan, state), self._seats[seat], stream)
        memory.set_stream(seat, stream)
        return memory.apply_decision(index)

    def _take_events(self) -> list[str]:
        """Return the record lines of the logged events, and clear the log."""
        log = self._memory.log
        lines = self._lines.read(log)
        log.count = 0
        return lines

    def _playout(
        self,
        game: PendingGame,
        row: Any,
        python_decisions: int,
        lines: list[str] | None,
    ) -> Playout:
        """Return the result of a game."""
        seats = self._seats
        points = dict(zip(seats, row.points, strict=True))
        outcome = self._outcome(row, points) if row.status == ENDED else None
        actions = {
            name: count
            for name, count in zip(self._names, row.times[:], strict=True)
            if count
        }
        record = None
        if lines is not None:
            plan, notes = self._plan, dict(game.notes)
            described = RecordedPlayout(
                plan.book,
                plan.players,
                seats,
                game.seed,
                notes,
                plan.options,
                outcome,
                self._memory.turn_limit,
                self._given_board.board,
            )
            record = records.assemble_record(described, lines)
        return Playout(
            game.seed,
            outcome,
            points,
            row.turn,
            row.decisions,
            actions,
            python_decisions,
            record,
        )

    def _outcome(self, row: Any, points: dict[str, int]) -> Outcome:
        """Return the outcome of a finished game."""
        ranks = tuple(row.ranks)
        first = winners_of(ranks[: row.ranked])
        winners = tuple([self._seats[seat] for seat in first])
        winner = winners[0] if len(winners) == 1 else None
        reason = self._engine.states.translation.reasons[row.reason]
        by_seat = dict(zip(self._seats, ranks, strict=True))
        return Outcome(winners, winner, reason, dict(points), by_seat)


class PlayoutMemory:
    """Memory in which C plays: the game, the bots' random streams, sampled games."""

    def __init__(self, engine: Engine, names: int, board_memory: Any) -> None:
        library, players = engine.library, engine.plan.players
        self._engine = engine
        self._library = library
        self._players = players
        self._turns = engine.plan.model.turns
        int64, uint64 = ctypes.c_int64, ctypes.c_uint64
        table = structure_type(
            "Table",
            decisions=int64,
            most=int64,
            asked=int64,
            bots=int64 * players,
            stream=STREAM_TYPE * players,
            times=int64 * names,
            means=int64 * players,
            meant=(int64 * MAX_PLANNED) * players,
        )
        row = structure_type(
            "Row",
            status=int64,
            turn=int64,
            reason=int64,
            ranked=int64,
            decisions=int64,
            ranks=int64 * players,
            points=int64 * players,
            times=int64 * names,
        )
        library.rb_room.restype = library.rb_table.restype = ctypes.c_size_t
        library.rb_games.restype = int64
        library.rb_games.argtypes = [
            *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
            *(int64, ctypes.c_void_p, int64, ctypes.c_void_p, ctypes.c_void_p),
        ]
        library.rb_play.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        library.rb_row.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        library.rb_sample.argtypes = [
            *(ctypes.c_void_p, ctypes.c_void_p, uint64, ctypes.c_void_p)
        ]
        library.rb_decided.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
        assert library.rb_table() == ctypes.sizeof(table)
        self._room = (uint64 * (library.rb_room() // 8 + 1))()
        self.table = table.from_buffer(self._room)
        self.cells = engine.kinds["Game"]()
        self.log = engine.new_log(LOG_SIZE)()
        self.log.size = LOG_SIZE
        self.rows = (row * GAMES_PER_CALL)()
        self.status = ctypes.c_int32()
        self._game, self.at = map(ctypes.addressof, (self.cells, self._room))
        self._laid = None if board_memory is None else ctypes.addressof(board_memory)
        self._searches: Searches | None = None

    def set_bots(self, bots: Sequence[str], limits: PlayoutLimits) -> None:
        """Set the bots, their budgets, and the limits of games."""
        self.table.bots[:] = [BOTS[bot_kind(name)] for name in bots]
        self.allocate_searches(
            {seat: parse_budget(name) for seat, name in enumerate(bots)}
        )
        self.table.most = limits.decisions
        turns = self._turns if limits.turns is None else limits.turns
        self.turns = min(turns, self._turns)
        self.turn_limit = self.turns if self.turns < self._turns else None

    def allocate_searches(
        self, budgets: Mapping[int, Budget | None]
    ) -> Searches | None:
        """Return memory for the searches of *budgets*, or None if no seat searches."""
        wanted = {seat: each for seat, each in budgets.items() if each is not None}
        if wanted and (self._searches is None or self._searches.budgets != wanted):
            parameters = search_parameters(self._engine.plan)
            self._searches = Searches(self._library, self.at, parameters, wanted)
        return self._searches

    def set_logging(self, *, enabled: bool) -> None:
        """Set whether events are logged."""
        self.log.count = 0
        self.cells.log = ctypes.addressof(self.log) if enabled else None

    def start_tracing(self, games: int) -> Tracer:
        """Start tracing events, with memory for this many games."""
        cell = WIDE[self._engine.states.translation.cells.type]
        tracer = Tracer(self._engine.plan, self._library, cell, games)
        self.cells.trace = tracer.address
        return tracer

    def play_games(self, games: Sequence[PendingGame]) -> int:
        """Play as many of the games as one call can; return their number."""
        for game in games:
            check_seed(game.seed)
        seeds = [game.seed & MASK for game in games]
        keys = [key for game in games for key in game.keys]
        return int(
            self._library.rb_games(
                self._game,
                self.at,
                self._laid,
                (ctypes.c_uint64 * len(seeds))(*seeds),
                self.turns,
                (ctypes.c_uint64 * len(keys))(*keys),
                len(games),
                ctypes.addressof(self.rows),
                ctypes.addressof(self.status),
            )
        )

    def resume(self) -> int:
        """Continue the current game; return the status."""
        return int(self._library.rb_play(self._game, self.at))

    def apply_decision(self, index: int) -> int:
        """Apply an action that was decided outside C; return the status."""
        return int(self._library.rb_decided(self._game, self.at, index))

    def sample(self, seed: int) -> Any | None:
        """Return a sample for the seat to act, or None if C cannot draw it."""
        memory = type(self.cells)()
        at = ctypes.addressof(memory)
        return (
            memory if self._library.rb_sample(self._game, self.at, seed, at) else None
        )

    def write_result(self) -> int:
        """Write the result of the current game to the first row; return the status."""
        row = ctypes.addressof(self.rows)
        return int(self._library.rb_row(self._game, self.at, row))

    def stream(self, seat: int, key: int) -> Stream:
        """Return the random stream of a seat at its current position."""
        stored = self.table.stream[seat]
        stream = Stream(key, "numbers")
        stream.number = int(stored.number)
        stream.words = list(stored.word[: -1 - stored.left : -1])
        stream.meant = tuple(self.table.meant[seat][: self.table.means[seat]])
        return stream

    def set_stream(self, seat: int, stream: Stream) -> None:
        """Set a seat's random stream to the position of *stream*."""
        stored = self.table.stream[seat]
        stored.number, stored.left = stream.number, len(stream.words)
        for place, word in enumerate(stream.words):
            stored.word[STREAM_WORDS - 1 - place] = word
        self.table.means[seat] = len(stream.meant)
        self.table.meant[seat][: len(stream.meant)] = stream.meant


def bot_kind(name: str) -> str:
    """Return the bot that a name refers to, without its budget."""
    return name if parse_budget(name) is None else MCTS


def unsupported_reason(name: str) -> str | None:
    """Return why a bot cannot play in C under any rules, or None if it can."""
    budget = parse_budget(name)
    if budget is None and name not in BOTS:
        return f"it supports the bots {', '.join(BOTS)}, but not {name}"
    if budget is not None and budget.is_timed:
        return f"it does not support time limits, which {name} uses"
    return None


def _unsupported(
    bots: Iterable[str], parts: EngineParts, no_greedy_reason: str | None
) -> str | None:
    """Return why an engine with these parts cannot play a bot, or None."""
    supported = {GREEDY: parts.greedy, MCTS: parts.greedy and parts.search}
    for name in bots:
        if (reason := unsupported_reason(name)) is not None:
            return reason
        kind = bot_kind(name)
        missing = no_greedy_reason
        if missing is None and not supported.get(kind, True):
            missing = "the engine was built for other bots"
        if kind in supported and missing is not None:
            return f"for {kind}: {missing}"
    return None


class PlayoutSource:
    """Source of runners of whole games in C, of which a later one may be faster.

    All of them play the same games. `failure` is the reason if there will be none.
    """

    def __init__(
        self, source: EngineSource, state: State, board: dict[str, Any] | None
    ) -> None:
        """Use engines of a source; *state* is before set-up, with the board if any."""
        self._source = source
        self._state = state
        self._board = board
        self._runner: PlayoutRunner | None = None
        self._engine: Engine | None = None
        self._no_room: NoNativeEngine | None = None

    @property
    def failure(self) -> NoNativeEngine | None:
        """Reason why no game can be played in C, or None."""
        return self._no_room or self._source.failure

    @property
    def is_best(self) -> bool:
        """Whether the latest engine is of the best level."""
        return self._source.level == BEST

    @property
    def has_cache(self) -> bool:
        """Whether there is a cache, which compiling in the background requires."""
        return self._source.levels.cache is not None

    def unsupported_reason(self, bots: Sequence[str]) -> str | None:
        """Return why a bot in *bots* cannot play in C, or None if all can."""
        source = self._source
        return _unsupported(bots, source.parts, source.program.no_greedy_reason)

    def wait(self) -> PlayoutRunner | NoNativeEngine:
        """Return the latest runner; compile an engine if there is none."""
        engine = self._source.wait()
        if isinstance(engine, NoNativeEngine):
            return engine
        runner = self._runner_of(engine)
        if runner is None:
            assert self._no_room is not None
            return self._no_room
        return runner

    def find(self) -> PlayoutRunner | None:
        """Return the latest runner, or None as long as no engine is in the cache."""
        engine = self._source.find()
        return None if engine is None else self._runner_of(engine)

    def expected_seconds(self, *, best: bool) -> float:
        """Return about how many seconds it takes to compile the first or best level."""
        return self._source.levels.expected_seconds(BEST if best else FIRST)

    def start(self, *, best: bool, patient: bool = False) -> bool:
        """Start to compile a level in the background; return False if not possible.

        If *patient* is true, the compiler only uses idle processors.
        """
        level = BEST if best or FIRST not in self._source.levels.levels else FIRST
        self._source.start(level, nice=LOWEST_PRIORITY if patient else 0)
        return self._source.build is not None

    def start_improvement(self) -> None:
        """Start to compile the best level with idle processors, once for each plan."""
        self._source.start_improvement()

    @property
    def is_building(self) -> bool:
        """Whether this process compiles an engine in the background."""
        build = self._source.build
        return build is not None and build.is_running

    def build_failure(self) -> str | None:
        """Return why the last compilation in the background failed, or None."""
        build = self._source.build
        failure = None if build is None or build.is_running else build.failure()
        return None if failure is None else str(failure)

    def leave_build(self) -> None:
        """Let the compiler in the background finish after this process has ended."""
        if self._source.build is not None:
            self._source.build.leave()

    def stop_build(self) -> None:
        """Stop the compiler in the background."""
        if self._source.build is not None:
            self._source.build.stop()

    def _runner_of(self, engine: Engine) -> PlayoutRunner | None:
        """Return the runner of an engine, or None without room for the board."""
        if engine is not self._engine:
            self._engine, self._runner = engine, None
            given_board = NO_BOARD
            if self._board is not None:
                memory = engine.write_state(self._state)
                if memory is None:
                    self._no_room = NoNativeEngine("out of memory for this board")
                    return None
                given_board = GivenBoard(self._board, memory)
            self._runner = PlayoutRunner(engine, given_board)
        return self._runner


def playout_source(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    board: dict[str, Any] | None = None,
    bots: Iterable[str] = ("random", GREEDY),
    with_traces: bool = False,
) -> PlayoutSource | NoNativeEngine:
    """Return a source of runners of whole games in C, or the reason if there is none.

    Nothing is compiled yet. Arguments and exceptions are those of `playouts`.
    """
    state = state_before_setup(book, players, 0, options, DRAWN)
    kinds = {bot_kind(name) for name in bots}
    parts = EngineParts(bool(kinds & {GREEDY, MCTS}), with_traces, MCTS in kinds)
    source = engine_source(state.plan, parts)
    if isinstance(source, NoNativeEngine):
        return source
    if board is not None:
        prepare_setup(state, board, None)
    return PlayoutSource(source, state, board)


def playouts(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    board: dict[str, Any] | None = None,
    bots: Iterable[str] = ("random", GREEDY),
    with_traces: bool = False,
) -> PlayoutRunner | NoNativeEngine:
    """Return a runner of whole games in C, or the reason if there is none.

    `bots` are the bots that will play. `with_traces` includes tracing. Raise
    `PositionError` if the board does not fit these rules. A faster engine is compiled
    in the background, and a later call returns a runner with it.
    """
    source = playout_source(
        book,
        players=players,
        options=options,
        board=board,
        bots=bots,
        with_traces=with_traces,
    )
    if isinstance(source, NoNativeEngine):
        return source
    runner = source.wait()
    source.start_improvement()
    return runner
