"""Requests and responses: read forms, choose languages, report refusals.

Scripts that ask for JSON receive a refusal as JSON; everybody else receives a page.
"""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import attrs
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

import rulebook as rb
from interpreter import IllegalAction, RecordError, UsageError
from workbench.defaults import LANGUAGE
from workbench.errors import Refused
from workbench.web.sessions import Denied
from workbench.web.storage.errors import (
    DiskFull,
    Full,
    NoBot,
    NoName,
    NoStore,
    NotYours,
    ReadOnly,
    Stale,
    TableError,
    Unknown,
)
from workbench.web.views.phrases import Phrases, languages
from workbench.web.views.rendering import page

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
FIELDS = 400
"""Maximum number of fields in a form."""
SPOKEN = "language"
"""Name of the cookie with the language of a browser."""
ONWARD = frozenset({"cross-site", "same-site"})
"""Values of `sec-fetch-site` for a link on another site."""

STATUS: Mapping[type[TableError], int] = {
    DiskFull: 507,
    Full: 503,
    NoBot: 400,
    NoName: 400,
    NoStore: 503,
    NotYours: 403,
    ReadOnly: 507,
    Stale: 409,
    Unknown: 404,
}
CONFLICT = 409
"""Default status for errors of a table."""
WRONG = 400
RETRY = "retry-after"


@attrs.frozen
class Form:
    """Submitted form: the values of each field, in order."""

    fields: Mapping[str, tuple[str, ...]]

    def all(self, name: str) -> tuple[str, ...]:
        """Return all values of a field."""
        return self.fields.get(name, ())

    def get(self, name: str, otherwise: str = "") -> str:
        """Return the first value of a field, or *otherwise*."""
        return next(iter(self.all(name)), otherwise)

    def whole(self, name: str) -> int | None:
        """Return a number, None for an empty field. Raise `Denied` for other text."""
        text = self.get(name)
        if not text:
            return None
        if len(text) > 18 or not (text.isascii() and text.isdigit()):
            raise Denied(WRONG, "not_understood")
        return int(text)


async def form_of(request: Request) -> Form:
    """Return the form of a request. Raise `Denied` if the body is not a form."""
    sort = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await body_of(request)
    if not body:
        return Form({})
    if sort != FORM:
        raise Denied(415, "not_understood")
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=FIELDS,
        )
    except ValueError:
        raise Denied(WRONG, "not_understood") from None
    fields: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        fields[name] = (*fields.get(name, ()), value)
    return Form(fields)


async def body_of(request: Request) -> bytes:
    """Return the body of a request. Raise `Denied` if the client has disconnected."""
    try:
        return await request.body()
    except (ClientDisconnect, asyncio.IncompleteReadError):
        raise Denied(WRONG, "not_understood") from None


# ------------------------------------------------------------ languages


def language_of(request: Request) -> str:
    """Return the language of a visitor: the chosen one, or one the browser prefers."""
    known = languages()
    chosen = request.cookies.get(SPOKEN)
    if chosen in known:
        return chosen
    for part in request.headers.get("accept-language", "").split(",")[:10]:
        name = part.partition(";")[0].strip().lower().partition("-")[0]
        if name in known:
            return name
    usual = getattr(request.app.state, SPOKEN, LANGUAGE)
    return usual if usual in known else LANGUAGE


def wants_json(request: Request) -> bool:
    """Return whether the client is a script that asks for JSON."""
    return JSON in request.headers.get("accept", "")


# ------------------------------------------------------------ responses


def html(text: str, status: int = 200) -> HTMLResponse:
    """Return an HTML response."""
    return HTMLResponse(text, status)


def data(document: Mapping[str, Any], status: int = 200) -> JSONResponse:
    """Return a JSON response."""
    return JSONResponse(document, status)


def onward(request: Request, address: str) -> Response:
    """Redirect to another address of this server.

    Browsers withhold strict cookies along a redirect if a link on another site led
    here. In this case, the response is a page that loads the address as a new
    navigation.
    """
    if request.headers.get("sec-fetch-site") not in ONWARD:
        return RedirectResponse(address, 303)
    return html(page("onward", language=language_of(request), address=address))


def denied_of(error: Exception, language: str) -> tuple[Denied, str]:
    """Convert an exception to a `Denied`, and return it with its sentence.

    Other exceptions are raised again.
    """
    say = Phrases(language)
    match error:
        case Denied():
            denied = error
        case TableError():
            status = STATUS.get(type(error), CONFLICT)
            denied = Denied(status, error.key, **error.gaps)
        case IllegalAction():
            denied = Denied(CONFLICT, "not_legal")
        case rb.RulesError():  # without the paths of its files
            denied = _with_details("wrong_rules", error.diagnostics[0].message)
        case RecordError():
            denied = _with_details("wrong_record", str(error))
        case Refused() | UsageError():
            denied = _with_details("not_possible", str(error))
        case _:
            raise error
    return denied, say(f"refused.{denied.key}", **denied.gaps)


def _with_details(key: str, said: str) -> Denied:
    """Return a refusal that includes a message of the program, in English."""
    return Denied(WRONG, key, details=rb.visible(said))


async def refusal(request: Request, error: Exception) -> Response:
    """Return the response for a refusal that shows no table."""
    language = language_of(request)
    denied, said = denied_of(error, language)
    if wants_json(request):
        told = {"key": denied.key, "words": said}
        response: Response = data({"ok": False, "refused": told}, denied.status)
    else:
        text = page("told", language=language, status=denied.status, said=said)
        response = html(text, denied.status)
    seconds = denied.gaps.get("seconds")
    if seconds is not None:
        response.headers[RETRY] = str(seconds)
    return response


REFUSALS: tuple[type[Exception], ...] = (
    Denied,
    TableError,
    IllegalAction,
    rb.RulesError,
    Refused,
    UsageError,
    RecordError,
)
"""Exceptions that are answered with a sentence; all others are internal errors."""
