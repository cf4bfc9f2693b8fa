"""Generated code never fails: accepted rules run, with any part in any place. Every
statement is tried with every kind of expression as its parts (`every_part`). Each
version gives a diagnostic or runs.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter import Game
from rulebook import Rulebook, RulesError
from tests.support import every_part
from tests.support.every_part import checked

FAULTS = Path(__file__).parent / "budget"
TOGETHER = 40
"""Number of actions in a game."""

QUICK = 40
"""The quick form plays one game out of this number."""


def try_each(book: Rulebook, numbers: Random) -> int:
    """Apply every action in several positions; return the number of applied actions."""
    done: dict[str, None] = {}
    game = Game.start(book, players=numbers.choice((2, 3)), seed=numbers.randrange(99))
    for _ in range(25):
        legal = game.legal_actions() if game.to_act is not None else ()
        if not legal:
            break
        for name in dict.fromkeys(action.name for action in legal):
            same = [action for action in legal if action.name == name]
            after = applied(game, numbers.choice(same))
            if after is not None:
                done[name] = None
                continue_game(after, numbers)
        after = applied(game, numbers.choice(legal))
        game = game if after is None else after
    return len(done)


def applied(game: Game, action: object) -> Game | None:
    """Return the game after an action, or None if the rules have a mistake there."""
    after = game.copy()
    try:
        after.apply(action)
    except RulesError:
        assert after == game
        return None
    return after


def continue_game(game: Game, numbers: Random) -> None:
    """Continue for a few steps and view the game."""
    for _ in range(4):
        game.view(game.seats[0])
        if game.to_act is None:
            return
        after = applied(game, numbers.choice(game.legal_actions()))
        if after is None:
            return
        game = after
    assert Game.from_position(game.book, game.position) == game


ACTIONS = list(every_part.actions())
GAMES = [ACTIONS[n : n + TOGETHER] for n in range(0, len(ACTIONS), TOGETHER)]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_accepted_rules_run(number: int, deep: bool) -> None:
    if not deep and number % QUICK:
        pytest.skip("only with --deep")
    numbers = Random(number)
    book, some = checked(GAMES[number])

    for _ in range(3):
        try_each(book, numbers)

    assert some
