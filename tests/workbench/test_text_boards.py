"""Boards as text: shown values, pieces on links, attributes, and spaces at sides."""

import rulebook
from interpreter import Game
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.text.board_lines import board_lines

HIVE = """rules language 1
rulebook hive "Tiles lie in stacks on cells"
  players 2
  seats white, black
  turns 9
cards tile (tiles)
  tile
  white_queen
  black_queen
  white_ant_1
spaces cell (cells) by x 1 to 3, y 1 to 2
{links}
each cell has
  pile: stack of tile, seen by all
game has
  box: bag of tile, starts with every tile
define cell's top: tile or none
  the top card of cell's pile
setup
  move 1 black_queen from box to top of cell(2, 1)'s pile
  move 1 white_queen from box to top of cell(2, 1)'s pile
  move 1 white_ant_1 from box to top of cell(3, 2)'s pile
action wait
  stop
turn
  phase only
    you do wait
hint shows cell: top
"""
HEXES = "links border (borders) between cell by (1, 0), (0, 1), (1, -1)"

SEA = """rules language 1
rulebook sea "Roads and ships stand on sides of hexes, which may be sea"
  players 2
  seats red, blue
  turns 9
kind zone: home, ocean
kind terrain: field, water
hexes hex (hexes) pointy_top
  hex | q | r | zone | terrain
  A | 0 | 0 | home | field
  B | 1 | 0 | ocean | water
corners corner (corners)
links side (sides)
spaces harbour (harbours)
  harbour | lies
  east_of_A | E of A
  west_of_B | W of B
piece road: 6 for each player, stands on side
piece ship: 6 for each player, stands on side
action wait
  stop
setup
  each side in A's sides: place red's road on side
  each side in B's sides where side has no road: place red's ship on side
turn
  phase only
    you do wait
hint colour field: "#f5e6b0"
"""


def drawn(text: str, width: int = 60) -> list[str]:
    game = Game.start(rulebook.loads(text, "board.rules"), seed=1)
    return [str(line).rstrip() for line in board_lines(scene_of(game), width)]


def test_cells_show_the_value_that_a_definition_names() -> None:
    assert drawn(HIVE.format(links="")) == [
        " 2 ·   ·  wa1",
        " 1 ·  wq   ·",
        "   1   2   3",
    ]
    assert drawn(HIVE.format(links=HEXES)) == [
        "   1   2   3",
        " 1 ·  wq   ·",
        "   2 ·   ·  wa1",
    ]


def test_a_narrow_terminal_lists_the_shown_values() -> None:
    text = " ".join(" ".join(drawn(HIVE.format(links=""), 10)).split())

    assert text == "white queen: cell 2 1 white ant 1: cell 3 2"


def test_pieces_of_several_kinds_on_links_differ() -> None:
    board = "\n".join(drawn(SEA))

    assert "RrRr" in board and "RsRs" in board


def test_an_attribute_with_colours_comes_before_others() -> None:
    board = "\n".join(drawn(SEA))

    assert "field" in board and "water" in board
    assert "home" not in board and "ocean" not in board


def test_a_space_at_a_side_is_drawn_outside_its_hex() -> None:
    scene = scene_of(Game.start(rulebook.loads(SEA, "board.rules"), seed=1))
    across = {space.name: space.place.centre[0] for space in scene.spaces}
    middle = (across["A"] + across["B"]) / 2

    assert across["A"] < across["west_of_B"] < middle
    assert middle < across["east_of_A"] < across["B"]
