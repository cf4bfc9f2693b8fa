"""Optimisations of the C code are applied and omit nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.native.c_program import translate
from interpreter.planning import plan_for
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Setting, play
from workbench import load

ROOT = Path(__file__).parents[2]
BOARD = """\
rules language 1
rulebook board "Board"
  players 2 to 2
  seats left, right
  turns 40
spaces square (squares) by column 1 to 6, row 1 to 5
links line (lines) between square by (1, 0), (0, 1)
piece stone (stones): 30 for each player, stands on square
game has
  count: 0 to 2000
setup
  left starts
action put(1 to 8 wide, 0 to 6 high)
  needs here: square(wide, high) is not none "there is no such square"
  needs free: square(wide, high) has no stone "it is taken"
  place your stone on square(wide, high)
turn
  phase move
    you do put
    set count to CONDITION
rule finish
  whenever number of stones = 30: nobody wins
"""
CONDITIONS = (
    "number of squares where square's column = count",
    "number of squares where square has your stone and square's row = count - 2",
    (
        "number of squares where square(square's column + 1, square's row - 1) has your"
        " stone"
    ),
    (
        "number of squares where (square has your stone and square's row < 3)"
        " or (square has your stone and square's column > 3)"
    ),
    (
        "number of squares in (reach from square(1, 1) over square"
        " where square has your stone)"
    ),
)

pytestmark = NEEDS_C


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_on_boards_agree_with_the_interpreter(
    condition: str, tmp_path: Path
) -> None:
    path = tmp_path / "board.rules"
    path.write_text(BOARD.replace("CONDITION", condition), encoding="utf-8")
    book = load(str(path))

    steps = sum(play(Setting(book, 2, seed, {}), 100) for seed in range(1, 6))

    assert steps >= 100


def text_of(name: str) -> str:
    book = load(str(ROOT / name) if name.endswith(".rules") else name)
    return translate(plan_for(book, book.players[1], {})).listing


def test_fixed_coordinates_become_a_table() -> None:
    four = text_of("examples/tiny/connect_four.rules")

    assert "_0 >= 0 &&" not in four  # no coordinates are worked out
    test = four.split("define.in_line")[1].split("}\n")[0]
    assert ">> 7" in test  # four in a row are found on all squares at once
    assert "for (" not in test


def test_candidate_roads_are_found_from_own_pieces() -> None:
    loops = [line for line in text_of("classic").splitlines() if "next_place" in line]

    assert any("g->held" in line and "|= K" in line for line in loops)


def test_kept_places_of_roads_are_not_tested_again() -> None:
    lines = text_of("classic").splitlines()
    offered = [n for n, line in enumerate(lines) if line.strip().startswith("*at++ = ")]
    sets = [lines[n - 2] for n in offered if "next_place" in lines[n - 1]]

    assert any(re.search(r"k\d+\(g, b\d+, v0\);", line) for line in sets)


def test_reached_spaces_are_counted_during_the_search() -> None:
    hexes = text_of("examples/tiny/hex.rules").split("static int rule0")[1]

    assert "== -1" not in hexes.split("static")[0]
