"""HTTP routes of a table: its page, its updates, and the actions of its players.

Cookies identify the visitor. Responses contain only what the visitor's seat may see:
`views.snapshot.snapshot` builds them from that seat's view and log.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from math import ceil
from typing import Any, TypeVar
from urllib.parse import urlencode

import attrs
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from interpreter import IllegalAction
from workbench.presentation.localization.localizer import Localizer
from workbench.web import catalogue
from workbench.web.host import Host
from workbench.web.request_limits import (
    Budgets,
    Purpose,
    RequestLimits,
    client_identity,
)
from workbench.web.responses import (
    LANGUAGE_COOKIE,
    VISIBLE_ERRORS,
    Form,
    html_response,
    json_response,
    language_of,
    read_form,
    redirect_to,
    to_request_denied,
    wants_json,
)
from workbench.web.sessions import (
    SEAT_PARAMETER,
    SPECTATOR,
    RequestDenied,
    Visitor,
    remember_table,
    set_key_cookie,
    table_path,
    visitor_of,
)
from workbench.web.storage.table_errors import StalePage, TableError
from workbench.web.table import Table
from workbench.web.views.cards.previews import cards_after
from workbench.web.views.choices import explain_illegal, refusal_data
from workbench.web.views.gather_forms import complete_actions
from workbench.web.views.phrases import languages
from workbench.web.views.printed_rules import printed_rules
from workbench.web.views.rendering import (
    changed_parts,
    render_page,
    render_part,
    table_page,
)
from workbench.web.views.snapshot import snapshot
from workbench.web.worker_pool.base_table import RemoteTable

T = TypeVar("T")
PATH_NAMES = (
    "now",
    "news",
    "do",
    "why",
    "preview",
    "undo",
    "agree",
    "decline",
    "bot",
    "keep",
    "person",
    "name",
    "say",
    "language",
    "again",
    "rules",
    "replay",
    "workshop",
)
"""Path segments below a table's address that its page uses."""


@attrs.frozen
class RequestContext:
    """Request at a table, with its visitor and language."""

    request: Request
    host: Host
    any_table: Table | RemoteTable
    visitor: Visitor
    language: str

    @property
    def table(self) -> Table:
        """Table with its game. Raises `StalePage` if a worker runs its rules."""
        if isinstance(self.any_table, RemoteTable):
            raise StalePage
        return self.any_table

    @property
    def seat(self) -> str | None:
        """Seat of the visitor, or None for a spectator."""
        return self.visitor.seat

    @property
    def words(self) -> Localizer:
        """Localizer of the game in the visitor's language."""
        book = self.table.book
        return Localizer(self.language, book)

    def snapshot(self) -> dict[str, Any]:
        """Return a snapshot of the table for the visitor's page."""
        if self.visitor.must_choose_seat:
            raise RequestDenied(409, "which_seat")
        return snapshot(self.table, self.seat, self.language)

    def changed_parts(self, known_parts: str = "") -> dict[str, Any]:
        """Return the parts of the page whose digests are not in *known_parts*."""
        return dict(changed_parts(self.snapshot(), known_parts))

    async def read(self, read: Callable[[], T]) -> T:
        """Run a read-only function of the table in a thread; return its result.

        It waits for the visitor's turn. May raise `RequestDenied`.
        """
        visitor = client_address(self.request)
        return await self.host.read_table(self.any_table.id, lambda _: read(), visitor)

    async def change(self, change: Callable[[Table], T]) -> T:
        """Change the table in the visitor's turn; return the result of *change*."""
        return await self.host.change_table(
            self.table.id, change, client_address(self.request)
        )

    @property
    def urls(self) -> dict[str, str]:
        """Addresses that the visitor's page of the table uses, by name."""
        home, visitor = table_path(self.any_table.id), self.visitor
        requested_seat = self.request.query_params.get(SEAT_PARAMETER)
        query = (
            ""
            if requested_seat is None
            else f"?{urlencode({SEAT_PARAMETER: requested_seat})}"
        )
        urls = {name: f"{home}{name}{query}" for name in PATH_NAMES}
        urls |= {"table": f"{home}{query}", "lobby": "/", "onward": urls["again"]}
        urls["summary"] = f"{home}replay/summary{query}"
        game = catalogue.label_of(self.any_table.variant)
        if game in catalogue.offered_variants(tuple(self.host.games)):
            urls["learn"] = f"/learn/{game}"
        if visitor.is_owner:
            urls["links"] = f"{home}links"
        if len(visitor.seats) > 1:
            urls["handover"] = home
        return urls


