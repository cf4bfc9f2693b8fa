"""Notifications of changes to a table: version numbers as server-sent events.

The events contain no game data: a browser that receives a newer version requests the
content. A seat counts as present while one of its browsers listens.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from workbench.web.host import Host
from workbench.web.request_limits import RequestLimits
from workbench.web.sessions import RequestDenied
from workbench.web.table_routes import identify_visitor

STREAM = "text/event-stream"
HEARTBEAT_SECONDS = 15.0
"""Seconds of silence after which a stream sends a comment to stay open."""
RETRY_MILLISECONDS = 2_000
"""Milliseconds after which a disconnected browser reconnects."""
FAST_PACE = "fast"
"""Value of the parameter `pace` of a browser that wants fast bots."""


class EventStreams:
    """Counter of open event streams, by table and seat.

    Each seat has its own limit, so that spectators cannot block players.
    """

    def __init__(self, limits: RequestLimits) -> None:
        self._limits = limits
        self._open_streams: Counter[tuple[str, str | None]] = Counter()
        self._closing = asyncio.Event()

    def end_all(self) -> None:
        """End all streams when the server shuts down."""
        self._closing.set()

    def check_limit(self, id: str, seat: str | None) -> None:
        """Raise `RequestDenied` if one more stream would exceed a limit."""
        limits = self._limits
        most = limits.spectator_streams if seat is None else limits.streams_per_seat
        if (
            self._open_streams[id, seat] >= most
            or self._open_streams.total() >= limits.total_streams
        ):
            raise RequestDenied(503, "full")

    async def stream(
        self,
        host: Host,
        id: str,
        seat: str | None,
        version: int,
        *,
        is_fast: bool = False,
    ) -> AsyncIterator[str]:
        """Yield versions of a table newer than *version*, as server-sent events.

        If *is_fast* is true, the browser wants fast bots as long as it listens.
        """
        self._open_streams[id, seat] += 1
        if seat is not None:
            host.presence.add_browser(id, seat, is_fast=is_fast)
        try:
            yield f"retry: {RETRY_MILLISECONDS}\n\n"
            while (newer := await self._next_version(host, id, version)) is not None:
                if newer == version:
                    yield ": still here\n\n"
                    continue
                version = newer
                yield f"id: {version}\ndata: {version}\n\n"
        finally:
            self._open_streams[id, seat] -= 1
            if not self._open_streams[id, seat]:
                del self._open_streams[id, seat]
            if seat is not None:
                host.presence.remove_browser(id, seat, is_fast=is_fast)

    async def _next_version(self, host: Host, id: str, version: int) -> int | None:
        """Wait for a newer version of a table, and return it.

        Return the same version after `HEARTBEAT_SECONDS` seconds, and None at shutdown.
        """
        news = asyncio.ensure_future(host.wait_for_news(id, version))
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait(
                {news, closing},
                timeout=HEARTBEAT_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if self._closing.is_set():
                return None
            return news.result() if news.done() else version
        finally:
            news.cancel()
            closing.cancel()


async def event_stream(request: Request) -> Response:
    """Return the event stream of a table to a visitor with a valid key."""
    context = await identify_visitor(request)
    listeners: EventStreams = request.app.state.listeners
    listeners.check_limit(context.any_table.id, context.seat)
    text = request.headers.get("last-event-id") or request.query_params.get("after", "")
    version = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    stream = listeners.stream(
        context.host,
        context.any_table.id,
        context.seat,
        version,
        is_fast=request.query_params.get("pace") == FAST_PACE,
    )
    return StreamingResponse(stream, media_type=STREAM)


def routes() -> list[Route]:
    """Return the route of the event stream."""
    return [Route("/t/{id}/news", event_stream)]
