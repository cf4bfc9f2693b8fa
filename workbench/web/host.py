"""Host of all tables of a server: creates, loads, updates and unloads them.

Every read or write of a table requires its lock; waiting for a change does not. A
table that has not been used for a while is unloaded from memory, since the store
contains all of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import attrs

import rulebook as rb
from workbench.errors import RequestError
from workbench.web.hosting.background_tasks import REPEATED, BackgroundTasks
from workbench.web.hosting.bot_driver import BotDriver
from workbench.web.hosting.clock_timers import ClockTimers
from workbench.web.hosting.presence import Presence
from workbench.web.hosting.table_creation import (
    check_variant,
    make_room,
    new_table,
    rematch_table,
)
from workbench.web.hosting.worker_requests import WorkerRequests
from workbench.web.keys import is_valid_id
from workbench.web.storage.journal import LineKind
from workbench.web.storage.rulebooks import BOOK_CACHE
from workbench.web.storage.table_errors import (
    RulesChanged,
    StalePage,
    TableError,
    UnknownTable,
)
from workbench.web.storage.table_options import TableOptions
from workbench.web.storage.table_state import TableState
from workbench.web.store import Store, StoredTable, texts_digest
from workbench.web.table import Table
from workbench.web.thread_pools import ThreadPool, VisitorTurns
from workbench.web.worker_pool.base_table import RemoteTable
from workbench.web.worker_pool.pool import WorkerPool

T = TypeVar("T")
L = TypeVar("L", Table, RemoteTable, Table | RemoteTable)
DECISION_THREADS, PAGE_THREADS, LOADING_THREADS, READING_THREADS = 6, 4, 2, 2
"""Thread counts: for decisions, for pages, for loading tables, and for reading rules.

