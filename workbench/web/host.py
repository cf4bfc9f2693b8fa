"""Host of all tables of a server: creates, loads, updates and unloads them.

Every read or write of a table holds the table's lock. Clients that wait for news hold
no lock. A table that has not been used for a while is unloaded from memory; the store
contains all of it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import attrs

import rulebook as rb
import variants
from interpreter import Game, read_header
from rulebook import tooling
from workbench.bots.randomness import random_seed
from workbench.errors import Refused
from workbench.files.records.origins import continued_game
from workbench.web.keys import digest_of as key_digest
from workbench.web.keys import is_id, keys_of, new_id, new_key
from workbench.web.sandbox.rule_texts import texts_of
from workbench.web.sessions import Denied
from workbench.web.storage import journal as lines
from workbench.web.storage.bot_players import check_bot_name
from workbench.web.storage.journal import LineKind
from workbench.web.storage.rulebooks import BOOK_CACHE, is_shipped
from workbench.web.storage.table_errors import (
    LimitReached,
    NotStored,
    RulesChanged,
    StalePage,
    UnknownBot,
    UnknownTable,
    WriteConflict,
)
from workbench.web.storage.table_seats import PERSON
from workbench.web.storage.table_state import BotRequest
from workbench.web.store import (
    Store,
    StoredKey,
    StoredTable,
    current_time,
    texts_digest,
)
from workbench.web.table import Table
from workbench.web.thread_pools import ThreadPool, VisitorTurns
from workbench.web.worker_pool.ledger import RemoteTable
from workbench.web.worker_pool.pool import WorkerPool, WorkerStopped
from workbench.web.worker_pool.remote_store import (
    ADD,
    error_data,
    from_data,
    lines_of,
    rows_of,
    to_data,
)

T = TypeVar("T")
L = TypeVar("L", Table, RemoteTable, Table | RemoteTable)
MAX_STORE_WAIT_SECONDS = 60.0
DECISION_THREADS, PAGE_THREADS, LOADING_THREADS, READING_THREADS = 6, 4, 2, 2
"""Thread counts: for decisions, for pages, for loading tables, and for reading rules.

