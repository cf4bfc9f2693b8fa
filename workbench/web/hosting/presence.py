"""Presence of players: which seats have a connected browser, and which are away.

It also records which of these browsers want fast bots.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

Place = tuple[str, str]
"""Pair of a table's id and the name of a seat."""


class Presence:
    """Registry of connected browsers, by table and seat.

    `on_change` is called with a table's id and a seat. This happens when the seat's
    first browser connects, and `away_after` seconds after the last one disconnects.
    """

    def __init__(
        self, away_after: float, on_change: Callable[[str, str], None]
    ) -> None:
        self.away_after = away_after
        self.on_change = on_change
        self._browsers: dict[Place, int] = {}
        self._paces: Counter[tuple[str, bool]] = Counter()
        self._away_timers: dict[Place, asyncio.TimerHandle] = {}

    def is_connected(self, id: str, seat: str) -> bool:
        """Return whether a browser of a seat is connected."""
        return (id, seat) in self._browsers

    def wants_fast_bots(self, id: str) -> bool:
        """Return whether all connected browsers of a table want fast bots.

        Return False if none is connected.
        """
        return self._paces[id, True] > 0 == self._paces[id, False]

    def add_browser(self, id: str, seat: str, *, is_fast: bool = False) -> None:
        """Record that a browser of a seat has connected; *is_fast* asks for fast bots.

        Each call must be followed by a call of `remove_browser` with equal arguments.
        """
        place = (id, seat)
        self._paces[id, is_fast] += 1
        self._browsers[place] = self._browsers.get(place, 0) + 1
        if (timer := self._away_timers.pop(place, None)) is not None:
            timer.cancel()
        if self._browsers[place] == 1:
            self.on_change(id, seat)

    def remove_browser(self, id: str, seat: str, *, is_fast: bool = False) -> None:
        """Record that a browser of a seat has disconnected.

        When the last one disconnects, a timer starts that marks the seat as away.
        """
        place = (id, seat)
        self._paces[id, is_fast] -= 1
        if not self._paces[id, is_fast]:
            del self._paces[id, is_fast]
        self._browsers[place] = self._browsers.get(place, 1) - 1
        if not self._browsers[place]:
            del self._browsers[place]
            self.start_timer(id, seat)

    def start_timer(self, id: str, seat: str) -> None:
        """Start the timer that marks a seat as away, unless a browser is connected."""
        place = (id, seat)
        if place in self._browsers or place in self._away_timers:
            return

        def on_timeout() -> None:
            del self._away_timers[place]
            self.on_change(id, seat)

        loop = asyncio.get_running_loop()
        self._away_timers[place] = loop.call_later(self.away_after, on_timeout)

    def close(self) -> None:
        """Stop all timers."""
        for timer in self._away_timers.values():
            timer.cancel()
