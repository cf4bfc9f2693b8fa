"""Boards as text: fitting widths, marked spaces, and output for any terminal."""

import io
import re
from functools import cache

import pytest
from rich.console import Console

import workbench
from interpreter import Game
from workbench.presentation.console.streams import cut_to_width
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.text.board_lines import (
    board_lines,
    corner_names,
    short_names,
)
from workbench.presentation.picture.text.canvas import Canvas, ascii_cells, centre_text
from workbench.presentation.picture.text.tableau import wrap_to_two_lines

load = cache(workbench.load)
CODE = re.compile(r"\033\[[0-9;]*m")


def lines(variant: str, width: int = 80, **how: object) -> list[str]:
    scene = scene_of(Game.start(load(variant), seed=1))
    return list(map(str, board_lines(scene, width, **how)))  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [50, 60, 80, 120])
@pytest.mark.parametrize("variant", ["germany", "classic"])
def test_hex_board_fits_the_terminal_width(variant: str, width: int) -> None:
    drawn = lines(variant, width)

    assert max(map(len, drawn)) <= width + 4
    assert len(drawn) <= 30


def test_a_narrow_terminal_gets_a_list() -> None:
    drawn = lines("germany", 40)

    assert max(map(len, drawn)) <= 40
    assert any("Flensburg" in line for line in drawn)


def test_colours_do_not_change_the_text() -> None:
    drawn = list(board_lines(scene_of(Game.start(load("germany"), seed=1)), 80))
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, color_system="truecolor")
    for line in drawn:
        console.print(line, soft_wrap=True)

    assert "\033[1;38;2;" in shown.getvalue()
    plain = CODE.sub("", shown.getvalue()).splitlines()
    assert [line.rstrip() for line in plain] == list(map(str, drawn))


def test_an_ascii_terminal_gets_ascii() -> None:
    assert "".join(lines("germany", use_unicode=False)).isascii()
    assert ascii_cells("Köln – Großräschen ●◆·") == "Koln - Grosraschen o*."


def test_legal_actions_are_marked_with_their_numbers() -> None:
    marked = lines("germany", marks={"Rostock": "17", "Berlin-Dessau": "93"})

    assert any("17Ros" in line for line in marked)
    assert any("93" in line for line in marked)


def test_short_names_are_distinct() -> None:
    names = ["Hamburg", "Hannover", "Ham", "Baden_Baden", "Badenweiler", "I47"]

    shorts = short_names(names)

    assert len({short.lower() for short in shorts.values()}) == len(names)
    assert shorts["I47"] == "I47"


def test_every_corner_of_germany_has_a_short_name_of_three_letters() -> None:
    shorts = corner_names(scene_of(Game.start(load("germany"), seed=1)))

    assert len(set(shorts.values())) == len(shorts)
    assert {len(short) for short in shorts.values()} == {3}


def test_overwriting_half_a_wide_letter_removes_it() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "山e\u0301x")
    canvas.put(0, 1, "山|")
    canvas.put(1, 1, "a")
    canvas.put(0, 2, "ab|")
    canvas.put(1, 2, "山")
    canvas.put(0, 3, "山|")
    canvas.put(0, 3, "a")
    canvas.put_centred(3, 4, "山山")

    drawn = list(canvas.lines(use_unicode=True))

    assert [str(line) for line in drawn] == ["山e\u0301x", " a|", "a山", "a |", " 山山"]
    assert [line.cell_len for line in drawn] == [4, 3, 3, 3, 5]
    assert str(next(canvas.lines(use_unicode=False))) == "? ex"


def test_text_is_cut_and_centred_by_cell_width() -> None:
    assert [cut_to_width("山山山", room) for room in (0, 3, 4, 9)] == [
        "",
        "山 ",
        "山山",
        "山山山",
    ]
    assert centre_text("山", 6) == "  山  "
    assert wrap_to_two_lines("山山 山山山 x", 4) == ["山山", "山山"]
