"""ASGI application of the server: all routes, behind the request guard."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import attrs
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from workbench.defaults import LANGUAGE
from workbench.web import catalogue, lobby, notifications, table_routes
from workbench.web.exercises import exercise_pages
from workbench.web.forwarding import with_forwarding
from workbench.web.guard import LOOPBACK, Guard, with_security_headers
from workbench.web.host import Host
from workbench.web.request_limits import Budgets, RequestLimits
from workbench.web.responses import LANGUAGE_COOKIE, VISIBLE_ERRORS, refusal_response
from workbench.web.sessions import RequestDenied
from workbench.web.views.rendering import static_file
from workbench.web.workshop import replay_pages, rules_editor
from workbench.web.workshop.uploads import UploadedRecord, UploadedRecords

IMMUTABLE_CACHE = "public, max-age=31536000, immutable"
ROBOTS = "User-agent: *\nDisallow: /\n"


def create_app(
    host: Host,
    *,
    limits: RequestLimits | None = None,
    hosts: Collection[str] | None = LOOPBACK,
    base_url: str = "",
    secure: bool = False,
    language: str = LANGUAGE,
    records: UploadedRecords | None = None,
    save_folder: Path | None = None,
    uploaded_records: Mapping[str, UploadedRecord] | None = None,
) -> Starlette:
    """Return the ASGI application that serves the tables of a host.

    `hosts` are the accepted host names, or None for any. `base_url` is the prefix of
    links, or empty to use the address of the request. `secure` restricts cookies to
    HTTPS. `records` are the uploaded records that visitors may view. The workshop saves
    rule files in the folder `save_folder`, if given. In a worker, `uploaded_records`
    contains the records that it has read, by id.
    """
    if host.workers is not None:
        host.workers.settings = {
            "bounds": attrs.asdict(host.limits),
            "games": host.games,
            "bots": host.bots,
            "base": base_url,
            "secure": secure,
            "language": language,
            "saves": None if save_folder is None else str(save_folder),
        }
    bounds, budgets = limits or RequestLimits(), Budgets()
    app = Starlette(
        routes=[
            *map(
                with_forwarding, _routes(host, records, save_folder, uploaded_records)
            ),
            Route("/static/{digest}/{name:path}", asset),
            Route("/robots.txt", robots),
        ],
        middleware=[
            Middleware(
                Guard,
                limits=bounds,
                budgets=budgets,
                make_rejection=refusal_response,
                hosts=hosts,
            )
        ],
        exception_handlers={
            **dict.fromkeys(VISIBLE_ERRORS, refusal_response),
            404: not_found_response,
            405: not_found_response,
            500: internal_error_response,
        },
        lifespan=_lifespan,
    )
    app.router.redirect_slashes = False
    app.state.host, app.state.limits, app.state.budgets = host, bounds, budgets
    app.state.listeners = notifications.EventStreams(bounds)
    app.state.base, app.state.secure = base_url, secure
    setattr(app.state, LANGUAGE_COOKIE, language)
    return app


def _routes(
    host: Host,
    records: UploadedRecords | None,
    save_folder: Path | None,
    uploaded_records: Mapping[str, UploadedRecord] | None,
) -> list[Route]:
    """Return the routes: lobby, tables, events, replays, workshops, exercises."""
    return [
        *lobby.routes(),
        *table_routes.routes(),
        *notifications.routes(),
        *replay_pages.routes(host, records or UploadedRecords(host), uploaded_records),
        *rules_editor.routes(host, save_folder),
        *exercise_pages.routes(),
    ]


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Warm the caches in the background at startup, and close the host at shutdown."""
    await app.state.host.start_clocks()
    is_stopping = Event()
    warming = asyncio.create_task(
        asyncio.to_thread(catalogue.warm_catalogue, is_stopping.is_set)
    )
    yield
    is_stopping.set()
    await warming
    await app.state.host.close()


async def asset(request: Request) -> Response:
    """Return a static file, whose address contains a digest of its content."""
    file = static_file(request.path_params["name"])
    if file is None or file[2] != request.path_params["digest"]:
        raise RequestDenied(404, "no_such_thing")
    content, media_type, _ = file
    return Response(
        content, media_type=media_type, headers={"cache-control": IMMUTABLE_CACHE}
    )


async def robots(_: Request) -> Response:
    """Return a `robots.txt` that excludes all crawlers."""
    return PlainTextResponse(ROBOTS)


async def not_found_response(request: Request, error: Exception) -> Response:
    """Return the error page for an unknown address or method."""
    status = getattr(error, "status_code", 404)
    return await refusal_response(request, RequestDenied(status, "no_such_thing"))


async def internal_error_response(request: Request, _: Exception) -> Response:
    """Return the error page for an internal error; the server logs the details."""
    return with_security_headers(
        await refusal_response(request, RequestDenied(500, "our_mistake"))
    )
