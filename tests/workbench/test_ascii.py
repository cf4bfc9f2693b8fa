"""Boards in letters: what fits, what is marked, what any terminal can show."""

import re
from functools import cache

import pytest

import workbench
from interpreter import Game
from workbench.picture import board_lines, scene_of, shorts_of
from workbench.picture.letters.board import short_names
from workbench.picture.letters.canvas import ascii_of, cube

load = cache(workbench.load)
CODE = re.compile(r"\033\[[0-9;]*m")


def lines(variant: str, width: int = 80, **how: object) -> list[str]:
    scene = scene_of(Game.start(load(variant), seed=1))
    return list(board_lines(scene, width, **how))  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [50, 60, 80, 120])
@pytest.mark.parametrize("variant", ["germany", "classic"])
def test_a_board_of_hexes_is_no_wider_than_the_terminal(
    variant: str, width: int
) -> None:
    drawn = lines(variant, width)

    assert max(map(len, drawn)) <= width + 4
    assert len(drawn) <= 30


def test_a_narrow_terminal_gets_a_list() -> None:
    drawn = lines("germany", 40)

    assert max(map(len, drawn)) <= 40
    assert any("Flensburg" in line for line in drawn)


def test_colours_change_nothing_but_colours() -> None:
    plain = lines("germany")

    coloured = [CODE.sub("", line).rstrip() for line in lines("germany", colours=True)]

    assert coloured == plain
    assert "\033" not in "".join(plain)


def test_an_ascii_terminal_gets_ascii() -> None:
    assert "".join(lines("germany", wide=False)).isascii()
    assert ascii_of("Köln – Großräschen ●◆·") == "Koln - Grosraschen o*."


def test_what_may_be_done_is_marked_with_its_number() -> None:
    marked = lines("germany", marks={"Rostock": "17", "Berlin-Dessau": "93"})

    assert any("17Ros" in line for line in marked)
    assert any("93" in line for line in marked)


def test_short_names_are_short_and_different() -> None:
    names = ["Hamburg", "Hannover", "Ham", "Baden_Baden", "Badenweiler", "I47"]

    found = short_names(names)

    assert len({short.lower() for short in found.values()}) == len(names)
    assert found["I47"] == "I47"


def test_every_corner_of_germany_has_a_short_name_of_three_letters() -> None:
    shorts = shorts_of(scene_of(Game.start(load("germany"), seed=1)))

    assert len(set(shorts.values())) == len(shorts)
    assert {len(short) for short in shorts.values()} == {3}


@pytest.mark.parametrize(
    ("colour", "code"), [("#000000", 16), ("#ffffff", 231), ("#808080", 244)]
)
def test_the_nearest_colour_of_a_terminal(colour: str, code: int) -> None:
    assert cube(colour) == code