def seat_address(id: str, seat: str) -> str:
    """Return the address of a table's page for a given seat."""
    return f"{table_path(id)}?{urlencode({SEAT_PARAMETER: seat})}"


# ------------------------------------------------------------ visitors


async def identify_visitor(request: Request) -> RequestContext:
    """Identify the visitor and table of a request.

    Raises `RequestDenied` without a valid key, or if a rate limit is exceeded.
    """
    host: Host = request.app.state.host
    try:
        table = await host.get_any_table(request.path_params["id"])
        visitor = visitor_of(request, table)
    except VISIBLE_ERRORS as error:
        denied, _ = to_request_denied(error, language_of(request))
        if denied.status == 404:
            spend_budget(request, "invalid_key")
        raise
    client = visitor.seat or client_address(request)
    spend_budget(request, "seat", f"{table.id} {client}")
    spend_budget(request, "table", table.id)
    seats, owner = visitor.seats, visitor.is_owner
    if table.untaken(seats):
        with suppress(TableError):
            await host.append_lines(table.id, lambda here: here.mark_taken(seats))
    if table.unannounced_keys(seats, has_owner_key=owner):
        await host.append_lines(
            table.id, lambda here: here.announce_keys(seats, has_owner_key=owner)
        )
    return RequestContext(request, host, table, visitor, language_of(request))


def spend_budget(request: Request, purpose: Purpose, client: str | None = None) -> None:
    """Spend one unit of a client's budget; the client is by default its address.

    Raise `RequestDenied` if the budget is exhausted.
    """
    client = client_address(request) if client is None else client
    budgets: Budgets = request.app.state.budgets
    limits: RequestLimits = request.app.state.limits
    wait = budgets.spend(purpose, client, limits.rate(purpose))
    if wait:
        raise RequestDenied(429, "too_often", seconds=ceil(wait))


def client_address(request: Request) -> str:
    """Return the identity of the client that sent a request, or an empty string."""
    return client_identity(request.client.host) if request.client else ""


def visitor_seat(context: RequestContext) -> str:
    """Return the visitor's seat. Raise `RequestDenied` for spectators."""
    if context.visitor.must_choose_seat:
        raise RequestDenied(409, "which_seat")
    if context.seat is None:
        raise RequestDenied(403, "looks_on")
    return context.seat


# ------------------------------------------------------------ pages


async def open_seat_link(request: Request) -> Response:
    """Open a link with a key: store the key in a cookie, and redirect to the table."""
    host: Host = request.app.state.host
    id, key = request.path_params["id"], request.path_params["key"]
    try:
        table = await host.get_any_table(id)
        if table.key_target(key) is None:
            raise RequestDenied(404, "unknown")
    except VISIBLE_ERRORS:
        spend_budget(request, "invalid_key")
        raise
    response = redirect_to(request, table_path(id))
    secure = request.app.state.secure
    set_key_cookie(response, id, key, secure=secure)
    remember_table(request, response, id, secure=secure)
    return response


async def table(request: Request) -> Response:
    """Return the page of a table, or a page on which to choose one of several seats."""
    context = await identify_cross_site(request)
    if isinstance(context, Response):
        return context
    if context.visitor.must_choose_seat:
        return html_response(await context.read(lambda: _handover_page(context)))
    return html_response(
        await context.read(lambda: table_page(context.snapshot(), context.urls))
    )


async def identify_cross_site(request: Request) -> RequestContext | Response:
    """Identify the visitor, even if the request follows a link from another site.

    Browsers withhold `SameSite=Strict` cookies from such a request. In that case,
    return a page that repeats the request.
    """
    try:
        return await identify_visitor(request)
    except VISIBLE_ERRORS as error:
        denied, _ = to_request_denied(error, language_of(request))
        retry = redirect_to(request, str(request.url.path))
        if denied.status != 404 or retry.status_code != 200 or request.cookies:
            raise
        return retry


def _handover_page(context: RequestContext) -> str:
    """Render the page that hides the table while players who share a browser switch."""
    due = context.table.waits_for()
    seats = [
        {
            "seat": seat,
            "title": context.words.title(seat),
            "name": context.table.seat_state(seat).name,
            "address": seat_address(context.table.id, seat),
            "is_due": seat in due,
        }
        for seat in context.visitor.seats
    ]
    title = context.words.heading
    return render_page(
        "handover",
        language=context.language,
        title=title,
        seats=seats,
        urls=context.urls,
    )


