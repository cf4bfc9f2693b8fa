"""Several pieces on one space: text and pictures show their number."""

import pytest

from interpreter import Game
from rulebook import loads
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.piece_counts import piece_counts
from workbench.presentation.narration.table_changes import lost_pieces
from workbench.presentation.narration.view_text import table_lines
from workbench.presentation.picture import scene_of, svg
from workbench.presentation.picture.text.board_lines import board_lines
from workbench.presentation.picture.text.canvas import ascii_cells

BOARDS = {
    "grid": "spaces spot (spots) by column 1 to 3, row 1 to 2",
    "table": "spaces spot (spots)\n  spot\n  spot_1_1\n  spot_2_1\n  spot_3_1",
    "hexes": "hexes spot (spots) pointy_top\n  spot | q | r\n  spot_1_1 | 0 | 0\n"
    "  spot_2_1 | 1 | 0\n  spot_3_1 | 2 | 0",
    "corners": "hexes land (lands) pointy_top\n  land | q | r\n  l1 | 0 | 0\n"
    "corners spot (spots)\n  spot | lies\n  spot_1_1 | N of l1\n  spot_2_1 | SE of l1\n"
    "  spot_3_1 | SW of l1",
}
RULES = """rules language 1
rulebook crowd "A crowd"
  players 2
  seats red, blue
{board}
piece worker (workers): 5 for each player, stands on spot, any number
piece fish (fishes): 9 in all, stands on spot, up to 4
action put(spot)
  place your worker on spot
action stock
  needs room: spot_2_1 has room for 3 fishes "full"
  place 3 fishes on spot_2_1
action leave(spot)
  remove all your workers from spot
turn
  phase day
    you do put, stock, leave
"""
PLACED = ("put(spot_1_1)", "put(spot_1_1)", "put(spot_1_1)", "stock", "put(spot_3_1)")


def played(board: str) -> Game:
    rules = RULES.format(board=BOARDS[board])
    game = Game.start(loads(rules, "crowd"), seed=1)
    for action in PLACED:
        game.apply(action)
    return game


def test_view_with_any_pieces_can_be_read() -> None:
    view = {"a": "red", "b": True, "c": {"red": 2, "blue": 1}, "d": 4}

    assert list(piece_counts(view)) == [
        ("a", "red", 1),
        ("b", None, 1),
        ("c", "red", 2),
        ("c", "blue", 1),
        ("d", None, 4),
    ]


@pytest.mark.parametrize("board", BOARDS)
def test_picture_shows_the_number_of_pieces(board: str) -> None:
    drawn = svg(scene_of(played(board)))

    for said in ("red 2 workers", "3 fishes", "red worker", "blue worker"):
        assert f"<title>{said}</title>" in drawn, said
    assert ">R2<" in drawn
    assert ">3<" in drawn


def test_text_board_shows_the_number_of_pieces() -> None:
    lines = [
        ascii_cells(str(line)) for line in board_lines(scene_of(played("grid")), 100)
    ]

    assert any("R2" in line and "B" in line for line in lines)


def test_table_lines_name_the_number_of_pieces() -> None:
    game = played("table")
    lines = list(table_lines(game.view(None), [], Localizer.for_book(game.book)))

    assert lines == [
        "  red: worker: spot 1 1 (2), spot 3 1",
        "  blue: worker: spot 1 1",
        "  fish: spot 2 1 (3)",
    ]


def test_removing_pieces_lowers_the_number() -> None:
    game = played("table")
    game.apply("put(spot_3_1)")
    before = game.view(None)
    game.apply("leave(spot_1_1)")
    told = lost_pieces(before, game.view(None), Localizer.for_book(game.book), "red")

    assert list(told) == ["red has 2 workers fewer on the board"]
