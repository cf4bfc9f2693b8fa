"""Forward requests about untrusted rules and records to their worker process.

The server checks keys and rate limits; the worker renders the response.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from workbench.web.host import Host
from workbench.web.responses import body_of
from workbench.web.storage.errors import Stale
from workbench.web.table_routes import (
    address_of,
    arrived,
    arrived_from_anywhere,
    limits_of,
    spend,
)
from workbench.web.worker_pool.ledger import Foreign
from workbench.web.worker_pool.remote_store import ADD

TABLE = "/t/{id}/"
HERE = frozenset(
    {
        *(f"{TABLE}{name}" for name in ("sit/{key}", "news")),
        *(f"{TABLE}workshop/{name}" for name in ("file", "check", "apply", "save")),
    }
)
"""Table routes that need no rules, so that the server handles them itself."""
ASKING = frozenset(
    {"accept", "accept-language", "content-type", "cookie", "host", "sec-fetch-site"}
)
"""Request headers that are forwarded to a worker."""
ANSWERING = frozenset(
    {"content-disposition", "content-type", "location", "retry-after", "set-cookie"}
)
"""Response headers that are accepted from a worker."""

Endpoint = Callable[[Request], Awaitable[Response]]


def forwarded(route: Route) -> Route:
    """Wrap a route so that requests for tables with untrusted rules go to a worker."""
    if not route.path.startswith(TABLE[:-1]) or route.path in HERE:
        return route

    async def answer(request: Request) -> Response:
        host: Host = request.app.state.host
        if await host.is_foreign(request.path_params["id"]):
            return await _of_table(request)
        here: Response = await route.endpoint(request)
        return here

    return Route(route.path, answer, methods=sorted(route.methods or ()))


async def _of_table(request: Request) -> Response:
    """Forward a request to the worker of its table; return the response."""
    if request.scope["path"] == TABLE.format(id=request.path_params["id"]):
        at = await arrived_from_anywhere(request)
    else:
        at = await arrived(request)
    if isinstance(at, Response):
        return at
    host, id, whose = at.host, at.ledger.id, address_of(request)
    message = await _message(request)
    async with host.worker_turn(whose), host.lock(id):
        table = await host.ledger(id)
        if not isinstance(table, Foreign):
            raise Stale
        told = await host.ask(table, message, whose, spends=_spending(request))
    return _response(told)


async def of_record(
    request: Request, host: Host, key: Any, preamble: Mapping[str, Any]
) -> Response:
    """Forward a request to the worker of an uploaded record; return the response."""
    message, whose = await _message(request), address_of(request)
    async with host.worker_turn(whose):
        told = await host.ask_of_record(
            key, message, whose, preamble, spends=_spending(request)
        )
    return _response(told)


def _spending(request: Request) -> Callable[[str], None]:
    """Return a callback that charges the visitor when a worker adds a table."""

    def spends(what: str) -> None:
        if what == ADD:
            spend(request, "make", address_of(request), limits_of(request).making)

    return spends


async def _message(request: Request) -> dict[str, Any]:
    """Convert a request to plain data for a worker."""
    headers = [[a, b] for a, b in request.headers.items() if a in ASKING]
    return {
        "op": "http",
        "table": request.path_params.get("id", ""),
        "lines": [],
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.scope["path"],
        "query": request.scope["query_string"].decode("latin-1"),
        "headers": headers,
        "body": (await body_of(request)).decode("latin-1"),
    }


def _response(told: Mapping[str, Any]) -> Response:
    """Convert a worker's answer to an HTTP response."""
    body = str(told["body"]).encode("latin-1")
    response = Response(body, int(told["status"]))
    for name, value in told["headers"]:
        if str(name).lower() in ANSWERING:
            response.headers.append(str(name), str(value))
    return response
