"""News of a table for browsers: numbers of versions, as server-sent events.

Nothing of the game is in them: a browser that hears of a newer version asks for it. As
long as a seat listens, somebody is there.
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
"""Seconds after which a silent stream says that it is there."""
RETRY = 2_000
"""Milliseconds after which a browser that was cut off comes back."""


class Listeners:
    """Who listens: how many from each seat of each table, and how to let them all go.

    Each seat has room of its own: nobody takes it from the players.
    """

    def __init__(self, limits: RequestLimits) -> None:
        self._limits = limits
        self._at: Counter[tuple[str, str | None]] = Counter()
        self._closing = asyncio.Event()

    def let_go(self) -> None:
        """End all streams: the server ends."""
        self._closing.set()

    def see_room(self, id: str, seat: str | None) -> None:
        """Refuse another listener where there are too many of a seat, or looking on."""
        limits = self._limits
        most = limits.looking_on if seat is None else limits.of_seat
        if self._at[id, seat] >= most or self._at.total() >= limits.listening:
            raise Denied(503, "full")

    async def stream(
        self, host: Host, id: str, seat: str | None, version: int
    ) -> AsyncIterator[str]:
        """The versions of a table from one on, as long as anybody listens."""
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
        """A newer version, the same after a while, None: the server ends."""
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
    """A stream of the versions of a table, for who has a key of it."""
    at = await arrived(request)
    listeners: Listeners = request.app.state.listeners
    listeners.see_room(at.ledger.id, at.seat)
    text = request.headers.get("last-event-id") or request.query_params.get("after", "")
    version = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    stream = listeners.stream(at.host, at.ledger.id, at.seat, version)
    return StreamingResponse(stream, media_type=STREAM)


def routes() -> list[Route]:
    """The address of the news of a table."""
    return [Route("/t/{id}/news", news)]
