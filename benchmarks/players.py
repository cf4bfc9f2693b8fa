"""Players of matches by name: any bot, each with its own random numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache

from interpreter import Action, Game, parse_budget
from interpreter.game import state_of
from interpreter.native.engine import NoNativeEngine
from interpreter.plan.plan import Plan
from interpreter.search.compiled_search import compiled_search
from workbench.bots import bot_random, decide
from workbench.bots.registry import bot_of

Player = Callable[[Game, int], Action]
"""Function from a game and a key for random numbers to the chosen action."""


def player_named(name: str) -> Player:
    """Return the player with a name; the player sees only what its seat may see."""
    bot, searches = bot_of(name), parse_budget(name) is not None

    def decided(game: Game, key: int) -> Action:
        if searches:
            note_what_takes_long(state_of(game).plan)
        seat = str(game.to_act)
        return decide(bot, game, seat, bot_random(key, 0, seat))

    return decided


@lru_cache(maxsize=8)
def note_what_takes_long(plan: Plan) -> None:
    """Print a note if a search runs in the interpreter instead of C, with the
    reason."""
    made = compiled_search(plan)
    if isinstance(made, NoNativeEngine):
        told = f"  searched by the interpreter, which takes long: {made.reason}"
        print(told, file=sys.stderr, flush=True)
