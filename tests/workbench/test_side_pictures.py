"""Pictures of spaces on the sides of others: laid and turned tiles."""

from pathlib import Path

import pytest

import rulebook
from interpreter import Game, UsageError
from workbench.presentation.picture import scene_of, svg
from workbench.presentation.picture.geometry import (
    SpaceShape,
    hexagon,
    side_outline,
    square,
)
from workbench.presentation.picture.text.board_lines import board_lines
from workbench.web.views.board_view import board_view

RAMPARTS = Path(__file__).parents[2] / "examples" / "games" / "ramparts.rules"


@pytest.fixture(scope="module")
def book() -> rulebook.Rulebook:
    return rulebook.load(RAMPARTS)


def game_with_tile(book: rulebook.Rulebook, turns: int) -> Game:
    """Return a game with a keep, turned so often, north-east of the first tile."""
    position = Game.start(book, players=2, seed=1).position
    position["game"]["pile"]["known"].pop()
    position["game"]["pile"]["pool"]["keep"] -= 1
    position["cell"]["cell_7_7"] = {"tile": "keep", "turns": turns}
    position["pieces"]["follower"]["edge_7_7_north"] = "red"
    return Game.from_position(book, position)


@pytest.mark.parametrize(
    ("turns", "towns"),
    [(0, {"north", "east"}), (1, {"east", "south"}), (3, {"north", "west"})],
)
def test_a_turned_tile_shows_its_sides(
    book: rulebook.Rulebook, turns: int, towns: set[str]
) -> None:
    game = game_with_tile(book, turns)

    shown = {
        space.name.removeprefix("edge_7_7_")
        for space in scene_of(game).spaces
        if space.place.home == "cell_7_7"
        and [trait.value for trait in space.traits] == ["town"]
    }

    assert shown == towns
    assert {
        side
        for side in ("north", "east", "south", "west")
        if game.value("ground(edge)", f"edge_7_7_{side}") == "town"
    } == towns


def test_only_the_part_of_the_board_in_use_is_drawn(book: rulebook.Rulebook) -> None:
    scene = scene_of(game_with_tile(book, 0))

    assert scene.plane is not None
    cells = [space.name for space in scene.spaces if space.sort == "space"]
    assert {name for name in cells if name.startswith("cell_")} == {
        f"cell_{column}_{row}" for column in range(5, 9) for row in range(5, 9)
    }
    assert len([name for name in cells if name.startswith("edge_")]) == 8
    assert sorted(text for _, text in scene.plane.labels) == sorted("56785678")


def test_the_picture_names_every_side_with_its_piece(book: rulebook.Rulebook) -> None:
    picture = svg(scene_of(game_with_tile(book, 1)))

    place = "side of column 7, row 7"
    assert f"<title>north {place}, field, Red follower</title>" in picture
    assert f"<title>east {place}, town</title>" in picture


def test_a_terminal_shows_the_letters_of_the_sides(book: rulebook.Rulebook) -> None:
    lines = [
        line.plain
        for line in board_lines(
            scene_of(game_with_tile(book, 1)), 80, use_unicode=False
        )
    ]

    at = next(n for n, line in enumerate(lines) if line.strip().startswith("7"))
    west, _, east = lines[at].split()[3:6]
    assert (west, east) == ("f", "t")
    assert "R" in lines[at - 1]
    assert lines[at + 1].split()[-1] == "t"


