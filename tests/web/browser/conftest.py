"""Server in a thread, and Chromium; without Chromium, the browser tests are skipped."""

import asyncio
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

playwright = pytest.importorskip(
    "playwright.sync_api",
    reason="NOT RUN: the browser tests need playwright: pip install -e '.[dev]'",
)
uvicorn = pytest.importorskip(
    "uvicorn", reason="NOT RUN: the browser tests need the extra web"
)

from tests.web.browser.clicking import Sitter  # noqa: E402  (needs playwright)
from workbench.web.app import create_app  # noqa: E402
from workbench.web.host import Host, HostLimits  # noqa: E402
from workbench.web.request_limits import Rate, RequestLimits  # noqa: E402
from workbench.web.store import Store  # noqa: E402
from workbench.web.worker_pool.pool import WorkerPool  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OFTEN = Rate(100_000, 100_000.0)
AWAY = 0.5
"""Seconds after which a seat without a page counts as away."""


@attrs.define
class Server:
    """Server that listens on a free port, with its event loop."""

    host: Host
    port: int
    loop: asyncio.AbstractEventLoop
    running: Any
    app: Any

    @property
    def base(self) -> str:
        """Beginning of all its addresses."""
        return f"http://127.0.0.1:{self.port}"

    def table(
        self, variant: str, seats: Mapping[str, str] | int, **more: Any
    ) -> "Links":
        """Create a table; return the links of its seats."""
        made = self.host.create_table(variant, more.pop("options", {}), seats, **more)
        table, keys = asyncio.run_coroutine_threadsafe(made, self.loop).result(60)
        links = {k: f"{self.base}/t/{table.id}/sit/{key}" for k, key in keys.items()}
        return Links(self, table, links)


@attrs.frozen
class Links:
    """Table with the links of its seats."""

    server: Server
    table: Any
    links: Mapping[str, str]


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Chromium, started once per module, as its event loop disturbs other tests."""
    if CHROMIUM is None:
        pytest.skip("NOT RUN: the browser tests need Chromium: apt install chromium")
    with playwright.sync_playwright() as tools:
        browser = tools.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Function that starts a server; all servers of a test share one database."""
    running: list[tuple[Server, threading.Thread]] = []

    def start(
        port: int | None = None, games: tuple[str, ...] = (), away: float = AWAY
    ) -> Server:
        begun, made = threading.Event(), list[Server]()
        thread = threading.Thread(
            target=asyncio.run,
            args=(served(tmp_path, port or free_port(), games, made, begun, away),),
            daemon=True,
        )
        thread.start()
        assert begun.wait(30)
        running.append((made[0], thread))
        return made[0]

    yield start
    for server, thread in running:
        if thread.is_alive():
            stop(server)
        thread.join(20)


def stop(server: Server) -> None:
    """Stop a server."""
    server.loop.call_soon_threadsafe(server.app.state.listeners.end_all)
    server.running.should_exit = True


async def served(
    folder: Path,
    port: int,
    games: tuple[str, ...],
    made: list[Server],
    begun: threading.Event,
    away: float = AWAY,
) -> None:
    store = Store.open(f"sqlite:///{folder / 'tables.db'}")
    bounds = HostLimits(bot_delay=0.0, away=away, bot_wait=2)
    host = Host(store, bounds, games=games, workers=WorkerPool())
    limits = attrs.evolve(
        RequestLimits(),
        seat_rate=OFTEN,
        table_rate=OFTEN,
        explanation_rate=OFTEN,
        preview_rate=OFTEN,
        creation_rate=OFTEN,
        invalid_key_rate=OFTEN,
    )
    app = create_app(host, limits=limits)
    config = uvicorn.Config(
        app, port=port, log_level="error", timeout_graceful_shutdown=1
    )
    running = uvicorn.Server(config)
    server = Server(host, port, asyncio.get_running_loop(), running, app)
    made.append(server)
    serving = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.02)
    begun.set()
    await serving
    # A connection accepted during the shutdown stays open and would be served.
    for connection in list(running.server_state.connections):
        connection.transport.abort()


@pytest.fixture
def sit(chromium: Any) -> Iterator[Callable[..., Sitter]]:
    """Function that opens the link of a seat in a new browser context."""
    contexts: list[Any] = []

    def seated(
        link: str, width: int = 1400, language: str = "en", **more: Any
    ) -> Sitter:
        size = {"width": width, "height": 900 if width > 760 else 844}
        context = chromium.new_context(viewport=size, locale=language, **more)
        contexts.append(context)
        return Sitter.at(context.new_page(), link)

    yield seated
    for context in contexts:
        context.close()
