"""For who trains players: any rule file as an environment of PettingZoo, as a game of
OpenSpiel, and what a seat sees as a row of numbers.

The libraries come with `rulebook-lang[learning]` and are imported when they are needed;
nothing else of this package imports them.
"""

from __future__ import annotations

from typing import Any

import rulebook as rb
from workbench.defaults import AUTO
from workbench.extras import Extra, library
from workbench.learning.stepping import Setting

__all__ = ["environment", "spiel_game"]

DECISIONS = 10_000
"""After so many a game of OpenSpiel is cut off."""


def environment(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    seed: int = 0,
    turns: int | None = None,
    decisions: int = 0,
    engine: str = AUTO,
) -> Any:
    """Return the PettingZoo environment (AEC) of a rule book.

    `seed` is that of the first game where `reset` says none; `turns` and `decisions`
    cut a game off. Raises `Refused` where PettingZoo is not installed.
    """
    for name in ("numpy", "gymnasium", "pettingzoo"):
        library(name, Extra.LEARNING, "an environment")
    made = library("workbench.learning.aec", Extra.LEARNING, "an environment")
    setting = Setting(book, players, options, turns, decisions, engine)
    return made.RuleEnvironment(setting, seed)


def spiel_game(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    decisions: int = DECISIONS,
) -> Any:
    """Return the OpenSpiel game of a rule book.

    After so many `decisions` it is over and nobody has won. Raises `Refused` where
    OpenSpiel is not installed, and `UsageError` where these rules cannot be such a
    game.
    """
    for name in ("numpy", "pyspiel"):
        library(name, Extra.LEARNING, "a game of OpenSpiel")
    made = library(
        "workbench.learning.openspiel", Extra.LEARNING, "a game of OpenSpiel"
    )
    return made.game_of(book, players, options or {}, decisions)
