"""Protocols of games that can be recorded: the members of `Game` that records use.

The modules that read and write records must not import `Game`, so they declare the
members that they use.
"""

from __future__ import annotations

from typing import Any, Protocol

import rulebook as rb
from interpreter.outcome import Outcome


class RecordableGame(Protocol):
    """Game that can be written as a record; `Game` documents the members."""

    given_board: dict[str, Any] | None
    notes: dict[str, int]

    @property
    def book(self) -> rb.Rulebook:
        """Rulebook of the game."""

    @property
    def players(self) -> int:
        """Number of players."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in play, in seating order."""

    @property
    def seed(self) -> int | None:
        """Seed of random events, or None if the caller gives their outcomes."""

    @property
    def turn_limit(self) -> int | None:
        """Number of turns after which the game stops, or None if the rules decide."""

    @property
    def options(self) -> dict[str, Any]:
        """Values of all options."""

    @property
    def initial_position(self) -> dict[str, Any] | None:
        """Position from which the game was created, or None after a normal start."""

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """All events so far, in the format of a record."""

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, or None if it has not ended."""


class ReplayableGame(RecordableGame, Protocol):
    """Game that can replay a record."""

    @property
    def to_act(self) -> str | None:
        """The seat that must decide, `chance` if an outcome must be given, or None."""

    def apply(self, action: Any) -> tuple[dict[str, Any], ...]:
        """Apply an action or event, and return the events that it caused."""
