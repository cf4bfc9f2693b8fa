"""HTTP routes of a table: its page, its updates, and the actions of its players.

Cookies identify the visitor. Responses contain only what the visitor's seat may see:
`views.snapshot.moment` builds them from that seat's view and log.
"""

from collections.abc import Awaitable, Callable, Mapping
from math import ceil
from typing import Any, TypeVar
from urllib.parse import urlencode

import attrs
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from interpreter import IllegalAction
from workbench.presentation.localization.localizer import Wording
from workbench.web.host import Host
from workbench.web.limits import Budgets, Rate, RequestLimits, client_of
from workbench.web.responses import (
    REFUSALS,
    SPOKEN,
    Form,
    data,
    denied_of,
    form_of,
    html,
    language_of,
    onward,
    wants_json,
)
from workbench.web.sessions import (
    ASKED,
    NOBODY,
    Denied,
    Visitor,
    home_of,
    remember,
    seat_down,
    who,
)
from workbench.web.storage.errors import Stale
from workbench.web.table import Table
from workbench.web.views.choices import refused, why_not
from workbench.web.views.forms import whole
from workbench.web.views.phrases import languages
from workbench.web.views.rendering import now, page, table_page
from workbench.web.views.snapshot import moment
from workbench.web.worker_pool.ledger import Foreign

T = TypeVar("T")
ADDRESSES = (
    "now",
    "news",
    "do",
    "why",
    "undo",
    "agree",
    "decline",
    "bot",
    "keep",
    "person",
    "name",
    "language",
    "again",
    "replay",
    "workshop",
)
"""Names of the paths below a table's address that its page uses."""


@attrs.frozen
class At:
    """Request at a table, with its visitor and language."""

    request: Request
    host: Host
    ledger: Table | Foreign
    visitor: Visitor
    language: str

    @property
    def table(self) -> Table:
        """Table with its game. Raises `Stale` if a worker runs its rules."""
        if isinstance(self.ledger, Foreign):
            raise Stale
        return self.ledger

    @property
    def seat(self) -> str | None:
        """Seat of the visitor, or None for a spectator."""
        return self.visitor.seat

    @property
    def words(self) -> Wording:
        """Localizer of the game in the visitor's language."""
        book = self.table.book
        return Wording(self.language, book)

    def moment(self) -> dict[str, Any]:
        """Return a snapshot of the table for the visitor's page."""
        if self.visitor.must_choose:
            raise Denied(409, "which_seat")
        return moment(self.table, self.seat, self.language)

    def now(self, have: str = "") -> dict[str, Any]:
        """Return the parts of the page that differ from the parts listed in *have*."""
        return dict(now(self.moment(), have))

    async def rendered(self, what: Callable[[], T]) -> T:
        """Run a read-only function of the table in a thread; return its result.

        It waits for the visitor's turn. May raise `Denied`.
        """
        visitor = address_of(self.request)
        return await self.host.show(self.ledger.id, lambda _: what(), visitor)

    async def do(self, what: Callable[[Table], T]) -> T:
        """Change the table in the visitor's turn. May raise `Denied`."""
        return await self.host.do(self.table.id, what, address_of(self.request))

    @property
    def urls(self) -> dict[str, str]:
        """Addresses that the visitor's page of the table uses, by name."""
        home, visitor = home_of(self.ledger.id), self.visitor
        asked = self.request.query_params.get(ASKED)
        query = "" if asked is None else f"?{urlencode({ASKED: asked})}"
        urls = {name: f"{home}{name}{query}" for name in ADDRESSES}
        urls |= {"table": f"{home}{query}", "lobby": "/", "onward": urls["again"]}
        if visitor.is_owner:
            urls["links"] = f"{home}links"
        if len(visitor.seats) > 1:
            urls["handover"] = home
        return urls


def chair(id: str, seat: str) -> str:
    """Return a table's address for one of several seats of a browser."""
    return f"{home_of(id)}?{urlencode({ASKED: seat})}"


# ------------------------------------------------------------ visitors


async def arrived(request: Request) -> At:
    """Identify the visitor and table of a request.

    Raises `Denied` without a valid key, or if a rate limit is exceeded.
    """
    host: Host = request.app.state.host
    try:
        table = await host.ledger(request.path_params["id"])
        visitor = who(request, table)
    except REFUSALS as error:
        denied, _ = denied_of(error, language_of(request))
        if denied.status == 404:
            spend(request, "guess", address_of(request), limits_of(request).guessing)
        raise
    whose = visitor.seat or address_of(request)
    spend(request, "seat", f"{table.id} {whose}", limits_of(request).seat)
    spend(request, "table", table.id, limits_of(request).table)
    seats, owner = visitor.seats, visitor.is_owner
    if table.unannounced(seats, owner=owner):
        await host.note(table.id, lambda here: here.announce(seats, owner=owner))
    return At(request, host, table, visitor, language_of(request))


