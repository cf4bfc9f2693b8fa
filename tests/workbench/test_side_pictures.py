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

    assert "<title>edge 7 7 north, field, red follower</title>" in picture
    assert "<title>edge 7 7 east, town</title>" in picture


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
turn
  phase day
    stop
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
