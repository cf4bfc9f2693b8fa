"""Lobby: creation of tables, links for their owners, and seats for people who join."""

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

import variants
from workbench.defaults import GREEDY
from workbench.presentation.localization.localizer import Localizer
from workbench.web import catalogue
from workbench.web.host import Host
from workbench.web.keys import (
    OWNER,
    SEAT,
    WATCH,
    code_digest,
    derive_code,
    derive_keys,
    key_digest,
    new_key,
)
from workbench.web.responses import (
    Form,
    html_response,
    json_response,
    language_of,
    read_form,
    wants_json,
)
from workbench.web.sessions import (
    SEAT_PARAMETER,
    RequestDenied,
    joined_tables,
    key_link,
    remember_table,
    set_key_cookie,
    table_path,
)
from workbench.web.storage.table_options import CHAT_CHOICES, CLOCK_CHOICES
from workbench.web.store import CODE_SETTING
from workbench.web.table import Table
from workbench.web.table_routes import (
    RequestContext,
    client_address,
    identify_visitor,
    set_language_cookie,
    spend_budget,
)
from workbench.web.views.rendering import render_page
from workbench.web.views.symbols import seat_symbols
from workbench.web.worker_pool.base_table import RemoteTable


async def lobby_page(request: Request) -> Response:
    """Return the lobby page, with the form for a new table."""
    host: Host = request.app.state.host
    language, chosen = language_of(request), request.query_params
    first = next(iter((*host.games, *variants.names())))
    game = chosen.get("game") or catalogue.label_of(first)
    rules = chosen.getlist("rule")
    if rules:  # there are too many combinations to cache
        spend_budget(request, "lobby")
    form_data = await host.reading_threads.run(
        _new_table_form, host, game, chosen, language
    )
    briefs = await asyncio.to_thread(host.store.summaries, joined_tables(request))
    tables = [
        {
            "brief": brief,
            "home": table_path(brief.id),
            "label": catalogue.label_of(brief.variant),
        }
        for brief in briefs
    ]
    return html_response(
        render_page("lobby", language=language, tables=tables, **form_data)
    )


def _new_table_form(
    host: Host, game: str, query: QueryParams, language: str
) -> dict[str, Any]:
    """Return the form data for a new table: the available and the selected values.

    Selected house rules and player counts that do not fit the game are dropped.
    """
    rules = query.getlist("rule")
    fitting_rules = catalogue.house_rules(game, language)
    chosen = [rule["name"] for rule in fitting_rules if rule["name"] in rules]
    book = catalogue.book_of(catalogue.combined_variant(game, chosen, host.games))
    players = range(book.players[0], book.players[1] + 1)
    return {
        "games": catalogue.available_games(host.games, language),
        "game": game,
        "rules": chosen,
        "can_learn": bool(book.model.scenarios),
        "house_rules": fitting_rules,
        "players": players,
        "options": [
            {**option, "given": query.get(option["field"], "")}
            for option in catalogue.option_fields(book, language)
        ],
        "given": {
            "players": next(
                (n for n in players if str(n) == query.get("players")), players[-1]
            ),
            "bots": query.get("bots", "0"),
            "bot": query.get("bot", GREEDY),
            "clock": query.get("clock", "0"),
            "late": query.get("late", catalogue.REMIND),
            "chat": query.get("chat", ""),
        },
        "clocks": CLOCK_CHOICES,
        "late_choices": catalogue.LATE_CHOICES,
        "chats": CHAT_CHOICES,
        "bots": catalogue.available_bots(host.bots),
    }


async def create_table(request: Request) -> Response:
    """Create the table that the form requests, and redirect the owner to its links."""
    host: Host = request.app.state.host
    spend_budget(request, "creation")
    form = await read_form(request)
    bots = catalogue.available_bots(host.bots)
    table_request = await host.reading_threads.run(
        catalogue.read_table_request, form, host.games, bots
    )
    table, keys = await host.create_table(
        table_request.variant,
        table_request.options,
        table_request.seats,
        table_options=table_request.table_options,
    )
    owner = keys[OWNER]
    if wants_json(request):
        all_keys = derive_keys(owner, table.game.seats)
        response: Response = json_response(
            {"ok": True, **links_document(base_url(request), table.id, all_keys)}
        )
    else:
        response = RedirectResponse(f"{table_path(table.id)}links", 303)
    secure = request.app.state.secure
    set_key_cookie(response, table.id, owner, secure=secure)
    remember_table(request, response, table.id, secure=secure)
    return response


