"""What a game is started with: players, seed, options, a given board."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

import attrs

from interpreter import Game, NoDocument, UsageError, options_of, read_document
from rulebook import Rulebook, read_file
from workbench.bots.errors import USUAL, ErrorPolicy
from workbench.errors import Refused

BOARD_MAX = 4_000_000
"""Longest file of a board that is read; what is cut off there is not JSON."""
GIVEN_BOARD = "a given board"
"""What is said of a board that set-up did not deal; the record has it."""


@attrs.frozen
class Settings:
    """The settings of a game; None leaves the choice to the rules.

    Of several games, game i has the seed `seed` + i, and its bots draw numbers by
    (`bot_seed`, i, seat). `conduct` holds for bots of somebody's own.
    """

    players: int | None = None
    seed: int | None = 1
    options: Mapping[str, Any] = attrs.field(factory=dict)
    board: Mapping[str, Any] | None = None
    bot_seed: int = 1
    conduct: ErrorPolicy = USUAL

    @classmethod
    def parsed(
        cls,
        players: int | None,
        seed: int | None,
        options: Sequence[str],
        board: str | None,
        bot_seed: int = 1,
        conduct: ErrorPolicy = USUAL,
    ) -> Self:
        """Settings from the texts of a command line.

        Raises `Refused` when an option is not NAME=VALUE or the board is not JSON.
        """
        pairs = dict(_option(text) for text in options)
        given = None if board is None else _board(board)
        return cls(players, seed, pairs, given, bot_seed, conduct)

    def seats(self, book: Rulebook) -> int:
        """How many players: what was asked for, else the most the rules allow."""
        return book.players[1] if self.players is None else self.players

    def check_options(self, book: Rulebook) -> None:
        """Raise `UsageError` if a book does not have these options and values."""
        options_of(book, players=self.players, options=dict(self.options))

    def start(
        self,
        book: Rulebook,
        *,
        seed: int | None = None,
        chance: str = "drawn",
        turns: int | None = None,
        engine: str = "auto",
    ) -> Game:
        """A new game; `seed` overrides that of the settings, `turns` are the most.

        Raises `Refused` where there is no `engine` in C.
        """
        with engine_or_refused():
            return Game.start(
                book,
                players=self.seats(book),
                seed=(self.seed or 0) if seed is None else seed,
                options=dict(self.options),
                board=None if self.board is None else dict(self.board),
                chance=chance,
                turns=turns,
                engine=engine,
            )

    def begin(self, book: Rulebook, number: int, turns: int | None = None) -> Game:
        """Game `number` of several by bots, which its record says too."""
        game = self.start(book, seed=(self.seed or 0) + number, turns=turns)
        game.noted = noted(self.bot_seed, number)
        return game


@contextmanager
def engine_or_refused() -> Iterator[None]:
    """Refuse what needs an engine in C where there is none, and say why."""
    try:
        yield
    except UsageError as error:
        if (reason := error.details.get("reason")) is None:
            raise
        said = f"the native engine cannot play this: {reason}"
        raise Refused(said, status=1) from error


def noted(bot_seed: int, number: int) -> dict[str, int]:
    """What a record keeps, so that the bots play the same again."""
    return {"bot_seed": bot_seed, "game": number}


def _option(text: str) -> tuple[str, int | bool | str | None]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise Refused(f"`--option {text}` is not NAME=VALUE")
    if value in {"yes", "no"}:
        return name, value == "yes"
    if value == "none":
        return name, None
    try:
        return name, int(value)
    except ValueError:
        return name, value


def written(value: int | bool | str | None) -> str:
    """The value of an option as it is written after `NAME=`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def described(settings: Settings) -> str:
    """The settings of a game in words."""
    pairs = [f"{name}={written(value)}" for name, value in settings.options.items()]
    board = [] if settings.board is None else [GIVEN_BOARD]
    players = f"{settings.players} player{'s' * (settings.players != 1)}"
    return ", ".join(["", players, *pairs, *board])


def _board(path: str) -> Mapping[str, Any]:
    try:
        board = read_document(read_file(path, BOARD_MAX).decode("utf-8"))
    except (UnicodeDecodeError, NoDocument) as error:
        raise Refused(f"{path} is not a valid board: {error}", status=1) from error
    if not isinstance(board, dict):
        raise Refused(f"{path} is not a JSON object of spaces", status=1)
    return board