def test_sides_of_squares_and_hexes_run_clockwise() -> None:
    """Two spaces on the north of a square; the first side of a hex is north-east."""
    home = SpaceShape("cell", (0.0, 0.0), square((0.0, 0.0)))
    assert side_outline(home, 0, 8)[:2] == ((-0.5, -0.5), (0.0, -0.5))
    assert side_outline(home, 1, 8)[:2] == ((0.0, -0.5), (0.5, -0.5))
    assert side_outline(home, 1, 4)[:2] == ((0.5, -0.5), (0.5, 0.5))
    pointy = SpaceShape("land", (0.0, 0.0), hexagon((0.0, 0.0), pointy=True))
    (_, top), (right, low) = side_outline(pointy, 0, 6)[:2]
    assert (top, round(right, 3), round(low, 3)) == (-1.0, 0.866, -0.5)
    flat = SpaceShape("land", (0.0, 0.0), hexagon((0.0, 0.0), pointy=False))
    start, end = side_outline(flat, 0, 6)[:2]
    assert start[0] < end[0] and round(start[1], 6) == round(end[1], 6) < 0


def test_values_of_definitions_have_names_and_arguments(
    book: rulebook.Rulebook,
) -> None:
    game = game_with_tile(book, 1)

    assert game.value("origin(edge)", "edge_7_7_north") == "west"
    assert game.value("takes(cell,tile,number)", "cell_1_1", "palace", 2) is False
    assert game.value("region(edge)", "edge_7_7_east") == [
        "edge_7_7_east",
        "edge_7_7_south",
    ]
    with pytest.raises(UsageError, match="unknown definition"):
        game.value("ground", "edge_7_7_east")
    with pytest.raises(UsageError, match="1 parameters, not 2"):
        game.value("ground(edge)", "edge_7_7_east", "edge_7_7_west")
    with pytest.raises(UsageError, match="edge_7_7 is not a value of edge"):
        game.value("ground(edge)", "edge_7_7")


HIDDEN = """rules language 1
rulebook secret "A secret"
  players 2
kind ground: field, town
spaces cell (cells) by column 1 to 2, row 1 to 2
each cell has
  truth: ground, seen by nobody
  known: ground, seen by all
define cell's look: ground = cell's truth
define cell's face: ground = cell's known
define cell's size: 0 to 2 = cell's column
define spot(1 to 2 number): cell or none = cell(number, 1)
define lair(1 to 2 number): cell or none
  cell(number, 2) if (some cell where cell's truth = town)
action dig(1 to 2 number)
  stop
turn
  phase day
    you do dig
"""


@pytest.mark.parametrize(
    ("hint", "code", "message"),
    [
        ("cell: look", "RB150", "everybody sees the picture"),
        ("cell: size", "RB101", "unknown definition of a cell"),
        ("cell: nothing_at_all", "RB101", "unknown definition of a cell"),
        ("ground: face", "RB101", "unknown"),
    ],
)
def test_looks_show_only_public_members(hint: str, code: str, message: str) -> None:
    assert rulebook.loads(f"{HIDDEN}hint shows cell: face\n", "secret").digest
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(f"{HIDDEN}hint shows {hint}\n", "secret")
    [error] = caught.value.diagnostics
    assert error.code == code
    assert message in error.message


@pytest.mark.parametrize(
    ("hint", "code", "message"),
    [
        ("number: lair", "RB150", "may be hidden"),
        (
            "number: size",
            "RB101",
            "unknown definition that returns a space for a number",
        ),
        ("cell: spot", "RB101", "unknown number of an action"),
    ],
)
def test_numbers_mean_only_public_spaces(hint: str, code: str, message: str) -> None:
    assert rulebook.loads(f"{HIDDEN}hint at number: spot\n", "secret").digest
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(f"{HIDDEN}hint at {hint}\n", "secret")
    [error] = caught.value.diagnostics
    assert error.code == code
    assert message in error.message


SECRET = """rules language 1
rulebook aims "Aims at the same time"
  players 2
  seats red, blue

kind ground: field, road
kind side (sides): north, east, south, west
spaces cell (cells) by column 1 to 2, row 1 to 2
spaces edge (edges) on the sides of cell by side

each player has
  pick: side or none, seen by all

define edge's ground: ground or none
  road if red's pick is edge's side or active_player is blue
  field

action choose_side(side)
  set your pick to side

turn
  phase aim
    at the same time each player: player does choose_side

hint shows edge: ground
"""


