"""Request guard: middleware that checks each request before a page handles it.

It rejects unknown host names, cross-site POST requests, bodies that are too long or too
slow, and clients that send too many requests. It also adds restrictive security headers
to every response.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from math import ceil
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from workbench.web.request_limits import Budgets, RequestLimits, client_identity
from workbench.web.sessions import RequestDenied

NO_SOURCE, OWN_SOURCE = "'none'", "'self'"
SOURCES = (
    ("default-src", NO_SOURCE),
    ("script-src", OWN_SOURCE),
    ("style-src", OWN_SOURCE),
    ("img-src", OWN_SOURCE),
    ("connect-src", OWN_SOURCE),
    ("form-action", OWN_SOURCE),
    ("base-uri", NO_SOURCE),
    ("frame-ancestors", NO_SOURCE),
)
POLICY = "; ".join(f"{directive} {source}" for directive, source in SOURCES)
SECURITY_HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
"""Security headers that every response carries."""
NO_CACHE = "no-store"
"""Default `cache-control` header: browsers must not store pages."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
POST_METHOD = "POST"
SAFE_METHODS = frozenset({"GET", "HEAD"})
SAME_ORIGIN = "same-origin"
MAX_DRAINED_BYTES = 4_000_000
"""Maximum number of bytes read and discarded from a body that is too long.

Otherwise, a client that is still sending would not read the response.
"""

RefusalHandler = Callable[[Request, RequestDenied], Awaitable[Response]]


def with_security_headers(response: Response) -> Response:
    """Add the security headers to a response, and return it."""
    _add_security_headers(response.headers)
    return response


def _add_security_headers(headers: MutableHeaders) -> None:
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value
    headers.setdefault("cache-control", NO_CACHE)


class Guard:
    """ASGI middleware that checks requests and adds security headers to responses.

    `hosts` are the accepted host names, or None for any. `make_rejection` creates the
    response for a rejected request.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: RequestLimits,
        budgets: Budgets,
        make_rejection: RefusalHandler,
        hosts: Collection[str] | None = LOOPBACK,
    ) -> None:
        self._app = app
        self._limits = limits
        self._budgets = budgets
        self._make_rejection = make_rejection
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or reject it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_security_headers(MutableHeaders(scope=message))
            await send(message)

        body = _Body(receive, self._limits.max_body(scope["path"]), self._limits)
        try:
            self._check_request(scope)
            await body.check_length(scope)
            await self._app(scope, body, send_secured)
        except RequestDenied as denied:
            response = await self._make_rejection(Request(scope), denied)
            await response(scope, body, send_secured)

    def _check_request(self, scope: Scope) -> None:
        """Raise `RequestDenied` if the host, method, origin or rate is not allowed."""
        headers = Headers(scope=scope)
        host = _host_name(headers.get("host", ""))
        if self._hosts is not None and host not in self._hosts:
            raise RequestDenied(421, "other_host")
        if scope["method"] not in SAFE_METHODS:
            if scope["method"] != POST_METHOD:
                raise RequestDenied(405, "no_such_thing")
            _check_origin(headers)
        client = scope.get("client")
        address = client_identity(client[0]) if client else ""
        wait = self._budgets.spend("ask", address, self._limits.request_rate)
        if wait:
            raise RequestDenied(429, "too_often", seconds=ceil(wait))


def _check_origin(headers: Headers) -> None:
    """Raise `RequestDenied` for a POST request that originates from another site.

    Only browsers send `Sec-Fetch-Site` and `Origin`; requests without them pass.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        if site != SAME_ORIGIN:
            raise RequestDenied(403, "other_site")
        return
    origin = headers.get("origin")
    if origin is not None and _origin_host(origin) != headers.get("host"):
        raise RequestDenied(403, "other_site")


def _origin_host(origin: str) -> str:
    """Return the host and port in an `Origin` header, or an empty string."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _host_name(host: str) -> str:
    """Return the host name in a `Host` header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class _Body:
    """Request body whose size and transfer rate are checked as it arrives."""

    def __init__(self, receive: Receive, max_bytes: int, limits: RequestLimits) -> None:
        self._receive = receive
        self._max_bytes = max_bytes
        self._limits = limits
        self._bytes_read = 0
        self._is_complete = False
        self._started_at = asyncio.get_running_loop().time()

    @property
    def _deadline(self) -> float:
        """Event-loop time by which the next chunk must arrive."""
        limits = self._limits
        return (
            self._started_at + limits.body_seconds + self._bytes_read / limits.body_rate
        )

    async def check_length(self, scope: Scope) -> None:
        """Raise `RequestDenied` if `Content-Length` is invalid or exceeds the limit."""
        length = Headers(scope=scope).get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise RequestDenied(400, "not_understood")
        if int(length) > self._max_bytes:
            await self._drain()
            raise RequestDenied(413, "too_long", most=self._max_bytes)

    async def __call__(self) -> Message:
        """Return the next chunk, or raise `RequestDenied` if it is late or too long."""
        if self._is_complete:  # only a disconnect can follow
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise RequestDenied(408, "too_slow") from None
        self._update_state(message)
        if self._bytes_read > self._max_bytes:
            await self._drain()
            raise RequestDenied(413, "too_long", most=self._max_bytes)
        return message

    def _update_state(self, message: Message) -> None:
        self._bytes_read += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)

    async def _drain(self) -> None:
        """Read and discard the rest of the body, up to `MAX_DRAINED_BYTES` bytes."""
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while not self._is_complete and self._bytes_read < MAX_DRAINED_BYTES:
                    self._update_state(await self._receive())
        except TimeoutError:
            return
