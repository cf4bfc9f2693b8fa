"""Errors of bots, and policies for handling them."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any

import attrs

from interpreter import Action, Game
from workbench.bots.time_limit import TimeLimitExceeded, time_limit
from workbench.errors import RequestError

MAX_SHOWN_CHARACTERS = 80
"""Maximum number of characters of a returned value that a message quotes."""

OWN_FOLDERS = tuple(
    str(Path(__file__).parents[2] / floor) for floor in ("workbench", "interpreter")
)


class BotFault(StrEnum):
    """Kind of bot failure: an exception, an illegal action, or too much time."""

    RAISED = "raised"
    ILLEGAL = "illegal"
    LATE = "late"


class OnError(StrEnum):
    """Reaction to a bot's error: stop, play a random legal action, or lose the game."""

    STOP = "stop"
    RANDOM = "random"
    LOSE = "lose"


@attrs.frozen
class ErrorPolicy:
    """Reaction to errors of custom bots, and their time limit per decision."""

    on_error: OnError = OnError.STOP
    seconds: float | None = None


DEFAULT_POLICY = ErrorPolicy()


@attrs.frozen
class BotError:
    """Error of a bot in a game.

    `said` describes it. `decision` is the number of the decision, counted from 1.
    """

    seat: str
    bot: str
    wrong: BotFault
    said: str
    decision: int
    seed: int | None
    game: int | None

    def __str__(self) -> str:
        return f"{self.seat}'s bot `{self.bot}` {self.description}"

    @property
    def description(self) -> str:
        """Description of the error, with the number of the decision."""
        seed = "" if self.seed is None else f" of the game with seed {self.seed}"
        return f"{self.said}, at decision {self.decision}{seed}"

    def to_json(self) -> dict[str, Any]:
        """Return the error as plain data."""
        return {**attrs.asdict(self), "wrong": str(self.wrong)}


FAULT_HELP = {
    BotFault.RAISED: None,
    BotFault.ILLEGAL: "it must return one of the legal actions",
    BotFault.LATE: "raise --bot-seconds to give it more time",
}


@attrs.frozen
class BotFailed(RequestError):
    """Raised if a bot's error stops the game; `record` is the game's record so far."""

    error: BotError | None = None
    record: str | None = None


class BotMisbehaviour(Exception):
    """Raised if a bot fails; `message` describes how."""

    def __init__(self, fault: BotFault, message: str) -> None:
        super().__init__(fault, message)
        self.fault, self.message = fault, message

    def __str__(self) -> str:
        return self.message


@attrs.frozen
class CustomBot:
    """Wrapper of a custom bot that enforces its time limit and checks its actions."""

    name: str
    bot: Any
    seconds: float | None = None

    def __call__(
        self, view: Any, legal: Sequence[Action], sample: Any, rng: Random
    ) -> Action:
        """Return the bot's action; raise `BotMisbehaviour` if it fails."""
        try:
            with time_limit(self.seconds):
                answer = self.bot(view, legal, sample, rng)
        except TimeLimitExceeded:
            message = f"did not answer within {self.seconds:g} seconds"
            raise BotMisbehaviour(BotFault.LATE, message) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise BotMisbehaviour(
                BotFault.RAISED, f"failed: {error_text(error)}"
            ) from error
        chosen = matching_action(legal, answer)
        if chosen is None:
            raise BotMisbehaviour(BotFault.ILLEGAL, f"returned {answer_text(answer)}")
        return chosen


def choose_action(
    bot: Any,
    game: Game,
    seat: str,
    legal: Sequence[Action],
    sample: Any,
    rng: Random,
) -> Action:
    """Return the legal action that a bot chooses.

    Raises `BotFailed`, which names the bot, its fault and the number of the decision.
    """
    wrapped = (
        bot if isinstance(bot, CustomBot) else CustomBot(bot_display_name(bot), bot)
    )
    try:
        return wrapped(game.view(seat), legal, sample, rng)
    except BotMisbehaviour as caught:
        decision = 1 + sum("action" in event for event in game.events)
        game_number = game.notes.get("game")
        error = BotError(
            seat,
            wrapped.name,
            caught.fault,
            caught.message,
            decision,
            game.seed,
            game_number,
        )
        raise BotFailed(
            str(error), FAULT_HELP[caught.fault], 1, error
        ) from caught.__cause__


def matching_action(legal: Sequence[Action], answer: object) -> Action | None:
    """Return the legal action that a bot's *answer* equals, or None."""
    if not isinstance(answer, Action):
        return None
    return next((action for action in legal if action == answer), None)


def bot_display_name(bot: object) -> str:
    """Return a display name for a bot that was passed as an object."""
    return str(getattr(bot, "__qualname__", type(bot).__qualname__))


def answer_text(answer: object) -> str:
    """Return a short text for a value that a bot returned."""
    try:
        text = repr(answer)
    except Exception:  # noqa: BLE001  (from the bot)
        text = f"a {type(answer).__name__} that cannot be shown"
    return (
        text
        if len(text) <= MAX_SHOWN_CHARACTERS
        else f"{text[: MAX_SHOWN_CHARACTERS - 1]}…"
    )


def error_text(error: BaseException) -> str:
    """Return the message of an error, and the line of the bot's file that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    bot_frames = [
        frame for frame in frames if not frame.filename.startswith(OWN_FOLDERS)
    ]
    place = (
        f" ({bot_frames[-1].filename}:{bot_frames[-1].lineno})" if bot_frames else ""
    )
    try:
        message = str(error)
    except Exception:  # noqa: BLE001  (from the bot)
        message = "an error that cannot be shown"
    return f"{type(error).__name__}: {message}{place}"
