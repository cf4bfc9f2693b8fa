"""Forwarding of requests about untrusted rules and records to worker processes.

The server checks keys and rate limits; the worker renders the response.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from workbench.web.host import Host
from workbench.web.responses import read_body
from workbench.web.storage.table_errors import StalePage
from workbench.web.table_routes import (
    client_address,
    identify_cross_site,
    identify_visitor,
    spend_budget,
)
from workbench.web.worker_pool.base_table import RemoteTable
from workbench.web.worker_pool.remote_store import ADD

TABLE_PATH = "/t/{id}/"
SERVER_ROUTES = frozenset(
    {
        *(f"{TABLE_PATH}{name}" for name in ("sit/{key}", "news")),
        *(
            f"{TABLE_PATH}workshop/{name}"
            for name in ("file", "check", "apply", "save")
        ),
    }
)
"""Paths of table routes that need no rules, so that the server handles them itself."""
FORWARDED_HEADERS = frozenset(
    {"accept", "accept-language", "content-type", "cookie", "host", "sec-fetch-site"}
)
"""Request headers that are forwarded to a worker."""
ACCEPTED_HEADERS = frozenset(
    {"content-disposition", "content-type", "location", "retry-after", "set-cookie"}
)
"""Response headers that are accepted from a worker."""


def with_forwarding(route: Route) -> Route:
    """Wrap a route so that requests for tables with untrusted rules go to a worker."""
    if not route.path.startswith(TABLE_PATH[:-1]) or route.path in SERVER_ROUTES:
        return route

    async def endpoint(request: Request) -> Response:
        host: Host = request.app.state.host
        if await host.is_remote(request.path_params["id"]):
            return await _forward_to_table(request)
        response: Response = await route.endpoint(request)
        return response

    return Route(route.path, endpoint, methods=sorted(route.methods or ()))


async def _forward_to_table(request: Request) -> Response:
    """Forward a request to the worker of its table; return the response."""
    if request.scope["path"] == TABLE_PATH.format(id=request.path_params["id"]):
        context = await identify_cross_site(request)
    else:
        context = await identify_visitor(request)
    if isinstance(context, Response):
        return context
    host, id, client = context.host, context.any_table.id, client_address(request)
    message = await _request_message(request)
    async with host.requests.turn(client), host.lock(id):
        table = await host.get_any_table(id)
        if not isinstance(table, RemoteTable):
            raise StalePage
        answer = await host.requests.ask(
            table, message, client, on_store=_budget_callback(request)
        )
    return _response(answer)


async def forward_to_record(
    request: Request, host: Host, key: Any, preamble: Mapping[str, Any]
) -> Response:
    """Forward a request to the worker of an uploaded record; return the response.

    `key` identifies the worker. If it is new, `preamble` gives it the record.
    """
    message, client = await _request_message(request), client_address(request)
    async with host.requests.turn(client):
        answer = await host.requests.exchange(
            key,
            message,
            client,
            preamble=preamble,
            on_store=_budget_callback(request),
        )
    return _response(answer)


def _budget_callback(request: Request) -> Callable[[str], None]:
    """Return a callback that charges the visitor for each table that a worker adds."""

    def charge(operation: str) -> None:
        if operation == ADD:
            spend_budget(request, "creation")

    return charge


async def _request_message(request: Request) -> dict[str, Any]:
    """Convert a request to plain data for a worker."""
    headers = [[a, b] for a, b in request.headers.items() if a in FORWARDED_HEADERS]
    return {
        "op": "http",
        "table": request.path_params.get("id", ""),
        "lines": [],
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.scope["path"],
        "query": request.scope["query_string"].decode("latin-1"),
        "headers": headers,
        "body": (await read_body(request)).decode("latin-1"),
    }


def _response(answer: Mapping[str, Any]) -> Response:
    """Convert a worker's answer to an HTTP response."""
    body = str(answer["body"]).encode("latin-1")
    response = Response(body, int(answer["status"]))
    for name, value in answer["headers"]:
        if str(name).lower() in ACCEPTED_HEADERS:
            response.headers.append(str(name), str(value))
    return response
