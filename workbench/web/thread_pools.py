"""Thread pools for slow work, one per kind, so that none blocks another."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar
from weakref import WeakValueDictionary

from workbench.web.sessions import RequestDenied

T = TypeVar("T")
RETRY_SECONDS = 2
"""Seconds after which a rejected client may try again."""


class ThreadPool:
    """Thread pool for one kind of work.

    If `max_tasks` tasks already run or wait, further ones are rejected.
    """

    def __init__(
        self, name: str, max_threads: int, max_tasks: int | None = None
    ) -> None:
        self._threads = ThreadPoolExecutor(max_threads, name)
        self._max_tasks = max_tasks
        self._waiting = 0

    async def run(self, function: Callable[..., T], *args: object) -> T:
        """Return the result of a function run in a thread, or raise `RequestDenied`."""
        if self._max_tasks is not None and self._waiting >= self._max_tasks:
            raise RequestDenied(429, "too_often", seconds=RETRY_SECONDS)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, function, *args)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Shut down the pool: no further tasks start."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class VisitorTurns:
    """Queues for slow work: one task per visitor runs at a time.

    A visitor who sends many tasks therefore delays others by at most one task.
    """

    def __init__(self, max_tasks: int) -> None:
        self._max_tasks = max_tasks
        self._tasks: Counter[str] = Counter()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, visitor: str) -> AsyncIterator[None]:
        """Wait for the visitor's turn, and hold it within the block.

        Raises `RequestDenied` if `max_tasks` tasks of the visitor already run or wait.
        """
        if self._tasks[visitor] >= self._max_tasks:
            raise RequestDenied(429, "too_often", seconds=RETRY_SECONDS)
        self._tasks[visitor] += 1
        try:
            async with self._locks.setdefault(visitor, asyncio.Lock()):
                yield
        finally:
            self._tasks[visitor] -= 1
            if not self._tasks[visitor]:
                del self._tasks[visitor]
