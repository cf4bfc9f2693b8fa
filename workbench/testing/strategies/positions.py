"""Positions as plain data: those that games come to, and valid ones beside them."""

from collections.abc import Mapping
from typing import Any

import hypothesis.strategies as st

from interpreter import Game, UsageError
from rulebook import Rulebook
from workbench.testing.rule_tests.start_positions import changed, is_calm
from workbench.testing.strategies.games import EVENTS, games

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
    """Positions that `Game.from_position` takes: reached in play, and changed ones.

    The game is played for up to so many `events`, of any settings, or of `players` and
    `options`. Where it stands in no action then, up to so many `changes` are made (0:
    none): cards and pieces change places and numbers become others, as the rules let
    them in play. What breaks an invariant, or leaves whoever must act without a choice,
    is not taken. A position shrinks to one
    that is not changed, of the simplest settings and the fewest events. Raises
    `UsageError` for settings that there are not.
    """
    if changes < 0:
        raise UsageError(f"the number of changes must be at least 0, not {changes}")
    return laid_out(
        games(book, players=players, options=options, events=events), changes
    )


@st.composite
def laid_out(
    draw: st.DrawFn, played: st.SearchStrategy[Game], changes: int
) -> Position:
    """The positions of games, after so many changes at most."""
    game = draw(played)
    for _ in range(draw(st.integers(0, changes))):
        if is_calm(game):
            game = changed(game, draw(st.randoms(use_true_random=False))) or game
    return game.position
