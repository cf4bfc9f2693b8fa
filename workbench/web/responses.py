"""HTTP requests and responses: forms, languages, redirects and error messages.

Scripts that ask for JSON receive errors as JSON; browsers receive an HTML page.
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
from workbench.errors import RequestError
from workbench.web.sessions import RequestDenied
from workbench.web.storage.table_errors import (
    ChatClosed,
    DatabaseDown,
    DatabaseReadOnly,
    DiskFull,
    InvalidMessage,
    InvalidName,
    LimitReached,
    NoDecisionDue,
    StalePage,
    TableError,
    UnknownBot,
    UnknownTable,
)
from workbench.web.views.phrases import Phrases, languages
from workbench.web.views.rendering import render_page

JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"
MAX_FIELDS = 400
"""Maximum number of fields in a form."""
LANGUAGE_COOKIE = "language"
"""Name of the cookie that stores the language of a browser."""
CROSS_SITE_VALUES = frozenset({"cross-site", "same-site"})
"""Values of the `Sec-Fetch-Site` header of a request that follows a cross-site link."""

STATUS_BY_ERROR: Mapping[type[TableError], int] = {
    DiskFull: 507,
    LimitReached: 503,
    UnknownBot: 400,
    InvalidMessage: 400,
    InvalidName: 400,
    ChatClosed: 403,
    DatabaseDown: 503,
    NoDecisionDue: 403,
    DatabaseReadOnly: 507,
    StalePage: 409,
    UnknownTable: 404,
}
DEFAULT_ERROR_STATUS = 409
"""HTTP status of table errors that are not in `STATUS_BY_ERROR`."""
BAD_REQUEST = 400
RETRY_AFTER = "retry-after"


@attrs.frozen
class Form:
    """Submitted form: the values of each field, in order."""

    fields: Mapping[str, tuple[str, ...]]

    def all_values(self, name: str) -> tuple[str, ...]:
        """Return all values of a field."""
        return self.fields.get(name, ())

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a field, or *default* if it is missing."""
        return next(iter(self.all_values(name)), default)

    def integer(self, name: str) -> int | None:
        """Return a field as an integer, or None if it is empty.

        Raises `RequestDenied` for any other text.
        """
        text = self.get(name)
        if not text:
            return None
        if len(text) > 18 or not (text.isascii() and text.isdigit()):
            raise RequestDenied(BAD_REQUEST, "not_understood")
        return int(text)


async def read_form(request: Request) -> Form:
    """Read the form of a request. Raise `RequestDenied` if the body is not a form."""
    content_type = (
        request.headers.get("content-type", "").partition(";")[0].strip().lower()
    )
    body = await read_body(request)
    if not body:
        return Form({})
    if content_type != FORM_TYPE:
        raise RequestDenied(415, "not_understood")
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_FIELDS,
        )
    except ValueError:
        raise RequestDenied(BAD_REQUEST, "not_understood") from None
    fields: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        fields[name] = (*fields.get(name, ()), value)
    return Form(fields)


async def read_body(request: Request) -> bytes:
    """Read a request's body. Raise `RequestDenied` if the client disconnects."""
    try:
        return await request.body()
    except (ClientDisconnect, asyncio.IncompleteReadError):
        raise RequestDenied(BAD_REQUEST, "not_understood") from None


# ------------------------------------------------------------ languages


def language_of(request: Request) -> str:
    """Return the language that the visitor chose, or the browser's, or the default."""
    known = languages()
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen in known:
        return chosen
    for part in request.headers.get("accept-language", "").split(",")[:10]:
        name = part.partition(";")[0].strip().lower().partition("-")[0]
        if name in known:
            return name
    default = getattr(request.app.state, LANGUAGE_COOKIE, LANGUAGE)
    return default if default in known else LANGUAGE


def wants_json(request: Request) -> bool:
    """Return whether the client asks for JSON, as scripts do."""
    return JSON_TYPE in request.headers.get("accept", "")


# ------------------------------------------------------------ responses


def html_response(text: str, status: int = 200) -> HTMLResponse:
    """Return an HTML response with *text* as its body."""
    return HTMLResponse(text, status)


def json_response(document: Mapping[str, Any], status: int = 200) -> JSONResponse:
    """Return a response with *document* as JSON."""
    return JSONResponse(document, status)


def redirect_to(request: Request, address: str) -> Response:
    """Redirect to another address of this server.

    Browsers omit `SameSite=Strict` cookies when a link from another site is redirected.
    In that case, return a page that opens the address as a new navigation.
    """
    if request.headers.get("sec-fetch-site") not in CROSS_SITE_VALUES:
        return RedirectResponse(address, 303)
    return html_response(
        render_page("continue", language=language_of(request), address=address)
    )


def to_request_denied(error: Exception, language: str) -> tuple[RequestDenied, str]:
    """Convert an exception to a `RequestDenied` and its message in a language.

    Re-raises the exception if visitors must not see it.
    """
    phrases = Phrases(language)
    match error:
        case RequestDenied():
            denied = error
        case TableError():
            status = STATUS_BY_ERROR.get(type(error), DEFAULT_ERROR_STATUS)
            denied = RequestDenied(status, error.key, **error.gaps)
        case IllegalAction():
            denied = RequestDenied(DEFAULT_ERROR_STATUS, "not_legal")
        case rb.RulesError():  # without the paths of its files
            denied = _denied_with_details("wrong_rules", error.diagnostics[0].message)
        case RecordError():
            denied = _denied_with_details("wrong_record", str(error))
        case RequestError() | UsageError():
            denied = _denied_with_details("not_possible", str(error))
        case _:
            raise error
    return denied, phrases(f"refused.{denied.key}", **denied.gaps)


def _denied_with_details(key: str, details: str) -> RequestDenied:
    """Return a `RequestDenied` with the message *key*, which quotes *details*."""
    return RequestDenied(BAD_REQUEST, key, details=rb.printable_line(details))


async def refusal_response(request: Request, error: Exception) -> Response:
    """Return the response to an error: JSON for scripts, or an error page."""
    language = language_of(request)
    denied, message = to_request_denied(error, language)
    if wants_json(request):
        refusal = {"key": denied.key, "words": message}
        response: Response = json_response(
            {"ok": False, "refused": refusal}, denied.status
        )
    else:
        text = render_page(
            "error", language=language, status=denied.status, said=message
        )
        response = html_response(text, denied.status)
    seconds = denied.gaps.get("seconds")
    if seconds is not None:
        response.headers[RETRY_AFTER] = str(seconds)
    return response


VISIBLE_ERRORS: tuple[type[Exception], ...] = (
    RequestDenied,
    TableError,
    IllegalAction,
    rb.RulesError,
    RequestError,
    UsageError,
    RecordError,
)
"""Exceptions that visitors see as messages; all others are internal errors."""
