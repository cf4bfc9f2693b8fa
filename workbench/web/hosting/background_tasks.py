"""Background tasks of the server, each retried until its result is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from workbench.web.sessions import RequestDenied
from workbench.web.storage.table_errors import (
    LimitReached,
    NotStored,
    StalePage,
    UnknownBot,
    UnknownTable,
)
from workbench.web.worker_pool.pool import WorkerStopped

REPEATED = (NotStored, StalePage, RequestDenied)
"""Errors after which a task is repeated."""


class BackgroundTasks:
    """Set of running tasks, retried after `retry_delay` seconds if storing fails."""

    def __init__(self, retry_delay: float) -> None:
        self.retry_delay = retry_delay
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, action: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Start an action, and repeat it until the store and the workers accept it."""
        coroutine = self._repeat_until_stored(action, *args)
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _repeat_until_stored(
        self, action: Callable[..., Awaitable[None]], *args: Any
    ) -> None:
        while True:
            try:
                await action(*args)
            except (UnknownTable, LimitReached, UnknownBot, WorkerStopped):
                return
            except REPEATED:
                await asyncio.sleep(self.retry_delay)
            else:
                return

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
