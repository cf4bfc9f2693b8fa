"""Pieces of an owner that has the name of a seat are not taken for the seat's."""

import pytest

import rulebook
from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.table_changes import lost_pieces
from workbench.presentation.picture.scene import scene_of

RULES = """
rules language 1
rulebook lines "Lines"
  players 2
  seats red, blue
  turns 5

kind company (companies): red, acme
spaces town (towns)
  town
  C1
  C2

piece station (stations): 2 for each company, stands on town

setup
  place red's station on C1

action close
  needs open: C1 has red's station  "it is closed"
  remove red's station from C1

turn
  phase work
    you do close
"""


@pytest.fixture
def game() -> Game:
    return Game.start(rulebook.loads(RULES, "lines.rules"))


def test_a_piece_of_a_company_is_not_owned_by_a_seat(game: Game) -> None:
    rows = [row for table in scene_of(game).tables for row in table.rows]
    (piece,) = [piece for row in rows for piece in row.pieces]
    assert (piece.owner, piece.is_owned_by_seat) == ("red", False)


def test_a_lost_piece_of_a_company_is_no_loss_of_a_seat(game: Game) -> None:
    before = game.view("blue")
    game.apply("close")
    after, localizer = game.view("blue"), Localizer.for_book(game.book)
    assert list(lost_pieces(before, after, localizer, "red")) == []
    assert list(lost_pieces(before, after, localizer, None)) == [
        "red has 1 station fewer on the board"
    ]