Rules are read for the lobby and for new tables.
"""
LOG = logging.getLogger(__name__)


@attrs.frozen
class HostLimits:
    """Limits of a server, set by its operator.

    `tables` is the maximum number of tables, and `lines` the maximum number of journal
    lines per table. A full server deletes tables that have been idle for `unused`
    seconds. At most `in_memory` tables are loaded; a table is unloaded after `rest`
    seconds without a request. Bots wait `pace` seconds after each decision, and at most
    `workers` bots think at once. A seat without a connected browser counts as away
    after `away` seconds.
    """

    tables: int = 1_000
    unused: float = 30 * 24 * 3600.0
    lines: int = 20_000
    in_memory: int = 300
    rest: float = 900.0
    pace: float = 0.7
    workers: int = 2
    away: float = 20.0
    bot_wait: float = 60.0
    """Seconds that a seat must stay away before a requested bot takes it over."""
    visitor_tasks: int = 24
    """Maximum number of page renderings, and of changes, queued per visitor."""


class Host:
    """Owner of all tables of a server.

    `games` and `bots` are those the operator allows besides the shipped ones. All other
    rules are untrusted and run in `workers`. If `workers` is None, this process is
    itself a worker and runs all rules.
    """

    def __init__(
        self,
        store: Store,
        bounds: HostLimits | None = None,
        games: Sequence[str] = (),
        bots: Sequence[str] = (),
        workers: WorkerPool | None = None,
    ) -> None:
        self.store = store
        self.workers = workers
        self.bounds = HostLimits() if bounds is None else bounds
        self.games = tuple(games)
        self.bots = tuple(bots)
        self.tables: dict[str, Table | RemoteTable] = {}
        self._used: dict[str, float] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._drivers: dict[str, asyncio.Task[None]] = {}
        self._there: dict[tuple[str, str], int] = {}
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._takeovers: dict[tuple[str, BotRequest], asyncio.TimerHandle] = {}
        self._resting: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking = ThreadPool("bot", self.bounds.workers)
        self._deciding = ThreadPool("table", DECISION_THREADS)
        self._showing = ThreadPool("page", PAGE_THREADS)
        self._deciding_turns = VisitorTurns(self.bounds.visitor_tasks)
        self._showing_turns = VisitorTurns(self.bounds.visitor_tasks)
        self._loading = ThreadPool("load", LOADING_THREADS)
        self.reading = ThreadPool("rules", READING_THREADS)

    # ------------------------------------------------------------ creation

    async def create_table(
        self,
        variant: str,
        options: Mapping[str, Any] | None = None,
        seats: Mapping[str, str] | int | None = None,
        seed: int | None = None,
        texts: Mapping[str, str] | None = None,
        record: str | None = None,
    ) -> tuple[Table, dict[str, str]]:
        """Create a table; return it and its keys: one per seat, `watch` and `owner`.

        `seats` is a number, or maps each seat to `person` or a bot. With a `record`,
        the game continues from the end of the record, with new random numbers. Raises
        `LimitReached`, `UnknownBot`, `Refused`, `UsageError`, `RulesError` and
        `RecordError`.
        """
        await self._deciding.run(self._make_room)
        made = await self.reading.run(
            self._create, variant, dict(options or {}), seats, seed, texts, record
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

        For untrusted rules, a worker creates the table, and `client` is the client that
        waits for it. Raises `Denied` and the errors of `create_table`.
        """
        given: dict[str, Any] = {"seats": seats, "texts": texts, "record": record}
        if not texts or await self.reading.run(self._is_trusted, variant, texts):
            table, keys = await self.create_table(variant, **given)
            return table.id, keys
        message = {"op": "new", "given": {"variant": variant, **given}}
        async with self.worker_turn(client):
            told = await self._exchange(None, message, client, None)
        return str(told["id"]), dict(told["keys"])

    def _make_room(self) -> None:
        """Delete idle tables if the server is full, to make room for a new one.

        Raises `LimitReached` if too few tables are idle.
        """
        many = self.store.count() - self.bounds.tables + 1
        if many <= 0:
            return
        unused = self.store.unused_tables(current_time() - self.bounds.unused)
        going = [id for id in unused if id not in self.tables][:many]
        if len(going) < many:
            raise LimitReached
        for id in going:
            self.store.remove(id)

    def _create(
        self,
        variant: str,
        options: dict[str, Any],
        seats: Mapping[str, str] | int | None,
        seed: int | None,
        texts: Mapping[str, str] | None,
        record: str | None,
    ) -> tuple[Table, dict[str, str]]:
        """Create and store a table; return it and its keys."""
        self.check_variant(variant, texts)
        book = (
            self._trusted_book(variant, texts)
            if texts
            else BOOK_CACHE.of_variant(variant)
        )
        if book is None:
            raise Refused(
                "these rules are untrusted; only a worker process may run them"
            )
        seed = random_seed() if seed is None else seed
        if record is None:
            players = _player_count(book, seats)
            game = Game.start(book, players=players, seed=seed, options=options)
        else:
            game = _continued_game(record, book, seed)
        who = _players_by_seat(game, seats)
        for bot in who.values():
            if bot != PERSON:
                check_bot_name(bot, self.bots)
        opens = keys_of(new_key(), game.seats)
        kept = _stored_table(variant, book, game, texts, who, opens)
        self.store.add(kept)
        keys = {seat or sort: key for (sort, seat), key in opens.items()}
        return self._build_table(kept, book), keys

    async def rematch_of(self, id: str) -> Table:
        """Return the rematch of a table: the same rules, seats and keys.

        Creates it on the first call; later calls return the existing rematch.
        """
        async with self.lock(id):
            table = await self.get_table(id)
            if table.rematch is not None:
                return await self.get_table(table.rematch)
            await self._deciding.run(self._make_room)
            new = await self.reading.run(self._create_rematch, table)
            self._add_loaded(new)
            self.announce_change(table)
            self.announce_change(new)
            return new

    def _create_rematch(self, table: Table) -> Table:
        texts, game, book = table.texts, table.game, table.book
        board = game.given_board
        start = Game.start(
            book,
            players=game.players,
            seed=random_seed(),
            options=game.options,
            board=board,
        )
        kept = _stored_table(table.variant, book, start, texts, {}, {})
        kept = attrs.evolve(kept, keys=table.kept.keys)
        table.add_rematch(kept)
        return self._build_table(kept, book)

    async def change_rules(
        self,
        id: str,
        texts: Mapping[str, str],
        trial: Mapping[str, Any],
        by: str = "",
        base_digest: str | None = None,
        **gaps: Any,
    ) -> Table | RemoteTable:
        """Continue a table's game under changed rules, if its record is still valid.

        `trial` is the result of replaying the game under these rules in a worker.
        `base_digest` is the digest of the rules that were edited, if known. `gaps` are
        values for the notice that players see. Raises `RulesChanged` if those rules are
        no longer in force, and `StalePage` if the game has advanced.
        """
        async with self.lock(id):
            table = await self.get_ledger(id)
            if base_digest not in {None, texts_digest(table.texts)}:
                raise RulesChanged

            def changed() -> None:
                over = bool(trial["over"])
                table.continue_under(texts, str(trial["record"]), by, over=over, **gaps)

            await self._deciding.run(changed)
            self._unload(id)
            new = await self.get_ledger(id)
        self.announce_change(new)
        return new

    def check_variant(self, variant: str, texts: Mapping[str, str] | None) -> None:
        """Raise `Refused` unless a variant is shipped, allowed or given by `texts`."""
        if not (texts or variant in self.games or is_shipped(variant)):
            known = {*variants.names(), *variants.house_rules(), *self.games}
            near = tooling.nearest(variant, sorted(known))
            help = f"did you mean `{near}`?" if near else None
            raise Refused(f"there is no game `{variant}`", help)

    # ------------------------------------------------------------ lookup

    async def get_table(self, id: str) -> Table:
        """Return a table whose rules run in this process.

        Raises `UnknownTable` if there is none, or `StalePage` if a worker runs its
        rules.
        """
        table = await self.get_ledger(id)
        if isinstance(table, RemoteTable):
            raise StalePage
        return table

    async def get_ledger(self, id: str) -> Table | RemoteTable:
        """Return a table, loading it if necessary, or raise `UnknownTable`."""
        if id not in self.tables:
            table = await self._loading.run(self._load, id)
            if id not in self.tables:
                self._add_loaded(table)
            self._start_bots(self.tables[id])
        self._note_use(id)
        return self.tables[id]

    def _add_loaded(self, table: Table | RemoteTable) -> None:
        """Add a loaded table, and start the timers of its absent seats."""
        self.tables[table.id] = table
        self._note_use(table.id)
        for place in table.seats:
            if place.bot is None and not place.away:
                self._start_away_timer(table.id, place.seat)
        self._start_takeover_timers(table)

    def _unload(self, id: str) -> None:
        """Unload a table and stop its worker."""
        self.tables.pop(id, None)
        self._used.pop(id, None)
        self.end_worker(id)

    def _load(self, id: str) -> Table | RemoteTable:
        kept = self.store.read(id) if is_id(id) else None
        if kept is None:
            raise UnknownTable(table=id)
        rules = [
            line.content["rules"] for line in kept.lines if line.sort is LineKind.RULES
        ]
        texts = self.store.texts(rules[-1]) if rules else kept.texts
        book = self._trusted_book(kept.variant, texts)
        if book is None:
            return RemoteTable(self.store, kept, self.bounds.lines)
        return self._build_table(kept, book)

    # ------------------------------------------------------------ untrusted rules

    def _trusted_book(
        self, variant: str, texts: Mapping[str, str]
    ) -> rb.Rulebook | None:
        """Return the rulebook of trusted texts, or None if the texts are untrusted.

        The server trusts the current texts of shipped games and of files that the
        operator named. A worker trusts any texts.
        """
        if self.workers is None:
            return BOOK_CACHE.of_texts(texts, variant)
        return BOOK_CACHE.matching_book(texts, variant, self.games)

    def _is_trusted(self, variant: str, texts: Mapping[str, str]) -> bool:
        """Return whether these texts may run in this process."""
        return self._trusted_book(variant, texts) is not None

    async def is_remote(self, id: str) -> bool:
        """Return whether a worker runs the rules of a table; false if it is unknown."""
        try:
            return isinstance(await self.get_ledger(id), RemoteTable)
        except UnknownTable:
            return False

    def end_worker(self, key: Hashable) -> None:
        """Stop the worker with a key, if there is one."""
        if self.workers is not None:
            self.workers.end(key)

    def worker_turn(self, client: str) -> AbstractAsyncContextManager[None]:
        """Return a context manager that waits for a client's turn to use a worker.

        Entering it may raise `Denied`.
        """
        assert self.workers is not None
        return self.workers.turn(client)

    async def ask_worker(
        self,
        table: RemoteTable,
        message: Mapping[str, Any],
        client: str,
        on_store: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a message to the worker of a table; return the answer.

        The caller holds the table's lock. `on_store` is called with the name of each
        store request of the worker. May raise `Denied`.
        """
        told = {**message, "table": table.id}
        told["lines"] = rows_of(table.untold)
        untold = len(table.untold)
        table.whose = client or table.whose
        answer = await self._exchange(table.id, told, client, table, on_store=on_store)
        del table.untold[:untold]
        table.set_bot_due(due=bool(answer.get("due")))
        self._start_bots(table)
        return answer

    async def ask_record_worker(
        self,
        key: Hashable,
        message: Mapping[str, Any],
        client: str,
        preamble: Mapping[str, Any],
        on_store: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a message to the worker of an uploaded record; return the answer.

        A new worker first receives the `preamble`. May raise `Denied`.
        """
        return await self._exchange(key, message, client, None, preamble, on_store)

    async def _exchange(
        self,
        key: Hashable,
        message: Mapping[str, Any],
        client: str,
        table: RemoteTable | None,
        preamble: Mapping[str, Any] | None = None,
        on_store: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Return the answer of a worker; serve its store requests meanwhile.

        May raise `Denied`.
        """
        assert self.workers is not None
        version = 0 if table is None else table.version

        async def serve(wanted: Mapping[str, Any]) -> dict[str, Any]:
            if on_store is not None:
                on_store(ADD if wanted.get("begins") else str(wanted["store"]))
            try:
                return {
                    "value": await self._deciding.run(
                        self._execute_store_request, table, wanted
                    )
                }
            except (WriteConflict, LimitReached, NotStored) as error:
                return error_data(error)

        try:
            told = await self.workers.ask(
                key, message, client, on_store=serve, preamble=preamble
            )
        finally:
            if table is not None and table.version != version:
                self.announce_change(table)
        refused = told.get("refused")
        if refused is not None:
            raise Denied(int(refused["status"]), str(refused["key"]), **refused["gaps"])
        return told

    def _execute_store_request(
        self, table: RemoteTable | None, request: Mapping[str, Any]
    ) -> Any:
        """Execute a worker's store request, for its own table or a new one."""
        own = None if table is None else table.id
        match request["store"]:
            case "read" if request["id"] == own:
                kept = self.store.read(request["id"])
                return None if kept is None else to_data(kept)
            case "read":
                return None
            case "texts" if (
                table is not None and request["digest"] == table.story.rules
            ):
                return self.store.texts(request["digest"])
            case "append" if table is not None and request["id"] == own:
                begins = request["begins"]
                new = None if begins is None else from_data(begins)
                if new is not None:
                    self._make_room()
                table.append(
                    lines_of(request["lines"]), over=request["over"], new_table=new
                )
                return None
            case "add":
                self._make_room()
                self.store.add(from_data(request["kept"]))
                return None
        raise Denied(400, "not_understood")

    # ------------------------------------------------------------ changes

    def _build_table(self, stored: StoredTable, book: rb.Rulebook) -> Table:
        return Table(
            self.store, stored, book, lines_max=self.bounds.lines, bots=self.bots
        )

    def lock(self, id: str) -> asyncio.Lock:
        """Return the lock of a table."""
        return self._locks.setdefault(id, asyncio.Lock())

    async def read_table(
        self, id: str, read: Callable[[Table | RemoteTable], T], visitor: str
    ) -> T:
        """Run a read-only function of a table, such as rendering; return its result.

        It runs in a thread, under the table's lock and in the visitor's queue. Raises
        `Denied` if too many renderings of the visitor are queued.
        """
        async with self._showing_turns.turn(visitor), self.lock(id):
            return await self._showing.run(read, await self.get_ledger(id))

    async def change_table(
        self, id: str, change: Callable[[Table], T], visitor: str | None = None
    ) -> T:
        """Change a table under its lock, and notify all waiting clients.

        The change runs in a thread because writing to disk takes time. Without a
        `visitor`, the server itself is the actor. Raises `Denied` if too many changes
        of the visitor are queued, and `StalePage` if a worker now runs the table's
        rules.
        """
        turns = self._deciding_turns
        turn = nullcontext() if visitor is None else turns.turn(visitor)
        async with turn, self.lock(id):
            return await self._change(await self.get_table(id), change)

    async def append_lines(
        self, id: str, append: Callable[[Table | RemoteTable], None]
    ) -> None:
        """Append journal lines about people, for example a name, to any table."""
        async with self.lock(id):
            await self._change(await self.get_ledger(id), append)

    async def _change(self, table: L, change: Callable[[L], T]) -> T:
        """Change a table, and notify all waiting clients."""
        before = table.version
        try:
            return await self._deciding.run(change, table)
        finally:
            if table.version != before:
                self.announce_change(table)

    # ------------------------------------------------------------ news

    def announce_change(self, table: Table | RemoteTable) -> None:
        """Notify clients that wait for news of a table, and start bots that are due."""
        for future in self._waiting.pop(table.id, set()):
            if not future.done():
                future.set_result(None)
        self._start_bots(table)
        self._start_takeover_timers(table)

    async def wait_for_news(self, id: str, version: int) -> int:
        """Wait until the version of a table differs from *version*, then return it."""
        while True:
            table = await self.get_ledger(id)
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

    def browser_connected(self, id: str, seat: str) -> None:
        """Note that a browser of a seat has connected.

        Each call must be followed by a call of `browser_disconnected`.
        """
        at = (id, seat)
        self._there[at] = self._there.get(at, 0) + 1
        if (timer := self._leaving.pop(at, None)) is not None:
            timer.cancel()
        if self._there[at] == 1:
            self._start_task(self._store_presence(id, seat))

    def browser_disconnected(self, id: str, seat: str) -> None:
        """Note that a browser of a seat has disconnected.

        When the last one disconnects, a timer starts that marks the seat as away.
        """
        at = (id, seat)
        self._there[at] = self._there.get(at, 1) - 1
        if not self._there[at]:
            del self._there[at]
            self._start_away_timer(id, seat)

    def _start_away_timer(self, id: str, seat: str) -> None:
        """Start the timer that marks a seat as away, unless a browser is connected."""
        at = (id, seat)
        if at in self._there or at in self._leaving:
            return

        def gone() -> None:
            del self._leaving[at]
            self._start_task(self._store_presence(id, seat))

        loop = asyncio.get_running_loop()
        self._leaving[at] = loop.call_later(self.bounds.away, gone)

    async def _store_presence(self, id: str, seat: str) -> None:
        """Store the current presence of a seat; retry until the store accepts it."""
        at = (id, seat)

        def noted(table: Table | RemoteTable) -> None:
            table.set_away(seat, away=at not in self._there)

        await self._retry_until_stored(self.append_lines, id, noted)

    async def _retry_until_stored(
        self, action: Callable[..., Awaitable[None]], *given: Any
    ) -> None:
        """Retry an action of the server until the store and the workers accept it."""
        while True:
            try:
                await action(*given)
            except (UnknownTable, LimitReached, UnknownBot, WorkerStopped):
                return
            except (NotStored, StalePage, Denied):
                await asyncio.sleep(self.bounds.away)
            else:
                return

    def _start_task(self, coroutine: Any) -> None:
        """Run a coroutine as a task, and keep a reference to the task until it ends."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ bots

    def _start_takeover_timers(self, table: Table | RemoteTable) -> None:
        """Start takeover timers for absent seats for which a bot is requested."""
        due = {(table.id, wanted) for wanted in table.due_bot_requests()}
        for key in [key for key in self._takeovers if key[0] == table.id]:
            if key not in due:
                self._takeovers.pop(key).cancel()
        loop = asyncio.get_running_loop()
        for key in due - self._takeovers.keys():
            wait = key[1].seconds
            self._takeovers[key] = loop.call_later(wait, self._takeover_due, key)

    def _takeover_due(self, key: tuple[str, BotRequest]) -> None:
        del self._takeovers[key]
        self._start_task(self._retry_until_stored(self._seat_requested_bot, *key))

    async def _seat_requested_bot(self, id: str, request: BotRequest) -> None:
        """Let a requested bot take over a seat unless its player is connected."""
        if (id, request.seat) in self._there:
            return
        table = await self.get_ledger(id)
        if isinstance(table, Table):
            await self.change_table(id, lambda table: table.bot_takes_over(request))
        elif request in table.due_bot_requests():
            message = {"op": "takeover", "number": request.number}
            async with self.worker_turn(table.whose), self.lock(id):
                await self.ask_worker(table, message, table.whose)

    def _start_bots(self, table: Table | RemoteTable) -> None:
        """Start a task for a table's bots if one is due and no task is running."""
        driver = self._drivers.get(table.id)
        if (driver is None or driver.done()) and table.bot_is_due():
            task = asyncio.get_running_loop().create_task(self._play_bots(table.id))
            self._drivers[table.id] = task

    async def _play_bots(self, id: str) -> None:
        """Let the bots of a table play until a person must decide.

        If the store does not respond, retry with increasing delays.
        """
        wait = self.bounds.pace
        try:
            while True:
                await asyncio.sleep(wait)
                try:
                    if not await self._play_one_bot(id):
                        return
                    wait = self.bounds.pace
                except NotStored as error:
                    wait = min(max(wait, 1.0) * 2, MAX_STORE_WAIT_SECONDS)
                    LOG.warning("a bot's decision could not be stored: %s", error)
        except (UnknownTable, LimitReached):
            return
        finally:
            del self._drivers[id]

    async def _play_one_bot(self, id: str) -> bool:
        """Let one bot of a table decide; return whether another bot may be due."""
        async with self.lock(id):
            table = await self.get_ledger(id)
            task = table.bot_task() if isinstance(table, Table) else None
        if isinstance(table, RemoteTable):
            return await self._play_remote_bot(table)
        if task is None:
            return False
        action = await self._thinking.run(task.choose_action)
        await self.change_table(id, lambda table: table.apply_bot_choice(task, action))
        return True

    async def _play_remote_bot(self, table: RemoteTable) -> bool:
        """Let a worker decide for a bot; return whether another bot is due.

        It counts against the client that acted last.
        """
        try:
            async with self.worker_turn(table.whose), self.lock(table.id):
                if table.bot_is_due():
                    await self.ask_worker(table, {"op": "bot"}, table.whose)
        except WorkerStopped:
            table.halt_bots()
        except Denied as busy:
            await asyncio.sleep(busy.gaps.get("seconds", 1))
        return table.bot_is_due()

    # ------------------------------------------------------------ unloading

    def _note_use(self, id: str) -> None:
        """Record that a table was used, and schedule the unloading of idle tables."""
        self._used.pop(id, None)
        self._used[id] = time.monotonic()
        if len(self.tables) > self.bounds.in_memory:
            self.unload_idle_tables()
        if self._resting is None:
            loop = asyncio.get_running_loop()
            self._resting = loop.call_later(self.bounds.rest, self._schedule_unloading)

    def _schedule_unloading(self) -> None:
        self._resting = None
        self.unload_idle_tables()
        if self._used:
            loop = asyncio.get_running_loop()
            self._resting = loop.call_later(self.bounds.rest, self._schedule_unloading)

    def unload_idle_tables(self) -> None:
        """Unload idle tables.

        If too many are loaded, the least recently used go first. A table stays loaded
        while a client waits for its news, a bot thinks, or something is being written.
        """
        at = time.monotonic()
        newest = next(reversed(self._used), None)
        for id, used in list(self._used.items()):
            crowded = len(self.tables) > self.bounds.in_memory and id != newest
            if not crowded and at - used < self.bounds.rest:
                return
            if not self._is_busy(id):
                self._unload(id)

    def _is_busy(self, id: str) -> bool:
        lock = self._locks.get(id)
        locked = lock is not None and lock.locked()
        return locked or id in self._waiting or id in self._drivers

    @property
    def loaded_count(self) -> int:
        """Number of loaded tables."""
        return len(self.tables)

    async def close(self) -> None:
        """Stop all tasks, timers, workers and threads. All data is already stored."""
        timers = [*self._leaving.values(), *self._takeovers.values()]
        timers += [self._resting] if self._resting else []
        for timer in timers:
            timer.cancel()
        tasks = [*self._drivers.values(), *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.workers is not None:
            await self.workers.close()
        for threads in (
            self._thinking,
            self._deciding,
            self._showing,
            self._loading,
            self.reading,
        ):
            threads.close()
        self.store.close()


def _player_count(
    book: rb.Rulebook, seats: Mapping[str, str] | int | None
) -> int | None:
    if seats is None:
        return book.players[1]
    return seats if isinstance(seats, int) else len(seats)


def _players_by_seat(
    game: Game, seats: Mapping[str, str] | int | None
) -> dict[str, str]:
    """Return the player of each seat. Raise `Refused` for an unknown seat."""
    if seats is None or isinstance(seats, int):
        return dict.fromkeys(game.seats, PERSON)
    for seat in seats:
        if seat not in game.seats:
            there = ", ".join(game.seats)
            raise Refused(f"there is no seat `{seat}`", f"available seats: {there}")
    return {seat: seats.get(seat, PERSON) for seat in game.seats}


def _continued_game(record: str, book: rb.Rulebook, seed: int) -> Game:
    """Return a game that continues from the end of a record, with new randomness."""
    position = continued_game("the record", record, book).position
    return Game.from_any_position(book, position, seed=seed)


def _stored_table(
    variant: str,
    book: rb.Rulebook,
    game: Game,
    texts: Mapping[str, str] | None,
    players: Mapping[str, str],
    key_by_target: Mapping[tuple[str, str], str],
) -> StoredTable:
    """Return the data to store for a new table."""
    header = read_header(game.record)
    header.pop("sources", None)
    settings = {"header": header, "bot_seed": random_seed()}
    keys = tuple(
        StoredKey(sort, seat, key_digest(key), players.get(seat, ""))
        for (sort, seat), key in key_by_target.items()
    )
    first = lines.event_lines(game.events, 0, "")
    rules = dict(texts) if texts else texts_of(book)
    return StoredTable(new_id(), current_time(), variant, settings, rules, keys, first)
