"""Hypothesis strategy that generates valid positions as plain data.

A position is reached in play, or edited.
"""

from collections.abc import Mapping
from typing import Any

import hypothesis.strategies as st

from interpreter import Game, UsageError
from rulebook import Rulebook
from workbench.testing.rule_tests.start_positions import edited_game, is_between_actions
from workbench.testing.strategies.game_strategy import EVENTS, games

CHANGES = 2
Position = dict[str, Any]


def positions(
    book: Rulebook,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    events: int = EVENTS,
    changes: int = CHANGES,
) -> st.SearchStrategy[Position]:
    """Return a strategy for valid positions: reached in play, and edited ones.

    The game is played for up to `events` events, with any settings or with `players`
    and `options`. If it is then between actions, up to `changes` edits are made (0:
    none). Edits move cards and pieces and change numbers, where the rules do so in
    play. Positions that break an invariant or leave no legal action are rejected. A
    position shrinks to one without edits, the simplest settings and the fewest events.
    Raise `UsageError` for unknown settings.
    """
    if changes < 0:
        raise UsageError(f"the number of changes must be at least 0, not {changes}")
    return draw_position(
        games(book, players=players, options=options, events=events), changes
    )


@st.composite
def draw_position(
    draw: st.DrawFn, games: st.SearchStrategy[Game], max_changes: int
) -> Position:
    """Draw the position of a game, after at most *max_changes* edits."""
    game = draw(games)
    for _ in range(draw(st.integers(0, max_changes))):
        if is_between_actions(game):
            game = edited_game(game, draw(st.randoms(use_true_random=False))) or game
    return game.position
