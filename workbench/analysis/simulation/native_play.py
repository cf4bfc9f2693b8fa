"""Native engine of a run, compiled while games are played if that saves time.

The interpreter plays until an engine of the first level has been compiled. That engine
plays until one of the best level has been compiled. Each compilation starts when the
remaining games would take longer than it, judged by the measured speed of the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from interpreter.c_engine import NoNativeEngine, PlayoutRunner, PlayoutSource
from workbench.analysis.simulation.processes import available_cores

PREPARATION_SECONDS = 0.5
"""Remaining seconds of the interpreter for which rules are translated to C."""

MEASURED_SECONDS = 0.2
"""Seconds for which an engine in C is measured before a compilation starts."""

WORTHWHILE_SHARE = 0.5
"""Share of the compiler's seconds that games must take to compile the best level.

It is less than 1, because later runs of the same rules use the same engine.
"""

URGENT_FACTOR = 2.0
"""Factor of the compiler's seconds above which the compiler has normal priority."""

Prepare = Callable[[], PlayoutSource | NoNativeEngine]


class NativePlay:
    """Native engine for a number of games; until it is ready, the interpreter plays.

    The process that collects the results reports their number, and starts the compiler.
    Forked processes only look for engines.
    """

    def __init__(
        self,
        source: PlayoutSource | None,
        games: int = 0,
        prepare: Prepare | None = None,
    ) -> None:
        """Use a source of engines, or prepare one if games turn out to take long."""
        self.source = source
        self.failure: str | None = None
        self._is_chosen = source is not None
        self._prepare = prepare
        self._left = games
        self._level = False, False
        self._played = 0
        self._seconds = 0.0
        self._since = time.perf_counter()
        self._has_retried = False

    @property
    def is_prepared(self) -> bool:
        """Whether the rules have been translated to C."""
        return self.source is not None

    @property
    def is_native(self) -> bool:
        """Whether the native engine was chosen from the beginning, or plays by now."""
        return (self._is_chosen and self.failure is None) or self.is_ready

    def runner(self) -> PlayoutRunner | None:
        """Return the latest runner of games in C, or None while there is none."""
        return None if self.source is None else self.source.find()

    @property
    def is_ready(self) -> bool:
        """Whether games can be played in C."""
        return self.runner() is not None

    def workers(self, jobs: int) -> int:
        """Return how many of *jobs* processes play, so that the compiler has a core."""
        is_short = self.source is not None and self.source.is_building
        if is_short and jobs >= available_cores() and not self.is_ready:
            return max(1, jobs - 1)
        return jobs

    def start(self) -> None:
        """Start to compile the first level, unless an engine is ready."""
        if self.source is not None and not self.is_ready:
            self.source.start(best=False)

    def resume(self) -> None:
        """Begin to measure the speed of the run, or go on after a break."""
        self._since = time.perf_counter()

    def note_results(self, count: int) -> None:
        """Count results, and start a compilation if it pays."""
        self._left -= count
        self._played += count
        before, self._since = self._since, time.perf_counter()
        self._seconds += self._since - before
        source = self.source
        level = self.is_ready, source is not None and source.is_best
        if self._left <= 0:
            self._finish()
        elif level != self._level:
            self._level, self._played, self._seconds = level, 0, 0.0
        elif source is None or not source.is_building:
            self._decide(self._seconds * self._left / self._played)

    def _decide(self, remaining: float) -> None:
        """Start a compilation if the remaining seconds are more than it takes."""
        source = self.source
        if source is None:
            if remaining > PREPARATION_SECONDS and self._prepare is not None:
                prepared, self._prepare = self._prepare(), None
                if isinstance(prepared, PlayoutSource):
                    self.source = prepared
        elif source.failure is not None:
            self._give_up(source.failure.reason)
        elif (reason := source.build_failure()) is not None:
            self._retry(source, reason)
        elif not self.is_ready:
            if remaining > source.expected_seconds(best=False):
                source.start(best=False)
        elif not source.is_best and self._seconds > MEASURED_SECONDS:
            expected = source.expected_seconds(best=True)
            if remaining > WORTHWHILE_SHARE * expected:
                patient = remaining < URGENT_FACTOR * expected
                source.start(best=True, patient=patient)

    def _retry(self, source: PlayoutSource, reason: str) -> None:
        """Compile the best level after the first one has failed, or give up."""
        if self.is_ready or self._has_retried:
            self._give_up(reason)
        else:
            self._has_retried = True
            source.start(best=True)

    def _give_up(self, reason: str) -> None:
        """Keep the engine; without one, the interpreter plays on."""
        if not self.is_ready:
            self.failure = reason

    def _finish(self) -> None:
        """Stop the compiler, unless games in C have taken long enough."""
        source = self.source
        if source is None or not source.is_building:
            return
        expected = source.expected_seconds(best=True)
        if self.is_ready and self._seconds > WORTHWHILE_SHARE * expected:
            source.leave_build()
        else:
            source.stop_build()