def roads(game: Game, seat: str | None) -> set[str]:
    return {
        space.name
        for space in scene_of(game, seat).spaces
        if any(trait.value == "road" for trait in space.traits)
    }


def test_a_picture_does_not_show_choices_before_all_have_decided() -> None:
    game = Game.start(rulebook.loads(SECRET, "aims"), seed=1)
    game.apply("choose_side(north)")

    assert game.to_act == "blue"
    assert len(roads(game, "red")) == 4
    assert roads(game, "blue") == roads(game, None) == set()


def test_the_board_of_a_page_follows_everything_that_a_look_reads() -> None:
    """`active_player` is no part of the board, but changes what the look shows."""
    game = Game.start(rulebook.loads(SECRET, "aims"), seed=1)
    before = board_view(game, "red", "en").digest
    game.apply("choose_side(north)")
    game.apply("choose_side(south)")

    assert roads(game, None)
    assert board_view(game, "red", "en").digest != before


SHUT = """rules language 1
rulebook shut "A closed board"
  players 2
kind side: north, east, south, west
spaces cell (cells) by column 1 to 3, row 1 to 3
links bond between cell by (1, 0), (0, 1){diagonal}
spaces edge (edges) on the sides of cell by side
each cell has
  open: yes/no
each edge has
  level: 0 to 9
  mark: side or none
action unlock(cell, edge)
  set cell's open to yes
  set edge's level to 3
  set edge's mark to north
turn
  phase work
    you do unlock
{look}
"""


@pytest.mark.parametrize("diagonal", ["", ", (1, -1)"])
@pytest.mark.parametrize("look", ["", "hint drawn cell: open"])
def test_boards_with_sides_are_drawn_whatever_is_open(diagonal: str, look: str) -> None:
    text = SHUT.format(diagonal=diagonal, look=look)
    game = Game.start(rulebook.loads(text, "shut"), seed=1)
    assert svg(scene_of(game))
    game.apply("unlock(cell_2_2, edge_1_1_north)")

    scene = scene_of(game)

    assert svg(scene)
    assert list(board_lines(scene, 80))
    cells = {space.name for space in scene.spaces if space.place.home is None}
    assert all(space.place.home in {None, *cells} for space in scene.spaces)
    assert ("cell_1_1" in cells) is (look == "")


HEXES = """rules language 1
rulebook dogs "Dogs beside hexes"
  players 2
  seats red, blue

kind direction: ne, e, se, sw, w, nw
hexes hex (hexes) pointy_top
  hex | q | r
  mid | 0 | 0
  far | 1 | 0
spaces edge (edges) on the sides of hex by direction
piece dog (dogs): 5 for each player, stands on edge

each hex has
  twist: 0 to 5, starts at 4, not shown
  depth: 0 to 5, starts at 3

action put(edge)
  place your dog on edge in place of what stands there

turn
  phase work
    you do put
"""


def test_a_terminal_shows_pieces_on_the_sides_of_hexes() -> None:
    game = Game.start(rulebook.loads(HEXES, "dogs"), seed=1)
    game.apply("put(edge_mid_ne)")
    marks = {"edge_far_w": "7"}

    lines = [line.plain for line in board_lines(scene_of(game), 80, marks=marks)]

    assert any("R" in line for line in lines)
    assert any("7" in line for line in lines)


def test_pictures_leave_out_bookkeeping_of_spaces() -> None:
    scene = scene_of(Game.start(rulebook.loads(HEXES, "dogs"), seed=1))

    [middle] = [space for space in scene.spaces if space.name == "mid"]
    assert [(trait.name, trait.value) for trait in middle.traits] == [("depth", 3)]


def test_names_of_definitions_may_have_spaces(book: rulebook.Rulebook) -> None:
    game = Game.start(book, seed=1)

    spaced = game.value("picture(tile, side)", "lane", "north")
    assert spaced == game.value("picture(tile,side)", "lane", "north") == "road"
