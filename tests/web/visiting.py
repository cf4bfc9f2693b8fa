"""Server in the process of the test, and HTTP clients for it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any

import attrs
import httpx
from sqlalchemy import event
from starlette.applications import Starlette

from workbench.web.app import create_app
from workbench.web.host import Host, HostLimits
from workbench.web.keys import OWNER, SEAT, WATCH, derive_keys
from workbench.web.sessions import key_link
from workbench.web.store import Store
from workbench.web.table import Table
from workbench.web.worker_pool.pool import WorkerPool

ROOT = Path(__file__).parents[2]
DARE = str(ROOT / "examples" / "tiny" / "dare.rules")
HERE, CLIENT = "http://127.0.0.1", "198.51.100.7"
SCRIPT = {"accept": "application/json"}


def played(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Return an asynchronous test as a synchronous one."""

    @wraps(test)
    def runs(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return runs


@attrs.frozen
class Server:
    """Host with its application; browsers start without cookies."""

    host: Host
    app: Starlette

    def browser(self, address: str = CLIENT, **headers: str) -> httpx.AsyncClient:
        """Return an HTTP client with this address."""
        transport = httpx.ASGITransport(
            self.app, raise_app_exceptions=False, client=(address, 1)
        )
        return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)

    async def table(
        self, variant: str = DARE, *, is_full: bool = True, **settings: Any
    ) -> "Made":
        """Create a table; if *is_full*, all seats count as taken."""
        table, keys = await self.host.create_table(variant, **settings)
        if is_full:
            seats = table.game.seats
            await self.host.append_lines(table.id, lambda here: here.mark_taken(seats))
        return Made(self, table, derive_keys(keys[OWNER], table.game.seats))


@attrs.frozen
class Made:
    """Table with all its keys."""

    server: Server
    table: Table
    keys: dict[tuple[str, str], str]

    @property
    def home(self) -> str:
        """Path of the table."""
        return f"/t/{self.table.id}/"

    def link(self, seat: str) -> str:
        """Return the link of a seat, of spectators, or of the owner."""
        what = (seat, "") if seat in {WATCH, OWNER} else (SEAT, seat)
        return key_link("", self.table.id, self.keys[what])

    async def sat(self, *seats: str, **headers: str) -> httpx.AsyncClient:
        """Return an HTTP client that has opened the links of some seats."""
        browser = self.server.browser(**headers)
        for seat in seats:
            answer = await browser.get(self.link(seat))
            assert answer.status_code == 303, answer.text
        return browser

    @property
    def due(self) -> str:
        """The seat that must decide."""
        return self.table.waits_for()[0]

    @property
    def other(self) -> str:
        """Seat that need not decide."""
        return next(s for s in self.table.game.seats if s not in self.table.waits_for())

    def action(self) -> str:
        """Return the first legal action."""
        text: str = self.table.game.legal_actions()[0].text
        return text

    async def do(
        self,
        browser: httpx.AsyncClient,
        action: str,
        at: int | None = None,
    ) -> httpx.Response:
        """Post a decision as the script of the page does."""
        version = self.table.version if at is None else at
        form = {"action": action, "at": str(version)}
        return await browser.post(f"{self.home}do", data=form, headers=SCRIPT)


def hasty(path: Path) -> Store:
    """Return a database in a folder that does not wait for the disk."""
    store = Store.open(f"sqlite:///{path / 'tables.sqlite'}")
    store.close()
    event.listen(store.engine, "connect", _hurried)
    return store


def _hurried(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF")


NEVER = 10**7
"""Seconds after which a seat is away: no timer of a table ends during a test."""


@asynccontextmanager
async def serving(path: Path, **settings: Any) -> AsyncIterator[Server]:
    """Yield a server whose tables are stored in a folder."""
    store = hasty(path)
    undisturbed = HostLimits(bot_delay=0, away=NEVER)
    bounds = settings.pop("bounds", undisturbed)
    workers = settings.pop("workers", None) or WorkerPool()
    games = settings.pop("games", (DARE,))
    host = Host(store, bounds, games=games, workers=workers)
    try:
        yield Server(host, create_app(host, **settings))
    finally:
        await host.close()


def with_server(
    **settings: Any,
) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], Callable[..., None]]:
    """Return a decorator for asynchronous tests whose first argument is a server."""

    def decorate(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
        _, *fixtures = signature(test).parameters.values()
        wants_folder = any(fixture.name == "tmp_path" for fixture in fixtures)

        @played
        @wraps(test)
        async def runs(tmp_path: Path, **arguments: Any) -> None:
            if wants_folder:
                arguments["tmp_path"] = tmp_path
            async with serving(tmp_path, **settings) as server:
                await test(server, **arguments)

        folder = Parameter("tmp_path", Parameter.POSITIONAL_OR_KEYWORD)
        others = (fixture for fixture in fixtures if fixture.name != "tmp_path")
        runs.__signature__ = Signature([folder, *others])  # type: ignore[attr-defined]
        return runs

    return decorate
