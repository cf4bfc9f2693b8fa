"""A game as those see it who write it down: the members that `Game` has for them.

Records and pickles stand below the game that offers them, so they name what they need.
"""

from __future__ import annotations

from typing import Any, Protocol

import rulebook as rb
from interpreter.outcome import Outcome


class Recorded(Protocol):
    """What a record says of a game; `Game` documents each member."""

    given_board: dict[str, Any] | None
    noted: dict[str, int]

    @property
    def book(self) -> rb.Rulebook:
        """The rules that are played."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in play."""

    @property
    def seed(self) -> int | None:
        """The seed of chance; None when chance is given."""

    @property
    def turn_limit(self) -> int | None:
        """Number of turns after which the game stops, or None if the rules decide."""

    @property
    def options(self) -> dict[str, Any]:
        """The values of all options."""

    @property
    def began(self) -> dict[str, Any] | None:
        """The position that it was made of; None after set-up."""

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """All events so far, as the record has them."""

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""


class Playable(Recorded, Protocol):
    """What is needed to play a record again."""

    @property
    def to_act(self) -> str | None:
        """The seat that must decide, `chance`, or None."""

    def apply(self, action: Any) -> tuple[dict[str, Any], ...]:
        """Do an action or an event, and return the events that follow."""
