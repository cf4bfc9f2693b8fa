"""Recorder of traces in the interpreter, which replays games from action indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

import attrs

from interpreter.core.layout import ACTIVE, ROUND, TURN
from interpreter.measure.traces.recorded_cells import (
    END_COLUMNS,
    NOBODY,
    recorded_cells,
)
from interpreter.measure.traces.trace import (
    BEGINNING,
    BY_CHANCE,
    CHANGE,
    EVENT,
    Trace,
    numpy,
    turn_width,
)
from interpreter.plan.units import Unit
from interpreter.state.state import SWITCH, State
from interpreter.state.wait_points import Decision

NEXT_TURN = 1
"""Number of the step between two turns in the bottom unit."""


class TracedEvents(list[Any]):
    """List of a state's chance events that calls a function before each new event."""

    def __init__(self, on_event: Callable[[], None]) -> None:
        super().__init__()
        self._on_event = on_event

    def append(self, event: Any) -> None:
        """Call the function, then add the event."""
        self._on_event()
        super().append(event)


class TraceRecorder:
    """Recorder of the trace of one game."""

    def __init__(self, state: State) -> None:
        plan = state.plan
        self.state = state
        self.plan = plan
        self.cells = [seen.cell for seen in recorded_cells(plan)]
        self.last = [state.s[cell] for cell in self.cells]
        self.events: list[tuple[int, ...]] = []
        self.changes: list[tuple[int, ...]] = []
        self.turns: list[tuple[int, ...]] = []
        units = [traced_unit(plan.units[0], self.record_turn), *plan.units[1:]]
        state.plan = attrs.evolve(plan, units=units)
        state.events = TracedEvents(self.record_chance)
        self.record_event(BEGINNING, NOBODY, 0)

    def record_changes(self) -> None:
        """Record the cells that have changed, as effects of the last event."""
        s, last = self.state.s, self.last
        now = [s[cell] for cell in self.cells]
        if now != last:
            event = len(self.events) - 1
            for place, (was, is_now) in enumerate(zip(last, now, strict=True)):
                if was != is_now:
                    self.changes.append((event, place, was, is_now))
            self.last = now

    def record_event(self, index: int, seat: int, legal: int) -> None:
        """Record an event: action index, seat, number of legal actions."""
        self.record_changes()
        self.events.append((index, seat, legal, self.state.s[TURN]))

    def record_chance(self) -> None:
        """Record an outcome of chance."""
        self.record_event(BY_CHANCE, self.state.s[ACTIVE], 0)

    def record_turn(self) -> None:
        """Record the end of a turn, or of the game."""
        s, plan = self.state.s, self.plan
        points = [plan.points(s, seat) for seat in range(plan.players)]
        measures = plan.model.measures.values()
        values = [
            value(s, seat)
            for measure, value in zip(measures, plan.measures, strict=True)
            for seat in (range(plan.players) if measure.each_player else (NOBODY,))
        ]
        counters = (len(self.events), s[TURN], s[ROUND], s[ACTIVE])
        self.turns.append((*counters, *points, *values))

    def play(self, indices: Iterable[int]) -> None:
        """Continue the game with these action indices, and record it."""
        state = self.state
        state.run()
        for index in map(int, indices):
            waiting = state.waiting
            assert isinstance(waiting, Decision)
            seat, legal = waiting.seat(state), state.legal
            if legal is None:
                legal = waiting.legal(state, state.s, state.frames[-1])
            self.record_event(index, seat, len(legal))
            waiting.decide(state, index)

    def trace(self) -> Trace:
        """Return the trace of the game up to now."""
        self.record_changes()
        self.record_turn()
        numbers = numpy()

        def rows(listed: list[tuple[int, ...]], width: int, kind: str) -> Any:
            return numbers.array(listed, kind).reshape(len(listed), width)

        end = [*[self.state.s[cell] for cell in END_COLUMNS], *self.last]
        return Trace(
            rows(self.events, len(EVENT), "int32"),
            rows(self.changes, len(CHANGE), "int32"),
            rows(self.turns, turn_width(self.plan), "int64"),
            numbers.array([end], "int64"),
            numbers.array(
                [[len(self.events), len(self.changes), len(self.turns)]], "int64"
            ),
        )


def traced_unit(unit: Unit, on_turn_end: Callable[[], None]) -> Unit:
    """Return the bottom unit with a call of *on_turn_end* at the end of each turn."""
    traced, usual = copy(unit), unit.steps[NEXT_TURN]

    def step(g: State, s: list[Any], f: list[Any]) -> int:
        if g.triggers and g.settle(f, NEXT_TURN):
            return SWITCH
        if s[TURN]:
            on_turn_end()
        return usual(g, s, f)

    traced.steps = [*unit.steps]
    traced.steps[NEXT_TURN] = step
    return traced
