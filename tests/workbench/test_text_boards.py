"""Boards as text: shown values, pieces on links, attributes, and spaces at sides."""

import pytest

import rulebook
from interpreter import Game
from rulebook.model import DomainSort
from workbench import load
from workbench.bots import bot_random, decide, greedy
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.text.board_lines import board_lines
from workbench.presentation.picture.text.compact import compact_board_lines

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


def ranks_on_board(reader: str | None) -> tuple[set[str], set[str]]:
    """Return the texts of red's and blue's pieces that a reader sees."""
    game = Game.start(load("examples/games/hidden_ranks.rules"), seed=1)
    lines = board_lines(scene_of(game, reader), 80)
    words = {word for line in lines for word in line.plain.split()}
    return (
        {word for word in words if word.startswith("R")},
        {word for word in words if word.startswith("B")},
    )


def test_a_hidden_field_of_a_piece_is_shown_to_its_owner_only() -> None:
    red = ranks_on_board("red")
    assert {"Rbo", "Rca", "Rco", "Rfl", "Rge", "Rma", "Rmr"} < red[0]
    assert red[1] == {"B?"}
    assert ranks_on_board("blue")[0] == {"R?"}
    assert "Bfl" in ranks_on_board("blue")[1]
    assert ranks_on_board(None) == ({"R?"}, {"B?"})


@pytest.mark.parametrize("name", ["germany", "base", "classic"])
def test_a_board_of_hexes_has_a_compact_drawing(name: str) -> None:
    """It has a line for each row of hexes and one for the links between two rows."""
    game = Game.start(load(name), seed=1)
    numbers = bot_random(1, 0, "all")
    while game.turn < 9:
        game.apply(decide(greedy, game, str(game.to_act), numbers))
    scene = scene_of(game, "red")
    links = [s for s in scene.spaces if s.sort is DomainSort.LINK]
    hexes = [s for s in scene.spaces if s.sort is DomainSort.FACE]
    text = "\n".join(line.plain for line in compact_board_lines(scene, 60))

    assert len(text.splitlines()) == 13
    owned = [s.pieces[0] for s in links if s.pieces]
    assert owned
    for owner in {piece.owner for piece in owned}:
        letter = scene.letters[str(owner)].lower()
        assert sum(letter == each for each in text) >= len(
            [piece for piece in owned if piece.owner == owner]
        )
    for space in hexes:
        number = scene.number(space)
        assert number is None or f"{number.value}" in text
    marked = compact_board_lines(scene, 60, marks={links[0].name: "77"})
    assert "77" in "\n".join(line.plain for line in marked)
