"""No error in generated code: what checks clean is played, whatever stands where.

Every statement is tried with every kind of expression as its parts (`every_part`). Each
gives a diagnostic, or it runs.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulebook
from interpreter import Game
from rulebook import Rulebook, RulesError
from tests.support import every_part

FAULTS = Path(__file__).parent / "budget"
TOGETHER = 40
"""How many actions one game has."""

QUICK = 40
"""In the quick form one game of so many is played."""


def checked(some: list[str]) -> tuple[Rulebook, list[str]]:
    """The game of those actions in which there is no mistake, and their texts."""
    while True:
        text = every_part.game(some)
        try:
            return rulebook.loads(text, "parts.rules"), some
        except RulesError as error:
            lines = [diagnostic.span.line for diagnostic in error.diagnostics]
        left = without(some, text, lines)
        assert len(left) < len(some), f"mistakes on lines {lines} of no action"
        some = left


def without(some: list[str], text: str, lines: list[int]) -> list[str]:
    """The actions on none of whose lines is a mistake."""
    first = text[: text.index(some[0])].count("\n") + 1 if some else 0
    kept = []
    for action in some:
        last = first + action.count("\n")
        if not any(first <= line < last for line in lines):
            kept.append(action)
        first = last
    return kept


def try_each(book: Rulebook, numbers: Random) -> int:
    """Do every action in some way in several positions; return how many were done."""
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
                go_on(after, numbers)
        after = applied(game, numbers.choice(legal))
        game = game if after is None else after
    return len(done)


def applied(game: Game, action: object) -> Game | None:
    """The game after an action; None when the rules have a mistake there."""
    after = game.copy()
    try:
        after.apply(action)
    except RulesError:
        assert after == game
        return None
    return after


def go_on(game: Game, numbers: Random) -> None:
    """Play on for a little, and look."""
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
def test_what_checks_clean_runs(number: int, deep: bool) -> None:
    if not deep and number % QUICK:
        pytest.skip("only with --deep")
    numbers = Random(number)
    book, some = checked(GAMES[number])

    for _ in range(3):
        try_each(book, numbers)

    assert some
