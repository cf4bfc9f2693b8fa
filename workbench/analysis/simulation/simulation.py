"""Many games by bots: seeds in, results and statistics out.

Game i has seed S + i, and its bots draw by (their seed, i, seat), whatever the number
of processes. A game that reaches a limit of turns or decisions is unfinished, not an
error.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Protocol, Self

import attrs

from interpreter import Game, Stream, budget_of
from interpreter.c_engine import (
    Asked,
    NotNative,
    Playout,
    Playouts,
    ToPlay,
    playouts,
)
from interpreter.c_engine import PlayoutLimits as NativeLimits
from rulebook import Rulebook
from workbench import budget
from workbench.analysis.measures.race import Race
from workbench.analysis.measures.rows import Row
from workbench.analysis.simulation.detail import Detail, detail_of
from workbench.analysis.simulation.measuring import (
    counts_of,
    legend_for,
    measures_of,
    with_measures,
)
from workbench.analysis.simulation.processes import inherits, spread
from workbench.analysis.simulation.settings import Settings, noted
from workbench.analysis.simulation.statistics import Result
from workbench.bots import decide, own_names, shipped
from workbench.bots.players import SeatedBots, others
from workbench.bots.randomness import Numbers, key_of
from workbench.bots.registry import bot_of, check_bot
from workbench.defaults import DECISIONS_MAX, NATIVE, RANDOM, REFERENCE
from workbench.errors import Refused
from workbench.files.library.loading import load

PORTION = 64
"""Games that a process is given at once where they are played in C."""

PORTION_SEARCHED = 1
"""How many, where a bot searches: a game of these takes long."""

PORTION_THOUGHTFUL = 8
"""How many, where a bot tries actions out, or games are played again."""

PORTION_SECONDS = 0.5
"""About how long a portion takes, so that results come early and often."""

Portion = Sequence[int]
"""Numbers of games that are played one after another, and come together."""


@attrs.frozen
class GameLimits:
    """Where a game is given up."""

    turns: int | None = None
    decisions: int = DECISIONS_MAX


class Seatings(Protocol):
    """Who sits where, where that is another in each game; it can be pickled."""

    @property
    def bots(self) -> tuple[str, ...]:
        """All who sit in any game."""

    def seating(self, game: int) -> Sequence[str]:
        """Who sits where in a game, by its number."""


@attrs.frozen
class GameTask:
    """Everything that decides how one game goes, but its number.

    The first `counted` games are played again, to see what the rules decided. Measures
    are of each seat by itself too where they are wanted `by_seat`. Where there are
    `seatings` these say who sits where, and `bots` says it of game 0.
    """

    bots: Mapping[str, str]
    settings: Settings
    limits: GameLimits = GameLimits()
    keep_record: bool = False
    measures: bool = False
    race: bool = False
    detail: bool = False
    counted: int = 0
    by_seat: bool = False
    seatings: Seatings | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All bots that play."""
        seated = dict.fromkeys(self.bots.values())
        return tuple(seated) if self.seatings is None else self.seatings.bots

    def of(self, number: int) -> Self:
        """The task of one game alone."""
        assert self.seatings is not None
        seating = zip(self.bots, self.seatings.seating(number), strict=True)
        return attrs.evolve(self, bots=dict(seating), seatings=None)

    @property
    def has_own_bots(self) -> bool:
        """Whether bots of somebody's own play, which may do wrong."""
        return any(shipped(name) is None for name in self.names)

    def recorded(self, numbers: Iterable[int]) -> bool:
        """Whether these games are played with their records."""
        kept = self.keep_record or self.detail
        return kept or any(number < self.counted for number in numbers)


