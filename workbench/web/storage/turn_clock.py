"""Turn clock: how long each seat has had for its current decision.

Times are seconds since the epoch, so that a restarted server continues the clocks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import attrs

MAX_SPENT = 200
"""Maximum number of decisions whose times are stored for a later undo."""


@attrs.frozen
class RunningClock:
    """Clock of a seat that must decide.

    `line` is the last journal line that affects the decision. `started` precedes the
    decision if the seat has undone another one: the time spent on it counts.
    """

    line: int
    started: float
    is_reminded: bool = False
    is_late: bool = False


@attrs.frozen
class TurnClock:
    """Clocks of the seats that must decide, and the times of earlier decisions.

    `spent` maps the first line of a decision to its seat and its seconds. `carried`
    contains the seconds that seats have spent on decisions that have been undone.
    """

    running: Mapping[str, RunningClock] = {}
    spent: Mapping[int, tuple[str, float]] = {}
    carried: Mapping[str, float] = {}

    def changes(
        self, due: Mapping[str, int], decided: Mapping[str, int], now: float
    ) -> dict[str, Any] | None:
        """Return the content of a journal line that updates the clocks, or None.

        `due` maps each seat that must decide to the last line that affects its
        decision; `decided` maps seats to the first lines of their last decisions.
        """
        running, spent = {}, {}
        for seat, clock in self.running.items():
            if due.get(seat) != clock.line and decided.get(seat, 0) > clock.line:
                spent[decided[seat]] = [seat, round(now - clock.started, 3)]
        for seat, line in due.items():
            clock = self.running.get(seat, RunningClock(line, now))
            if clock.line != line and decided.get(seat, 0) > clock.line:
                clock = RunningClock(line, now)
            started = clock.started - self.carried.get(seat, 0.0)
            running[seat] = [line, round(started, 3)]
        before = {s: [clock.line, clock.started] for s, clock in self.running.items()}
        if running == before and self.carried.keys().isdisjoint(due):
            return None
        return {"running": running, "spent": spent}

    def update(self, content: Mapping[str, Any]) -> TurnClock:
        """Return the clock after a journal line with the result of `changes`."""
        running = {}
        for seat, (line, started) in content["running"].items():
            running[seat] = RunningClock(line, started)
            before = self.running.get(seat)
            if before is not None and before.started == started:
                running[seat] = attrs.evolve(before, line=line)
        spent = {**self.spent}
        for number, (seat, seconds) in content["spent"].items():
            spent[int(number)] = (seat, seconds)
        carried = {s: time for s, time in self.carried.items() if s not in running}
        return TurnClock(running, dict(list(spent.items())[-MAX_SPENT:]), carried)

    def withdraw(self, lines: Collection[int]) -> TurnClock:
        """Return the clock after the decisions with these first lines were undone."""
        carried = {**self.carried}
        for number, (seat, seconds) in self.spent.items():
            if number in lines:
                carried[seat] = carried.get(seat, 0.0) + seconds
        spent = {n: times for n, times in self.spent.items() if n not in lines}
        return attrs.evolve(self, spent=spent, carried=carried)

    def move(self, line: int, new: int) -> TurnClock:
        """Return the clock after an advance decision was made in line *new*."""
        if line not in self.spent:
            return self
        spent = {
            new if number == line else number: times
            for number, times in self.spent.items()
        }
        return attrs.evolve(self, spent=spent)

    def mark(self, seat: str, **flags: bool) -> TurnClock:
        """Return the clock with flags of a seat's running clock changed."""
        if seat not in self.running:
            return self
        clock = attrs.evolve(self.running[seat], **flags)
        return attrs.evolve(self, running={**self.running, seat: clock})

    def next_time(self, limit: float) -> float | None:
        """Return the time of the next reminder or end of a decision's time, or None."""
        times = [
            clock.started + (limit if clock.is_reminded else limit / 2)
            for clock in self.running.values()
            if not clock.is_late
        ]
        return min(times, default=None)

    def seats_after(self, seconds: float, now: float) -> tuple[str, ...]:
        """Return the seats that have had *seconds* for their decisions by now."""
        return tuple(
            seat
            for seat, clock in self.running.items()
            if now - clock.started >= seconds
        )