The threads for reading rules serve the lobby and new tables.
"""


@attrs.frozen
class HostLimits:
    """Limits of a server, set by its operator.

    `tables` is the maximum number of tables, and `lines` the maximum number of journal
    lines per table. A full server deletes tables that have been idle for `idle_seconds`
    seconds. At most `in_memory` tables are loaded; a table is unloaded after
    `unload_after` seconds without a request. Bots wait `bot_delay` seconds after each
    decision, and at most `workers` bots think at once. A seat without a connected
    browser counts as away after `away` seconds.
    """

    tables: int = 1_000
    idle_seconds: float = 30 * 24 * 3600.0
    lines: int = 20_000
    in_memory: int = 300
    unload_after: float = 900.0
    bot_delay: float = 0.7
    workers: int = 2
    away: float = 20.0
    bot_wait: float = 60.0
    """Seconds that a seat must stay away before a requested bot takes it over."""
    visitor_tasks: int = 24
    """Maximum number of queued page renderings, and of queued changes, per visitor."""


class Host:
    """Owner of all tables of a server.

    `games` and `bots` are the ones that the operator allows besides the shipped ones.
    All other rules are untrusted and run in `workers`. If `workers` is None, this
    process is itself a worker and runs all rules.
    """

    def __init__(
        self,
        store: Store,
        limits: HostLimits | None = None,
        games: Sequence[str] = (),
        bots: Sequence[str] = (),
        workers: WorkerPool | None = None,
    ) -> None:
        self.store = store
        self.workers = workers
        self.limits = HostLimits() if limits is None else limits
        self.games = tuple(games)
        self.bots = tuple(bots)
        self.tables: dict[str, Table | RemoteTable] = {}
        self._last_used: dict[str, float] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._unload_timer: asyncio.TimerHandle | None = None
        self._decision_threads = ThreadPool("table", DECISION_THREADS)
        self._page_threads = ThreadPool("page", PAGE_THREADS)
        self._decision_turns = VisitorTurns(self.limits.visitor_tasks)
        self._page_turns = VisitorTurns(self.limits.visitor_tasks)
        self._loading_threads = ThreadPool("load", LOADING_THREADS)
        self.reading_threads = ThreadPool("rules", READING_THREADS)
        self.requests = WorkerRequests(
            workers,
            store,
            self._decision_threads,
            make_room=self._make_room,
            on_change=self.announce_change,
            on_answer=self._start_bots,
        )
        self._tasks = BackgroundTasks(self.limits.away)
        self.presence = Presence(self.limits.away, self._on_presence_change)
        self.bot_driver = BotDriver(
            self,
            self.requests,
            self.presence,
            self._tasks,
            self.limits.bot_delay,
            self.limits.workers,
        )
        self.clock_timers = ClockTimers(self._on_clock_time)
        self._clock_checks: set[str] = set()

    # ------------------------------------------------------------ creation

    async def create_table(
        self,
        variant: str,
        options: Mapping[str, Any] | None = None,
        seats: Mapping[str, str] | int | None = None,
        seed: int | None = None,
        texts: Mapping[str, str] | None = None,
        record: str | None = None,
        table_options: TableOptions | None = None,
    ) -> tuple[Table, dict[str, str]]:
        """Create a table; return it and its keys: one per seat, `watch` and `owner`.

        `seats` is a number, or maps seats to `person` or a bot. With a `record`,
        the game continues from the end of the record, with new random numbers. Raises
        `LimitReached`, `UnknownBot`, `RequestError`, `UsageError`, `RulesError` and
        `RecordError`.
        """
        await self._decision_threads.run(self._make_room)
        made = await self.reading_threads.run(
            self._create,
            variant,
            dict(options or {}),
            seats,
            seed,
            texts,
            record,
            table_options or TableOptions(),
        )
        table, keys = made
        self._add_loaded(table)
        self.announce_change(table)
        return table, keys

    async def continue_record(
        self,
        variant: str,
        seats: Mapping[str, str],
        texts: Mapping[str, str] | None,
        record: str,
        client: str,
    ) -> tuple[str, dict[str, str]]:
        """Create a table that continues a record; return its id and keys.

        For untrusted rules, a worker creates the table, and its CPU time is charged to
        `client`. Raises `RequestDenied` and the errors of `create_table`.
        """
        arguments: dict[str, Any] = {"seats": seats, "texts": texts, "record": record}
        if not texts or await self.reading_threads.run(
            self._is_trusted, variant, texts
        ):
            table, keys = await self.create_table(variant, **arguments)
            return table.id, keys
        message = {"op": "new", "given": {"variant": variant, **arguments}}
        async with self.requests.turn(client):
            answer = await self.requests.exchange(None, message, client)
        return str(answer["id"]), dict(answer["keys"])

    def _make_room(self) -> None:
        """Delete idle tables if the server is full. May raise `LimitReached`."""
        make_room(self.store, self.limits.tables, self.limits.idle_seconds, self.tables)

    def _create(
        self,
        variant: str,
        options: dict[str, Any],
        seats: Mapping[str, str] | int | None,
        seed: int | None,
        texts: Mapping[str, str] | None,
        record: str | None,
        table_options: TableOptions,
    ) -> tuple[Table, dict[str, str]]:
        """Create and store a table; return it and its keys."""
        self.check_variant(variant, texts)
        book = (
            self._trusted_book(variant, texts)
            if texts
            else BOOK_CACHE.of_variant(variant)
        )
        if book is None:
            raise RequestError(
                "these rules are untrusted; only a worker process may run them"
            )
        stored, keys = new_table(
            variant, book, options, seats, seed, texts, record, self.bots, table_options
        )
        self.store.add(stored)
        return self._build_table(stored, book), keys

    async def rematch_of(self, id: str) -> Table:
        """Return the rematch of a table: a game with the same rules, seats and keys.

        The first call creates it; later calls return the existing rematch.
        """
        async with self.lock(id):
            table = await self.get_table(id)
            if table.rematch is not None:
                return await self.get_table(table.rematch)
            await self._decision_threads.run(self._make_room)
            new = await self.reading_threads.run(self._create_rematch, table)
            self._add_loaded(new)
            self.announce_change(table)
            self.announce_change(new)
            return new

    def _create_rematch(self, table: Table) -> Table:
        stored = rematch_table(table)
        table.add_rematch(stored)
        return self._build_table(stored, table.book)

    async def change_rules(
        self,
        id: str,
        texts: Mapping[str, str],
        trial: Mapping[str, Any],
        author: str = "",
        base_digest: str | None = None,
        **notice_values: Any,
    ) -> Table | RemoteTable:
        """Continue a table's game under changed rules, if its record is still valid.

        `trial` is the result of replaying the game under these rules in a worker.
        `author` is the seat that edited the rules, or empty. `base_digest` is the
        digest of the rules before the edit, if known. `notice_values` are values for
        the notice to the players. Raises `RulesChanged` if the edited rules have been
        replaced, and `StalePage` if the game has advanced.
        """
        async with self.lock(id):
            table = await self.get_any_table(id)
            if base_digest not in {None, texts_digest(table.texts)}:
                raise RulesChanged

            def apply_changes() -> None:
                is_over = bool(trial["over"])
                table.continue_under(
                    texts,
                    str(trial["record"]),
                    author,
                    is_over=is_over,
                    **notice_values,
                )

            await self._decision_threads.run(apply_changes)
            self._unload(id)
            new = await self.get_any_table(id)
        self.announce_change(new)
        return new

    def check_variant(self, variant: str, texts: Mapping[str, str] | None) -> None:
        """Raise `RequestError` unless a variant is shipped, allowed or has `texts`."""
        check_variant(variant, texts, self.games)

    # ------------------------------------------------------------ lookup

    async def get_table(self, id: str) -> Table:
        """Return a table whose rules run in this process.

        Raises `UnknownTable` if there is none, or `StalePage` if a worker runs its
        rules.
        """
        table = await self.get_any_table(id)
        if isinstance(table, RemoteTable):
            raise StalePage
        return table

    async def get_any_table(self, id: str) -> Table | RemoteTable:
        """Return a table, loading it if necessary, or raise `UnknownTable`."""
        if id not in self.tables:
            table = await self._loading_threads.run(self._load, id)
            if id not in self.tables:
                self._add_loaded(table)
            self._start_bots(self.tables[id])
        self._record_use(id)
        return self.tables[id]

    def _add_loaded(self, table: Table | RemoteTable) -> None:
        """Add a table to the loaded tables, and start its away and takeover timers."""
        self.tables[table.id] = table
        self._record_use(table.id)
        for seat_state in table.seats:
            if seat_state.bot is None and not seat_state.away:
                self._start_away_timer(table.id, seat_state.seat)
        self._start_takeover_timers(table)
        self._start_clock_timer(table)

    def _unload(self, id: str) -> None:
        """Unload a table and stop its worker."""
        self.tables.pop(id, None)
        self._last_used.pop(id, None)
        self.requests.stop_worker(id)

    def _load(self, id: str) -> Table | RemoteTable:
        stored = self.store.read(id) if is_valid_id(id) else None
        if stored is None:
            raise UnknownTable(table=id)
        rules = [
            line.content["rules"]
            for line in stored.lines
            if line.sort is LineKind.RULES
        ]
        texts = self.store.texts(rules[-1]) if rules else stored.texts
        book = self._trusted_book(stored.variant, texts)
        if book is None:
            return RemoteTable(self.store, stored, self.limits.lines)
        table = self._build_table(stored, book)
        update_clock(table)
        return table

    # ------------------------------------------------------------ untrusted rules

    def _trusted_book(
        self, variant: str, texts: Mapping[str, str]
    ) -> rb.Rulebook | None:
        """Return the rulebook of trusted texts, or None if the texts are untrusted.

        The server trusts the current texts of shipped games and of files that the
        operator named. A worker trusts any texts.
        """
        if self.workers is None:
            return BOOK_CACHE.from_texts(texts, variant)
        return BOOK_CACHE.matching_book(texts, variant, self.games)

    def _is_trusted(self, variant: str, texts: Mapping[str, str]) -> bool:
        """Return whether these texts may run in this process."""
        return self._trusted_book(variant, texts) is not None

    async def is_remote(self, id: str) -> bool:
        """Return whether a worker runs a table's rules; false if the id is unknown."""
        try:
            return isinstance(await self.get_any_table(id), RemoteTable)
        except UnknownTable:
            return False

    # ------------------------------------------------------------ changes

    def _build_table(self, stored: StoredTable, book: rb.Rulebook) -> Table:
        return Table(
            self.store, stored, book, max_lines=self.limits.lines, bots=self.bots
        )

    def lock(self, id: str) -> asyncio.Lock:
        """Return the lock of a table."""
        return self._locks.setdefault(id, asyncio.Lock())

    async def read_table(
        self, id: str, read: Callable[[Table | RemoteTable], T], visitor: str
    ) -> T:
        """Run a read-only function of a table, such as rendering; return its result.

        It runs in a thread, under the table's lock and in the visitor's queue. Raises
        `RequestDenied` if too many renderings of the visitor are queued.
        """
        async with self._page_turns.turn(visitor), self.lock(id):
            return await self._page_threads.run(read, await self.get_any_table(id))

    async def change_table(
        self, id: str, change: Callable[[Table], T], visitor: str | None = None
    ) -> T:
        """Change a table under its lock, and notify all waiting clients.

        The change runs in a thread because writing to disk takes time. Without a
        `visitor`, the server itself is the actor. Raises `RequestDenied` if too many
        changes of the visitor are queued, and `StalePage` if a worker now runs the
        table's rules.
        """
        turns = self._decision_turns
        turn = nullcontext() if visitor is None else turns.turn(visitor)
        async with turn, self.lock(id):
            return await self._change(await self.get_table(id), change)

    async def append_lines(
        self, id: str, append: Callable[[Table | RemoteTable], None]
    ) -> None:
        """Append journal lines about people, for example a name, to any table."""
        async with self.lock(id):
            await self._change(await self.get_any_table(id), append)

    async def _change(self, table: L, change: Callable[[L], T]) -> T:
        """Change a table, and notify all waiting clients."""
        before = table.version
        try:
            return await self._decision_threads.run(_apply_change, table, change)
        finally:
            if table.version != before:
                self.announce_change(table)

    # ------------------------------------------------------------ news

    def announce_change(self, table: Table | RemoteTable) -> None:
        """Notify clients that wait for a table to change, and start its due bots."""
        for future in self._waiting.pop(table.id, set()):
            if not future.done():
                future.set_result(None)
        self._start_bots(table)
        self._start_takeover_timers(table)
        self._start_clock_timer(table)

    async def wait_for_news(self, id: str, version: int) -> int:
        """Wait until the version of a table differs from *version*, then return it."""
        while True:
            table = await self.get_any_table(id)
            if table.version != version:
                return table.version
            future = asyncio.get_running_loop().create_future()
            waiting = self._waiting.setdefault(id, set())
            waiting.add(future)
            try:
                await future
            finally:
                waiting.discard(future)
                if not waiting and self._waiting.get(id) is waiting:
                    del self._waiting[id]

    # ------------------------------------------------------------ presence

    def _on_presence_change(self, id: str, seat: str) -> None:
        self._tasks.start(self._store_presence, id, seat)

    def _start_away_timer(self, id: str, seat: str) -> None:
        self.presence.start_timer(id, seat)

    def _start_takeover_timers(self, table: Table | RemoteTable) -> None:
        self.bot_driver.start_takeover_timers(table)

    def _start_bots(self, table: Table | RemoteTable) -> None:
        self.bot_driver.start(table)

    async def _store_presence(self, id: str, seat: str) -> None:
        """Store whether a seat is away."""

        def note_presence(table: Table | RemoteTable) -> None:
            table.set_away(seat, away=not self.presence.is_connected(id, seat))

        await self.append_lines(id, note_presence)

    # ------------------------------------------------------------ turn clocks

    async def start_clocks(self) -> None:
        """Start the timers of all tables whose clocks run, when the server starts."""
        for id, (settings, lines) in (
            await self._loading_threads.run(self.store.clock_lines)
        ).items():
            if id not in self.tables:
                clock = TableState.from_lines(lines).clock
                limit = TableOptions.from_settings(settings).clock
                self.clock_timers.set(id, clock.next_time(limit))

    def _start_clock_timer(self, table: Table | RemoteTable) -> None:
        """Start the timer of a table, unless its clocks are being checked already."""
        if table.id not in self._clock_checks:
            self.clock_timers.set(table.id, table.next_clock_time())

    def _on_clock_time(self, id: str) -> None:
        if id not in self._clock_checks:
            self._clock_checks.add(id)
            self._tasks.start(self._check_clock, id)

    async def _check_clock(self, id: str) -> None:
        """Store the notices and the decisions of bots that clocks make due."""
        try:
            await self.bot_driver.decide_for_late_seats(id)
            await self.append_lines(id, lambda table: table.add_clock_notices())
        except REPEATED:
            raise
        except BaseException:
            self._clock_checks.discard(id)
            raise
        self._clock_checks.discard(id)
        self._start_clock_timer(await self.get_any_table(id))

    # ------------------------------------------------------------ unloading

    def _record_use(self, id: str) -> None:
        """Record that a table was used, and schedule the unloading of idle tables."""
        self._last_used.pop(id, None)
        self._last_used[id] = time.monotonic()
        if len(self.tables) > self.limits.in_memory:
            self.unload_idle_tables()
        if self._unload_timer is None:
            loop = asyncio.get_running_loop()
            self._unload_timer = loop.call_later(
                self.limits.unload_after, self._schedule_unloading
            )

    def _schedule_unloading(self) -> None:
        self._unload_timer = None
        self.unload_idle_tables()
        if self._last_used:
            loop = asyncio.get_running_loop()
            self._unload_timer = loop.call_later(
                self.limits.unload_after, self._schedule_unloading
            )

    def unload_idle_tables(self) -> None:
        """Unload idle tables and, while too many are loaded, the least recently used.

        A table stays loaded while a client waits for its news, a bot thinks, or its
        lock is held.
        """
        now = time.monotonic()
        newest = next(reversed(self._last_used), None)
        for id, used in list(self._last_used.items()):
            is_crowded = len(self.tables) > self.limits.in_memory and id != newest
            if not is_crowded and now - used < self.limits.unload_after:
                return
            if not self._is_busy(id):
                self._unload(id)

    def _is_busy(self, id: str) -> bool:
        lock = self._locks.get(id)
        is_locked = lock is not None and lock.locked()
        return is_locked or id in self._waiting or self.bot_driver.is_playing(id)

    @property
    def loaded_count(self) -> int:
        """Number of loaded tables."""
        return len(self.tables)

    async def close(self) -> None:
        """Stop all tasks, timers, workers and threads. All data is already stored."""
        if self._unload_timer is not None:
            self._unload_timer.cancel()
        self.presence.close()
        self.clock_timers.close()
        await self.bot_driver.close()
        await self._tasks.close()
        await self.requests.close()
        for threads in (
            self._decision_threads,
            self._page_threads,
            self._loading_threads,
            self.reading_threads,
        ):
            threads.close()
        self.store.close()


def _apply_change(table: L, change: Callable[[L], T]) -> T:
    """Change a table, then update its clocks."""
    try:
        return change(table)
    finally:
        update_clock(table)


def update_clock(table: Table | RemoteTable) -> None:
    """Update the clocks of a table, unless a worker runs its rules.

    If this cannot be stored, the next change of the table repeats it.
    """
    if isinstance(table, Table):
        with suppress(TableError):
            table.update_clock()
