"""What a bot may do wrong, and what is to come of it, as who lets it play says."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any

import attrs

from interpreter import Action, Game
from workbench.bots.time_limit import TooLate, within
from workbench.errors import Refused

SHOWN_MAX = 80
"""Of what a bot has returned so many letters are told."""

OURS = tuple(
    str(Path(__file__).parents[2] / floor) for floor in ("workbench", "interpreter")
)


class BotFault(StrEnum):
    """What a bot did in place of choosing a legal action."""

    RAISED = "raised"
    ILLEGAL = "illegal"
    LATE = "late"


class OnError(StrEnum):
    """What comes of it: nobody plays on, a legal action is drawn, or its seat loses."""

    STOP = "stop"
    RANDOM = "random"
    LOSE = "lose"


@attrs.frozen
class ErrorPolicy:
    """What holds for bots of somebody's own: the most seconds a decision may take."""

    on_error: OnError = OnError.STOP
    seconds: float | None = None


USUAL = ErrorPolicy()


@attrs.frozen
class BotError:
    """Whose bot did what, and where: `decision` counts those of the game, from 1."""

    seat: str
    bot: str
    wrong: BotFault
    said: str
    decision: int
    seed: int | None
    game: int | None

    def __str__(self) -> str:
        return f"{self.seat}'s bot `{self.bot}` {self.when}"

    @property
    def when(self) -> str:
        """What it did, and at which decision."""
        seed = "" if self.seed is None else f" of the game with seed {self.seed}"
        return f"{self.said}, at decision {self.decision}{seed}"

    def to_json(self) -> dict[str, Any]:
        """The error as plain data."""
        return {**attrs.asdict(self), "wrong": str(self.wrong)}


HELP = {
    BotFault.RAISED: None,
    BotFault.ILLEGAL: "it must return one of the legal actions",
    BotFault.LATE: "raise --bot-seconds to give it more time",
}


@attrs.frozen
class BotFailed(Refused):
    """A bot did wrong and nobody plays on; `record` is the game as far as it came."""

    error: BotError | None = None
    record: str | None = None


class Misbehaved(Exception):
    """What a bot did, as it is said of it."""

    def __init__(self, wrong: BotFault, said: str) -> None:
        super().__init__(wrong, said)
        self.wrong, self.said = wrong, said

    def __str__(self) -> str:
        return self.said


@attrs.frozen
class OwnBot:
    """A developer's bot: what it raises or wrongly returns is said to be its doing."""

    name: str
    bot: Any
    seconds: float | None = None

    def __call__(
        self, view: Any, legal: Sequence[Action], sample: Any, numbers: Random
    ) -> Action:
        """The action that it returns. Raises `Misbehaved` when that is none of them."""
        try:
            with within(self.seconds):
                answer = self.bot(view, legal, sample, numbers)
        except TooLate:
            said = f"did not answer within {self.seconds:g} seconds"
            raise Misbehaved(BotFault.LATE, said) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise Misbehaved(BotFault.RAISED, f"failed: {error_text(error)}") from error
        chosen = chosen_in(legal, answer)
        if chosen is None:
            raise Misbehaved(BotFault.ILLEGAL, f"returned {answer_text(answer)}")
        return chosen


def choose_action(
    bot: Any,
    game: Game,
    seat: str,
    legal: Sequence[Action],
    sample: Any,
    numbers: Random,
) -> Action:
    """The action that a bot chooses of those that are legal.

    Raises `BotFailed`, which says whose bot did what, and at which decision.
    """
    own = bot if isinstance(bot, OwnBot) else OwnBot(called(bot), bot)
    try:
        return own(game.view(seat), legal, sample, numbers)
    except Misbehaved as did:
        decision = 1 + sum("action" in event for event in game.events)
        which = game.noted.get("game")
        error = BotError(
            seat, own.name, did.wrong, did.said, decision, game.seed, which
        )
        raise BotFailed(str(error), HELP[did.wrong], 1, error) from did.__cause__


def chosen_in(legal: Sequence[Action], answer: object) -> Action | None:
    """The legal action that an answer is, if it is one."""
    if not isinstance(answer, Action):
        return None
    return next((action for action in legal if action == answer), None)


def called(bot: object) -> str:
    """What a bot is called that was handed over."""
    return str(getattr(bot, "__qualname__", type(bot).__qualname__))


def answer_text(answer: object) -> str:
    """What a bot has returned, in some letters."""
    try:
        text = repr(answer)
    except Exception:  # noqa: BLE001  (it is the bot's)
        text = f"a {type(answer).__name__} that cannot be shown"
    return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"


def error_text(error: BaseException) -> str:
    """What an error says, and where in the developer's files it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(OURS)]
    place = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
    try:
        said = str(error)
    except Exception:  # noqa: BLE001  (it is the bot's)
        said = "an error that cannot be shown"
    return f"{type(error).__name__}: {said}{place}"
