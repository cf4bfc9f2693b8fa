"""Environments for machine learning with PettingZoo and OpenSpiel.

Observations of a seat are rows of numbers. The extra `rulebook-lang[learning]` installs
the libraries; only this package imports them, when they are needed.
"""

from __future__ import annotations

from typing import Any

import rulebook as rb
from workbench.defaults import AUTO
from workbench.extras import Extra, import_library
from workbench.learning.stepping import EpisodeSetting

__all__ = ["environment", "spiel_game"]

MAX_DECISIONS = 10_000
"""Default number of decisions after which an OpenSpiel game is cut off."""


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
    """Return the PettingZoo environment (AEC) of a rulebook.

    *seed* is the seed of the first game if `reset` gets none. A game is cut off
    after *turns* turns or *decisions* decisions; None and 0 mean no limit. Raises
    `RequestError` if PettingZoo is not installed.
    """
    for name in ("numpy", "gymnasium", "pettingzoo"):
        import_library(name, Extra.LEARNING, "an environment")
    module = import_library("workbench.learning.aec", Extra.LEARNING, "an environment")
    setting = EpisodeSetting(book, players, options, turns, decisions, engine)
    return module.RuleEnvironment(setting, seed)


def spiel_game(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    decisions: int = MAX_DECISIONS,
) -> Any:
    """Return the OpenSpiel game of a rulebook.

    After *decisions* decisions the game is over and nobody has won. Raises
    `RequestError` if OpenSpiel is not installed. Raises `UsageError` if OpenSpiel
    cannot represent these rules.
    """
    for name in ("numpy", "pyspiel"):
        import_library(name, Extra.LEARNING, "an OpenSpiel game")
    module = import_library(
        "workbench.learning.openspiel", Extra.LEARNING, "an OpenSpiel game"
    )
    return module.register_game(book, players, options or {}, decisions)
