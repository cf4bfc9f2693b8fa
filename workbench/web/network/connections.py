"""Connections of the HTTP server: how many may be open, and how long each may idle."""

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
"""Addresses of a proxy whose `X-Forwarded-For` header is trusted."""
HEAD, SPACE = "head", "space"
"""Reasons for a deadline of a client.

`HEAD`: it must send the whole head of a request. `SPACE`: it must read what was sent,
so that there is space for more.
"""
SAID = b"The server has too many connections. Try again in 10 s.\n"
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"connection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nretry-after: 10\r\n\r\n%s"
) % (len(SAID), SAID)
"""Response to a connection beyond the maximum number."""


BACKLOG = 2048
"""Number of connections that the system queues until they are accepted."""


class HttpServer(uvicorn.Server):
    """HTTP server that leaves signals to the program.

    The `backlog` of its settings bounds only how many connections are accepted at once.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signal."""
        yield


class Connections:
    """Open connections, counted by address.

    Addresses in `unbounded` may open as many as the server has.
    """

    def __init__(
        self, limits: RequestLimits, unbounded: frozenset[str] = frozenset()
    ) -> None:
        self.limits = limits
        self._unbounded = unbounded
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count another connection of an address; return whether there is room."""
        limits, own = self.limits, self._open[address]
        is_bounded = address not in self._unbounded
        if self._open.total() >= limits.connections or (
            is_bounded and own >= limits.of_address
        ):
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one connection of an address less."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def __len__(self) -> int:
        """Return the number of open connections."""
        return self._open.total()


class BoundedProtocol(H11Protocol):
    """HTTP protocol for a counted connection, closed if its client is too slow."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._all = connections
        self._address: str | None = None
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: Any) -> None:
        """Serve the connection, or close it if there are too many."""
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
        """Stop counting the connection."""
        if self._address is None:
            return
        for what in list(self._deadlines):
            self._expect_no_more(what)
        self._all.leave(self._address)
        self._address = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data from the client; set or clear the deadline of the request head."""
        if self._address is None:
            return
        super().data_received(data)
        if self._is_asking():
            self._expect_no_more(HEAD)
        elif HEAD not in self._deadlines:
            self._expect(HEAD, self._all.limits.head_seconds)

    def pause_writing(self) -> None:
        """Pause until the client has read what was sent, but with a deadline."""
        super().pause_writing()
        self._expect(SPACE, self._all.limits.reading_seconds)

    def resume_writing(self) -> None:
        """Continue after the client has read what was sent."""
        self._expect_no_more(SPACE)
        super().resume_writing()

    def _is_asking(self) -> bool:
        """Return whether a request is in progress."""
        return self.cycle is not None and not self.cycle.response_complete

    def _expect(self, what: str, seconds: float) -> None:
        """Set a deadline: close the connection unless the client acts in *seconds*."""
        self._expect_no_more(what)
        timer = self.loop.call_later(seconds, self.transport.abort)
        self._deadlines[what] = timer

    def _expect_no_more(self, what: str) -> None:
        """Clear a deadline."""
        if (timer := self._deadlines.pop(what, None)) is not None:
            timer.cancel()
