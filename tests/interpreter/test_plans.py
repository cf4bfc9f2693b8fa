"""Plans are made once for a book, and go with it.

Broken by hand, each seen to fail: plans in a table by weak books, which they lead back
to; a plan made again each time; names of the runtime that are members of an enum.
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
def test_a_plan_goes_with_its_book(name: str) -> None:
    book = load(name)
    game = Game.start(book, seed=1)
    game.apply(game.legal_actions()[0])
    plan = weakref.ref(plan_for(book, len(game.seats), game.options))
    assert plan() is not None

    del book, game
    gc.collect()

    assert plan() is None


def test_a_plan_is_made_once_whether_options_are_said_or_not() -> None:
    book = load(GAMES[0])
    options = Game.start(book).options
    assert plan_for(book, 2, {}) is plan_for(book, 2, options)


def test_names_of_generated_code_are_plain_strings() -> None:
    """CPython looks up globals more slowly if a name is of a subclass of `str`."""
    assert {type(name) for name in RUNTIME} == {str}
