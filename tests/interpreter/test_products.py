"""Cards by product: their names in records and positions, and their titles."""

from __future__ import annotations

import pytest

import rulebook
from interpreter import Game
from workbench.presentation.localization.localizer import Localizer

TEXT = """rules language 1
rulebook fans "Each holds a fan of cards"
  players 2
  seats left, right
  turns 9
kind suit (suits): hearts, spades
kind rank: seven, queen
cards card (cards) by suit, rank
cards lot (lots) by number 1 to 2, 2 of each
game has
  talon: stack of card, seen by nobody, starts with every card
  laid: bag of card, seen by all
  urn: bag of lot, seen by all, starts with every lot
  trump: card, starts at spades_seven
each player has
  fan: bag of card, seen by owner
setup
  shuffle talon
  each player: repeat 2 times: move the top card from talon to player's fan
action play(card)
  needs held: your fan has card         "you do not have this card"
  move 1 card from your fan to laid
action name_trump(suit)
  set trump to card(suit, queen)
turn
  phase only
    you do play, name_trump
words en
  spades_queen = "Old Nan"
  rank = "rank"
words de
  hearts = "Herz"
  spades = "Pik"
  queen = "Dame"
  seven = "Sieben"
"""


@pytest.fixture(scope="module")
def book() -> rulebook.Rulebook:
    return rulebook.loads(TEXT)


def test_a_cards_name_consists_of_its_parts(book: rulebook.Rulebook) -> None:
    game = Game.start(book, players=2, seed=1)
    position = game.position

    assert position["game"]["trump"] == "spades_seven"
    assert position["game"]["urn"] == {"lot_1": 2, "lot_2": 2}
    names = ["hearts_seven", "hearts_queen", "spades_seven", "spades_queen"]
    assert list(position["player"]["left"]["fan"]) == names
    held = [card for card in names if position["player"]["left"]["fan"][card]]
    plays = [action.text for action in game.legal_actions() if action.name == "play"]
    assert plays == [f"play({card})" for card in held]

    game.apply(plays[0])
    game.apply("name_trump(hearts)")
    assert game.position["game"]["trump"] == "hearts_queen"
    assert Game.replay(game.record, book) == game
    assert Game.from_position(book, game.position) == game
    sample = game.sample("right", 1)
    assert sample.view("right") == game.view("right")


def test_a_cards_title_consists_of_the_titles_of_its_parts(
    book: rulebook.Rulebook,
) -> None:
    here, there = Localizer(book=book), Localizer("de", book)

    assert here.title("hearts_queen") == "hearts queen"
    assert here.title("spades_queen") == "Old Nan"
    assert there.title("hearts_queen") == "Herz Dame"
    assert there.title("spades_seven") == "Pik Sieben"
    assert here.title("lot_2") == "lot 2"


DECKS = """rules language 1
rulebook decks "Cards named like their only part, and two decks with the same names"
  players 2
  turns 9
kind suit (suits): red, blue
spaces square (squares) by column 1 to 2
cards tile (tiles) by square
cards flag (flags) by suit
cards pin (pins) by suit
cards card (cards) by suit, rank 1 to 2
cards lot (lots) by suit, rank 1 to 2
game has
  tiles_left: bag of tile, starts with every tile
  flags_left: bag of flag, starts with every flag
each player has
  tiles: bag of tile
action take(tile)
  needs left: tiles_left has tile       "somebody has it"
  move 1 tile from tiles_left to your tiles
turn
  phase only
    you do take
words de
  red = "Rot"
"""


def test_a_card_with_one_part_has_the_title_of_the_part() -> None:
    localizer = Localizer.for_book(rulebook.loads(DECKS), "de")

    assert localizer.value("red") == "Rot"
    assert localizer.value("blue") == "blue"
    assert localizer.value("square_2") == "square 2"


def test_two_decks_with_the_same_parts_name_each_part_once() -> None:
    localizer = Localizer.for_book(rulebook.loads(DECKS), "de")

    assert localizer.value("red_2") == "Rot 2"
