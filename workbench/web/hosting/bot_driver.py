"""Driver of a server's bots: seats requested bots, and runs bots that are due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

from workbench.web.hosting.background_tasks import BackgroundTasks
from workbench.web.hosting.presence import Presence
from workbench.web.hosting.worker_requests import WorkerRequests
from workbench.web.sessions import RequestDenied
from workbench.web.storage.table_errors import LimitReached, NotStored, UnknownTable
from workbench.web.storage.table_state import BotRequest
from workbench.web.table import Table
from workbench.web.thread_pools import ThreadPool
from workbench.web.worker_pool.base_table import RemoteTable
from workbench.web.worker_pool.pool import WorkerStopped

T = TypeVar("T")
MAX_STORE_WAIT_SECONDS = 60.0
FAST_SECONDS = 0.05
"""Seconds that fast bots wait, so that pages do not exceed their rate of requests."""
LOG = logging.getLogger(__name__)


class Tables(Protocol):
    """Protocol for the tables of a server, as the bot driver uses them."""

    def lock(self, id: str) -> asyncio.Lock:
        """Return the lock of a table."""

    async def get_any_table(self, id: str) -> Table | RemoteTable:
        """Return a table, or raise `UnknownTable`."""

    async def change_table(self, id: str, change: Callable[[Table], T]) -> T:
        """Change a table under its lock."""


class BotDriver:
    """Driver of the bots of all tables: one task per table with a bot that is due.

    Bots wait `bot_delay` seconds after a decision, or at most `FAST_SECONDS` if all
    connected players want fast bots. At most `max_threads` bots think at once.
    """

    def __init__(
        self,
        tables: Tables,
        requests: WorkerRequests,
        presence: Presence,
        tasks: BackgroundTasks,
        bot_delay: float,
        max_threads: int,
    ) -> None:
        self.tables = tables
        self.requests = requests
        self.presence = presence
        self.tasks = tasks
        self.bot_delay = bot_delay
        self._thinking = ThreadPool("bot", max_threads)
        self._drivers: dict[str, asyncio.Task[None]] = {}
        self._takeovers: dict[tuple[str, BotRequest], asyncio.TimerHandle] = {}

    def _delay(self, id: str) -> float:
        """Return the seconds that bots of a table wait after a decision."""
        is_fast = self.presence.wants_fast_bots(id)
        return min(self.bot_delay, FAST_SECONDS) if is_fast else self.bot_delay

    def is_playing(self, id: str) -> bool:
        """Return whether a task that plays the bots of a table is running."""
        return id in self._drivers

    # ------------------------------------------------------------ taking over seats

    def start_takeover_timers(self, table: Table | RemoteTable) -> None:
        """Start the timers after which requested bots replace absent players."""
        due = {(table.id, request) for request in table.due_bot_requests()}
        for key in [key for key in self._takeovers if key[0] == table.id]:
            if key not in due:
                self._takeovers.pop(key).cancel()
        loop = asyncio.get_running_loop()
        for key in due - self._takeovers.keys():
            wait = key[1].seconds
            self._takeovers[key] = loop.call_later(wait, self._start_takeover, key)

    def _start_takeover(self, key: tuple[str, BotRequest]) -> None:
        del self._takeovers[key]
        self.tasks.start(self._seat_requested_bot, *key)

    async def _seat_requested_bot(self, id: str, request: BotRequest) -> None:
        """Let a requested bot take over a seat unless its player is connected."""
        if self.presence.is_connected(id, request.seat):
            return
        table = await self.tables.get_any_table(id)
        if isinstance(table, Table):
            await self.tables.change_table(
                id, lambda table: table.seat_requested_bot(request)
            )
        elif request in table.due_bot_requests():
            message = {"op": "takeover", "number": request.number}
            async with self.requests.turn(table.charged_client), self.tables.lock(id):
                await self.requests.ask(table, message, table.charged_client)

    # ------------------------------------------------------------ late seats

    async def decide_for_late_seats(self, id: str) -> None:
        """Let a bot decide for each late seat of a table, if its options say so."""
        table = await self.tables.get_any_table(id)
        if isinstance(table, RemoteTable):
            await self._decide_remotely(table)
            return
        while True:
            async with self.tables.lock(id):
                task = table.late_task()
            if task is None:
                return
            action = await self._thinking.run(task.choose_action)
            await self.tables.change_table(
                id, partial(Table.apply_late_choice, task=task, action=action)
            )

    async def _decide_remotely(self, table: RemoteTable) -> None:
        """Let a worker decide for the late seats of a table, one after another."""
        client = table.charged_client or f"table {table.id}"
        version = -1
        while table.options.late_bot and table.late_seats() and table.version > version:
            version = table.version
            with suppress(WorkerStopped):
                async with self.requests.turn(client), self.tables.lock(table.id):
                    await self.requests.ask(table, {"op": "late"}, client)

    # ------------------------------------------------------------ playing

    def start(self, table: Table | RemoteTable) -> None:
        """Start the bot task of a table if a bot is due and no task is running."""
        driver = self._drivers.get(table.id)
        if (driver is None or driver.done()) and table.bot_is_due():
            task = asyncio.get_running_loop().create_task(self._play_bots(table.id))
            self._drivers[table.id] = task

    async def _play_bots(self, id: str) -> None:
        """Let the bots of a table play until a person must decide.

        If the store does not respond, retry with increasing delays.
        """
        wait = self._delay(id)
        try:
            while True:
                await asyncio.sleep(wait)
                try:
                    if not await self._play_one_bot(id):
                        return
                    wait = self._delay(id)
                except NotStored as error:
                    wait = min(max(wait, 1.0) * 2, MAX_STORE_WAIT_SECONDS)
                    LOG.warning("a bot's decision could not be stored: %s", error)
        except (UnknownTable, LimitReached):
            return
        finally:
            del self._drivers[id]

    async def _play_one_bot(self, id: str) -> bool:
        """Let one bot of a table decide; return whether another bot may be due."""
        async with self.tables.lock(id):
            table = await self.tables.get_any_table(id)
            task = table.bot_task() if isinstance(table, Table) else None
        if isinstance(table, RemoteTable):
            return await self._play_remote_bot(table)
        if task is None:
            return False
        action = await self._thinking.run(task.choose_action)
        await self.tables.change_table(
            id, lambda table: table.apply_bot_choice(task, action)
        )
        return True

    async def _play_remote_bot(self, table: RemoteTable) -> bool:
        """Let a worker decide for a bot; return whether another bot is due.

        The work is charged to the client that acted last.
        """
        try:
            async with (
                self.requests.turn(table.charged_client),
                self.tables.lock(table.id),
            ):
                if table.bot_is_due():
                    await self.requests.ask(table, {"op": "bot"}, table.charged_client)
        except WorkerStopped:
            table.halt_bots()
        except RequestDenied as busy:
            await asyncio.sleep(busy.gaps.get("seconds", 1))
        return table.bot_is_due()

    async def close(self) -> None:
        """Stop all timers, tasks and threads."""
        for timer in self._takeovers.values():
            timer.cancel()
        tasks = list(self._drivers.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinking.close()
