"""Settings with which games start: players, seed, options and a given board."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

import attrs

from interpreter import Game, InvalidDocument, UsageError, options_of, read_document
from rulebook import Rulebook, read_file
from workbench.bots.bot_failures import DEFAULT_POLICY, ErrorPolicy
from workbench.errors import RequestError

MAX_BOARD_BYTES = 4_000_000
"""Maximum number of bytes that are read from a board file."""
GIVEN_BOARD_NOTE = "a given board"
"""Note in a record whose board was given and not dealt by set-up."""


@attrs.frozen
class Settings:
    """Settings of a game; None leaves the choice to the rules.

    Game i of a series has seed `seed` + i, and its bots' random numbers depend on
    `bot_seed`, i and the seat. `error_policy` is the policy for errors of custom bots.
    """

    players: int | None = None
    seed: int | None = 1
    options: Mapping[str, Any] = attrs.field(factory=dict)
    board: Mapping[str, Any] | None = None
    bot_seed: int = 1
    error_policy: ErrorPolicy = DEFAULT_POLICY

    @classmethod
    def parse(
        cls,
        players: int | None,
        seed: int | None,
        options: Sequence[str],
        board: str | None,
        bot_seed: int = 1,
        error_policy: ErrorPolicy = DEFAULT_POLICY,
    ) -> Self:
        """Return the settings given on a command line.

        Raise `RequestError` if an option is not NAME=VALUE or the board file is not
        JSON.
        """
        pairs = dict(_parse_option(text) for text in options)
        given_board = None if board is None else _read_board(board)
        return cls(players, seed, pairs, given_board, bot_seed, error_policy)

    def seats(self, book: Rulebook) -> int:
        """Return the number of players, which defaults to the maximum."""
        return book.players[1] if self.players is None else self.players

    def check_options(self, book: Rulebook) -> None:
        """Raise `UsageError` if the book does not have one of the options or values."""
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
        """Start a game; `seed` overrides the settings, and `turns` limits the turns.

        Raise `RequestError` if the requested engine is not available.
        """
        with report_missing_engine():
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

    def start_bot_game(
        self, book: Rulebook, number: int, turns: int | None = None
    ) -> Game:
        """Start game *number* of a series of bot games; its record notes the number."""
        game = self.start(book, seed=(self.seed or 0) + number, turns=turns)
        game.notes = record_notes(self.bot_seed, number)
        return game


@contextmanager
def report_missing_engine() -> Iterator[None]:
    """Raise `RequestError` if the block needs an unavailable native engine."""
    try:
        yield
    except UsageError as error:
        if (reason := error.details.get("reason")) is None:
            raise
        problem = f"the native engine cannot play this: {reason}"
        raise RequestError(problem, exit_code=1) from error


def record_notes(bot_seed: int, number: int) -> dict[str, int]:
    """Return the notes of a record with which its game of bots can be repeated."""
    return {"bot_seed": bot_seed, "game": number}


def _parse_option(text: str) -> tuple[str, int | bool | str | None]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise RequestError(f"`--option {text}` is not NAME=VALUE")
    if value in {"yes", "no"}:
        return name, value == "yes"
    if value == "none":
        return name, None
    try:
        return name, int(value)
    except ValueError:
        return name, value


def option_text(value: int | bool | str | None) -> str:
    """Return an option's value as written after `NAME=`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def settings_text(settings: Settings) -> str:
    """Return the settings as words, for messages."""
    pairs = [f"{name}={option_text(value)}" for name, value in settings.options.items()]
    board = [] if settings.board is None else [GIVEN_BOARD_NOTE]
    players = f"{settings.players} player{'s' * (settings.players != 1)}"
    return ", ".join(["", players, *pairs, *board])


def _read_board(path: str) -> Mapping[str, Any]:
    try:
        board = read_document(read_file(path, MAX_BOARD_BYTES).decode("utf-8"))
    except (UnicodeDecodeError, InvalidDocument) as error:
        raise RequestError(
            f"{path} is not a valid board: {error}", exit_code=1
        ) from error
    if not isinstance(board, dict):
        message = f"{path} must contain a JSON object whose keys are spaces"
        raise RequestError(message, exit_code=1)
    return board