async def new_parts(request: Request) -> Response:
    """Return the changed parts of a page as JSON."""
    context, have = (
        await identify_visitor(request),
        request.query_params.get("have", ""),
    )
    return json_response(await context.read(lambda: context.changed_parts(have)))


async def printed_rules_part(request: Request) -> Response:
    """Return the printed rules of a table in the visitor's language, as JSON."""
    context = await identify_visitor(request)
    book, language = context.table.book, context.language

    def render() -> str:
        rules = printed_rules(book, language)
        return render_part("rules", rules, language)

    return json_response({"ok": True, "rules": await context.read(render)})


async def set_language(request: Request) -> Response:
    """Set the language of this browser."""
    context = await identify_visitor(request)
    return set_language_cookie(request, await read_form(request), context.urls["table"])


def set_language_cookie(request: Request, form: Form, return_url: str) -> Response:
    """Store a language in a cookie, and redirect to *return_url*."""
    chosen = form.get("language")
    if chosen not in languages():
        raise RequestDenied(400, "not_understood")
    response = RedirectResponse(return_url, 303)
    secure = request.app.state.secure
    response.set_cookie(
        LANGUAGE_COOKIE,
        chosen,
        max_age=31_536_000,
        secure=secure,
        httponly=True,
        samesite="lax",
    )
    return response


# ------------------------------------------------------------ changes

POST = "POST"
TableChange = Callable[[RequestContext, Form], Callable[[Table], Any]]
"""Function that turns a request and its form into a change of the table.

The change is applied under the table's lock.
"""


def _decide(context: RequestContext, form: Form) -> Callable[[Table], None]:
    seat, actions, version = (
        visitor_seat(context),
        form.all_values("action"),
        _page_version(form),
    )
    if not actions:
        raise RequestDenied(400, "not_understood")

    def apply(table: Table) -> None:
        table.decide(seat, complete_actions(table.game_for(seat), actions), version)

    return apply


def _page_version(form: Form) -> int:
    """Return the page version in a form. Raise `RequestDenied` if it is missing."""
    version = form.integer("at")
    if version is None:
        raise RequestDenied(400, "not_understood")
    return version


def _ask_undo(context: RequestContext, form: Form) -> Callable[[Table], None]:
    seat, version = visitor_seat(context), _page_version(form)
    return lambda table: table.request_undo(seat, version)


def _agree_to_undo(context: RequestContext, form: Form) -> Callable[[Table], None]:
    seat, version = visitor_seat(context), _page_version(form)
    return lambda table: table.agree(seat, version)


def _decline_undo(context: RequestContext, form: Form) -> Callable[[Table], None]:
    seat, version = visitor_seat(context), _page_version(form)
    return lambda table: table.decline(seat, version)


def _request_bot(context: RequestContext, form: Form) -> Callable[[Table], None]:
    """Return the change that seats a bot for the visitor, or requests one for others.

    For another player's seat, even the table's owner can only request a bot.
    """
    seat, bot = form.get(SEAT_PARAMETER) or visitor_seat(context), form.get("bot")
    if seat in context.visitor.seats:
        return lambda table: table.hand_to_bot(seat, bot)
    if context.seat is None and not context.visitor.is_owner:
        raise RequestDenied(403, "not_your_seat")
    asker, wait = context.seat or "", context.host.limits.bot_wait
    return lambda table: table.ask_for_bot(seat, bot, asker, wait)


def _decline_bot(context: RequestContext, form: Form) -> Callable[[Table], None]:
    del form
    seat = visitor_seat(context)
    return lambda table: table.keep_seat(seat)


def _take_back_seat(context: RequestContext, form: Form) -> Callable[[Table], None]:
    seat = form.get(SEAT_PARAMETER) or visitor_seat(context)
    if seat not in context.visitor.seats and not context.visitor.is_owner:
        raise RequestDenied(403, "not_your_seat")
    return lambda table: table.take_back(seat)


def _rename(context: RequestContext, form: Form) -> Callable[[Table], None]:
    seat, name = visitor_seat(context), form.get("name")
    return lambda table: table.rename(seat, name)


def _say(context: RequestContext, form: Form) -> Callable[[Table], None]:
    if context.visitor.must_choose_seat:
        raise RequestDenied(409, "which_seat")
    seat, text = context.seat, form.get("text")
    spend_budget(context.request, "chat", f"{context.table.id} {seat or ''}")
    return lambda table: table.add_message(seat, text)


