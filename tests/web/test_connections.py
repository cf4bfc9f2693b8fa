"""Clients cannot block the server: many connections, slow clients, long logs.

Verified by manual mutations: no maximum number of connections, no deadline for heads,
bodies and reading, an unlimited log, an ignored limit of open files.
"""

import asyncio
import logging
import resource
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.processes import run_process
from tests.web.test_serve import served
from tests.web.visiting import SCRIPT, played, serving
from workbench.cli.play.serve import RESERVED_FILES, connection_limit
from workbench.web.network.connections import BoundedProtocol, Connections, HttpServer
from workbench.web.network.logs import (
    INTERVAL_SECONDS,
    MAX_MESSAGES,
    RateLimitFilter,
    configure_logging,
)
from workbench.web.request_limits import RequestLimits

SOON = 5.0
REFUSED = b"HTTP/1.1 503"


async def answering(scope: Any, receive: Any, send: Any) -> None:
    """Answer every request with a long text."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        text = b"x" * (20_000_000 if scope["path"] == "/long" else 2)
        await send({"type": "http.response.body", "body": text})


@contextmanager
def opened(
    port: int, count: int, address: str = "127.0.0.1"
) -> Iterator[list[socket.socket]]:
    """Open connections that send nothing."""
    opened = [socket.socket() for _ in range(count)]
    try:
        for each in opened:
            each.bind((address, 0))
            each.settimeout(SOON)
            each.connect(("127.0.0.1", port))
        yield opened
    finally:
        for each in opened:
            each.close()


async def serve_bounded(limits: RequestLimits, doing: Any) -> None:
    """Serve in this process with limits, while a function runs in a thread."""
    import uvicorn

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        connections = Connections(limits)
        http: Any = partial(BoundedProtocol, connections)
        config = uvicorn.Config(
            answering, http=http, lifespan="off", log_config=None, ws="none"
        )
        server = HttpServer(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            await asyncio.to_thread(doing, listening.getsockname()[1], connections)
        finally:
            server.should_exit = True
            await serving


def ended(connection: socket.socket) -> float:
    """Return the seconds until the server closes a connection."""
    began = time.monotonic()
    try:
        while connection.recv(100_000):
            pass
    except ConnectionResetError:
        pass
    return time.monotonic() - began


def test_connections_beyond_the_maximum_are_closed_at_once() -> None:
    def doing(port: int, connections: Connections) -> None:
        with opened(port, 6, "127.0.0.2") as many:
            refused = [each for each in many[4:] if each.recv(12) == REFUSED]
            assert len(refused) == 2
            with opened(port, 1) as (other,):
                other.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                assert other.recv(12) == b"HTTP/1.1 200"
            with opened(port, 3) as others:
                assert others[2].recv(12) == REFUSED
        for _ in range(100):
            if not len(connections):
                return
            time.sleep(0.05)
        raise AssertionError("closed connections are still counted")

    asyncio.run(
        serve_bounded(RequestLimits(connections=6, connections_per_address=4), doing)
    )


def test_slow_client_is_disconnected() -> None:
    def doing(port: int, _: Connections) -> None:
        with opened(port, 3) as (silent, dripping, again):
            again.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT")
            again.recv(12)
            began = time.monotonic()
            for letter in b"GET / HTTP/1.1\r\nX: yyy":
                dripping.send(bytes([letter]))
                time.sleep(0.01)
            assert ended(silent) < SOON
            assert ended(dripping) < SOON
            again.sendall(b"TP/1.1\r\nX: y")
            assert ended(again) < SOON
            assert time.monotonic() - began > 0.3
        with opened(port, 1) as (unread,):
            unread.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
            time.sleep(1.5)
            got = 0
            try:
                while piece := unread.recv(1_000_000):
                    got += len(piece)
            except ConnectionResetError:
                pass
            assert got < 20_000_000

    limits = RequestLimits(head_seconds=0.5, reading_seconds=0.5)
    asyncio.run(serve_bounded(limits, doing))


@played
async def test_a_body_must_arrive_in_time(tmp_path: Path) -> None:
    async def dripping() -> Any:
        for _ in range(40):
            yield b"a"
            await asyncio.sleep(0.05)

    limits = RequestLimits(body_seconds=0.3)
    async with serving(tmp_path, limits=limits) as server:
        answer = await server.browser().post(
            "/tables", content=dripping(), headers=SCRIPT
        )
        assert answer.status_code == 408


# ------------------------------------------------------------ limit of open files

SHOW_ROOM = """import resource, sys
from workbench.cli.play.serve import connection_limit
soft, hard = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(connection_limit(5000), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    ("soft", "hard", "room", "raised"),
    [
        (1024, 6000, 5000, 5000 + RESERVED_FILES),
        (6000, 6000, 5000, 6000),
        (256, 1024, 1024 - RESERVED_FILES, 1024),
        (100, 300, 150, 300),
    ],
)
def test_open_file_limit_bounds_the_connections(
    soft: int, hard: int, room: int, raised: int
) -> None:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip("the hard limit here is lower")
    told = run_process(
        [sys.executable, "-c", SHOW_ROOM, str(soft), str(hard)], check=True
    )
    assert told.stdout.split() == [str(room), str(raised)]
    assert connection_limit(1) == 1


def test_server_with_few_files_answers_despite_idle_connections(
    tmp_path: Path,
) -> None:
    with served(folder=tmp_path, files=400) as process:
        port = httpx.URL(process.said["url"]).port
        assert port is not None
        with opened(port, 150, "127.0.0.2"), opened(port, 350, "127.0.0.3") as many:
            assert many[-1].recv(12) == REFUSED
            assert b"too many connections. Try again in 10 s." in many[-1].recv(400)
        with opened(port, 100, "127.0.0.2"):
            assert httpx.get(f"{process.said['url']}robots.txt").status_code == 200
        process.running.terminate()
        complaints = process.running.communicate(timeout=30)[1]
    assert "limited to 200 connections" in complaints
    assert "Traceback" not in complaints
    assert len(complaints.splitlines()) == 2


# ------------------------------------------------------------ log


def test_log_messages_of_one_kind_are_limited() -> None:
    now = 0.0
    written = []

    class Written(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(record.getMessage())

    log, handler = logging.getLogger("seldom"), Written()
    log.propagate = False
    handler.addFilter(RateLimitFilter(lambda: now))
    log.addHandler(handler)
    for turn in range(3):
        for number in range(100):
            log.warning("one %s", number)
            if not number:
                log.warning("other %s", turn)
        now += INTERVAL_SECONDS

    ones = [text for text in written if text.startswith("one")]
    assert len(ones) == 3 * MAX_MESSAGES
    assert f"({100 - MAX_MESSAGES} similar messages were dropped)" in ones[MAX_MESSAGES]
    assert len(written) == 3 * MAX_MESSAGES + 3


def test_lack_of_files_is_logged_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = logging.getLogger()
    before = list(root.handlers)

    async def doing() -> None:
        configure_logging()
        loop = asyncio.get_running_loop()
        for _ in range(2_000):
            error = OSError(24, "Too many open files")
            loop.call_exception_handler({"message": "accept", "exception": error})

    try:
        asyncio.run(doing())
    finally:
        root.handlers[:] = before
    said = capsys.readouterr().err.splitlines()
    assert said == ["cannot accept connections: Too many open files"] * MAX_MESSAGES
