"""Bots at a table: what each is to decide, with numbers of its own for every decision.

A decision is drawn by (seed of the bots, number of events, seat): a server that begins
again draws the same. A bot thinks about a copy, so that the table can go on meanwhile.
"""

from __future__ import annotations

import attrs

from interpreter import Game
from rulebook import RulesError
from workbench.bots import Bot, below, decide, legal_in, own_numbers, shipped
from workbench.bots.errors import BotFailed
from workbench.bots.randomness import Numbers
from workbench.bots.registry import bot_of
from workbench.bots.search import TreeSearch
from workbench.errors import Refused
from workbench.web.storage.errors import NoBot

SECONDS = 10.0
"""So long a bot may think about a decision; who is too late has one drawn for it."""

PLAYOUTS_MAX = 2_000
DECISIONS_MAX = 200_000
SEARCH_SECONDS_MAX = 5.0
"""What a search may be asked for at a table."""


@attrs.define
class BotTask:
    """A decision that is due: of which seat, by which bot, of which line on.

    `failed` is what the bot did wrong, where a legal action was drawn for it.
    """

    seat: str
    bot: str
    at: int
    game: Game
    numbers: Numbers
    mind: Bot
    failed: str = ""

    def chosen(self) -> str | None:
        """The action that the bot chooses; None where the rules leave nothing."""
        try:
            text: str = decide(self.mind, self.game, self.seat, self.numbers).text
        except BotFailed as wrong:
            self.failed = str(wrong.error)
        except (Refused, RulesError):
            return None
        else:
            return text
        legal = legal_in(self.game, self.seat)
        place = below(len(legal), Numbers("instead", self.at, self.seat))
        drawn: str = legal[place].text
        return drawn


class BotPlayers:
    """The bots of a table, and on what they have set their minds."""

    def __init__(self, bot_seed: int) -> None:
        self._seed = bot_seed
        self._bots: dict[tuple[str, str], Bot] = {}
        self._meant: dict[str, Numbers] = {}

    def task(self, game: Game, seat: str, bot: str, at: int) -> BotTask:
        """What a bot is to decide."""
        if (seat, bot) not in self._bots:
            self._bots[seat, bot] = bot_of(bot, SECONDS)
        numbers = own_numbers(self._seed, game.steps, seat)
        before = self._meant.get(seat)
        if before is not None:
            numbers.meant = before.meant
        self._meant[seat] = numbers
        mind = self._bots[seat, bot]
        return BotTask(seat, bot, at, game.copy(), numbers, mind)

    def forget(self) -> None:
        """Let no bot have set its mind on anything."""
        self._meant.clear()


def check_name(bot: str, others: tuple[str, ...] = ()) -> None:
    """Refuse a bot that may not play at a table: only shipped ones and named `others`.

    Raises `NoBot`. No name from a page imports anything.
    """
    if bot in others:
        return
    try:
        mind = shipped(bot)
    except Refused:
        raise NoBot(bot=bot) from None
    if mind is None or (isinstance(mind, TreeSearch) and not _short(mind)):
        raise NoBot(bot=bot)


def _short(mind: TreeSearch) -> bool:
    """Whether a search ends before people have gone away."""
    budget = mind.budget
    return (
        (budget.playouts or 0) <= PLAYOUTS_MAX
        and (budget.decisions or 0) <= DECISIONS_MAX
        and (budget.seconds or 0) <= SEARCH_SECONDS_MAX
    )
