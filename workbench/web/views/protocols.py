"""Protocols of a table, as far as pages show it."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import rulebook as rb
from interpreter import Game


class SeatView(Protocol):
    """Seat and its player."""

    @property
    def seat(self) -> str:
        """Name of the seat."""

    @property
    def name(self) -> str:
        """Name of the person; empty if unknown."""

    @property
    def bot(self) -> str | None:
        """Bot to which the seat belongs, if any."""

    @property
    def away(self) -> bool:
        """True if no browser of the seat is connected."""

    @property
    def stands_in(self) -> str | None:
        """Bot that decides for the person at present, if any."""


class JournalLineView(Protocol):
    """Line of a table's journal."""

    @property
    def number(self) -> int:
        """Number of the line."""


class BotRequestView(Protocol):
    """Request that a bot plays for a seat."""

    @property
    def bot(self) -> str:
        """Name of the bot."""

    @property
    def asker(self) -> str:
        """Seat that asks, or empty for the owner of the table."""

    @property
    def seconds(self) -> float:
        """Seconds that the seat must be away before the bot takes it."""


class TableStateView(Protocol):
    """State that results from a table's journal."""

    @property
    def events(self) -> Sequence[JournalLineView]:
        """Lines with the events of the game, in the order of the log."""

    @property
    def held(self) -> Mapping[str, Sequence[Any]]:
        """Decisions that seats made before the game asked them."""

    @property
    def wanted(self) -> Mapping[str, BotRequestView]:
        """Bots that others request for a seat."""


class NoticeView(Protocol):
    """Notice about something other than an event of the game."""

    @property
    def number(self) -> int:
        """Number of its line."""

    @property
    def key(self) -> str:
        """Key of its phrase."""

    @property
    def gaps(self) -> Mapping[str, Any]:
        """Values for the gaps of its phrase."""


class UndoRequestView(Protocol):
    """Request to undo something."""

    @property
    def to(self) -> int:
        """First line to undo."""

    @property
    def seat(self) -> str:
        """Seat that asks."""


class TableView(Protocol):
    """Table as a page sees it."""

    @property
    def id(self) -> str:
        """Id in addresses."""

    @property
    def book(self) -> rb.Rulebook:
        """Rulebook of the game."""

    @property
    def variant(self) -> str:
        """Variant, as it was requested."""

    @property
    def version(self) -> int:
        """Version number; it grows with every change of the page."""

    @property
    def seats(self) -> Sequence[SeatView]:
        """Seats and their players, in seating order."""

    @property
    def story(self) -> TableStateView:
        """State that results from the journal."""

    @property
    def messages(self) -> Sequence[NoticeView]:
        """Latest notices."""

    @property
    def over(self) -> bool:
        """True if the game has ended."""

    @property
    def again(self) -> str | None:
        """Id of the rematch, if there is one."""

    @property
    def undo(self) -> UndoRequestView | None:
        """Current request to undo, if any."""

    def waits_for(self) -> tuple[str, ...]:
        """Return the seats that must decide now."""

    def agreeing(self) -> tuple[str, ...]:
        """Return the seats that must still agree to an undo."""

    def can_undo(self, seat: str) -> bool:
        """Return whether a seat may ask for an undo."""

    def game_for(self, seat: str | None) -> Game:
        """Return the game in which a seat decides if it may, else the real game."""

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """Return what has happened, as a seat may know it."""

    def since(self, seat: str) -> list[dict[str, Any]]:
        """Return what has happened since a seat last decided."""