def spend(request: Request, what: str, whose: str, rate: Rate) -> None:
    """Spend one unit of a request budget. Raise `Denied` if it is exhausted."""
    budgets: Budgets = request.app.state.budgets
    wait = budgets.spend(what, whose, rate)
    if wait:
        raise Denied(429, "too_often", seconds=ceil(wait))


def limits_of(request: Request) -> RequestLimits:
    """Return the request limits of the server."""
    limits: RequestLimits = request.app.state.limits
    return limits


def address_of(request: Request) -> str:
    """Return the client identity that pays for a request without a seat."""
    return client_of(request.client.host) if request.client else ""


def seated(at: At) -> str:
    """Return the visitor's seat. Raise `Denied` for spectators."""
    if at.visitor.must_choose:
        raise Denied(409, "which_seat")
    if at.seat is None:
        raise Denied(403, "looks_on")
    return at.seat


# ------------------------------------------------------------ pages


async def sit(request: Request) -> Response:
    """Open a seat's link: store its key in a cookie, and redirect to the table."""
    host: Host = request.app.state.host
    id, key = request.path_params["id"], request.path_params["key"]
    try:
        table = await host.ledger(id)
        if table.opens(key) is None:
            raise Denied(404, "unknown")
    except REFUSALS:
        spend(request, "guess", address_of(request), limits_of(request).guessing)
        raise
    answer = onward(request, home_of(id))
    secure = request.app.state.secure
    seat_down(answer, id, key, secure=secure)
    remember(request, answer, id, secure=secure)
    return answer


async def table(request: Request) -> Response:
    """Return the page of a table, or a page on which to choose one of several seats."""
    at = await arrived_from_anywhere(request)
    if isinstance(at, Response):
        return at
    if at.visitor.must_choose:
        return html(await at.rendered(lambda: _handover(at)))
    return html(await at.rendered(lambda: table_page(at.moment(), at.urls)))


async def arrived_from_anywhere(request: Request) -> At | Response:
    """Identify the visitor like `arrived`, even after a link on another site.

    Browsers withhold `SameSite=Strict` cookies from such a request. In that case,
    return a page that repeats the request.
    """
    try:
        return await arrived(request)
    except REFUSALS as error:
        denied, _ = denied_of(error, language_of(request))
        again = onward(request, str(request.url.path))
        if denied.status != 404 or again.status_code != 200 or request.cookies:
            raise
        return again


def _handover(at: At) -> str:
    """Render the page that hides the table while players who share a browser switch."""
    due = at.table.waits_for()
    seats = [
        {
            "seat": seat,
            "title": at.words.title(seat),
            "name": at.table.place(seat).name,
            "address": chair(at.table.id, seat),
            "is_due": seat in due,
        }
        for seat in at.visitor.seats
    ]
    title = at.words.heading
    return page(
        "handover", language=at.language, title=title, seats=seats, urls=at.urls
    )


async def new_parts(request: Request) -> Response:
    """Return the changed parts of a page as JSON."""
    at, have = await arrived(request), request.query_params.get("have", "")
    return data(await at.rendered(lambda: at.now(have)))


async def language(request: Request) -> Response:
    """Set the language of this browser."""
    at = await arrived(request)
    return speak(request, await form_of(request), at.urls["table"])


def speak(request: Request, form: Form, back: str) -> Response:
    """Store a language in a cookie, and redirect to *back*."""
    chosen = form.get("language")
    if chosen not in languages():
        raise Denied(400, "not_understood")
    answer = RedirectResponse(back, 303)
    secure = request.app.state.secure
    answer.set_cookie(
        SPOKEN, chosen, max_age=31_536_000, secure=secure, httponly=True, samesite="lax"
    )
    return answer


# ------------------------------------------------------------ deeds

POST = "POST"
Deed = Callable[[At, Form], Callable[[Table], Any]]
"""Function that turns a request and its form into a change of the table.

The change is applied under the table's lock.
"""


def _do(at: At, form: Form) -> Callable[[Table], None]:
    seat, actions, when = seated(at), form.all("action"), _when(form)
    if not actions:
        raise Denied(400, "not_understood")

    def decided(table: Table) -> None:
        table.decide(seat, whole(table.game_for(seat), actions), when)

    return decided


def _when(form: Form) -> int:
    """Return the page version in a form. Raise `Denied` if it is missing."""
    when = form.whole("at")
    if when is None:
        raise Denied(400, "not_understood")
    return when


def _undo(at: At, form: Form) -> Callable[[Table], None]:
    seat, when = seated(at), _when(form)
    return lambda table: table.ask_undo(seat, when)


def _agree(at: At, form: Form) -> Callable[[Table], None]:
    seat, when = seated(at), _when(form)
    return lambda table: table.agree(seat, when)