CHANGES: Mapping[str, TableChange] = {
    "do": _decide,
    "undo": _ask_undo,
    "agree": _agree_to_undo,
    "decline": _decline_undo,
    "bot": _request_bot,
    "keep": _decline_bot,
    "person": _take_back_seat,
    "name": _rename,
    "say": _say,
}


def _change_endpoint(
    table_change: TableChange,
) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that applies a change and returns the new state or error."""

    async def endpoint(request: Request) -> Response:
        context = await identify_visitor(request)
        form = await read_form(request)
        try:
            await context.change(table_change(context, form))
        except VISIBLE_ERRORS as error:
            return await _refusal_response(context, error, form)
        if not wants_json(request):
            address = context.urls["links" if form.get("back") == "links" else "table"]
            return RedirectResponse(address, 303)
        parts = await context.read(lambda: context.changed_parts(form.get("have")))
        return json_response({"ok": True, **parts})

    return endpoint


async def _refusal_response(
    context: RequestContext, error: Exception, form: Form
) -> Response:
    """Return the response to a rejected request: the reason, and the current state."""
    denied, message = to_request_denied(error, context.language)
    if context.visitor.must_choose_seat:
        raise denied
    refusal = {"key": denied.key, "words": message}
    if isinstance(error, IllegalAction):
        refusal |= refusal_data(error.explanation, context.words)
        refusal["words"] = refusal["reason"]
    if wants_json(context.request):
        parts = await context.read(lambda: context.changed_parts(form.get("have")))
        return json_response({"ok": False, **parts, "refused": refusal}, denied.status)
    text = await context.read(
        lambda: table_page(context.snapshot(), context.urls, refusal=refusal)
    )
    return html_response(text, denied.status)


async def explain_action(request: Request) -> Response:
    """Explain why an action, or every action with a given argument, is illegal."""
    context = await identify_visitor(request)
    seat, form = visitor_seat(context), await read_form(request)
    spend_budget(request, "explanation", f"{context.table.id} {seat}")
    name, about = form.get("action") or None, form.get("about") or None

    def explain(table: Table) -> dict[str, Any]:
        return explain_illegal(table.game_for(seat), seat, context.words, name, about)

    explanation = await context.change(explain)
    if wants_json(request):
        return json_response({"ok": True, "why": explanation})
    text = await context.read(
        lambda: table_page(context.snapshot(), context.urls, refusal=explanation)
    )
    return html_response(text)


async def preview_action(request: Request) -> Response:
    """Return the cards of the visitor's seat after an action, as JSON with a text."""
    context = await identify_visitor(request)
    seat, form = visitor_seat(context), await read_form(request)
    spend_budget(request, "preview", f"{context.table.id} {seat}")

    def preview(table: Table) -> str:
        game = table.game_for(seat)
        return cards_after(game, seat, form.get("action"), context.words)

    return json_response({"ok": True, "after": await context.change(preview)})


async def open_rematch(request: Request) -> Response:
    """Create or open the rematch, and copy this browser's keys to it."""
    context = await identify_visitor(request)
    if request.method == POST:
        visitor_seat(context)
        if not context.table.over:
            raise RequestDenied(409, "not_over")
        spend_budget(request, "creation")
        id = (
            context.table.rematch
            or (await context.host.rematch_of(context.table.id)).id
        )
    elif context.table.rematch is None:
        raise RequestDenied(404, "unknown")
    else:
        id = context.table.rematch
    requested_seat = context.request.query_params.get(SEAT_PARAMETER)
    address = (
        table_path(id)
        if requested_seat in {None, SPECTATOR}
        else seat_address(id, str(requested_seat))
    )
    response = RedirectResponse(address, 303)
    for key in context.visitor.keys.values():
        set_key_cookie(response, id, key, secure=request.app.state.secure)
    remember_table(request, response, id, secure=request.app.state.secure)
    return response


def routes() -> list[Route]:
    """Return the routes of tables."""
    path = "/t/{id}/"
    return [
        Route(path, table),
        Route(path + "sit/{key}", open_seat_link),
        Route(path + "now", new_parts),
        Route(path + "rules", printed_rules_part),
        Route(path + "why", explain_action, methods=["POST"]),
        Route(path + "preview", preview_action, methods=["POST"]),
        Route(path + "language", set_language, methods=["POST"]),
        Route(path + "again", open_rematch, methods=["GET", "POST"]),
        *(
            Route(path + name, _change_endpoint(table_change), methods=["POST"])
            for name, table_change in CHANGES.items()
        ),
    ]
