"""Run: games of one variant, played until there are enough or something stops it.

Results arrive in any order and are counted in the order of their games. The totals
therefore do not depend on the number of processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Protocol

import attrs

from workbench.analysis.runs.interruptions import RunStopped, SignalGuard, StopReason
from workbench.analysis.runs.partial_runs import PartialRun
from workbench.analysis.runs.precision import RunningInterval
from workbench.analysis.runs.run_tables import RunTables
from workbench.analysis.simulation.processes import WorkerLost
from workbench.analysis.simulation.simulation import Portion, PortionPace
from workbench.analysis.simulation.statistics import Result, Tally
from workbench.bots.bot_failures import BotFailed
from workbench.budget import TimeUp

PlayPortions = Callable[[Iterable[Portion]], Iterator[list[Result]]]
"""Function that plays portions of games and yields their results in any order."""
ResultConsumer = Callable[[Result], None]
WriteFiles = Callable[[], None]
"""Callback that writes the files when the run ends."""


class RunDisplay(Protocol):
    """Callback that shows the progress of a run and passes on its results."""

    def __call__(
        self, portions: Iterator[list[Result]], run: GameRun
    ) -> Iterator[list[Result]]:
        """Yield the portions unchanged, and show the progress."""


@attrs.define
class GameRun:
    """Run of one variant, with its results so far.

    A portion has between `min_games` and `max_portion` games. `consumers` receive each
    result in the order of games, and `tally` counts them.
    """

    games: int
    max_portion: int
    tables: RunTables
    tally: Tally
    interval: RunningInterval | None = None
    partial_run: PartialRun | None = None
    consumers: tuple[ResultConsumer, ...] = ()
    seconds: float = 0.0
    played_games: int = 0
    stop_reason: StopReason | None = None
    min_games: int = 1
    _pace: PortionPace = attrs.field(factory=lambda: PortionPace(1))
    _next: int = 0
    _early_results: dict[int, Result] = attrs.field(factory=dict)

    @property
    def max_games(self) -> int:
        """Maximum number of games to play, given the results so far."""
        if self.interval is not None and self.interval.end is not None:
            return self.interval.end
        return self.games

    @property
    def is_complete(self) -> bool:
        """True if all games of the run have been played and counted."""
        return self._next >= self.max_games

    def run(
        self, play: PlayPortions, display: RunDisplay, finish: WriteFiles | None = None
    ) -> None:
        """Play the missing games; if interrupted, set `stop_reason`.

        `finish` is called in any case, and signals are postponed until it returns.
        Exceptions of `play` are raised after all played games have been counted.
        """
        try:
            with SignalGuard() as stops:
                try:
                    self._run(play, display, stops)
                finally:
                    if finish is not None:
                        with stops.uninterrupted():
                            finish()
        except (RunStopped, TimeUp, WorkerLost, BotFailed) as stopped:
            self.stop_reason = None if self.is_complete else stopped
        finally:
            self._count_after_gap()

    def _run(
        self, play: PlayPortions, display: RunDisplay, signals: SignalGuard
    ) -> None:
        """Count the games of the partial run, then play the others."""
        self._count_stored(signals)
        started = time.perf_counter()
        self._pace = PortionPace(self.max_portion, self.min_games)
        try:
            self._play(play, display, signals)
        finally:
            self.seconds = time.perf_counter() - started

    def _count_stored(self, signals: SignalGuard) -> None:
        """Count the games that the partial run already contains."""
        if self.partial_run is None:
            return
        self.partial_run.write_header()
        for results in self.partial_run.results(self.games):
            with signals.uninterrupted():
                self._accept(results)

    def _play(
        self, play: PlayPortions, display: RunDisplay, signals: SignalGuard
    ) -> None:
        """Play the missing games."""
        if self.is_complete:
            return
        with (
            closing(play(self._missing_portions())) as played,  # type: ignore[type-var]
            closing(display(played, self)) as portions,  # type: ignore[type-var]
        ):
            for results in portions:
                with signals.uninterrupted():
                    if self.partial_run is not None:
                        self.partial_run.add(results)
                    self.played_games += len(results)
                    self._pace.played = self.played_games
                    self._accept(results)
                if self.is_complete:
                    return

    def _missing_portions(self) -> Iterator[range]:
        """Yield the portions that are not played yet."""
        missing: Iterable[range] = [range(self.games)]
        if self.partial_run is not None:
            missing = self.partial_run.missing_ranges(self.games)
        for numbers in missing:
            yield from self._pace.portions(numbers)

    # ---------------------------------------------------------------- order of games

    def _accept(self, results: Sequence[Result]) -> None:
        """Accept results in any order, and count those that are next in order."""
        for result in results:
            self._early_results[result.game] = result
        while not self.is_complete and self._next in self._early_results:
            self._count(self._early_results.pop(self._next))
            self._next += 1

    def _count_after_gap(self) -> None:
        """Count the remaining results despite gaps; no more results will arrive."""
        for number in sorted(self._early_results):
            if number < self.max_games:
                self._count(self._early_results[number], check_interval=False)
        self._early_results.clear()

    def _count(self, result: Result, *, check_interval: bool = True) -> None:
        """Count a game; with `check_interval` false, leave the interval unchanged."""
        self.tally.add(result)
        for consumer in self.consumers:
            consumer(result)
        if self.interval is not None and check_interval:
            column = self.interval.goal.column
            self.interval.add(column_value(self.tables, column.name, result))


def column_value(tables: RunTables, name: str, result: Result) -> float | None:
    """Return a game's value in a column as a number, or None if it has none."""
    _, read = tables.columns_with_mean[name]
    value = read(result)
    return value if isinstance(value, (int, float)) else None
