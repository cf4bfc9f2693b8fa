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
from workbench.web.forwarding import forwarded
from workbench.web.guard import LOOPBACK, Guard, sealed
from workbench.web.host import Host
from workbench.web.limits import Budgets, RequestLimits
from workbench.web.responses import REFUSALS, SPOKEN, refusal
from workbench.web.sessions import Denied
from workbench.web.views.rendering import static
from workbench.web.workshop import replay, rules_editor
from workbench.web.workshop.uploads import Records, UploadedRecord

FOR_EVER = "public, max-age=31536000, immutable"
ROBOTS = "User-agent: *\nDisallow: /\n"


def application(
    host: Host,
    *,
    limits: RequestLimits | None = None,
    hosts: Collection[str] | None = LOOPBACK,
    base: str = "",
    secure: bool = False,
    language: str = LANGUAGE,
    records: Records | None = None,
    saves: Path | None = None,
    shown: Mapping[str, UploadedRecord] | None = None,
) -> Starlette:
    """Return the ASGI application that serves the tables of a host.

    `hosts` are the accepted host names (None: any). `base` is the start of printed
    links, if it differs from the address of the request. `secure` restricts cookies to
    HTTPS. `records` are the uploaded records that visitors may view. The workshop saves
    rule files in the folder `saves`, if given. In a worker, `shown` contains the
    records that it has read.
    """
    if host.workers is not None:
        host.workers.settings = {
            "bounds": attrs.asdict(host.bounds),
            "games": host.games,
            "bots": host.bots,
            "base": base,
            "secure": secure,
            "language": language,
            "saves": None if saves is None else str(saves),
        }
    bounds, budgets = limits or RequestLimits(), Budgets()
    app = Starlette(
        routes=[
            *map(forwarded, _routes(host, records, saves, shown)),
            Route("/static/{digest}/{name:path}", asset),
            Route("/robots.txt", robots),
        ],
        middleware=[
            Middleware(
                Guard, limits=bounds, budgets=budgets, refusing=refusal, hosts=hosts
            )
        ],
        exception_handlers={
            **dict.fromkeys(REFUSALS, refusal),
            404: missing,
            405: missing,
            500: broken,
        },
        lifespan=_lasting,
    )
    app.router.redirect_slashes = False
    app.state.host, app.state.limits, app.state.budgets = host, bounds, budgets
    app.state.listeners = notifications.Listeners(bounds)
    app.state.base, app.state.secure = base, secure
    setattr(app.state, SPOKEN, language)
    return app


def _routes(
    host: Host,
    records: Records | None,
    saves: Path | None,
    shown: Mapping[str, UploadedRecord] | None,
) -> list[Route]:
    """Return the routes of the lobby, tables, replays and static files."""
    return [
        *lobby.routes(),
        *table_routes.routes(),
        *notifications.routes(),
        *replay.routes(host, records or Records(host), shown),
        *rules_editor.routes(host, saves),
    ]


@asynccontextmanager
async def _lasting(app: Starlette) -> AsyncIterator[None]:
    """Warm the caches in the background at startup, and close the host at shutdown."""
    ended = Event()
    preparing = asyncio.create_task(asyncio.to_thread(catalogue.prepare, ended.is_set))
    yield
    ended.set()
    await preparing
    await app.state.host.close()


async def asset(request: Request) -> Response:
    """Return a static file. Its address contains a digest of its content."""
    kept = static(request.path_params["name"])
    if kept is None or kept[2] != request.path_params["digest"]:
        raise Denied(404, "no_such_thing")
    content, sort, _ = kept
    return Response(content, media_type=sort, headers={"cache-control": FOR_EVER})


async def robots(_: Request) -> Response:
    """Return a `robots.txt` that excludes all crawlers."""
    return PlainTextResponse(ROBOTS)


async def missing(request: Request, error: Exception) -> Response:
    """Return the error page for an unknown address or method."""
    status = getattr(error, "status_code", 404)
    return await refusal(request, Denied(status, "no_such_thing"))


async def broken(request: Request, _: Exception) -> Response:
    """Return the error page for an internal error; the server logs the details."""
    return sealed(await refusal(request, Denied(500, "our_mistake")))
