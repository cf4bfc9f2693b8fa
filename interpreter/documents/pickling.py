"""Pickle format of a game: its rules, its position, and the events that led to it.

The position decides whether games are equal. It is plain data and is checked when a
pickle is loaded. The events and the first position preserve the record of the game.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol, Self, TypeVar

import attrs

import rulebook as rb
from interpreter.documents import positions
from interpreter.documents.recording import ReplayableGame
from interpreter.documents.records import Events, LoggedEvent
from interpreter.errors import UsageError
from interpreter.state.state import State

DRAWN = "drawn"
GIVEN = "given"


@attrs.frozen
class PickledGame:
    """Content of a pickled game.

    `seed` is the seed of random events, and `chance` is `DRAWN` or `GIVEN`.
    """

    book: rb.Rulebook
    position: dict[str, Any]
    seed: int
    chance: str
    events: tuple[LoggedEvent, ...]
    initial_position: dict[str, Any] | None
    board: dict[str, Any] | None
    notes: dict[str, int]
    turns: int
    engine: str


class Picklable(ReplayableGame, Protocol):
    """Game that can be pickled with its history."""

    @classmethod
    def from_any_position(
        cls, book: rb.Rulebook, position: dict[str, Any], seed: int, chance: str
    ) -> Self:
        """Create a game from a position, which may violate invariants."""

    def goes_on_by(self, engine: str) -> None:
        """Switch to an engine, or raise `UsageError` if it is not available."""

    def set_history(
        self, events: Events, initial: State | None, board: dict[str, Any] | None
    ) -> None:
        """Set the events and the first position that led to this game."""

    def limit_turns(self, turns: int) -> None:
        """Limit the game to *turns* turns, after which it stops unfinished."""


G = TypeVar("G", bound=Picklable)


def unpickle(kind: type[G], packed: PickledGame) -> G:
    """Return the game of a pickle."""
    given = packed.chance == GIVEN
    game = kind.from_any_position(
        packed.book, packed.position, packed.seed, packed.chance
    )
    initial = None
    if packed.initial_position is not None:
        _, initial = positions.read_position(
            packed.book, packed.initial_position, packed.seed, given
        )
    events = Events(None, None, 0)
    for event in packed.events:
        events = events.after(event)
    game.set_history(events, initial, packed.board)
    game.notes = packed.notes
    game.limit_turns(packed.turns)
    with suppress(
        UsageError
    ):  # without the engine, the interpreter plays the same game
        game.goes_on_by(packed.engine)
    return game
