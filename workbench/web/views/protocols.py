"""What a page asks of a table: the little of it that is shown."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import rulebook as rb
from interpreter import Game


class SeatView(Protocol):
    """A seat and who sits there."""

    @property
    def seat(self) -> str:
        """The name of the seat."""

    @property
    def name(self) -> str:
        """What its person is called; empty if nothing is known."""

    @property
    def bot(self) -> str | None:
        """The bot whose seat it is."""

    @property
    def away(self) -> bool:
        """Whether nobody looks."""

    @property
    def stands_in(self) -> str | None:
        """The bot that decides for the person at present."""


class JournalLineView(Protocol):
    """A line of what is kept of a table."""

    @property
    def number(self) -> int:
        """Which it is."""


class BotRequestView(Protocol):
    """A request that a bot plays for a seat."""

    @property
    def bot(self) -> str:
        """The name of the bot."""

    @property
    def asker(self) -> str:
        """The seat that asks, or empty for the owner of the table."""

    @property
    def seconds(self) -> float:
        """How long the seat must be away until the bot takes it."""


class TableStateView(Protocol):
    """What the lines of a table come to."""

    @property
    def events(self) -> Sequence[JournalLineView]:
        """The lines of the events of the game, as the log has them."""

    @property
    def held(self) -> Mapping[str, Sequence[Any]]:
        """What seats have chosen before the game asks them."""

    @property
    def wanted(self) -> Mapping[str, BotRequestView]:
        """The bots that others want to play for a seat."""


class NoticeView(Protocol):
    """Something that is told besides the game."""

    @property
    def number(self) -> int:
        """The number of its line."""

    @property
    def key(self) -> str:
        """What it is, in the words of the pages."""

    @property
    def gaps(self) -> Mapping[str, Any]:
        """What fills the gaps of those words."""


class UndoRequestView(Protocol):
    """Somebody wants to take something back."""

    @property
    def to(self) -> int:
        """From which line on."""

    @property
    def seat(self) -> str:
        """Who asks."""


class TableView(Protocol):
    """A table as a page sees it."""

    @property
    def id(self) -> str:
        """Its name in addresses."""

    @property
    def book(self) -> rb.Rulebook:
        """The rules."""

    @property
    def variant(self) -> str:
        """What is played, as it was asked for."""

    @property
    def version(self) -> int:
        """It grows with all that a page shows."""

    @property
    def seats(self) -> Sequence[SeatView]:
        """Who sits where, in seating order."""

    @property
    def story(self) -> TableStateView:
        """What the lines come to."""

    @property
    def messages(self) -> Sequence[NoticeView]:
        """The last of what is told besides the game."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def again(self) -> str | None:
        """The table at which the same is played once more."""

    @property
    def undo(self) -> UndoRequestView | None:
        """What somebody wants to be taken back."""

    def waits_for(self) -> tuple[str, ...]:
        """The seats that must decide now."""

    def agreeing(self) -> tuple[str, ...]:
        """The seats that are asked to agree to take something back."""

    def can_undo(self, seat: str) -> bool:
        """Whether a seat may ask to take something back."""

    def game_for(self, seat: str | None) -> Game:
        """The game in which a seat decides if it may, else the game as it is."""

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """What has happened, as a seat may know it."""

    def since(self, seat: str) -> list[dict[str, Any]]:
        """What has happened since a seat last decided."""
