"""Fields shown only while a hint makes them relevant; bookkeeping is never shown."""

import rulebook
from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import hidden_fields
from workbench.presentation.narration.view_text import table_lines, view_lines
from workbench.presentation.picture import scene_of

MARKET = """\
rules language 1
rulebook market "Market"
  players 2 to 2

game has
  price: 1 to 6, seen by all, starts at 3
  stalls: 0 to 6, seen by all, starts at 4
  patience: 0 to 6, seen by all, starts at 5

hint during price: "haggle / auction"
hint during patience: "turn"

action haggle
  step name: you choose bid in 1 to 6
  set price to bid

action auction
  set price to 1

turn
  phase only
    you may, until stop:
      haggle, auction
"""


def field_texts(game: Game) -> tuple[str, str]:
    """Return the texts for the game's own fields in the terminal and in a picture."""
    words = Localizer.for_book(game.book)
    lines = "; ".join(table_lines(game.view("p1"), (), words)).strip()
    common = scene_of(game, "p1").common
    return lines, "; ".join(" ".join(pair) for pair in common)


def test_field_is_shown_while_its_clause_runs() -> None:
    game = Game.start(rulebook.loads(MARKET, "market"), seed=1)
    at_the_stall = "stalls 4; patience 5"

    assert field_texts(game) == (at_the_stall, at_the_stall)

    game.apply("haggle")
    haggling = "price 3; stalls 4; patience 5"
    assert field_texts(game) == (haggling, haggling)

    game.apply("choose_bid(6)")
    assert field_texts(game) == (at_the_stall, at_the_stall)


def test_no_clause_runs_after_the_game() -> None:
    book = rulebook.loads(MARKET, "market")

    assert hidden_fields(book, {"pending": []}) == {"price", "patience"}


def test_bookkeeping_appears_only_in_the_view() -> None:
    line = "stalls: 0 to 6, seen by all, starts at 4"
    text = MARKET.replace(line, f"{line}, not shown")
    game = Game.start(rulebook.loads(text, "market"), seed=1)

    assert field_texts(game) == ("patience 5", "patience 5")
    assert list(view_lines(game.view("p1"), (), Localizer.for_book(game.book))) == [
        "  patience 5"
    ]
    assert game.view("p1")["game"]["stalls"] == 4


def test_a_name_is_shown_if_any_field_with_it_is() -> None:
    text = MARKET.replace(
        "hint during price",
        "each player has\n  stalls: 0 to 6\n  ledger: 0 to 6, not shown\n\n"
        "hint during price",
    ).replace("starts at 4", "starts at 4, not shown")
    book = rulebook.loads(text, "market")

    assert hidden_fields(book, {"pending": []}) == {"price", "patience", "ledger"}
