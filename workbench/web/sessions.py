"""Visitors of a table: secret links become cookies, and cookies identify seats.

A key appears in an address only once, in the link that a person receives. The response
stores the key in a cookie that scripts and other sites cannot read. Then it redirects
to an address without the key.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import attrs
from starlette.requests import Request
from starlette.responses import Response

from workbench.web.keys import OWNER, SEAT, is_valid_id, key_digest

COOKIE_PREFIX = "key-"
"""Prefix of the names of cookies that contain keys."""
COOKIE_DIGEST_LENGTH = 8
"""Number of characters of a key's digest in the name of its cookie."""
SEAT_PARAMETER, SPECTATOR = "seat", ""
"""Query parameter that selects a seat, and its value for a spectator."""
COOKIE_SECONDS = 365 * 24 * 3600
TABLES_COOKIE = "tables"
"""Name of the cookie that lists the tables this browser joined, without keys."""
MAX_REMEMBERED_TABLES = 12


class RequestDenied(Exception):
    """Raised to reject a request with an HTTP status and a message.

    `key` names the message under `[refused]` in the words of the pages.
    """

    def __init__(self, status: int, key: str, **gaps: Any) -> None:
        super().__init__(f"{status} {key}")
        self.status = status
        self.key = key
        self.gaps = gaps


class KeyedTable(Protocol):
    """Protocol for tables that visitors open with keys."""

    def key_target(self, key: str) -> tuple[str, str] | None:
        """Return the kind and seat that a key opens, or None if it opens nothing."""


@attrs.frozen
class Visitor:
    """Visitor of a table.

    `seat` is the seat that the visitor acts for, or None for a spectator. `keys` are
    all keys of the browser, by kind and seat.
    """

    seat: str | None
    keys: Mapping[tuple[str, str], str]
    wants_to_watch: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """Seats for which the browser has a key."""
        return tuple(seat for kind, seat in self.keys if kind == SEAT)

    @property
    def owner_key(self) -> str | None:
        """Owner's key of the table, or None if this browser lacks it."""
        return self.keys.get((OWNER, ""))

    @property
    def is_owner(self) -> bool:
        """True if this browser created the table or opened the owner's link."""
        return self.owner_key is not None

    @property
    def is_spectator(self) -> bool:
        """True if the visitor is a spectator: by choice, or without a key of a seat."""
        return self.wants_to_watch or not self.seats

    @property
    def must_choose_seat(self) -> bool:
        """True if the browser has keys of several seats, and the request names none."""
        return self.seat is None and not self.is_spectator


def visitor_of(request: Request, table: KeyedTable) -> Visitor:
    """Return the visitor of a table, identified by cookies.

    Raises `RequestDenied` without a key, or if the requested seat needs another key.
    The error does not reveal whether the table exists.
    """
    keys = _valid_keys(request, table)
    if not keys:
        raise RequestDenied(404, "unknown")
    requested = request.query_params.get(SEAT_PARAMETER)
    seats = [seat for kind, seat in keys if kind == SEAT]
    if requested is None:
        return Visitor(seats[0] if len(seats) == 1 else None, keys)
    if requested == SPECTATOR:
        return Visitor(None, keys, wants_to_watch=True)
    if requested not in seats:
        raise RequestDenied(403, "not_your_seat")
    return Visitor(requested, keys)


def _valid_keys(request: Request, table: KeyedTable) -> dict[tuple[str, str], str]:
    """Return the valid keys in a request's cookies, by kind and seat.

    Every cookie is examined, so cookies for other tables cannot lock anybody out. The
    server limits the length of all headers.
    """
    given = (
        value
        for name, value in request.cookies.items()
        if name.startswith(COOKIE_PREFIX)
    )
    targets = ((table.key_target(key), key) for key in given)
    return {target: key for target, key in targets if target is not None}


# ------------------------------------------------------------ links


def table_path(id: str) -> str:
    """Return the path of a table's page."""
    return f"/t/{id}/"


def key_link(base: str, id: str, key: str) -> str:
    """Return the link that gives a browser a key to a table."""
    return f"{base}{table_path(id)}sit/{key}"


def set_key_cookie(response: Response, id: str, key: str, *, secure: bool) -> None:
    """Store a key in a cookie that the browser sends to this table only."""
    response.set_cookie(
        f"{COOKIE_PREFIX}{key_digest(key)[:COOKIE_DIGEST_LENGTH]}",
        key,
        max_age=COOKIE_SECONDS,
        path=table_path(id),
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def joined_tables(request: Request) -> tuple[str, ...]:
    """Return the ids of tables that a browser has joined, most recent first."""
    text = request.cookies.get(TABLES_COOKIE, "")
    names = [name for name in text.split(".") if is_valid_id(name)]
    return tuple(dict.fromkeys(names))[:MAX_REMEMBERED_TABLES]


def remember_table(
    request: Request, response: Response, id: str, *, secure: bool
) -> None:
    """Add a table to the cookie that lists joined tables."""
    names = [id, *(name for name in joined_tables(request) if name != id)]
    response.set_cookie(
        TABLES_COOKIE,
        ".".join(names[:MAX_REMEMBERED_TABLES]),
        max_age=COOKIE_SECONDS,
        secure=secure,
        httponly=True,
        samesite="strict",
    )
