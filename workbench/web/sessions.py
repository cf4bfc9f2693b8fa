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

from workbench.web.keys import OWNER, SEAT, digest_of, is_id

PREFIX = "key-"
"""Prefix of the names of cookies that contain keys."""
SHOWN = 8
"""Number of characters of a key's digest in the name of its cookie."""
ASKED, NOBODY = "seat", ""
"""Query parameter that selects a seat, and its value for a spectator."""
LASTING = 365 * 24 * 3600
TABLES = "tables"
"""Name of the cookie that lists the tables this browser joined, without keys."""
REMEMBERED = 12


class Denied(Exception):
    """Raised to reject a request with an HTTP status and a message.

    `key` names the message under `[refused]` in the words of the pages.
    """

    def __init__(self, status: int, key: str, **gaps: Any) -> None:
        super().__init__(f"{status} {key}")
        self.status = status
        self.key = key
        self.gaps = gaps


class Locked(Protocol):
    """Protocol for tables that keys open."""

    def opens(self, key: str) -> tuple[str, str] | None:
        """Return the kind and seat that a key opens, or None."""


@attrs.frozen
class Visitor:
    """Visitor of a table.

    `seat` is the seat that the visitor acts for, None for a spectator. `keys` are all
    keys of the browser, by kind and seat.
    """

    seat: str | None
    keys: Mapping[tuple[str, str], str]
    asks_to_watch: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """Seats for which the browser has a key."""
        return tuple(seat for sort, seat in self.keys if sort == SEAT)

    @property
    def owner(self) -> str | None:
        """Owner's key of the table, or None if this browser lacks it."""
        return self.keys.get((OWNER, ""))

    @property
    def is_owner(self) -> bool:
        """True if this browser created the table or opened the owner's link."""
        return self.owner is not None

    @property
    def can_watch(self) -> bool:
        """True if the visitor has no seat, or asked to watch."""
        return self.asks_to_watch or not self.seats

    @property
    def must_choose(self) -> bool:
        """True if the browser has keys of several seats, and the request names none."""
        return self.seat is None and not self.can_watch


def who(request: Request, table: Locked) -> Visitor:
    """Return the visitor of a table, identified by cookies.

    Raises `Denied` without a key, or if the requested seat needs another key. The error
    does not reveal whether the table exists.
    """
    keys = _opened(request, table)
    if not keys:
        raise Denied(404, "unknown")
    asked = request.query_params.get(ASKED)
    seats = [seat for sort, seat in keys if sort == SEAT]
    if asked is None:
        return Visitor(seats[0] if len(seats) == 1 else None, keys)
    if asked == NOBODY:
        return Visitor(None, keys, asks_to_watch=True)
    if asked not in seats:
        raise Denied(403, "not_your_seat")
    return Visitor(asked, keys)


def _opened(request: Request, table: Locked) -> dict[tuple[str, str], str]:
    """Return the valid keys in a request's cookies, by kind and seat.

    Every cookie is examined, so that many cookies for other tables lock nobody out. The
    server limits the length of all headers.
    """
    given = (
        value for name, value in request.cookies.items() if name.startswith(PREFIX)
    )
    opened = ((table.opens(key), key) for key in given)
    return {what: key for what, key in opened if what is not None}


# ------------------------------------------------------------ links


def home_of(id: str) -> str:
    """Return the path of a table's page."""
    return f"/t/{id}/"


def link_of(base: str, id: str, key: str) -> str:
    """Return the link with which a browser receives a key of a table."""
    return f"{base}{home_of(id)}sit/{key}"


def seat_down(response: Response, id: str, key: str, *, secure: bool) -> None:
    """Store a key in a cookie that the browser sends to this table only."""
    response.set_cookie(
        f"{PREFIX}{digest_of(key)[:SHOWN]}",
        key,
        max_age=LASTING,
        path=home_of(id),
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def remembered(request: Request) -> tuple[str, ...]:
    """Return the ids of tables that a browser has joined, most recent first."""
    text = request.cookies.get(TABLES, "")
    names = [name for name in text.split(".") if is_id(name)]
    return tuple(dict.fromkeys(names))[:REMEMBERED]


def remember(request: Request, response: Response, id: str, *, secure: bool) -> None:
    """Add a table to the cookie that lists joined tables."""
    names = [id, *(name for name in remembered(request) if name != id)]
    response.set_cookie(
        TABLES,
        ".".join(names[:REMEMBERED]),
        max_age=LASTING,
        secure=secure,
        httponly=True,
        samesite="strict",
    )
