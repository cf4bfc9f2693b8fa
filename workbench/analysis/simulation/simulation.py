"""Simulation of many games between bots.

Game i has seed S + i, and its bots' random numbers depend on their seed, i and the
seat. The results do not depend on the number of processes. A game that reaches a limit
of turns or decisions is unfinished, which is not an error.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Protocol, Self

import attrs

from interpreter import Game, Stream, parse_budget
from interpreter.c_engine import (
    Asked,
    NoNativeEngine,
    PendingGame,
    Playout,
    PlayoutRunner,
    PlayoutSource,
    playout_source,
)
from interpreter.c_engine import PlayoutLimits as NativeLimits
from rulebook import Rulebook
from workbench import budget
from workbench.analysis.measures.measure_rows import Row
from workbench.analysis.measures.points_by_round import PointsByRound
from workbench.analysis.simulation.detail import GameDetail, game_detail
from workbench.analysis.simulation.measuring import (
    add_measures,
    interpreter_measures,
    replay_counts,
    trace_legend,
)
from workbench.analysis.simulation.native_play import NativePlay
from workbench.analysis.simulation.processes import (
    map_in_processes,
    uses_fork,
)
from workbench.analysis.simulation.settings import Settings, record_notes
from workbench.analysis.simulation.statistics import Result
from workbench.bots import decide, shipped_bot, stream_names
from workbench.bots.randomness import KeyedRandom, stream_key
from workbench.bots.registry import bot_of, check_bot
from workbench.bots.seated_bots import SeatedBots, winning_seats
from workbench.defaults import DECISIONS_MAX, NATIVE, RANDOM, REFERENCE
from workbench.errors import RequestError
from workbench.files.library.loading import load

NATIVE_PORTION = 64
"""Number of games per portion for the native engine."""

SEARCH_PORTION = 1
"""Number of games per portion if a bot uses search."""

TRIAL_PORTION = 8
"""Number of games per portion if a bot tries actions, or games are replayed."""

PORTION_SECONDS = 0.5
"""Intended duration of a portion in seconds; short ones give early results."""

Portion = Sequence[int]
"""Numbers of the games that one process plays before it returns their results."""


@attrs.frozen
class GameLimits:
    """Limits at which a game is stopped and counted as unfinished."""

    turns: int | None = None
    decisions: int = DECISIONS_MAX


class Seatings(Protocol):
    """Picklable assignment of bots to seats that changes from game to game."""

    @property
    def bots(self) -> tuple[str, ...]:
        """All bots that play in some game."""

    def seating(self, game: int) -> Sequence[str]:
        """Return the bots of a game in seating order."""


@attrs.frozen
class GameTask:
    """Everything that determines a game except its number.

    With `with_measures`, each game is measured; with `with_points_by_round`, its points
    by round are collected; with `with_detail`, it is replayed for detailed files. The
    first `counted_games` games are replayed to count how often rule parts take
    effect. `by_seat` adds the measures of individual seats. `seatings` assigns bots to
    seats if the assignment changes; `bots` is then the assignment in game 0.
    """

    bots: Mapping[str, str]
    settings: Settings
    limits: GameLimits = GameLimits()
    keep_record: bool = False
    with_measures: bool = False
    with_points_by_round: bool = False
    with_detail: bool = False
    counted_games: int = 0
    by_seat: bool = False
    seatings: Seatings | None = None

    @property
    def bot_names(self) -> tuple[str, ...]:
        """Names of all bots that play."""
        names = dict.fromkeys(self.bots.values())
        return tuple(names) if self.seatings is None else self.seatings.bots

    def for_game(self, number: int) -> Self:
        """Return the task of a single game, with its bots in their seats."""
        assert self.seatings is not None
        seating = zip(self.bots, self.seatings.seating(number), strict=True)
        return attrs.evolve(self, bots=dict(seating), seatings=None)

    @property
    def has_custom_bots(self) -> bool:
        """True if a custom bot plays."""
        return any(shipped_bot(name) is None for name in self.bot_names)

    def needs_records(self, numbers: Iterable[int]) -> bool:
        """Return whether the records of these games are needed."""
        always = self.keep_record or self.with_detail
        return always or any(number < self.counted_games for number in numbers)


def bots_by_seat(names: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    """Return the bot of each seat; a single name stands for all seats.

    Raise `RequestError` for an unknown bot or a wrong number of names.
    """
    for name in names:
        check_bot(name)
    if len(names) == 1:
        names = list(names) * len(seats)
    if len(names) != len(seats):
        raise RequestError(f"expected 1 or {len(seats)} bots, not {len(names)}")
    return dict(zip(seats, names, strict=True))


class Superseded(Exception):
    """Raised if a game of the interpreter is abandoned, because C can play it."""


def native_engine(book: Rulebook, task: GameTask) -> PlayoutRunner | NoNativeEngine:
    """Return the native engine for a task, or the reason why it cannot play."""
    source = native_source(book, task)
    return source if isinstance(source, NoNativeEngine) else source.wait()


def native_source(book: Rulebook, task: GameTask) -> PlayoutSource | NoNativeEngine:
    """Return the source of native engines for a task, or the reason for none."""
    settings = task.settings
    return playout_source(
        book,
        players=settings.seats(book),
        options=dict(settings.options),
        board=None if settings.board is None else dict(settings.board),
        bots=task.bot_names,
        with_traces=task.with_measures,
    )


def native_results(
    native: PlayoutRunner, book: Rulebook, task: GameTask, numbers: Portion
) -> Iterator[Result]:
    """Yield the results of games played by the native engine.

    The interpreter plays the games that the native engine cannot complete.
    """
    limits = NativeLimits(task.limits.decisions, task.limits.turns)
    first, bot_seed = task.settings.seed or 0, task.settings.bot_seed
    games = (
        PendingGame(
            first + number,
            tuple(
                [stream_key(stream_names(bot_seed, number, seat)) for seat in task.bots]
            ),
            record_notes(bot_seed, number),
        )
        for number in numbers
    )
    bots, keep_record = tuple(task.bots.values()), task.needs_records(numbers)
    play: Iterator[tuple[Playout | None, Row | None, PointsByRound | None]]
    if task.with_measures:
        traced = native.play_traced(
            games, bots, limits, interpreter_bot(task), keep_record=keep_record
        )
        legend = trace_legend(book, task.settings)
        play = add_measures(
            legend,
            traced,
            bots,
            with_points=task.with_points_by_round,
            by_seat=task.by_seat,
        )
    else:
        played = native.play(
            games, bots, limits, interpreter_bot(task), keep_record=keep_record
        )
        play = ((playout, None, None) for playout in played)
    for number, (playout, row, points) in zip(numbers, play, strict=True):
        if playout is None:
            yield play_game(book, task, number)
        else:
            yield native_result(playout, task, number, row, points)


def native_result(
    playout: Playout,
    task: GameTask,
    number: int,
    measures: Row | None = None,
    points_by_round: PointsByRound | None = None,
) -> Result:
    """Return the result of a game played by the native engine."""
    outcome = playout.outcome
    return Result(
        seed=playout.seed,
        finished=outcome is not None,
        winners=() if outcome is None else outcome.winners,
        reason=None if outcome is None else outcome.reason,
        points=playout.points,
        turns=playout.turns,
        decisions=playout.decisions,
        actions=playout.actions,
        record=playout.record,
        bot_seed=task.settings.bot_seed,
        game=number,
        measures=measures,
        points_by_round=points_by_round,
    )


def interpreter_bot(task: GameTask) -> Asked:
    """Return a callback that the native engine calls for decisions of Python bots."""

    def index(game: Game, seat: str, stream: Stream) -> int:
        rng = KeyedRandom.from_stream(stream)
        return decide(bot_of(task.bots[seat]), game, seat, rng).index

    return index


def play_game(
    book: Rulebook, task: GameTask, number: int, native: NativePlay | None = None
) -> Result:
    """Play one game of bots in the interpreter, to its end or a limit.

    Raise `Superseded` if *native* is given and becomes ready before that.
    """
    game = task.settings.start_bot_game(book, number, task.limits.turns)
    settings = task.settings
    bots = SeatedBots(task.bots, settings.bot_seed, number, settings.error_policy)
    actions: Counter[str] = Counter()
    indices: list[int] = []
    decisions = 0
    while (seat := game.to_act) is not None and decisions < task.limits.decisions:
        action = bots.decide(game, seat)
        if action is None:
            break
        if native is not None and native.is_ready:
            raise Superseded
        game.apply(action)
        actions[action.name] += 1
        indices.append(action.index)
        decisions += 1
    keep_record = task.needs_records([number])
    result = _game_result(game, bots, decisions, actions, keep_record=keep_record)
    if not task.with_measures:
        return result
    row, points = interpreter_measures(
        *(book, task.settings, result, indices, task.limits.turns),
        tuple(task.bots.values()),
        by_seat=task.by_seat,
    )
    return attrs.evolve(
        result,
        measures=row,
        points_by_round=points if task.with_points_by_round else None,
    )


def _game_result(
    game: Game,
    bots: SeatedBots,
    decisions: int,
    actions: Mapping[str, int],
    *,
    keep_record: bool,
) -> Result:
    """Return the result of a game played by the interpreter."""
    outcome = game.outcome
    winners = () if outcome is None else tuple(outcome.winners)
    if bots.loser is not None:
        winners = winning_seats(game, bots.loser)
    return Result(
        seed=game.seed or 0,
        finished=outcome is not None or bots.loser is not None,
        winners=winners,
        reason=None if outcome is None else outcome.reason,
        points={seat: game.points(seat) for seat in game.seats},
        turns=game.turn,
        decisions=decisions,
        actions=dict(actions),
        record=game.record if keep_record else None,
        bot_seed=game.notes["bot_seed"],
        game=game.notes["game"],
        bot_errors=dict(bots.errors),
        first_errors=tuple(bots.first.values()),
        lost_by=bots.loser,
    )


def simulate(
    variant: str,
    book: Rulebook,
    task: GameTask,
    portions: Iterable[Portion],
    jobs: int = 1,
    native: NativePlay | None = None,
) -> Iterator[list[Result]]:
    """Yield the results of each portion as they arrive.

    *native* plays if it is given, as soon as it is ready. With several jobs, short
    portions may overtake a long one. A forked process inherits the loaded rules; any
    other loads the variant again. Under a time budget, even a single job of the native
    engine runs in a process, because its calls cannot be interrupted.
    """
    has_budget = budget.running_budget() is not None
    if native is not None and not native.is_prepared and (jobs > 1 or has_budget):
        native = None
    if native is not None:
        native.resume()
    with closing(_played(variant, book, task, portions, jobs, native)) as played:
        for results in played:
            if native is not None:
                native.note_results(len(results))
            yield results


def _played(
    variant: str,
    book: Rulebook,
    task: GameTask,
    portions: Iterable[Portion],
    jobs: int,
    native: NativePlay | None,
) -> Generator[list[Result], None, None]:
    """Yield the results of each portion, played in this process or in others."""
    can_run_here = native is None or budget.running_budget() is None
    if jobs <= 1 and can_run_here:
        yield from map(partial(results_of_portion, native, book, task), portions)
        return
    prepare = (
        partial(partial, results_of_portion, native, book, task)
        if uses_fork()
        else partial(_loading_player, variant, task, native=native is not None)
    )
    usable = None if native is None else native.workers
    yield from map_in_processes(prepare, portions, jobs, usable)


def simulate_games(
    variant: str,
    book: Rulebook,
    task: GameTask,
    games: int,
    jobs: int = 1,
    native: NativePlay | None = None,
    first: int = 0,
) -> Iterator[Result]:
    """Yield the results of games *first* to *games* - 1 as they arrive."""
    pace = PortionPace(portion_size(task, native))
    portions = pace.portions(range(first, games))
    for results in simulate(variant, book, task, portions, jobs, native):
        pace.played += len(results)
        yield from results


@attrs.define
class PortionPace:
    """Sizes of portions: small at first, then based on the measured speed.

    A portion has between `min_games` and `max_games` games and takes about `seconds`.
    """

    max_games: int
    min_games: int = 1
    seconds: float = PORTION_SECONDS
    played: int = 0
    _start_time: float = attrs.field(factory=time.perf_counter)

    @property
    def size(self) -> int:
        """Number of games in the next portion."""
        seconds = time.perf_counter() - self._start_time
        games = int(self.seconds * self.played / seconds) if seconds else 0
        return max(min(self.min_games, self.max_games), min(games, self.max_games))

    def portions(self, numbers: range) -> Iterator[range]:
        """Yield portions of these games."""
        while numbers:
            size = self.size
            yield numbers[:size]
            numbers = numbers[size:]


def portion_size(task: GameTask, native: NativePlay | None) -> int:
    """Return the number of games per portion."""
    if native is None or not native.is_prepared or task.with_detail:
        return 1
    if any(parse_budget(name) is not None for name in task.bots.values()):
        return SEARCH_PORTION
    quick = set(task.bots.values()) == {RANDOM} and not task.counted_games
    return NATIVE_PORTION if quick else TRIAL_PORTION


def _loading_player(
    variant: str, task: GameTask, *, native: bool
) -> Callable[[Portion], list[Result]]:
    """Load the rules in this process and return a function that plays portions."""
    return portion_player(load(variant), task, use_native=native, wait=False)


def portion_player(
    book: Rulebook, task: GameTask, *, use_native: bool, wait: bool = True
) -> Callable[[Portion], list[Result]]:
    """Return a function that plays portions in this process.

    If *wait* is true and no native engine is ready, compile one first.
    """
    source = native_source(book, task) if use_native else None
    if source is None or isinstance(source, NoNativeEngine):
        return partial(portion_results, None, book, task)
    if wait:
        source.wait()
        source.start(best=True, patient=True)
    return partial(results_of_portion, NativePlay(source), book, task)


def results_of_portion(
    native: NativePlay | None, book: Rulebook, task: GameTask, numbers: Portion
) -> list[Result]:
    """Return the results of a portion, played in C as soon as that is possible.

    A game in progress is then abandoned and played in C from its beginning.
    """
    results: list[Result] = []
    for position, number in enumerate(numbers):
        runner = None if native is None else native.runner()
        try:
            if runner is not None:
                remaining = numbers[position:]
                return results + portion_results(runner, book, task, remaining)
            results += portion_results(None, book, task, [number], native)
        except Superseded:
            assert native is not None
            remaining = numbers[position:]
            return results + portion_results(native.runner(), book, task, remaining)
    return results


def portion_results(
    native: PlayoutRunner | None,
    book: Rulebook,
    task: GameTask,
    numbers: Portion,
    later: NativePlay | None = None,
) -> list[Result]:
    """Return the results of a portion, played by the native engine if it is given.

    Raise `Superseded` if *later* is given and becomes ready during a game of the
    interpreter.
    """
    if task.seatings is not None:
        results_by_game = (
            _single_result(native, book, task.for_game(number), number, later)
            for number in numbers
        )
        return list(chain.from_iterable(results_by_game))
    results = (
        (play_game(book, task, number, later) for number in numbers)
        if native is None
        else native_results(native, book, task, numbers)
    )
    if not (task.with_detail or task.counted_games):
        return list(results)
    engine = REFERENCE if native is None else NATIVE
    return [
        with_replay_data(book, task, number, result, engine)
        for number, result in zip(numbers, results, strict=True)
    ]


def _single_result(
    native: PlayoutRunner | None,
    book: Rulebook,
    task: GameTask,
    number: int,
    later: NativePlay | None,
) -> list[Result]:
    """Return a list with one game's result, played natively if the bots allow it."""
    fits = native is not None and native.unsupported_reason(task.bot_names) is None
    return portion_results(native if fits else None, book, task, [number], later)


def with_replay_data(
    book: Rulebook, task: GameTask, number: int, result: Result, engine: str
) -> Result:
    """Return a result with the data from a replay of its record.

    These are its turns and events, and how often each rule part took effect, as
    requested. The record is removed unless it was requested.
    """
    settings, turns = task.settings, task.limits.turns
    counted = number < task.counted_games
    return attrs.evolve(
        result,
        detail=_replayed_detail(book, task, result, engine)
        if task.with_detail
        else None,
        counts=replay_counts(book, settings, result, turns) if counted else None,
        record=result.record if task.keep_record else None,
    )


def _replayed_detail(
    book: Rulebook, task: GameTask, result: Result, engine: str
) -> GameDetail:
    """Return the turns and events of a game from its record."""
    assert result.record is not None
    lines = result.record.splitlines()[1:]
    if result.finished and result.lost_by is None:
        lines = lines[:-1]
    game = task.settings.start(
        book,
        seed=result.seed,
        chance="given",
        turns=task.limits.turns,
        engine=engine,
    )
    return game_detail(game, lines)