def bots_by_seat(names: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    """Which bot sits where: one name for every seat, else exactly one per seat.

    Raises `Refused` for a name that is no bot's.
    """
    for name in names:
        check_bot(name)
    if len(names) == 1:
        names = list(names) * len(seats)
    if len(names) != len(seats):
        raise Refused(f"expected 1 or {len(seats)} bots, not {len(names)}")
    return dict(zip(seats, names, strict=True))


def native_for(book: Rulebook, task: GameTask) -> Playouts | NotNative:
    """The engine in C for the settings of some games, or why there is none."""
    settings = task.settings
    return playouts(
        book,
        players=settings.seats(book),
        options=dict(settings.options),
        board=None if settings.board is None else dict(settings.board),
        bots=task.names,
        traces=task.measures,
    )


def native_results(
    native: Playouts, book: Rulebook, task: GameTask, numbers: Portion
) -> Iterator[Result]:
    """The results of some games of shipped bots, played in C.

    What cannot be played there the interpreter plays from the beginning.
    """
    limits = NativeLimits(task.limits.decisions, task.limits.turns)
    first, bot_seed = task.settings.seed or 0, task.settings.bot_seed
    games = (
        ToPlay(
            first + number,
            tuple([key_of(own_names(bot_seed, number, seat)) for seat in task.bots]),
            noted(bot_seed, number),
        )
        for number in numbers
    )
    bots, keep = tuple(task.bots.values()), task.recorded(numbers)
    play: Iterator[tuple[Playout | None, Row | None, Race | None]]
    if task.measures:
        traced = native.traced(
            games, bots, limits, interpreter_bot(task), keep_record=keep
        )
        legend = legend_for(book, task.settings)
        play = with_measures(legend, traced, bots, race=task.race, by_seat=task.by_seat)
    else:
        played = native.play(
            games, bots, limits, interpreter_bot(task), keep_record=keep
        )
        play = ((came, None, None) for came in played)
    for number, (came, row, race) in zip(numbers, play, strict=True):
        if came is None:
            yield playout(book, task, number)
        else:
            yield native_result(came, task, number, row, race)


def native_result(
    played: Playout,
    task: GameTask,
    number: int,
    measures: Row | None = None,
    race: Race | None = None,
) -> Result:
    """The result of a game that was played in C."""
    outcome = played.outcome
    return Result(
        seed=played.seed,
        finished=outcome is not None,
        winners=() if outcome is None else outcome.winners,
        reason=None if outcome is None else outcome.reason,
        points=played.points,
        turns=played.turns,
        decisions=played.decisions,
        actions=played.actions,
        record=played.record,
        bot_seed=task.settings.bot_seed,
        game=number,
        measures=measures,
        race=race,
    )


def interpreter_bot(task: GameTask) -> Asked:
    """What decides in the interpreter, where the engine in C asks for it."""

    def index(game: Game, seat: str, stream: Stream) -> int:
        numbers = Numbers.over(stream)
        return decide(bot_of(task.bots[seat]), game, seat, numbers).index

    return index


def playout(book: Rulebook, task: GameTask, number: int) -> Result:
    """The result of game `number`, played by bots to its end or to a limit."""
    game = task.settings.begin(book, number, task.limits.turns)
    settings = task.settings
    bots = SeatedBots(task.bots, settings.bot_seed, number, settings.conduct)
    actions: Counter[str] = Counter()
    indices: list[int] = []
    decisions = 0
    while (seat := game.to_act) is not None and decisions < task.limits.decisions:
        action = bots.decide(game, seat)
        if action is None:
            break
        game.apply(action)
        actions[action.name] += 1
        indices.append(action.index)
        decisions += 1
    keep_record = task.recorded([number])
    result = _result(game, bots, decisions, actions, keep_record=keep_record)
    if not task.measures:
        return result
    row, race = measures_of(
        *(book, task.settings, result, indices, task.limits.turns),
        tuple(task.bots.values()),
        by_seat=task.by_seat,
    )
    return attrs.evolve(result, measures=row, race=race if task.race else None)


def _result(
    game: Game,
    bots: SeatedBots,
    decisions: int,
    actions: Mapping[str, int],
    *,
    keep_record: bool,
) -> Result:
    outcome = game.outcome
    winners = () if outcome is None else tuple(outcome.winners)
    if bots.loser is not None:
        winners = others(game, bots.loser)
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
        bot_seed=game.noted["bot_seed"],
        game=game.noted["game"],
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
    native: Playouts | None = None,
) -> Iterator[list[Result]]:
    """The results of the games of each portion, as they come; in C where that can be.

    With several jobs, portions that are short come before one that is long. A process
    begins with what there is here, or loads the variant anew where it cannot. With a
    time budget one job in C is a process too: nothing here interrupts a call of C.
    """
    alone = native is None or budget.running() is None
    if jobs <= 1 and alone:
        yield from map(partial(portion_results, native, book, task), portions)
        return
    prepare = (
        partial(partial, portion_results, native, book, task)
        if inherits()
        else partial(_player, variant, task, in_c=native is not None)
    )
    yield from spread(prepare, portions, jobs)


