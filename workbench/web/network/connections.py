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

from workbench.web.request_limits import RequestLimits, client_identity

PROXIES = frozenset({"127.0.0.1", "::1"})
"""Addresses of proxies whose `X-Forwarded-For` header is trusted."""
HEAD_DEADLINE, READ_DEADLINE = "head", "space"
"""Kinds of connection deadlines.

`HEAD_DEADLINE`: the client must complete the head of a request. `READ_DEADLINE`: the
client must read pending data to free buffer space.
"""
OVERLOAD_TEXT = b"The server has too many connections. Try again in 10 s.\n"
OVERLOAD_RESPONSE = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"connection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nretry-after: 10\r\n\r\n%s"
) % (len(OVERLOAD_TEXT), OVERLOAD_TEXT)
"""HTTP response for a connection beyond the limit."""


BACKLOG = 2048
"""Length of the operating system's queue of connections that wait to be accepted."""


class HttpServer(uvicorn.Server):
    """HTTP server that installs no signal handlers.

    `BACKLOG` replaces the length of the listen queue that asyncio sets.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signal handlers unchanged."""
        yield


class Connections:
    """Counter of open connections, by client address.

    Only the server-wide maximum applies to `unlimited_addresses`.
    """

    def __init__(
        self, limits: RequestLimits, unlimited_addresses: frozenset[str] = frozenset()
    ) -> None:
        self.limits = limits
        self._unlimited_addresses = unlimited_addresses
        self._open: Counter[str] = Counter()

    def add(self, address: str) -> bool:
        """Count a new connection of an address; return false if it exceeds a limit."""
        limits, open_count = self.limits, self._open[address]
        is_limited = address not in self._unlimited_addresses
        if self._open.total() >= limits.connections or (
            is_limited and open_count >= limits.connections_per_address
        ):
            return False
        self._open[address] += 1
        return True

    def remove(self, address: str) -> None:
        """Decrease the number of connections of an address by one."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def __len__(self) -> int:
        """Return the number of open connections."""
        return self._open.total()


class BoundedProtocol(H11Protocol):
    """HTTP protocol that limits the number of connections and closes slow ones."""

    def __init__(self, connections: Connections, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._connections = connections
        self._address: str | None = None
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: Any) -> None:
        """Serve a connection, or close it if there are too many."""
        peer = transport.get_extra_info("peername")
        address = client_identity(str(peer[0])) if peer else ""
        if not self._connections.add(address):
            transport.write(OVERLOAD_RESPONSE)
            transport.close()
            return
        self._address = address
        super().connection_made(transport)
        self._set_deadline(HEAD_DEADLINE, self._connections.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clear the deadlines of the connection, and stop counting it."""
        if self._address is None:
            return
        for kind in list(self._deadlines):
            self._clear_deadline(kind)
        self._connections.remove(self._address)
        self._address = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process data from the client, and update the request-head deadline."""
        if self._address is None:
            return
        super().data_received(data)
        if self._has_request():
            self._clear_deadline(HEAD_DEADLINE)
        elif HEAD_DEADLINE not in self._deadlines:
            self._set_deadline(HEAD_DEADLINE, self._connections.limits.head_seconds)

    def pause_writing(self) -> None:
        """Pause writing, and set a deadline for the client to read pending data."""
        super().pause_writing()
        self._set_deadline(READ_DEADLINE, self._connections.limits.reading_seconds)

    def resume_writing(self) -> None:
        """Resume writing after the client has read pending data."""
        self._clear_deadline(READ_DEADLINE)
        super().resume_writing()

    def _has_request(self) -> bool:
        """Return whether a request is in progress."""
        return self.cycle is not None and not self.cycle.response_complete

    def _set_deadline(self, kind: str, seconds: float) -> None:
        """Close the connection in *seconds*, unless the deadline is cleared first."""
        self._clear_deadline(kind)
        timer = self.loop.call_later(seconds, self.transport.abort)
        self._deadlines[kind] = timer

    def _clear_deadline(self, kind: str) -> None:
        """Clear a deadline of the connection."""
        if (timer := self._deadlines.pop(kind, None)) is not None:
            timer.cancel()