def _decline(at: At, form: Form) -> Callable[[Table], None]:
    seat, when = seated(at), _when(form)
    return lambda table: table.decline(seat, when)


def _bot(at: At, form: Form) -> Callable[[Table], None]:
    """Let a bot play for the visitor, or request one for another seat.

    Even the table's owner can only request it.
    """
    seat, bot = form.get(ASKED) or seated(at), form.get("bot")
    if seat in at.visitor.seats:
        return lambda table: table.hand_to_bot(seat, bot)
    if at.seat is None and not at.visitor.is_owner:
        raise Denied(403, "not_your_seat")
    asker, wait = at.seat or "", at.host.bounds.bot_wait
    return lambda table: table.ask_for_bot(seat, bot, asker, wait)


def _keep(at: At, form: Form) -> Callable[[Table], None]:
    del form
    seat = seated(at)
    return lambda table: table.keep_seat(seat)


def _person(at: At, form: Form) -> Callable[[Table], None]:
    seat = form.get(ASKED) or seated(at)
    if seat not in at.visitor.seats and not at.visitor.is_owner:
        raise Denied(403, "not_your_seat")
    return lambda table: table.take_back(seat)


def _name(at: At, form: Form) -> Callable[[Table], None]:
    seat, name = seated(at), form.get("name")
    return lambda table: table.rename(seat, name)


DEEDS: Mapping[str, Deed] = {
    "do": _do,
    "undo": _undo,
    "agree": _agree,
    "decline": _decline,
    "bot": _bot,
    "keep": _keep,
    "person": _person,
    "name": _name,
}


def _doing(deed: Deed) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that applies a deed, and returns the new state or an error."""

    async def answer(request: Request) -> Response:
        at = await arrived(request)
        form = await form_of(request)
        try:
            await at.do(deed(at, form))
        except REFUSALS as error:
            return await _refused(at, error, form)
        if not wants_json(request):
            back = at.urls["links" if form.get("back") == "links" else "table"]
            return RedirectResponse(back, 303)
        stands = await at.rendered(lambda: at.now(form.get("have")))
        return data({"ok": True, **stands})

    return answer


async def _refused(at: At, error: Exception, form: Form) -> Response:
    """Return the response to a rejected request: the reason, and the current state."""
    denied, said = denied_of(error, at.language)
    if at.visitor.must_choose:
        raise denied
    told = {"key": denied.key, "words": said}
    if isinstance(error, IllegalAction):
        told |= refused(error.explanation, at.words)
        told["words"] = told["reason"]
    if wants_json(at.request):
        stands = await at.rendered(lambda: at.now(form.get("have")))
        return data({"ok": False, **stands, "refused": told}, denied.status)
    text = await at.rendered(lambda: table_page(at.moment(), at.urls, refused=told))
    return html(text, denied.status)


async def why(request: Request) -> Response:
    """Explain why an action, or all actions with a thing, are illegal."""
    at = await arrived(request)
    seat, form = seated(at), await form_of(request)
    spend(request, "why", f"{at.table.id} {seat}", limits_of(request).why)
    name, about = form.get("action") or None, form.get("about") or None

    def asked(table: Table) -> dict[str, Any]:
        return why_not(table.game_for(seat), seat, at.words, name, about)

    told = await at.do(asked)
    if wants_json(request):
        return data({"ok": True, "why": told})
    text = await at.rendered(lambda: table_page(at.moment(), at.urls, refused=told))
    return html(text)


async def again(request: Request) -> Response:
    """Create or open the rematch, and copy this browser's keys to it."""
    at = await arrived(request)
    if request.method == POST:
        seated(at)
        if not at.table.over:
            raise Denied(409, "not_over")
        spend(request, "make", address_of(request), limits_of(request).making)
        id = at.table.again or (await at.host.another(at.table.id)).id
    elif at.table.again is None:
        raise Denied(404, "unknown")
    else:
        id = at.table.again
    asked = at.request.query_params.get(ASKED)
    back = home_of(id) if asked in {None, NOBODY} else chair(id, str(asked))
    answer = RedirectResponse(back, 303)
    for key in at.visitor.keys.values():
        seat_down(answer, id, key, secure=request.app.state.secure)
    remember(request, answer, id, secure=request.app.state.secure)
    return answer


def routes() -> list[Route]:
    """Return the routes of tables."""
    at = "/t/{id}/"
    return [
        Route(at, table),
        Route(at + "sit/{key}", sit),
        Route(at + "now", new_parts),
        Route(at + "why", why, methods=["POST"]),
        Route(at + "language", language, methods=["POST"]),
        Route(at + "again", again, methods=["GET", "POST"]),
        *(
            Route(at + name, _doing(deed), methods=["POST"])
            for name, deed in DEEDS.items()
        ),
    ]
