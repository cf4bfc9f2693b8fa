"""Lobby: create tables, show the owner their links, and list this browser's tables."""

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

import variants
from workbench.defaults import GREEDY
from workbench.web import catalogue
from workbench.web.host import Host
from workbench.web.keys import OWNER, SEAT, WATCH, keys_of
from workbench.web.responses import data, form_of, html, language_of, wants_json
from workbench.web.sessions import (
    Denied,
    home_of,
    link_of,
    remember,
    remembered,
    seat_down,
)
from workbench.web.table_routes import At, address_of, arrived, limits_of, speak, spend
from workbench.web.views.rendering import page
from workbench.web.views.symbols import seat_signs


async def lobby(request: Request) -> Response:
    """Return the lobby page, with the form for a new table."""
    host: Host = request.app.state.host
    language, chosen = language_of(request), request.query_params
    first = next(iter((*host.games, *variants.names())))
    game = chosen.get("game") or catalogue.label_of(first)
    rules = chosen.getlist("rule")
    if rules:  # there are too many combinations to cache
        spend(request, "read", address_of(request), limits_of(request).reading)
    shown = await host.reading.do(_new, host, game, chosen, language)
    briefs = await asyncio.to_thread(host.store.brief, remembered(request))
    tables = [
        {
            "brief": brief,
            "home": home_of(brief.id),
            "label": catalogue.label_of(brief.variant),
        }
        for brief in briefs
    ]
    return html(page("lobby", language=language, tables=tables, **shown))


def _new(host: Host, game: str, given: QueryParams, language: str) -> dict[str, Any]:
    """Return the form data for a new table: the available and the selected values.

    Selected house rules and numbers that do not fit the game are dropped.
    """
    rules = given.getlist("rule")
    fitting = catalogue.house_rules(game, language)
    chosen = [each["name"] for each in fitting if each["name"] in rules]
    book = catalogue.book_of(catalogue.joined(game, chosen, host.games))
    players = range(book.players[0], book.players[1] + 1)
    return {
        "games": catalogue.games(host.games, language),
        "game": game,
        "rules": chosen,
        "house_rules": fitting,
        "players": players,
        "options": [
            {**option, "given": given.get(option["field"], "")}
            for option in catalogue.options(book, language)
        ],
        "given": {
            "players": next(
                (n for n in players if str(n) == given.get("players")), players[-1]
            ),
            "bots": given.get("bots", "0"),
            "bot": given.get("bot", GREEDY),
        },
        "bots": catalogue.bots(host.bots),
    }


async def make(request: Request) -> Response:
    """Create the table that the form requests, and redirect the owner to its links."""
    host: Host = request.app.state.host
    spend(request, "make", address_of(request), limits_of(request).making)
    form = await form_of(request)
    bots = catalogue.bots(host.bots)
    wish = await host.reading.do(catalogue.wish_of, form, host.games, bots)
    table, keys = await host.new(wish.variant, wish.options, wish.seats)
    owner = keys[OWNER]
    if wants_json(request):
        made = keys_of(owner, table.game.seats)
        answer: Response = data(
            {"ok": True, **linked(base_of(request), table.id, made)}
        )
    else:
        answer = RedirectResponse(f"{home_of(table.id)}links", 303)
    secure = request.app.state.secure
    seat_down(answer, table.id, owner, secure=secure)
    remember(request, answer, table.id, secure=secure)
    return answer


def linked(base: str, id: str, keys: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    """Return the links of a new table, by seat and role, as plain data."""
    links = {what: link_of(base, id, key) for what, key in keys.items()}
    return {
        "table": id,
        "seats": {seat: link for (sort, seat), link in links.items() if sort == SEAT},
        WATCH: links[WATCH, ""],
        OWNER: links[OWNER, ""],
    }


def base_of(request: Request) -> str:
    """Return the base URL for links: the operator's, or that of the request."""
    base: str = request.app.state.base
    return base or str(request.base_url).rstrip("/")


async def links(request: Request) -> Response:
    """Return the page with the links of a table. Only its owner may see it."""
    at = await arrived(request)
    if at.visitor.owner is None:
        raise Denied(403, "not_yours_to_give")
    owner = at.visitor.owner
    return html(await at.rendered(lambda: _links(at, owner)))


def _links(at: At, owner: str) -> str:
    """Render the page with the links of a table."""
    table, words = at.table, at.words
    told = linked(base_of(at.request), table.id, keys_of(owner, table.game.seats))
    signs = seat_signs(table.book, table.game.seats, at.language)
    rows = [
        {
            "place": place,
            "title": words.title(place.seat),
            "sign": signs[place.seat],
            "link": told["seats"][place.seat],
            "wanted": table.story.wanted.get(place.seat),
        }
        for place in table.seats
    ]
    return page(
        "links",
        language=at.language,
        title=words.heading,
        label=catalogue.label_of(table.variant),
        rows=rows,
        watch=told[WATCH],
        owner=told[OWNER],
        bots=catalogue.bots(at.host.bots),
        urls=at.urls,
    )


async def language(request: Request) -> Response:
    """Set the language of this browser."""
    return speak(request, await form_of(request), "/")


def routes() -> list[Route]:
    """Return the routes of the lobby."""
    return [
        Route("/", lobby),
        Route("/tables", make, methods=["POST"]),
        Route("/language", language, methods=["POST"]),
        Route("/t/{id}/links", links),
    ]
