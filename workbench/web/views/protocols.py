"""Protocols for the parts of a table that pages show."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import rulebook as rb
from interpreter import Game


class SeatView(Protocol):
    """Seat with its player."""

    @property
    def seat(self) -> str:
        """Name of the seat."""

    @property
    def name(self) -> str:
        """Name of the person; empty if unknown."""

    @property
    def bot(self) -> str | None:
        """Name of the bot assigned to the seat, or None for a person."""

    @property
    def away(self) -> bool:
        """True if no browser of the seat is connected."""

    @property
    def stand_in(self) -> str | None:
        """Name of the bot that currently replaces the seat's person, or None."""


class JournalLineView(Protocol):
    """Line of a table's journal."""

    @property
    def number(self) -> int:
        """Number of the line in the journal, from 1."""


class MessageView(Protocol):
    """Message in the chat of a table."""

    @property
    def number(self) -> int:
        """Number of the line in the journal."""

    @property
    def by(self) -> str:
        """Seat that wrote the message, or empty for a spectator."""

    @property
    def content(self) -> Mapping[str, Any]:
        """Content of the line, with the message under `text`."""


class BotRequestView(Protocol):
    """Request that a bot play for a seat."""

    @property
    def bot(self) -> str:
        """Name of the bot."""

    @property
    def requester(self) -> str:
        """Requesting seat, or empty for the owner of the table."""

    @property
    def seconds(self) -> float:
        """Seconds that the seat must be away before the bot takes over."""


class RunningClockView(Protocol):
    """Clock of a seat that must decide."""

    @property
    def started(self) -> float:
        """Time of the start, in seconds since the epoch."""


class TurnClockView(Protocol):
    """Clocks of a table."""

    @property
    def running(self) -> Mapping[str, RunningClockView]:
        """Running clocks, by seat."""


class TableOptionsView(Protocol):
    """Options of a table."""

    @property
    def clock(self) -> int:
        """Seconds for each decision, or 0 without a limit."""


class TableStateView(Protocol):
    """State that results from a table's journal."""

    @property
    def events(self) -> Sequence[JournalLineView]:
        """Lines with the events of the game, in the order of the log."""

    @property
    def advance_decisions(self) -> Mapping[str, Sequence[Any]]:
        """Decisions made before the game asked for them, by seat."""

    @property
    def bot_requests(self) -> Mapping[str, BotRequestView]:
        """Requested bots, by seat."""

    @property
    def messages(self) -> Iterable[MessageView]:
        """Latest messages of the chat."""

    @property
    def clock(self) -> TurnClockView:
        """Clocks of the seats that must decide."""


class NoticeView(Protocol):
    """Notice for the log that is not an event of the game."""

    @property
    def number(self) -> int:
        """Number of the journal line."""

    @property
    def key(self) -> str:
        """Key of the notice's phrase."""

    @property
    def gaps(self) -> Mapping[str, Any]:
        """Values for the gaps of the notice's phrase."""


class UndoRequestView(Protocol):
    """Request to undo decisions."""

    @property
    def first_line(self) -> int:
        """Number of the first journal line to undo."""

    @property
    def seat(self) -> str:
        """Seat that requests the undo."""


class TableView(Protocol):
    """Table as a page sees it."""

    @property
    def id(self) -> str:
        """Id of the table, as in its address."""

    @property
    def book(self) -> rb.Rulebook:
        """Rulebook of the game."""

    @property
    def game(self) -> Game:
        """Game at the table."""

    @property
    def variant(self) -> str:
        """Variant of the game, as it was requested."""

    @property
    def version(self) -> int:
        """Number of the last journal line; it grows with every change."""

    @property
    def seats(self) -> Sequence[SeatView]:
        """Seats and their players, in seating order."""

    @property
    def state(self) -> TableStateView:
        """State that results from the journal."""

    @property
    def options(self) -> TableOptionsView:
        """Options of the table."""

    @property
    def message_max(self) -> int:
        """Maximum number of characters of a message."""

    @property
    def notices(self) -> Sequence[NoticeView]:
        """Latest notices."""

    @property
    def over(self) -> bool:
        """True if the game has ended."""

    @property
    def rematch(self) -> str | None:
        """Id of the rematch table, or None if there is none."""

    @property
    def undo(self) -> UndoRequestView | None:
        """Pending undo request, or None."""

    def waits_for(self) -> tuple[str, ...]:
        """Return the seats that must decide now."""

    def seats_to_agree(self) -> tuple[str, ...]:
        """Return the seats that must still agree to the undo."""

    def has_chat(self) -> bool:
        """Return whether the table has a chat."""

    def can_write(self, seat: str | None) -> bool:
        """Return whether a seat, or a spectator if *seat* is None, can write."""

    def can_undo(self, seat: str) -> bool:
        """Return whether a seat may ask to undo its last decision."""

    def must_ask_to_undo(self, seat: str) -> bool:
        """Return whether others must agree before a seat's last decision is undone."""

    def undoes_others(self, seat: str) -> bool:
        """Return whether undoing a seat's last decision undoes those of others too."""

    def game_for(self, seat: str | None) -> Game:
        """Return the game in which a seat decides: its trial game, or the real one."""

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """Return the events visible to a seat, or to a spectator if *seat* is None."""

    def log_since_decision(self, seat: str) -> list[dict[str, Any]]:
        """Return the events since a seat's last decision that the seat may know."""
