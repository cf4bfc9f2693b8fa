"""Faults that users found in pictures: colours, shapes, names and edges."""

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rulebook
import workbench
from interpreter import Game
from workbench.presentation.picture import scene_of, svg
from workbench.presentation.picture.hints import Hints, are_similar
from workbench.presentation.picture.labels import Box, covered_boxes, name_placements
from workbench.presentation.picture.text.board_lines import board_lines

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).parents[2]
WAYS = str(Path(__file__).parent / "screens" / "ways.rules")
FIRST = str(ROOT / "examples" / "first" / "first.rules")
HEX = str(ROOT / "examples" / "tiny" / "hex.rules")

SEATED = """rules language 1
rulebook seated "Seats"
  players 4
  {seats}
  turns 3
turn
  phase play
    you do wait
action wait
  stop
"""

load = cache(workbench.load)


def groups(picture: str) -> dict[str, ET.Element]:
    """Return the groups of a picture by title."""
    root = ET.fromstring(picture)  # noqa: S314  (our own text)
    return {group.findtext(f"{SVG}title", ""): group for group in root.iter(f"{SVG}g")}


# ---------------------------------------------------------------- colours


def test_seats_have_the_colour_in_their_name_in_both_languages() -> None:
    english, german = (Hints.for_book(load(variant)) for variant in (FIRST, WAYS))

    for english_name, german_name in (
        ("red", "rot"),
        ("blue", "blau"),
        ("white", "weiss"),
    ):
        assert english.seat_colour(english_name) == german.seat_colour(german_name)
    assert german.seat_colour("blue_fox") == german.seat_colour("blau")
    assert len({english.seat_colour(seat) for seat in english.book.seats}) == 4


def test_a_title_that_is_a_colour_is_used_too() -> None:
    hints = Hints.for_book(load("classic"))

    assert hints.named_colour("red") and hints.named_colour("nobody") is None


def test_a_spare_colour_differs_from_all_used_colours() -> None:
    seats = "seats red, ann, bob, orange"
    book = rulebook.loads(SEATED.format(seats=seats))
    colours = Hints.for_book(book).owner_colours

    for own in ("ann", "bob"):
        others = (colour for seat, colour in colours.items() if seat != own)
        assert not any(are_similar(colours[own], other) for other in others)


def test_a_hint_takes_precedence_over_a_name() -> None:
    assert Hints.for_book(load("cardgame")).seat_colour("black") == "#37474f"


# ---------------------------------------------------------------- shapes and numbers


def test_a_piece_on_a_link_has_the_shape_of_its_hint() -> None:
    game = Game.start(load(WAYS), players=2, seed=1)
    builds = [action for action in game.legal_actions() if action.name == "build"]
    game.apply(builds[0])
    ropes = [action for action in game.legal_actions() if action.name == "hang"]
    game.apply(ropes[-1])
    drawn = groups(svg(scene_of(game)))

    (bridge,) = [shape for title, shape in drawn.items() if title == "rot bridge"]
    assert bridge.find(f".//{SVG}polygon") is not None
    (rope,) = [shape for title, shape in drawn.items() if title.endswith(", blau rope")]
    assert rope.find(f".//{SVG}line") is not None
    assert rope.find(f".//{SVG}polygon") is None


def test_titles_omit_numbers_that_dice_cannot_show() -> None:
    titles = groups(svg(scene_of(Game.start(load(WAYS), players=2, seed=1))))

    assert "one, number 4, dry" in titles
    assert "two, wet" in titles


# ---------------------------------------------------------------- names


def test_names_in_germany_overlap_neither_pieces_nor_names() -> None:
    record = (ROOT / "docs" / "pictures" / "germany.jsonl").read_text(encoding="utf-8")
    scene = scene_of(Game.replay(record, load("germany")))
    paper = Box(-1e6, -1e6, 1e6, 1e6)
    boxes = [
        box
        for _, box, *_ in name_placements(
            scene, 70, lambda p: (p[0] * 70, p[1] * 70), paper
        )
    ]
    pieces = [
        Box.centred_on(space.place.centre[0] * 70, space.place.centre[1] * 70, 15, 15)
        for space in scene.spaces
        if space.pieces and space.sort == "corner"
    ]

    assert len(boxes) > 30 and len(pieces) > 15
    assert not [1 for box in boxes for piece in pieces if box.shared_area(piece)]
    pairs = ((a, b) for n, a in enumerate(boxes) for b in boxes[:n])
    assert not [1 for first, second in pairs if first.shared_area(second) > 20]
    assert list(covered_boxes(scene, 70, lambda p: p))


def test_no_name_leaves_the_paper() -> None:
    record = (ROOT / "docs" / "pictures" / "germany.jsonl").read_text(encoding="utf-8")
    scene = scene_of(Game.replay(record, load("germany")))
    xs = [space.place.centre[0] * 70 for space in scene.spaces]
    paper = Box(min(xs) - 55, -1e6, max(xs) + 55, 1e6)
    labels = list(name_placements(scene, 70, lambda p: (p[0] * 70, p[1] * 70), paper))

    (east,) = [box for name, box, *_ in labels if name == "Frankfurt (Oder)"]
    assert east.shared_area(paper) >= 0.99 * east.shared_area(east)


@pytest.mark.parametrize("variant", ["base", "classic"])
def test_a_piece_on_a_field_without_a_number_is_next_to_its_name(variant: str) -> None:
    scene = scene_of(Game.start(load(variant), seed=7))
    drawn = groups(svg(scene))
    spaces = [s for s in scene.spaces if s.sort == "face" and s.pieces]
    bare = [space for space in spaces if scene.number(space) is None]
    assert bare
    for space in bare:
        (group,) = [
            group for title, group in drawn.items() if title.startswith(space.title)
        ]
        name = [
            label for label in group.iter(f"{SVG}text") if label.text == space.title
        ][-1]
        top = float(name.attrib["y"]) - 0.75 * float(name.attrib["font-size"])
        inner = [part for part in group.iter(f"{SVG}g") if part is not group]
        low = [
            float(number)
            for group in inner
            for shape in group.iter(f"{SVG}polygon")
            for number in re.findall(r",([\d.]+)", shape.attrib["points"])
        ]
        assert low and max(low) < top


# ---------------------------------------------------------------- edges of a table


def test_headers_align_with_columns_and_goals_have_colours() -> None:
    game = Game.start(load(HEX), seed=1, options={"size": 5})
    scene = scene_of(game)
    assert scene.plane is not None
    labels = {words: point for point, words in scene.plane.labels[:5]}
    for column in range(1, 6):
        place = scene.plane.places[f"cell_{column}_1"]
        assert labels[str(column)][0] == pytest.approx(place.centre[0])

    picture = svg(scene)
    for seat in ("red", "blue"):
        colour = scene.hints.seat_colour(seat)
        assert picture.count(f'stroke="{colour}"') == 2 * (2 * 5 - 1)


def test_headers_align_with_columns_in_a_terminal() -> None:
    game = Game.start(load(HEX), seed=1, options={"size": 5})
    head, first, *_ = map(str, board_lines(scene_of(game), 80))

    dots = [n for n, letter in enumerate(first) if letter == "·"]
    numbers = [n for n, letter in enumerate(head) if letter.isdigit()]
    assert numbers == dots
