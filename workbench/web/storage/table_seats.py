"""Seats of a table: their players, the players' names and messages, and their keys."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol
from unicodedata import category

import attrs

from workbench.web.keys import SEAT, key_digest
from workbench.web.storage.table_errors import InvalidMessage, InvalidName
from workbench.web.storage.table_state import TableState

PERSON, BOT = "person", "bot"
NAME_MAX = 40
MESSAGE_MAX = 300
"""Maximum number of characters of a message in the chat."""
FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories not allowed in names: invisible and reordering characters."""
JOINERS = "\u200c\u200d"
"""Invisible characters that emoji and some scripts need in messages."""


class KeyView(Protocol):
    """Protocol for the stored form of a key."""

    @property
    def sort(self) -> str:
        """Kind of the key: for a seat, a spectator or the owner."""

    @property
    def seat(self) -> str:
        """Seat that the key opens."""

    @property
    def digest(self) -> str:
        """Digest of the key, stored instead of the key."""

    @property
    def who(self) -> str:
        """`PERSON`, or the name of a bot that plays the seat."""


@attrs.frozen
class SeatState:
    """Seat with its player. `stand_in` is a bot that currently replaces a person."""

    seat: str
    name: str
    kind: str
    bot: str | None
    away: bool
    stand_in: str | None

    @property
    def is_person_deciding(self) -> bool:
        """True if a person currently decides for the seat."""
        return self.bot is None and self.stand_in is None


def seat_states(
    seats: Sequence[str], keys: Iterable[KeyView], state: TableState
) -> tuple[SeatState, ...]:
    """Return the state of each seat in *seats*, in the same order."""
    players = {key.seat: key.who for key in keys if key.sort == SEAT}
    return tuple(
        SeatState(
            seat,
            state.names.get(seat, ""),
            PERSON if players.get(seat, PERSON) == PERSON else BOT,
            None if players.get(seat, PERSON) == PERSON else players[seat],
            seat in state.away,
            state.stand_ins.get(seat),
        )
        for seat in seats
    )


def key_target(keys: Iterable[KeyView], key: str) -> tuple[str, str] | None:
    """Return the kind and seat that a key opens, or None if it opens nothing."""
    digest = key_digest(key)
    for stored_key in keys:
        if hmac.compare_digest(stored_key.digest, digest):
            return stored_key.sort, stored_key.seat
    return None


def clean_name(name: str) -> str:
    """Return a name with whitespace collapsed, or raise `InvalidName`."""
    name = " ".join(name.split())
    if len(name) > NAME_MAX or any(
        category(character) in FORBIDDEN_CATEGORIES for character in name
    ):
        raise InvalidName(most=NAME_MAX)
    return name


def clean_message(text: str) -> str:
    """Return a message as one line without invisible characters.

    Raises `InvalidMessage` if it is empty or too long.
    """
    visible = "".join(
        character
        for character in " ".join(text.split())
        if character in JOINERS or category(character) not in FORBIDDEN_CATEGORIES
    ).strip()
    if not visible.strip(JOINERS + " ") or len(visible) > MESSAGE_MAX:
        raise InvalidMessage(most=MESSAGE_MAX)
    return visible
