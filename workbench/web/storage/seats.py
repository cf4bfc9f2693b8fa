"""Who sits at a table, what they are called, and which keys open what."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol
from unicodedata import category

import attrs

from workbench.web.keys import SEAT, digest_of
from workbench.web.storage.errors import NoName
from workbench.web.storage.table_state import TableState

PERSON, BOT = "person", "bot"
NAME_MAX = 40
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""No name has such signs: they are not seen, or turn round what is."""


class KeyOwner(Protocol):
    """What is kept of a key."""

    @property
    def sort(self) -> str:
        """What it opens."""

    @property
    def seat(self) -> str:
        """Which seat."""

    @property
    def digest(self) -> str:
        """The digest of the key."""

    @property
    def who(self) -> str:
        """`PERSON`, or the name of a bot."""


@attrs.frozen
class SeatState:
    """A seat and who decides there. `stands_in` is a bot in place of a person."""

    seat: str
    name: str
    kind: str
    bot: str | None
    away: bool
    stands_in: str | None

    @property
    def decides(self) -> bool:
        """Whether a person decides here now."""
        return self.bot is None and self.stands_in is None


def places(
    seats: Sequence[str], keys: Iterable[KeyOwner], story: TableState
) -> tuple[SeatState, ...]:
    """Who sits where."""
    who = {key.seat: key.who for key in keys if key.sort == SEAT}
    return tuple(
        SeatState(
            seat,
            story.names.get(seat, ""),
            PERSON if who.get(seat, PERSON) == PERSON else BOT,
            None if who.get(seat, PERSON) == PERSON else who[seat],
            seat in story.away,
            story.stand_ins.get(seat),
        )
        for seat in seats
    )


def opened(keys: Iterable[KeyOwner], key: str) -> tuple[str, str] | None:
    """What a key opens, None: nothing."""
    digest = digest_of(key)
    for each in keys:
        if hmac.compare_digest(each.digest, digest):
            return each.sort, each.seat
    return None


def name_of(name: str) -> str:
    """A person's name as it is kept. Raises `NoName` where it is none."""
    name = " ".join(name.split())
    if len(name) > NAME_MAX or any(category(sign) in UNSEEN for sign in name):
        raise NoName(most=NAME_MAX)
    return name
