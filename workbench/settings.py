"""What a game is started with: players, seed, options, a given board."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import attrs

from interpreter import Game
from rulebook import Rulebook
from workbench.errors import Refused


@attrs.frozen
class Settings:
    """The settings of a game; None leaves the choice to the rules."""

    players: int | None = None
    seed: int | None = 1
    options: Mapping[str, Any] = attrs.field(factory=dict)
    board: Mapping[str, Any] | None = None

    @classmethod
    def parsed(
        cls,
        players: int | None,
        seed: int | None,
        options: Sequence[str],
        board: str | None,
    ) -> Self:
        """Settings from the texts of a command line.

        Raises `Refused` when an option is not NAME=VALUE or the board is not JSON.
        """
        pairs = dict(_option(text) for text in options)
        return cls(players, seed, pairs, None if board is None else _board(board))

    def seats(self, book: Rulebook) -> int:
        """How many players: what was asked for, else the most the rules allow."""
        return book.players[1] if self.players is None else self.players

    def start(
        self,
        book: Rulebook,
        *,
        seed: int | None = None,
        chance: str = "drawn",
    ) -> Game:
        """A new game; `seed` overrides the seed of the settings."""
        return Game.start(
            book,
            players=self.seats(book),
            seed=(self.seed or 0) if seed is None else seed,
            options=dict(self.options),
            board=None if self.board is None else dict(self.board),
            chance=chance,
        )


def _option(text: str) -> tuple[str, int | bool | str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise Refused(f"`--option {text}` is not NAME=VALUE")
    if value in {"yes", "no"}:
        return name, value == "yes"
    try:
        return name, int(value)
    except ValueError:
        return name, value


def _board(path: str) -> Mapping[str, Any]:
    try:
        board = json.loads(Path(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise Refused(f"{path} is not JSON: {error}", status=1) from error
    if not isinstance(board, dict):
        raise Refused(f"{path} is not a JSON object of spaces", status=1)
    return board