def games_of(
    variant: str,
    book: Rulebook,
    task: GameTask,
    games: int,
    jobs: int = 1,
    native: Playouts | None = None,
    first: int = 0,
) -> Iterator[Result]:
    """The results of the games up to a number, from the first on, as they come."""
    pace = Pace(portion_size(task, native))
    portions = pace.cut(range(first, games))
    for results in simulate(variant, book, task, portions, jobs, native):
        pace.played += len(results)
        yield from results


@attrs.define
class Pace:
    """Sizes of portions: small until it is known how long games take.

    A portion has at least `least` games, at most `most`, and takes about `seconds`.
    """

    most: int
    least: int = 1
    seconds: float = PORTION_SECONDS
    played: int = 0
    _began: float = attrs.field(factory=time.perf_counter)

    @property
    def size(self) -> int:
        """The number of games of the next portion."""
        seconds = time.perf_counter() - self._began
        games = int(self.seconds * self.played / seconds) if seconds else 0
        return max(min(self.least, self.most), min(games, self.most))

    def cut(self, numbers: range) -> Iterator[range]:
        """Cut numbers of games into portions."""
        while numbers:
            size = self.size
            yield numbers[:size]
            numbers = numbers[size:]


def portion_size(task: GameTask, native: Playouts | None) -> int:
    """How many games a process is given at once."""
    if native is None or task.detail:
        return 1
    if any(budget_of(name) is not None for name in task.bots.values()):
        return PORTION_SEARCHED
    quick = set(task.bots.values()) == {RANDOM} and not task.counted
    return PORTION if quick else PORTION_THOUGHTFUL


def _player(
    variant: str, task: GameTask, *, in_c: bool
) -> Callable[[Portion], list[Result]]:
    """What plays portions, in a process that has loaded nothing yet."""
    return player(load(variant), task, in_c=in_c)


def player(
    book: Rulebook, task: GameTask, *, in_c: bool
) -> Callable[[Portion], list[Result]]:
    """What plays portions, in a process that has no engine yet."""
    native = native_for(book, task) if in_c else None
    engine = native if isinstance(native, Playouts) else None
    return partial(portion_results, engine, book, task)


def portion_results(
    native: Playouts | None, book: Rulebook, task: GameTask, numbers: Portion
) -> list[Result]:
    """The results of the games of these numbers, in C if there is such an engine."""
    if task.seatings is not None:
        alone = (_alone(native, book, task.of(number), number) for number in numbers)
        return list(chain.from_iterable(alone))
    played = (
        (playout(book, task, number) for number in numbers)
        if native is None
        else native_results(native, book, task, numbers)
    )
    if not (task.detail or task.counted):
        return list(played)
    engine = REFERENCE if native is None else NATIVE
    return [
        played_again(book, task, number, result, engine)
        for number, result in zip(numbers, played, strict=True)
    ]


def _alone(
    native: Playouts | None, book: Rulebook, task: GameTask, number: int
) -> list[Result]:
    """The result of one game, in C if those who sit there can play in it."""
    there = native is not None and native.why_not(task.names) is None
    return portion_results(native if there else None, book, task, [number])


def played_again(
    book: Rulebook, task: GameTask, number: int, result: Result, engine: str
) -> Result:
    """A result with what its record tells, and without a record that nobody wants.

    That is its turns and events, and what the rules decided, as it is asked for.
    """
    settings, turns = task.settings, task.limits.turns
    counted = number < task.counted
    return attrs.evolve(
        result,
        detail=_detail(book, task, result, engine) if task.detail else None,
        counts=counts_of(book, settings, result, turns) if counted else None,
        record=result.record if task.keep_record else None,
    )


def _detail(book: Rulebook, task: GameTask, result: Result, engine: str) -> Detail:
    """The turns and events of a game, by its record."""
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
    return detail_of(game, lines)
