"""News of a table for browsers: version numbers as server-sent events.

The events contain nothing of the game: a browser that receives a newer version requests
the content. A seat counts as present while one of its browsers listens.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from workbench.web.host import Host
from workbench.web.limits import RequestLimits
from workbench.web.sessions import Denied
from workbench.web.table_routes import arrived

STREAM = "text/event-stream"
BEAT = 15.0
"""Seconds of silence after which a stream sends a comment to keep it open."""
RETRY = 2_000
"""Milliseconds after which a disconnected browser reconnects."""


class Listeners:
    """Open streams, counted by table and seat.

    Each seat has its own limit, so that spectators cannot use up the room of players.
    """

    def __init__(self, limits: RequestLimits) -> None:
        self._limits = limits
        self._at: Counter[tuple[str, str | None]] = Counter()
        self._closing = asyncio.Event()

    def let_go(self) -> None:
        """Close all streams, because the server stops."""
        self._closing.set()

    def see_room(self, id: str, seat: str | None) -> None:
        """Raise `Denied` if a seat, or all spectators, have too many listeners."""
        limits = self._limits
        most = limits.looking_on if seat is None else limits.of_seat
        if self._at[id, seat] >= most or self._at.total() >= limits.listening:
            raise Denied(503, "full")

    async def stream(
        self, host: Host, id: str, seat: str | None, version: int
    ) -> AsyncIterator[str]:
        """Yield the versions of a table after *version*, as server-sent events."""
        self._at[id, seat] += 1
        if seat is not None:
            host.arrived(id, seat)
        try:
            yield f"retry: {RETRY}\n\n"
            while (newer := await self._newer(host, id, version)) is not None:
                if newer == version:
                    yield ": still here\n\n"
                    continue
                version = newer
                yield f"id: {version}\ndata: {version}\n\n"
        finally:
            self._at[id, seat] -= 1
            if not self._at[id, seat]:
                del self._at[id, seat]
            if seat is not None:
                host.departed(id, seat)

    async def _newer(self, host: Host, id: str, version: int) -> int | None:
        """Return a newer version, the same one after a while, or None at shutdown."""
        news = asyncio.ensure_future(host.news(id, version))
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait(
                {news, closing}, timeout=BEAT, return_when=asyncio.FIRST_COMPLETED
            )
            if self._closing.is_set():
                return None
            return news.result() if news.done() else version
        finally:
            news.cancel()
            closing.cancel()


async def news(request: Request) -> Response:
    """Return the stream of versions of a table to a visitor with a key."""
    at = await arrived(request)
    listeners: Listeners = request.app.state.listeners
    listeners.see_room(at.ledger.id, at.seat)
    text = request.headers.get("last-event-id") or request.query_params.get("after", "")
    version = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    stream = listeners.stream(at.host, at.ledger.id, at.seat, version)
    return StreamingResponse(stream, media_type=STREAM)


def routes() -> list[Route]:
    """Return the route for the news of a table."""
    return [Route("/t/{id}/news", news)]
