"""Timers of turn clocks: one for each table whose clocks run, loaded or not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from workbench.web.store import current_time

MAX_WAIT_SECONDS = 3600.0
"""Seconds after which a timer checks again, in case the system's clock was set."""


class ClockTimers:
    """Timers of tables; `on_time` is called with the id of a table when it is due."""

    def __init__(self, on_time: Callable[[str], None]) -> None:
        self.on_time = on_time
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def set(self, id: str, time: float | None) -> None:
        """Start the timer of a table, or stop it if *time* is None."""
        if (timer := self._timers.pop(id, None)) is not None:
            timer.cancel()
        if time is not None:
            wait = min(max(time - current_time(), 0.0), MAX_WAIT_SECONDS)
            loop = asyncio.get_running_loop()
            self._timers[id] = loop.call_later(wait, self._end, id)

    def _end(self, id: str) -> None:
        del self._timers[id]
        self.on_time(id)

    def close(self) -> None:
        """Stop all timers."""
        for timer in self._timers.values():
            timer.cancel()
