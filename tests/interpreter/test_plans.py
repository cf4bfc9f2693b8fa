"""Plans are created once for a book, and freed with it. Failures seen after breaking:
plans in a weak dictionary whose values refer to its keys; a new plan each time; runtime
names that are enum members.
"""

import gc
import weakref

import pytest

from interpreter import Game
from interpreter.planning import plan_for
from interpreter.source.runtime import RUNTIME
from workbench import load

GAMES = ("examples/tiny/dare.rules", "cardgame")


@pytest.mark.parametrize("name", GAMES)
def test_a_plan_is_freed_with_its_book(name: str) -> None:
    book = load(name)
    game = Game.start(book, seed=1)
    game.apply(game.legal_actions()[0])
    plan = weakref.ref(plan_for(book, len(game.seats), game.options))
    assert plan() is not None

    del book, game
    gc.collect()

    assert plan() is None


def test_default_options_share_a_plan_with_explicit_ones() -> None:
    book = load(GAMES[0])
    options = Game.start(book).options
    assert plan_for(book, 2, {}) is plan_for(book, 2, options)


def test_names_of_generated_code_are_plain_strings() -> None:
    """CPython looks up globals more slowly if a name belongs to a subclass of `str`."""
    assert {type(name) for name in RUNTIME} == {str}
