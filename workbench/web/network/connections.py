"""HTTP connections with limits on their number and on slow clients."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from workbench.web.limits import RequestLimits, client_of

PROXIES = frozenset({"127.0.0.1", "::1"})
"""Addresses of proxies whose `X-Forwarded-For` header is trusted."""
HEAD, SPACE = "head", "space"
"""Kinds of connection deadlines.

`HEAD`: the client must complete the head of a request. `SPACE`: the client must read
pending data to free buffer space.
"""
SAID = b"The server has too many connections. Try again in 10 s.\n"
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"connection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nretry-after: 10\r\n\r\n%s"
) % (len(SAID), SAID)
"""HTTP response for a connection beyond the limit."""


BACKLOG = 2048
"""Length of the operating system's queue of connections that wait to be accepted."""


class HttpServer(uvicorn.Server):
    """HTTP server that installs no signal handlers.

    The `backlog` setting only limits how many connections are accepted at once.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield


class Connections:
    """Counter of open connections, by client address.

    Addresses in `unbounded` are limited only by the maximum for the whole server.
    """

    def __init__(
        self, limits: RequestLimits, unbounded: frozenset[str] = frozenset()
    ) -> None:
        self.limits = limits
        self._unbounded = unbounded
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a new connection of an address; return false if it exceeds a limit."""
        limits, own = self.limits, self._open[address]
        is_bounded = address not in self._unbounded
        if self._open.total() >= limits.connections or (
            is_bounded and own >= limits.of_address
        ):
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Decrease the number of connections of an address by one."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def __len__(self) -> int:
        """Return the number of open connections."""
        return self._open.total()


class BoundedProtocol(H11Protocol):
    """HTTP protocol that limits the number of connections and closes slow ones."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._all = connections
        self._address: str | None = None
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: Any) -> None:
        """Serve a connection, or close it if there are too many."""
        peer = transport.get_extra_info("peername")
        address = client_of(str(peer[0])) if peer else ""
        if not self._all.enter(address):
            transport.write(FULL)
            transport.close()
            return
        self._address = address
        super().connection_made(transport)
        self._expect(HEAD, self._all.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clear the deadlines of the connection, and stop counting it."""
        if self._address is None:
            return
        for what in list(self._deadlines):
            self._expect_no_more(what)
        self._all.leave(self._address)
        self._address = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process data from the client, and update the request-head deadline."""
        if self._address is None:
            return
        super().data_received(data)
        if self._is_asking():
            self._expect_no_more(HEAD)
        elif HEAD not in self._deadlines:
            self._expect(HEAD, self._all.limits.head_seconds)

    def pause_writing(self) -> None:
        """Pause writing, and set a deadline for the client to read pending data."""
        super().pause_writing()
        self._expect(SPACE, self._all.limits.reading_seconds)

    def resume_writing(self) -> None:
        """Resume writing after the client has read pending data."""
        self._expect_no_more(SPACE)
        super().resume_writing()

    def _is_asking(self) -> bool:
        """Return whether a request is in progress."""
        return self.cycle is not None and not self.cycle.response_complete

    def _expect(self, what: str, seconds: float) -> None:
        """Close the connection in *seconds*, unless the deadline is cleared before."""
        self._expect_no_more(what)
        timer = self.loop.call_later(seconds, self.transport.abort)
        self._deadlines[what] = timer

    def _expect_no_more(self, what: str) -> None:
        """Clear a deadline of the connection."""
        if (timer := self._deadlines.pop(what, None)) is not None:
            timer.cancel()
