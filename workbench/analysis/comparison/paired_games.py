"""Games of several variants with the same seeds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

import attrs

from rulebook import Rulebook, printable_line
from workbench import budget
from workbench.analysis.comparison.variant_games import (
    VariantGames,
    variant_letter,
    variant_titles,
)
from workbench.analysis.simulation import engines
from workbench.analysis.simulation.native_play import NativePlay
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    PortionPace,
    bots_by_seat,
    simulate_games,
)
from workbench.analysis.simulation.statistics import Result
from workbench.errors import RequestError
from workbench.files.library.loading import load

SECONDS_PER_VARIANT = 2.0
"""Seconds after which a run with a time budget switches to the next variant."""

ResultDisplay = Callable[[Iterable[Result], int, str], Iterable[Result]]
"""Callback (results, total, label) that shows progress and yields the results."""


@attrs.frozen
class GameSettings:
    """Settings of the compared games, the same for all variants.

    If `points_by_round` is true, the points after each round are recorded. The first
    `replayed_pairs` pairs are replayed to count how often rule parts take effect.
    """

    settings: Settings
    bots: Sequence[str]
    engine: str
    jobs: int | None
    limits: GameLimits
    points_by_round: bool = False
    replayed_pairs: int = 0
    by_seat: bool = False


@attrs.frozen(eq=False)
class VariantRun:
    """Variant being played; `results` have not been added to `games` yet."""

    games: VariantGames
    task: GameTask
    native: NativePlay | None
    jobs: int
    results: list[Result] = attrs.field(factory=list)

    def play(self, numbers: range) -> Iterator[Result]:
        """Play games with these numbers; yield each result as it arrives."""
        first, last = numbers.start, numbers.stop
        variant, book = self.games.variant, self.games.book
        results = simulate_games(
            variant, book, self.task, last, self.jobs, self.native, first
        )
        for result in results:
            self.results.append(result)
            yield result

    @property
    def played_numbers(self) -> set[int]:
        """Numbers of the games that have been played."""
        return {result.game for result in self.results}

    def played_games(self, numbers: Container[int]) -> VariantGames:
        """Return the played games with these numbers, in order."""
        results = [result for result in self.results if result.game in numbers]
        results.sort(key=lambda result: result.seed)
        return attrs.evolve(self.games, results=results)


@attrs.frozen(eq=False)
class PairedGames:
    """Games to be played with the same seeds for each variant, and their results."""

    sides: Sequence[VariantRun]
    pairs: int

    @classmethod
    def prepare(
        cls, variants: Sequence[str], pairs: int, settings: GameSettings
    ) -> PairedGames:
        """Return *pairs* games of each variant, ready to be played.

        Raises `RequestError` if the variants do not have the same seats.
        """
        books = {variant: load(variant) for variant in variants}
        check_seats(books.values(), settings.settings)
        return cls(list(prepare_variants(books, pairs, settings)), pairs)

    def play(self, display: ResultDisplay) -> None:
        """Play the games; under a time budget, the variants take turns."""
        names = " and ".join(side.games.book.name for side in self.sides)
        total = len(self.sides) * self.pairs
        for _ in display(self._play_games(), total, f"games of {names}"):
            pass

    def _play_games(self) -> Iterator[Result]:
        """Play the games; yield each result as it arrives."""
        min_games = self.pairs if budget.running_budget() is None else 1
        pace = PortionPace(self.pairs, min_games, SECONDS_PER_VARIANT)
        for numbers in pace.portions(range(self.pairs)):
            for side in self.sides:
                yield from side.play(numbers)
            pace.played += len(numbers)

    @property
    def games_by_variant(self) -> list[VariantGames]:
        """For each variant, the games whose numbers every variant has played."""
        numbers = set.intersection(*(side.played_numbers for side in self.sides))
        return [side.played_games(numbers) for side in self.sides]


def play_variant(
    variant: str, book: Rulebook, games: int, settings: GameSettings
) -> VariantGames:
    """Play the games of one variant and return them."""
    runs = prepare_variants({variant: book}, games, settings)
    paired_games = PairedGames(list(runs), games)
    paired_games.play(lambda results, total, what: results)
    return paired_games.games_by_variant[0]


def prepare_variants(
    books: Mapping[str, Rulebook], games: int, settings: GameSettings
) -> Iterator[VariantRun]:
    """Yield *games* games of each variant, ready to be played."""
    titles = variant_titles(books)
    for position, (variant, book) in enumerate(books.items()):
        seats = settings.settings.start(book, turns=0).seats
        task = GameTask(
            bots_by_seat(settings.bots, seats),
            *(settings.settings, settings.limits),
            with_measures=True,
            with_points_by_round=settings.points_by_round,
            counted_games=settings.replayed_pairs,
            by_seat=settings.by_seat,
        )
        engine = engines.choose_engine(settings.engine, book, task, games)
        if engine.note is not None:
            sys.stderr.write(f"note: {printable_line(engine.note)}\n")
        unplayed = VariantGames(
            *(variant_letter(position), titles[position], variant, book),
            *(engine.name, task.bots, task.settings),
        )
        jobs = settings.jobs or engines.default_jobs(task, games)
        yield VariantRun(unplayed, task, engine.native, jobs)


def check_seats(books: Iterable[Rulebook], settings: Settings) -> None:
    """Raise `RequestError` if the variants do not have the same seats."""
    seats = dict.fromkeys(settings.start(book, turns=0).seats for book in books)
    if len(seats) > 1:
        text = " / ".join(", ".join(seating) for seating in seats)
        sizes_differ = len({len(seating) for seating in seats}) > 1
        help = "use --players N" if sizes_differ else None
        raise RequestError(f"the seats are not the same: {text}", help)
