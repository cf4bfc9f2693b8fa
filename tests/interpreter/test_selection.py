"""Picks of a gather named in one text, and actions that are not available now."""

import rulebook
from interpreter import Game
from tests.language.test_chunks import PRELUDE

HEAD = """rules language 1
rulebook picks "Picks"
  extends prelude
replace turn
  phase night
    dine
to dine
  you gather 1 to 2 good in your pack as dish
  move dish from your pack to store
  you may do rest
action rest
  needs poor: your glory = 0 "you are rich"
  stop
setup
  each player: move 1 salt, 1 silk from store to player's pack
"""


def started() -> Game:
    book = rulebook.loads(HEAD, resolve={"prelude": PRELUDE}.get)
    return Game.start(book)


def test_applies_a_selection_in_any_order_with_or_without_numbers() -> None:
    wanted = started()
    wanted.apply("dish(1 salt, 1 silk)")

    for text in ("dish(silk, salt)", "dish silk, salt", "dish(1 silk, salt)"):
        game = started()
        game.apply(text)
        assert game == wanted


def test_reports_how_many_picks_remain() -> None:
    game = started()
    game.apply("dish(salt)")

    assert "at most 1 may be chosen" in str(game.why("dish silk, silk"))


def test_names_the_available_actions_of_the_current_clause() -> None:
    game = started()
    game.apply("dish(1 salt, 1 silk)")

    explanation = game.why("dish(salt)")

    assert explanation.reason == "dish is not available now"
    assert explanation.fix == "available now: pass or rest"
