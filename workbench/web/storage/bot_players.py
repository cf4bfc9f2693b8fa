"""Bots at a table: each decision is a separate task with its own random numbers.

The random numbers depend on the bots' seed, the number of events and the seat, so a
restarted server draws the same ones. A bot thinks about a copy of the game, so that the
table can continue meanwhile.
"""

from __future__ import annotations

import attrs

from interpreter import Game
from rulebook import RulesError
from workbench.bots import (
    Bot,
    bot_random,
    decide,
    legal_choices,
    random_below,
    shipped_bot,
)
from workbench.bots.bot_failures import BotFailed
from workbench.bots.randomness import KeyedRandom
from workbench.bots.registry import bot_of
from workbench.bots.search import TreeSearch
from workbench.errors import RequestError
from workbench.web.storage.table_errors import UnknownBot

MAX_DECISION_SECONDS = 10.0
"""Seconds after which a bot's decision is replaced by a random legal action."""

MAX_PLAYOUTS = 2_000
MAX_PLAYOUT_DECISIONS = 200_000
MAX_SEARCH_SECONDS = 5.0
"""Maximum seconds per decision of a tree-search bot at a table."""


@attrs.define
class BotTask:
    """Decision that a bot must make at version `version` of the table.

    `error` is the bot's error message if a random legal action replaced its choice.
    """

    seat: str
    bot: str
    version: int
    game: Game
    rng: KeyedRandom
    bot_function: Bot
    error: str = ""

    def choose_action(self) -> str | None:
        """Run the bot and return its action, or None if no action is legal."""
        try:
            text: str = decide(self.bot_function, self.game, self.seat, self.rng).text
        except BotFailed as failure:
            self.error = str(failure.error)
        except (RequestError, RulesError):
            return None
        else:
            return text
        legal = legal_choices(self.game, self.seat)
        index = random_below(
            len(legal), KeyedRandom("instead", self.version, self.seat)
        )
        action: str = legal[index].text
        return action


class BotPlayers:
    """Bots of one table, with the actions that they plan for later decisions."""

    def __init__(self, bot_seed: int) -> None:
        self._seed = bot_seed
        self._bots: dict[tuple[str, str], Bot] = {}
        self._rng_by_seat: dict[str, KeyedRandom] = {}

    def task(self, game: Game, seat: str, bot: str, version: int) -> BotTask:
        """Return the task for a decision of a bot."""
        if (seat, bot) not in self._bots:
            self._bots[seat, bot] = bot_of(bot, MAX_DECISION_SECONDS)
        rng = bot_random(self._seed, game.steps, seat)
        previous = self._rng_by_seat.get(seat)
        if previous is not None:
            rng.meant = previous.meant
        self._rng_by_seat[seat] = rng
        bot_function = self._bots[seat, bot]
        return BotTask(seat, bot, version, game.copy(), rng, bot_function)

    def discard_plans(self) -> None:
        """Discard the plans of all bots."""
        self._rng_by_seat.clear()


def check_bot_name(bot: str, allowed: tuple[str, ...] = ()) -> None:
    """Raise `UnknownBot` unless a bot is shipped or named in `allowed`.

    Tree searches with a large budget are rejected. A bot named on a page is never
    imported.
    """
    if bot in allowed:
        return
    try:
        bot_function = shipped_bot(bot)
    except RequestError:
        raise UnknownBot(bot=bot) from None
    if bot_function is None or (
        isinstance(bot_function, TreeSearch) and not _is_fast_enough(bot_function)
    ):
        raise UnknownBot(bot=bot)


def _is_fast_enough(search: TreeSearch) -> bool:
    """Return whether the budget of a tree search is small enough for a table."""
    budget = search.budget
    return (
        (budget.playouts or 0) <= MAX_PLAYOUTS
        and (budget.decisions or 0) <= MAX_PLAYOUT_DECISIONS
        and (budget.seconds or 0) <= MAX_SEARCH_SECONDS
    )
