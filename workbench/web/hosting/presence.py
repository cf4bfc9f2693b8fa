"""Presence of players: which seats have a connected browser, and which are away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Place = tuple[str, str]
"""Seat at a table: the id of the table, and the name of the seat."""


class Presence:
    """Connected browsers of the seats of all tables.

    `on_change` runs when a seat's first browser connects, and `away_after` seconds
    after the last one has disconnected.
    """

    def __init__(
        self, away_after: float, on_change: Callable[[str, str], None]
    ) -> None:
        self.away = away_after
        self.changed = on_change
        self._browsers: dict[Place, int] = {}
        self._leaving: dict[Place, asyncio.TimerHandle] = {}

    def is_connected(self, id: str, seat: str) -> bool:
        """Return whether a browser of a seat is connected."""
        return (id, seat) in self._browsers

    def add_browser(self, id: str, seat: str) -> None:
        """Record that a browser of a seat has connected.

        Each call must be followed by a call of `remove_browser`.
        """
        at = (id, seat)
        self._browsers[at] = self._browsers.get(at, 0) + 1
        if (timer := self._leaving.pop(at, None)) is not None:
            timer.cancel()
        if self._browsers[at] == 1:
            self.changed(id, seat)

    def remove_browser(self, id: str, seat: str) -> None:
        """Record that a browser of a seat has disconnected.

        When the last one disconnects, a timer starts that marks the seat as away.
        """
        at = (id, seat)
        self._browsers[at] = self._browsers.get(at, 1) - 1
        if not self._browsers[at]:
            del self._browsers[at]
            self.start_timer(id, seat)

    def start_timer(self, id: str, seat: str) -> None:
        """Start the timer that marks a seat as away, unless a browser is connected."""
        at = (id, seat)
        if at in self._browsers or at in self._leaving:
            return

        def on_timeout() -> None:
            del self._leaving[at]
            self.changed(id, seat)

        loop = asyncio.get_running_loop()
        self._leaving[at] = loop.call_later(self.away, on_timeout)

    def close(self) -> None:
        """Stop all timers."""
        for timer in self._leaving.values():
            timer.cancel()