def links_document(
    base: str, id: str, keys: Mapping[tuple[str, str], str]
) -> dict[str, Any]:
    """Return the links of a new table, by seat and role, as plain data."""
    links = {target: key_link(base, id, key) for target, key in keys.items()}
    return {
        "table": id,
        "seats": {seat: link for (kind, seat), link in links.items() if kind == SEAT},
        WATCH: links[WATCH, ""],
        OWNER: links[OWNER, ""],
    }


def base_url(request: Request) -> str:
    """Return the base URL for links: the operator's, or that of the request."""
    base: str = request.app.state.base
    return base or str(request.base_url).rstrip("/")


async def links_page(request: Request) -> Response:
    """Return the page with the links of a table, which only its owner may see."""
    context = await identify_visitor(request)
    if context.visitor.owner_key is None:
        raise RequestDenied(403, "not_yours_to_give")
    owner = context.visitor.owner_key
    return html_response(await context.read(lambda: _render_links(context, owner)))


def _render_links(context: RequestContext, owner_key: str) -> str:
    """Render the page with the links of a table."""
    table, words = context.table, context.words
    document = links_document(
        base_url(context.request), table.id, derive_keys(owner_key, table.game.seats)
    )
    symbols = seat_symbols(table.book, table.game.seats, context.language)
    rows = [
        {
            "place": seat_state,
            "title": words.title(seat_state.seat),
            "sign": symbols[seat_state.seat],
            "link": document["seats"][seat_state.seat],
            "wanted": table.state.bot_requests.get(seat_state.seat),
        }
        for seat_state in table.seats
    ]
    return render_page(
        "links",
        language=context.language,
        title=words.heading,
        label=catalogue.label_of(table.variant),
        rows=rows,
        watch=document[WATCH],
        owner=document[OWNER],
        code=_join_code(table, owner_key),
        bots=catalogue.available_bots(context.host.bots),
        urls=context.urls,
    )


def _join_code(table: Table, owner_key: str) -> str:
    """Return the join code of a table in two groups, or an empty string without one."""
    code = derive_code(owner_key)
    is_valid = table.stored.settings.get(CODE_SETTING) == code_digest(code)
    return f"{code[:4]}-{code[4:]}" if is_valid and table.free_seats() else ""


# ------------------------------------------------------------ joining with a code


async def join_page(request: Request) -> Response:
    """Return the page with the free seats of the table with a code."""
    table, form = await _table_with_code(request)
    host: Host = request.app.state.host
    language = language_of(request)
    return html_response(
        await host.read_table(
            table.id,
            lambda table: _render_join(table, form.get("code"), language),
            client_address(request),
        )
    )


async def take_seat(request: Request) -> Response:
    """Give a free seat to the visitor's browser, and redirect to the table."""
    table, form = await _table_with_code(request)
    host: Host = request.app.state.host
    key, seat, name = new_key(), form.get(SEAT_PARAMETER), form.get("name")
    digest = key_digest(key)
    await host.append_lines(table.id, lambda here: here.take_seat(seat, name, digest))
    response = RedirectResponse(table_path(table.id), 303)
    secure = request.app.state.secure
    set_key_cookie(response, table.id, key, secure=secure)
    remember_table(request, response, table.id, secure=secure)
    return response


async def _table_with_code(request: Request) -> tuple[Table | RemoteTable, Form]:
    """Return the table with the code in a form, and the form.

    Raises `RequestDenied` if no table with free seats has this code, without telling
    whether another table has it.
    """
    host: Host = request.app.state.host
    spend_budget(request, "code")
    form = await read_form(request)
    digest = code_digest(form.get("code"))
    id = digest and await asyncio.to_thread(host.store.table_with_code, digest)
    table = await host.get_any_table(id) if id else None
    if table is None or not table.free_seats():
        raise RequestDenied(404, "no_code")
    return table, form


def _render_join(table: Table | RemoteTable, code: str, language: str) -> str:
    """Render the page with the free seats of a table.

    The server does not know the titles of untrusted rules.
    """
    seats = {seat: seat.replace("_", " ") for seat in table.free_seats()}
    title = catalogue.label_of(table.variant)
    if isinstance(table, Table):
        words = Localizer(language, table.book)
        seats, title = {seat: words.title(seat) for seat in seats}, words.heading
    return render_page("join", language=language, title=title, seats=seats, code=code)


async def set_language(request: Request) -> Response:
    """Set the language of this browser."""
    return set_language_cookie(request, await read_form(request), "/")


def routes() -> list[Route]:
    """Return the routes of the lobby."""
    return [
        Route("/", lobby_page),
        Route("/tables", create_table, methods=["POST"]),
        Route("/join", join_page, methods=["POST"]),
        Route("/join/seat", take_seat, methods=["POST"]),
        Route("/language", set_language, methods=["POST"]),
        Route("/t/{id}/links", links_page),
    ]
