"""Players of matches by name: any bot, each with random numbers of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache

from interpreter import Action, Game, budget_of
from interpreter.game import state_of
from interpreter.native.engine import NotNative
from interpreter.plan.plan import Plan
from interpreter.search.compiled_search import in_c
from workbench.bots import decide, own_numbers
from workbench.bots.registry import bot_of

Player = Callable[[Game, int], Action]
"""What it does in a game that waits for it; its random numbers begin with a key."""


def named(name: str) -> Player:
    """Return the player of a name; it learns nothing that its seat may not know."""
    bot, searches = bot_of(name), budget_of(name) is not None

    def decided(game: Game, key: int) -> Action:
        if searches:
            note_what_takes_long(state_of(game).plan)
        seat = str(game.to_act)
        return decide(bot, game, seat, own_numbers(key, 0, seat))

    return decided


@lru_cache(maxsize=8)
def note_what_takes_long(plan: Plan) -> None:
    """Say once where a search is not made in C, and why."""
    made = in_c(plan)
    if isinstance(made, NotNative):
        told = f"  searched by the interpreter, which takes long: {made.reason}"
        print(told, file=sys.stderr, flush=True)
