"""Games of several variants with the same seeds, with their measures as columns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import attrs

from rulebook import Rulebook, visible
from workbench import budget
from workbench.analysis.measures.counted import COUNTED
from workbench.analysis.measures.seats import BY_SEAT
from workbench.analysis.measures.summary import FOLDED
from workbench.analysis.measures.table import TABLE
from workbench.analysis.simulation import engines
from workbench.analysis.simulation.bot_errors import BotErrors
from workbench.analysis.simulation.bot_gains import Gains
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    Pace,
    bots_by_seat,
    games_of,
)
from workbench.analysis.simulation.statistics import Result
from workbench.errors import Refused
from workbench.files.library.loading import load

TURN_SECONDS = 2.0
"""Seconds for which one variant is played before switching to the next.

This applies only under a time budget.
"""

Columns = Mapping[str, Sequence[float | None]]
Watched = Callable[[Iterable[Result], int, str], Iterable[Result]]
"""Callback that shows progress on results (with total and label) and returns them."""


@attrs.frozen
class GameSettings:
    """Settings of the compared games, the same for all variants.

    If `race` is true, points by round are collected. The first `counted` pairs are
    replayed to count the decisions of the rules.
    """

    settings: Settings
    bots: Sequence[str]
    engine: str
    jobs: int | None
    limits: GameLimits
    race: bool = False
    counted: int = 0
    by_seat: bool = False


@attrs.frozen(eq=False)
class VariantGames:
    """Games of one variant, in order of their seeds; `bots` is by seat."""

    book: Rulebook
    engine: str
    bots: Mapping[str, str]
    results: Sequence[Result]

    @property
    def unfinished(self) -> int:
        """Number of unfinished games."""
        return sum(not result.finished for result in self.results)

    @property
    def gains(self) -> Gains:
        """Gain of each bot: wins beyond its share of the seats."""
        gains = Gains(self.bots)
        for result in self.results:
            gains.add(result)
        return gains

    @property
    def errors(self) -> BotErrors:
        """Errors of the bots."""
        return BotErrors.of(self.bots, self.results)

    @property
    def columns(self) -> Columns:
        """Values of each measure by game, without measures of single spaces.

        A measure of something that a game does not have is 0.
        """
        columns = columns_of([result.measures or {} for result in self.results])
        kept = [name for name in columns if name.partition(".")[0] not in HIDDEN]
        return {name: columns[name] for name in kept}

    @property
    def again(self) -> VariantGames:
        """Games that were replayed to count the decisions of the rules."""
        there = [result for result in self.results if result.counts is not None]
        return attrs.evolve(self, results=there)

    @property
    def counts(self) -> Columns:
        """Counts of the decisions of the rules in the replayed games, as columns."""
        return columns_of([result.counts or {} for result in self.again.results])


def columns_of(rows: Sequence[Mapping[str, float | None]]) -> Columns:
    """Return rows as columns; values missing from a row are 0."""
    names = dict.fromkeys(chain.from_iterable({tuple(row): None for row in rows}))
    return {name: [row.get(name, 0) for row in rows] for name in names}


HIDDEN = {measure.name for measure in TABLE if measure.of in FOLDED}
"""Scopes of measures that are left out, because they have too many members."""

UNITS = {measure.name: measure.unit for measure in (*TABLE, *BY_SEAT, *COUNTED)}


def unit_of(name: str) -> str:
    """Return the unit of a column of measures.

    >>> unit_of("points.red")
    'points'
    """
    return UNITS.get(name.partition(".")[0], "")


@attrs.frozen(eq=False)
class VariantRun:
    """Variant to be played, with the results so far."""

    variant: str
    book: Rulebook
    task: GameTask
    engine: engines.Chosen
    jobs: int
    results: list[Result] = attrs.field(factory=list)

    def play(self, games: range) -> Iterator[Result]:
        """Play games with these numbers; yield each result as it arrives."""
        first, last = games.start, games.stop
        native = self.engine.native
        came = games_of(
            self.variant, self.book, self.task, last, self.jobs, native, first
        )
        for result in came:
            self.results.append(result)
            yield result

    @property
    def games(self) -> set[int]:
        """Numbers of the games that have been played."""
        return {result.game for result in self.results}

    def played(self, games: Container[int]) -> VariantGames:
        """Return the played games with numbers in *games*, in order."""
        listed = [result for result in self.results if result.game in games]
        listed.sort(key=lambda result: result.seed)
        return VariantGames(self.book, self.engine.name, self.task.bots, listed)


@attrs.frozen(eq=False)
class Pairs:
    """Games of several variants with the same seeds, and those played so far."""

    sides: Sequence[VariantRun]
    pairs: int

    @classmethod
    def of(cls, variants: Sequence[str], pairs: int, asked: GameSettings) -> Pairs:
        """Return *pairs* games of each variant, ready to be played.

        Raises `Refused` if the variants do not have the same seats.
        """
        books = {variant: load(variant) for variant in variants}
        check_seats(books.values(), asked.settings)
        sides = [side(variant, books[variant], pairs, asked) for variant in variants]
        return cls(sides, pairs)

    def play(self, watched: Watched) -> None:
        """Play the games; under a time budget, the variants take turns."""
        names = " and ".join(side.book.name for side in self.sides)
        total = len(self.sides) * self.pairs
        for _ in watched(self._results(), total, f"games of {names}"):
            pass

    def _results(self) -> Iterator[Result]:
        """Play the games; yield each result as it arrives."""
        whole = self.pairs if budget.running() is None else 1
        pace = Pace(self.pairs, whole, TURN_SECONDS)
        for games in pace.cut(range(self.pairs)):
            for side in self.sides:
                yield from side.play(games)
            pace.played += len(games)

    @property
    def played(self) -> list[VariantGames]:
        """Games with numbers that every variant has played, for each variant."""
        games = set.intersection(*(side.games for side in self.sides))
        return [side.played(games) for side in self.sides]


def of_variant(
    variant: str, book: Rulebook, games: int, asked: GameSettings
) -> VariantGames:
    """Play the games of one variant and return them."""
    alone = Pairs([side(variant, book, games, asked)], games)
    alone.play(lambda results, total, what: results)
    return alone.played[0]


def side(variant: str, book: Rulebook, games: int, asked: GameSettings) -> VariantRun:
    """Return the games of one variant, ready to be played."""
    seats = asked.settings.start(book, turns=0).seats
    bots = bots_by_seat(asked.bots, seats)
    task = GameTask(
        *(bots, asked.settings, asked.limits),
        measures=True,
        race=asked.race,
        counted=asked.counted,
        by_seat=asked.by_seat,
    )
    engine = engines.chosen(asked.engine, book, task, games)
    if engine.note is not None:
        sys.stderr.write(f"note: {visible(engine.note)}\n")
    jobs = asked.jobs or engines.jobs_for(task, games)
    return VariantRun(variant, book, task, engine, jobs)


def check_seats(books: Iterable[Rulebook], settings: Settings) -> None:
    """Raise `Refused` if the variants do not have the same seats."""
    seats = dict.fromkeys(settings.start(book, turns=0).seats for book in books)
    if len(seats) > 1:
        who = " / ".join(", ".join(seating) for seating in seats)
        more = len({len(seating) for seating in seats}) > 1
        help = "use --players N" if more else None
        raise Refused(f"the seats are not the same: {who}", help)


def bots_said(bots: Mapping[str, str]) -> str:
    """Return the names of the bots as text."""
    names = set(bots.values())
    if len(names) == 1:
        return f"{names.pop()} in every seat"
    return ", ".join(f"{name} as {seat}" for seat, name in bots.items())
