"""Who asks: links become cookies of one table, and cookies say which seats these are.

A key stands in an address once, in the link that its owner is given. The answer to it
puts the key into a cookie that scripts cannot read and other sites cannot use, and goes
on to an address without it.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import attrs
from starlette.requests import Request
from starlette.responses import Response

from workbench.web.keys import OWNER, SEAT, digest_of, is_id

PREFIX = "key-"
"""How the names of cookies with keys begin."""
SHOWN = 8
"""How many letters of its digest are in the name of the cookie of a key."""
ASKED, NOBODY = "seat", ""
"""In an address: for which seat one asks, or for none, to look on."""
LASTING = 365 * 24 * 3600
TABLES = "tables"
"""The cookie of the lobby: the tables at which this browser has sat down, no keys."""
REMEMBERED = 12


class Denied(Exception):
    """An answer that is a refusal: its status, and a key of the words `[refused]`."""

    def __init__(self, status: int, key: str, **gaps: Any) -> None:
        super().__init__(f"{status} {key}")
        self.status = status
        self.key = key
        self.gaps = gaps


class Locked(Protocol):
    """A table as far as its doors go."""

    def opens(self, key: str) -> tuple[str, str] | None:
        """What a key opens: its sort, and which seat."""


@attrs.frozen
class Visitor:
    """Who asks at a table. `seat` is the one it speaks for, None: it looks on.

    `keys` are all that its browser has, by what they open.
    """

    seat: str | None
    keys: Mapping[tuple[str, str], str]
    asks_to_watch: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats whose keys its browser has."""
        return tuple(seat for sort, seat in self.keys if sort == SEAT)

    @property
    def owner(self) -> str | None:
        """The key of who made the table, where this browser has it."""
        return self.keys.get((OWNER, ""))

    @property
    def is_owner(self) -> bool:
        """Whether the table was made in this browser, or its owner's link opened."""
        return self.owner is not None

    @property
    def can_watch(self) -> bool:
        """Whether it may be shown what spectators see: without a seat, or if asked."""
        return self.asks_to_watch or not self.seats

    @property
    def must_choose(self) -> bool:
        """Whether several share the browser, and it is not said who asks."""
        return self.seat is None and not self.can_watch


def who(request: Request, table: Locked) -> Visitor:
    """Who asks at a table. Raises `Denied` for who has no key, or not that of the seat.

    A table to which one has no key is told of no otherwise than one that is not there.
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
    """Return the keys that a request has, by what they open.

    The server bounds the length of all headers, so every cookie is looked at: whoever
    has many of other tables, or of somebody who wants to lock them out, still comes in.
    """
    given = (
        value for name, value in request.cookies.items() if name.startswith(PREFIX)
    )
    opened = ((table.opens(key), key) for key in given)
    return {what: key for what, key in opened if what is not None}


# ------------------------------------------------------------ links


def home_of(id: str) -> str:
    """The address of a table."""
    return f"/t/{id}/"


def link_of(base: str, id: str, key: str) -> str:
    """The link by which somebody sits down."""
    return f"{base}{home_of(id)}sit/{key}"


def seat_down(response: Response, id: str, key: str, *, secure: bool) -> None:
    """Let a browser have a key of a table, for the addresses of that table alone."""
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
    """The tables at which a browser has sat down, the last first."""
    text = request.cookies.get(TABLES, "")
    names = [name for name in text.split(".") if is_id(name)]
    return tuple(dict.fromkeys(names))[:REMEMBERED]


def remember(request: Request, response: Response, id: str, *, secure: bool) -> None:
    """Let the lobby know that a browser has sat down at a table."""
    names = [id, *(name for name in remembered(request) if name != id)]
    response.set_cookie(
        TABLES,
        ".".join(names[:REMEMBERED]),
        max_age=LASTING,
        secure=secure,
        httponly=True,
        samesite="strict",
    )
