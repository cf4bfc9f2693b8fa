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
from workbench.bots.randomness import drawn_seed
from workbench.errors import Refused
from workbench.files.records.origins import going_on
from workbench.web.keys import digest_of as key_digest
from workbench.web.keys import is_id, keys_of, new_id, new_key
from workbench.web.sandbox.rule_texts import texts_of
from workbench.web.sessions import Denied
from workbench.web.storage import journal as lines
from workbench.web.storage.bot_players import check_name
from workbench.web.storage.errors import (
    Conflict,
    Full,
    NoBot,
    NotStored,
    OtherRules,
    Stale,
    Unknown,
)
from workbench.web.storage.journal import LineKind
from workbench.web.storage.rulebooks import BOOKS, is_shipped
from workbench.web.storage.seats import PERSON
from workbench.web.storage.table_state import BotRequest
from workbench.web.store import Key, Store, StoredTable, digest_of, now
from workbench.web.table import Table
from workbench.web.thread_pools import Threads, Turns
from workbench.web.worker_pool.ledger import Foreign
from workbench.web.worker_pool.pool import Workers, WorkerStopped
from workbench.web.worker_pool.remote_store import (
    ADD,
    from_data,
    lines_of,
    refusal_of,
    rows_of,
    to_data,
)

T = TypeVar("T")
L = TypeVar("L", Table, Foreign, Table | Foreign)
STORE_WAIT_MAX = 60.0
DECIDING, SHOWING, LOADING, READING = 6, 4, 2, 2
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
        workers: Workers | None = None,
    ) -> None:
        self.store = store
        self.workers = workers
        self.bounds = HostLimits() if bounds is None else bounds
        self.games = tuple(games)
        self.bots = tuple(bots)
        self.tables: dict[str, Table | Foreign] = {}
        self._used: dict[str, float] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._drivers: dict[str, asyncio.Task[None]] = {}
        self._there: dict[tuple[str, str], int] = {}
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._takeovers: dict[tuple[str, BotRequest], asyncio.TimerHandle] = {}
        self._resting: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking = Threads("bot", self.bounds.workers)
        self._deciding = Threads("table", DECIDING)
        self._showing = Threads("page", SHOWING)
        self._deciding_turns = Turns(self.bounds.visitor_tasks)
        self._showing_turns = Turns(self.bounds.visitor_tasks)
        self._loading = Threads("load", LOADING)
        self.reading = Threads("rules", READING)

    # ------------------------------------------------------------ creation

    async def new(
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
        `Full`, `NoBot`, `Refused`, `UsageError`, `RulesError` and `RecordError`.
        """
        await self._deciding.do(self._make_room)
        made = await self.reading.do(
            self._made, variant, dict(options or {}), seats, seed, texts, record
        )
        table, keys = made
        self._enter(table)
        self.changed(table)
        return table, keys

    async def going_on(
        self,
        variant: str,
        seats: Mapping[str, str],
        texts: Mapping[str, str] | None,
        record: str,
        whose: str,
    ) -> tuple[str, dict[str, str]]:
        """Create a table that continues a record; return its id and keys.

        For untrusted rules, a worker creates the table, and `whose` is the client that
        waits for it. Raises `Denied` and the errors of `new`.
        """
        given: dict[str, Any] = {"seats": seats, "texts": texts, "record": record}
        if not texts or await self.reading.do(self._plays, variant, texts):
            table, keys = await self.new(variant, **given)
            return table.id, keys
        message = {"op": "new", "given": {"variant": variant, **given}}
        async with self.worker_turn(whose):
            told = await self._asked(None, message, whose, None)
        return str(told["id"]), dict(told["keys"])

    def _make_room(self) -> None:
        """Delete idle tables if the server is full, to make room for a new one.

        Raises `Full` if too few tables are idle.
        """
        many = self.store.count() - self.bounds.tables + 1
        if many <= 0:
            return
        unused = self.store.unused(now() - self.bounds.unused)
        going = [id for id in unused if id not in self.tables][:many]
        if len(going) < many:
            raise Full
        for id in going:
            self.store.remove(id)

    def _made(
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
        book = self._trusted(variant, texts) if texts else BOOKS.of_variant(variant)
        if book is None:
            raise Refused(
                "these rules are untrusted; only a worker process may run them"
            )
        seed = drawn_seed() if seed is None else seed
        if record is None:
            players = _players(book, seats)
            game = Game.start(book, players=players, seed=seed, options=options)
        else:
            game = _from_record(record, book, seed)
        who = _who(game, seats)
        for bot in who.values():
            if bot != PERSON:
                check_name(bot, self.bots)
        opens = keys_of(new_key(), game.seats)
        kept = _new_table(variant, book, game, texts, who, opens)
        self.store.add(kept)
        keys = {seat or sort: key for (sort, seat), key in opens.items()}
        return self._table(kept, book), keys

    async def another(self, id: str) -> Table:
        """Return the rematch of a table: the same rules, seats and keys.

        Creates it on the first call; later calls return the existing rematch.
        """
        async with self.lock(id):
            table = await self.table(id)
            if table.again is not None:
                return await self.table(table.again)
            await self._deciding.do(self._make_room)
            new = await self.reading.do(self._once_more, table)
            self._enter(new)
            self.changed(table)
            self.changed(new)
            return new

    def _once_more(self, table: Table) -> Table:
        texts, game, book = table.texts, table.game, table.book
        board = game.given_board
        start = Game.start(
            book,
            players=game.players,
            seed=drawn_seed(),
            options=game.options,
            board=board,
        )
        kept = _new_table(table.variant, book, start, texts, {}, {})
        kept = attrs.evolve(kept, keys=table.kept.keys)
        table.goes_on_at(kept)
        return self._table(kept, book)

    async def change_rules(
        self,
        id: str,
        texts: Mapping[str, str],
        tried: Mapping[str, Any],
        by: str = "",
        instead_of: str | None = None,
        **gaps: Any,
    ) -> Table | Foreign:
        """Continue a table's game under changed rules, if its record is still valid.

        `tried` is the result of replaying the game under these rules in a worker.
        `instead_of` is the digest of the rules that were edited, if known. `gaps` are
        values for the notice that players see. Raises `OtherRules` if those rules are
        no longer in force, and `Stale` if the game has advanced.
        """
        async with self.lock(id):
            table = await self.ledger(id)
            if instead_of not in {None, digest_of(table.texts)}:
                raise OtherRules

            def changed() -> None:
                over = bool(tried["over"])
                table.go_on_under(texts, str(tried["record"]), by, over=over, **gaps)

            await self._deciding.do(changed)
            self._forget(id)
            new = await self.ledger(id)
        self.changed(new)
        return new

    def check_variant(self, variant: str, texts: Mapping[str, str] | None) -> None:
        """Raise `Refused` unless a variant is shipped, allowed or given by `texts`."""
        if not (texts or variant in self.games or is_shipped(variant)):
            known = {*variants.names(), *variants.house_rules(), *self.games}
            near = tooling.nearest(variant, sorted(known))
            help = f"did you mean `{near}`?" if near else None
            raise Refused(f"there is no game `{variant}`", help)

    # ------------------------------------------------------------ lookup

    async def table(self, id: str) -> Table:
        """Return a table whose rules run in this process.

        Raises `Unknown` if there is none, or `Stale` if a worker runs its rules.
        """
        table = await self.ledger(id)
        if isinstance(table, Foreign):
            raise Stale
        return table

    async def ledger(self, id: str) -> Table | Foreign:
        """Return a table, loading it if necessary. Raise `Unknown` if there is none."""
        if id not in self.tables:
            table = await self._loading.do(self._found, id)
            if id not in self.tables:
                self._enter(table)
            self._drive(self.tables[id])
        self._use(id)
        return self.tables[id]

    def _enter(self, table: Table | Foreign) -> None:
        """Add a loaded table, and start the timers of its absent seats."""
        self.tables[table.id] = table
        self._use(table.id)
        for place in table.seats:
            if place.bot is None and not place.away:
                self._leaves(table.id, place.seat)
        self._await_bots(table)

    def _forget(self, id: str) -> None:
        """Unload a table and stop its worker."""
        self.tables.pop(id, None)
        self._used.pop(id, None)
        self.end_worker(id)

    def _found(self, id: str) -> Table | Foreign:
        kept = self.store.read(id) if is_id(id) else None
        if kept is None:
            raise Unknown(table=id)
        rules = [
            line.said["rules"] for line in kept.lines if line.sort is LineKind.RULES
        ]
        texts = self.store.texts(rules[-1]) if rules else kept.texts
        book = self._trusted(kept.variant, texts)
        if book is None:
            return Foreign(self.store, kept, self.bounds.lines)
        return self._table(kept, book)

    # ------------------------------------------------------------ untrusted rules

    def _trusted(self, variant: str, texts: Mapping[str, str]) -> rb.Rulebook | None:
        """Return the rulebook of trusted texts, or None if the texts are untrusted.

        The server trusts the current texts of shipped games and of files that the
        operator named. A worker trusts any texts.
        """
        if self.workers is None:
            return BOOKS.of_texts(texts, variant)
        return BOOKS.of_own(texts, variant, self.games)

    def _plays(self, variant: str, texts: Mapping[str, str]) -> bool:
        """Return whether these texts may run in this process."""
        return self._trusted(variant, texts) is not None

    async def is_foreign(self, id: str) -> bool:
        """Return whether a worker runs the rules of a table; false if it is unknown."""
        try:
            return isinstance(await self.ledger(id), Foreign)
        except Unknown:
            return False

    def end_worker(self, key: Hashable) -> None:
        """Stop the worker with a key, if there is one."""
        if self.workers is not None:
            self.workers.end(key)

    def worker_turn(self, whose: str) -> AbstractAsyncContextManager[None]:
        """Return a context manager that waits for a client's turn to use a worker.

        Entering it may raise `Denied`.
        """
        assert self.workers is not None
        return self.workers.turn(whose)

    async def ask(
        self,
        table: Foreign,
        message: Mapping[str, Any],
        whose: str,
        spends: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a message to the worker of a table; return the answer.

        The caller holds the table's lock. `spends` is called with the name of each
        store request of the worker. May raise `Denied`.
        """
        told = {**message, "table": table.id}
        told["lines"] = rows_of(table.untold)
        untold = len(table.untold)
        table.whose = whose or table.whose
        answer = await self._asked(table.id, told, whose, table, spends=spends)
        del table.untold[:untold]
        table.note_bots(due=bool(answer.get("due")))
        self._drive(table)
        return answer

    async def ask_of_record(
        self,
        key: Hashable,
        message: Mapping[str, Any],
        whose: str,
        preamble: Mapping[str, Any],
        spends: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a message to the worker of an uploaded record; return the answer.

        A new worker first receives the `preamble`. May raise `Denied`.
        """
        return await self._asked(key, message, whose, None, preamble, spends)

    async def _asked(
        self,
        key: Hashable,
        message: Mapping[str, Any],
        whose: str,
        table: Foreign | None,
        preamble: Mapping[str, Any] | None = None,
        spends: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Return the answer of a worker; serve its store requests meanwhile.

        May raise `Denied`.
        """
        assert self.workers is not None
        version = 0 if table is None else table.version

        async def serve(wanted: Mapping[str, Any]) -> dict[str, Any]:
            if spends is not None:
                spends(ADD if wanted.get("begins") else str(wanted["store"]))
            try:
                return {"value": await self._deciding.do(self._stored, table, wanted)}
            except (Conflict, Full, NotStored) as error:
                return refusal_of(error)

        try:
            told = await self.workers.ask(
                key, message, whose, serve=serve, preamble=preamble
            )
        finally:
            if table is not None and table.version != version:
                self.changed(table)
        refused = told.get("refused")
        if refused is not None:
            raise Denied(int(refused["status"]), str(refused["key"]), **refused["gaps"])
        return told

    def _stored(self, table: Foreign | None, wanted: Mapping[str, Any]) -> Any:
        """Execute a worker's store request, for its own table or a new one."""
        own = None if table is None else table.id
        match wanted["store"]:
            case "read" if wanted["id"] == own:
                kept = self.store.read(wanted["id"])
                return None if kept is None else to_data(kept)
            case "read":
                return None
            case "texts" if table is not None and wanted["digest"] == table.story.rules:
                return self.store.texts(wanted["digest"])
            case "append" if table is not None and wanted["id"] == own:
                begins = wanted["begins"]
                new = None if begins is None else from_data(begins)
                if new is not None:
                    self._make_room()
                table.append(lines_of(wanted["lines"]), over=wanted["over"], begins=new)
                return None
            case "add":
                self._make_room()
                self.store.add(from_data(wanted["kept"]))
                return None
        raise Denied(400, "not_understood")

    # ------------------------------------------------------------ changes

    def _table(self, kept: StoredTable, book: rb.Rulebook) -> Table:
        return Table(
            self.store, kept, book, lines_max=self.bounds.lines, bots=self.bots
        )

    def lock(self, id: str) -> asyncio.Lock:
        """Return the lock of a table."""
        return self._locks.setdefault(id, asyncio.Lock())

    async def show(
        self, id: str, what: Callable[[Table | Foreign], T], visitor: str
    ) -> T:
        """Run a read-only function of a table, such as rendering; return its result.

        It runs in a thread, under the table's lock and in the visitor's queue. Raises
        `Denied` if too many renderings of the visitor are queued.
        """
        async with self._showing_turns.turn(visitor), self.lock(id):
            return await self._showing.do(what, await self.ledger(id))

    async def do(
        self, id: str, what: Callable[[Table], T], visitor: str | None = None
    ) -> T:
        """Change a table under its lock, and notify all waiting clients.

        The change runs in a thread because writing to disk takes time. Without a
        `visitor`, the server itself is the actor. Raises `Denied` if too many changes
        of the visitor are queued, and `Stale` if a worker now runs the table's rules.
        """
        turns = self._deciding_turns
        turn = nullcontext() if visitor is None else turns.turn(visitor)
        async with turn, self.lock(id):
            return await self._noted(await self.table(id), what)

    async def note(self, id: str, what: Callable[[Table | Foreign], None]) -> None:
        """Append journal lines about people, for example a name, to any table."""
        async with self.lock(id):
            await self._noted(await self.ledger(id), what)

    async def _noted(self, table: L, what: Callable[[L], T]) -> T:
        """Change a table, and notify all waiting clients."""
        before = table.version
        try:
            return await self._deciding.do(what, table)
        finally:
            if table.version != before:
                self.changed(table)

    # ------------------------------------------------------------ news

    def changed(self, table: Table | Foreign) -> None:
        """Notify clients that wait for news of a table, and start bots that are due."""
        for future in self._waiting.pop(table.id, set()):
            if not future.done():
                future.set_result(None)
        self._drive(table)
        self._await_bots(table)

    async def news(self, id: str, version: int) -> int:
        """Wait until the version of a table differs from *version*, then return it."""
        while True:
            table = await self.ledger(id)
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

    def arrived(self, id: str, seat: str) -> None:
        """Note that a browser of a seat has connected.

        Each call must be followed by a call of `departed`.
        """
        at = (id, seat)
        self._there[at] = self._there.get(at, 0) + 1
        if (timer := self._leaving.pop(at, None)) is not None:
            timer.cancel()
        if self._there[at] == 1:
            self._later(self._is_away(id, seat))

    def departed(self, id: str, seat: str) -> None:
        """Note that a browser of a seat has disconnected.

        When the last one disconnects, a timer starts that marks the seat as away.
        """
        at = (id, seat)
        self._there[at] = self._there.get(at, 1) - 1
        if not self._there[at]:
            del self._there[at]
            self._leaves(id, seat)

    def _leaves(self, id: str, seat: str) -> None:
        """Start the timer that marks a seat as away, unless a browser is connected."""
        at = (id, seat)
        if at in self._there or at in self._leaving:
            return

        def gone() -> None:
            del self._leaving[at]
            self._later(self._is_away(id, seat))

        loop = asyncio.get_running_loop()
        self._leaving[at] = loop.call_later(self.bounds.away, gone)

    async def _is_away(self, id: str, seat: str) -> None:
        """Store the current presence of a seat; retry until the store accepts it."""
        at = (id, seat)

        def noted(table: Table | Foreign) -> None:
            table.is_away(seat, away=at not in self._there)

        await self._eventually(self.note, id, noted)

    async def _eventually(
        self, doing: Callable[..., Awaitable[None]], *given: Any
    ) -> None:
        """Retry an action of the server until the store and the workers accept it."""
        while True:
            try:
                await doing(*given)
            except (Unknown, Full, NoBot, WorkerStopped):
                return
            except (NotStored, Stale, Denied):
                await asyncio.sleep(self.bounds.away)
            else:
                return

    def _later(self, what: Any) -> None:
        """Run a coroutine as a task, and keep a reference to the task until it ends."""
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ bots

    def _await_bots(self, table: Table | Foreign) -> None:
        """Start takeover timers for absent seats for which a bot is requested."""
        due = {(table.id, wanted) for wanted in table.bots_wanted()}
        for key in [key for key in self._takeovers if key[0] == table.id]:
            if key not in due:
                self._takeovers.pop(key).cancel()
        loop = asyncio.get_running_loop()
        for key in due - self._takeovers.keys():
            wait = key[1].seconds
            self._takeovers[key] = loop.call_later(wait, self._takes_over, key)

    def _takes_over(self, key: tuple[str, BotRequest]) -> None:
        del self._takeovers[key]
        self._later(self._eventually(self._bot_takes_over, *key))

    async def _bot_takes_over(self, id: str, wanted: BotRequest) -> None:
        """Let a requested bot take over a seat unless its player is connected."""
        if (id, wanted.seat) in self._there:
            return
        table = await self.ledger(id)
        if isinstance(table, Table):
            await self.do(id, lambda table: table.bot_takes_over(wanted))
        elif wanted in table.bots_wanted():
            message = {"op": "takeover", "number": wanted.number}
            async with self.worker_turn(table.whose), self.lock(id):
                await self.ask(table, message, table.whose)

    def _drive(self, table: Table | Foreign) -> None:
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
                    if not await self._bot_plays(id):
                        return
                    wait = self.bounds.pace
                except NotStored as error:
                    wait = min(max(wait, 1.0) * 2, STORE_WAIT_MAX)
                    LOG.warning("a bot's decision could not be stored: %s", error)
        except (Unknown, Full):
            return
        finally:
            del self._drivers[id]

    async def _bot_plays(self, id: str) -> bool:
        """Let one bot of a table decide; return whether another bot may be due."""
        async with self.lock(id):
            table = await self.ledger(id)
            task = table.bot_task() if isinstance(table, Table) else None
        if isinstance(table, Foreign):
            return await self._foreign_bot_plays(table)
        if task is None:
            return False
        action = await self._thinking.do(task.chosen)
        await self.do(id, lambda table: table.bot_did(task, action))
        return True

    async def _foreign_bot_plays(self, table: Foreign) -> bool:
        """Let a worker decide for a bot; return whether another bot is due.

        It counts against the client that acted last.
        """
        try:
            async with self.worker_turn(table.whose), self.lock(table.id):
                if table.bot_is_due():
                    await self.ask(table, {"op": "bot"}, table.whose)
        except WorkerStopped:
            table.halt_bots()
        except Denied as busy:
            await asyncio.sleep(busy.gaps.get("seconds", 1))
        return table.bot_is_due()

    # ------------------------------------------------------------ unloading

    def _use(self, id: str) -> None:
        """Record that a table was used, and schedule the unloading of idle tables."""
        self._used.pop(id, None)
        self._used[id] = time.monotonic()
        if len(self.tables) > self.bounds.in_memory:
            self.rest()
        if self._resting is None:
            loop = asyncio.get_running_loop()
            self._resting = loop.call_later(self.bounds.rest, self._rest_later)

    def _rest_later(self) -> None:
        self._resting = None
        self.rest()
        if self._used:
            loop = asyncio.get_running_loop()
            self._resting = loop.call_later(self.bounds.rest, self._rest_later)

    def rest(self) -> None:
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
                self._forget(id)

    def _is_busy(self, id: str) -> bool:
        lock = self._locks.get(id)
        locked = lock is not None and lock.locked()
        return locked or id in self._waiting or id in self._drivers

    @property
    def in_memory(self) -> int:
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


def _players(book: rb.Rulebook, seats: Mapping[str, str] | int | None) -> int | None:
    if seats is None:
        return book.players[1]
    return seats if isinstance(seats, int) else len(seats)


def _who(game: Game, seats: Mapping[str, str] | int | None) -> dict[str, str]:
    """Return the player of each seat. Raise `Refused` for an unknown seat."""
    if seats is None or isinstance(seats, int):
        return dict.fromkeys(game.seats, PERSON)
    for seat in seats:
        if seat not in game.seats:
            there = ", ".join(game.seats)
            raise Refused(f"there is no seat `{seat}`", f"available seats: {there}")
    return {seat: seats.get(seat, PERSON) for seat in game.seats}


def _from_record(record: str, book: rb.Rulebook, seed: int) -> Game:
    """Return a game that continues from the end of a record, with new randomness."""
    position = going_on("the record", record, book).position
    return Game.laid_out(book, position, seed=seed)


def _new_table(
    variant: str,
    book: rb.Rulebook,
    game: Game,
    texts: Mapping[str, str] | None,
    who: Mapping[str, str],
    opens: Mapping[tuple[str, str], str],
) -> StoredTable:
    """Return the data to store for a new table."""
    header = read_header(game.record)
    header.pop("sources", None)
    settings = {"header": header, "bot_seed": drawn_seed()}
    keys = tuple(
        Key(sort, seat, key_digest(key), who.get(seat, ""))
        for (sort, seat), key in opens.items()
    )
    first = lines.event_lines(game.events, 0, "")
    rules = dict(texts) if texts else texts_of(book)
    return StoredTable(new_id(), now(), variant, settings, rules, keys, first)
