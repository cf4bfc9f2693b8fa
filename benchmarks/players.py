"""Players of matches by name: any bot, each with random numbers of its own."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import Action, Game
from workbench.bots import decide, own_numbers
from workbench.bots.named import bot_of

Player = Callable[[Game, int], Action]
"""What it does in a game that waits for it; its random numbers begin with a key."""


def named(name: str) -> Player:
    """Return the player of a name; it learns nothing that its seat may not know."""
    bot = bot_of(name)

    def decided(game: Game, key: int) -> Action:
        seat = str(game.to_act)
        return decide(bot, game, seat, own_numbers(key, 0, seat))

    return decided
