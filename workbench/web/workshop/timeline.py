"""Timeline of a recorded game: its position at any event, from a few stored positions.

Positions are stored at regular intervals, and for recent requests. All others are
replayed from the nearest stored position before them, with the recorded chance
outcomes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from threading import Lock
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from workbench.errors import RequestError
from workbench.files.records.record_replay import game_and_events

Event = Mapping[str, Any]

MILESTONE_COUNT = 16
"""Approximate number of positions stored at regular intervals per game."""

MAX_RECENT_POSITIONS = 6
"""Number of recently requested positions that are cached per game."""

MAX_TIMELINES = 12
"""Maximum number of timelines in memory."""


class Timeline:
    """Game whose position can be shown at any event.

    `turns[n]` is the turn number after *n* events. `logs` caches descriptions of its
    events, and `summaries` summaries of the finished game.
    """

    def __init__(self, game: Game) -> None:
        start, events = game_and_events(game)
        self.book: Rulebook = game.book
        self.events: list[Event] = []
        self.turns: list[int] = [start.turn]
        self.logs: dict[Hashable, Any] = {}
        self.summaries: dict[Hashable, Any] = {}
        self._milestones: dict[int, Game] = {0: start}
        self._recent: OrderedDict[int, Game] = OrderedDict()
        self._last = start.copy()
        self._lock = Lock()
        self.append_events(events)

    def append_events(self, events: Sequence[Event]) -> None:
        """Append further events of the game."""
        interval = max(8, -(-(self.steps + len(events)) // MILESTONE_COUNT))
        for event in events:
            self._last.apply(event)
            self.events.append(event)
            self.turns.append(self._last.turn)
            if self.steps % interval == 0:
                self._milestones[self.steps] = self._last.copy()
        if len(self._milestones) > 2 * MILESTONE_COUNT:
            milestones = self._milestones.items()
            self._milestones = {n: game for n, game in milestones if n % interval == 0}

    def extend_if_matching(self, game: Game) -> bool:
        """Append a game's new events if its old ones match; return whether they do."""
        with self._lock:
            events, known_steps = game.events, self.steps
            is_same = (
                game.book is self.book and list(events[:known_steps]) == self.events
            )
            if is_same:
                self.append_events(events[known_steps:])
            return is_same

    @property
    def steps(self) -> int:
        """Number of events."""
        return len(self.events)

    @property
    def seats(self) -> tuple[str, ...]:
        """Seats of the game, in seating order."""
        return self._last.seats

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self._last.over

    def record(self, step: int) -> str:
        """Return the record of the game up to an event, with its chance outcomes."""
        return self.game_at(step).record

    @property
    def stored_count(self) -> int:
        """Number of stored positions."""
        return len(self._milestones) + len(self._recent)

    def game_at(self, step: int) -> Game:
        """Return a copy of the game after *step* events.

        Raises `RequestError` if it has fewer events.
        """
        if not 0 <= step <= self.steps:
            raise RequestError(f"event {step} is not in the range 0 to {self.steps}")
        with self._lock:
            if step == self.steps:
                return self._last.copy()
            game = self._recent.get(step) or self._milestones.get(step)
            if game is None:
                game = self._replay_to(step)
                self._recent[step] = game
                while len(self._recent) > MAX_RECENT_POSITIONS:
                    self._recent.popitem(last=False)
            elif step in self._recent:
                self._recent.move_to_end(step)
            return game.copy()

    def _replay_to(self, step: int) -> Game:
        """Return the game after *step* events, replayed from a stored position."""
        known = {**self._milestones, **self._recent}
        nearest = max(number for number in known if number <= step)
        game = known[nearest].copy()
        for event in self.events[nearest:step]:
            game.apply(event)
        return game


class TimelineCache:
    """Cache of the `max_timelines` most recently used timelines, by key."""

    def __init__(self, max_timelines: int = MAX_TIMELINES) -> None:
        self.max_timelines = max_timelines
        self._timelines: OrderedDict[Hashable, Timeline] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._timelines)

    def timeline_of(self, key: Hashable, game: Game) -> Timeline:
        """Return the timeline of a game, extended by the game's new events."""
        with self._lock:
            timeline = self._timelines.get(key)
        if timeline is not None and timeline.extend_if_matching(game):
            return timeline
        timeline = Timeline(game)
        with self._lock:
            self._timelines.pop(key, None)
            self._timelines[key] = timeline
            while len(self._timelines) > self.max_timelines:
                self._timelines.popitem(last=False)
        return timeline
