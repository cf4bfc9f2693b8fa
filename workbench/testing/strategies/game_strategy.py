"""Hypothesis strategy that generates legally played games, one event at a time."""

from collections.abc import Mapping
from random import Random
from typing import Any

import hypothesis.strategies as st
from hypothesis import assume

from interpreter import Game, UsageError
from rulebook import Rulebook
from workbench.analysis.simulation.setting_variations import (
    MAX_EVENTS,
    MAX_TURNS,
    random_choice,
)
from workbench.analysis.simulation.settings import Settings
from workbench.bots import legal_choices
from workbench.testing.strategies.starts import SEEDS, starts

EVENTS = 200
CHANCES = ("given", "drawn")


def games(
    book: Rulebook,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    events: int = EVENTS,
    chance: str = "given",
    board: bool = False,
    ended: bool = False,
) -> st.SearchStrategy[Game]:
    """Return a strategy for legally played games of up to `events` events.

    `players`, `options` and `board` are as in `starts`. With `chance="drawn"` a seed is
    drawn, otherwise every outcome of chance. With `ended`, games are played on at
    random until they are over, up to event 3,000. A game shrinks to the simplest
    settings, the fewest events, and the choices listed first. Raise `UsageError` for
    unknown settings.
    """
    if chance not in CHANCES:
        raise UsageError(f"chance must be drawn or given, not {chance!r}")
    settings_strategy = starts(book, players=players, options=options, board=board)
    return draw_game(book, settings_strategy, events, chance, ended)


@st.composite
def draw_game(
    draw: st.DrawFn,
    book: Rulebook,
    starts: st.SearchStrategy[Settings],
    events: int,
    chance: str,
    play_to_end: bool,
) -> Game:
    """Draw settings, and a game of up to *events* events with these settings."""
    settings = draw(starts)
    seed = draw(SEEDS) if chance == "drawn" else None
    turns = MAX_TURNS if play_to_end else None
    game = settings.start(book, seed=seed, chance=chance, turns=turns)
    for _ in range(draw(st.integers(0, events))):
        if game.to_act is None:
            break
        apply_choice(game, draw(st.integers(0, len(game.legal_actions()) - 1)))
    if play_to_end:
        rng = Random(draw(SEEDS))
        while game.to_act is not None and game.steps < MAX_EVENTS:
            game.apply(random_choice(game, rng))
        assume(game.to_act is None)
    return game


def apply_choice(game: Game, number: int) -> None:
    """Apply the legal choice at index *number*, modulo the number of choices."""
    legal = legal_choices(game)
    game.apply(legal[number % len(legal)])
