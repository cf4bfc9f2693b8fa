"""Picks of a gather that are named together, and actions that are not open now."""

import rulebook
from interpreter import Game
from tests.language.test_chunks import PRELUDE

HEAD = """rules language 1
rulebook picks "Picks"
  extends prelude
turn
  phase night
    dine
    you may do rest
to dine
  you gather 1 to 2 good in your pack as dish
  move dish from your pack to store
action rest
  needs poor: your glory = 0 "you are rich"
  stop
in setup
  at the end:
    each player: move 1 salt, 1 silk from store to player's pack
"""


def started() -> Game:
    text = HEAD.replace(
        "in setup\n  at the end:\n    each",
        "setup\n  each",
    )
    book = rulebook.loads(text, resolve={"prelude": PRELUDE}.get)
    return Game.start(book)


def test_applies_a_selection_in_any_order_with_or_without_numbers() -> None:
    wanted = started()
    wanted.apply("dish(1 salt, 1 silk)")

    for text in ("dish(silk, salt)", "dish silk, salt", "dish(1 silk, salt)"):
        game = started()
        game.apply(text)
        assert game == wanted


def test_says_how_many_picks_are_left() -> None:
    game = started()
    game.apply("dish(salt)")

    assert "no more than these may be chosen: 1" in str(game.why("dish silk, silk"))


def test_names_the_open_actions_of_the_clause_that_is_carried_out() -> None:
    game = started()
    game.apply("dish(1 salt, 1 silk)")

    explanation = game.why("dish(salt)")

    print(explanation)
