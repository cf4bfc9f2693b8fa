"""Boards of several players as text: rows of cards at any width."""

from functools import cache
from pathlib import Path

import pytest

import workbench
from interpreter import Game
from workbench.bots import generator, random_below
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.text.board_lines import board_lines
from workbench.presentation.picture.text.tableau import wrap_to_two_lines

ROWS = Path(__file__).parents[1] / "support" / "rows.rules"


@cache
def shops() -> Game:
    return Game.start(workbench.load(str(ROWS)), seed=1)


@cache
def played() -> Game:
    """Return the card game after many decisions."""
    game = Game.start(workbench.load("cardgame"), seed=2)
    numbers = generator(2, "everybody")
    while game.steps < 1200:
        legal = game.legal_actions()
        game.apply(legal[random_below(len(legal), numbers)])
    return game


def lines(game: Game, width: int = 80, **how: object) -> list[str]:
    drawn = board_lines(scene_of(game), width, **how)  # type: ignore[arg-type]
    return list(map(str, drawn))


def test_boards_of_all_seats_are_rows_of_cards() -> None:
    table = [
        "          bread         ·",
        "           ■■□",
        "      ·    gate ═════  gate   ·",
        "            ·          iron",
        "                       ■■□",
    ]

    assert lines(shops(), 40) == [" L  left", *table, "", " R  right", *table]


@pytest.mark.parametrize("width", [20, 30, 44, 60, 80, 100, 160])
def test_boards_fit_the_terminal_width(width: int) -> None:
    drawn = lines(played(), width)

    assert max(map(len, drawn)) <= width


def test_a_narrow_terminal_gets_a_list_of_the_cards() -> None:
    drawn = lines(shops(), 20)

    assert "left stall 4 above:" in drawn
    assert "    bread ■■□" in drawn


def test_both_principalities_are_shown_with_sites_and_storage() -> None:
    drawn = "\n".join(lines(played(), 100))

    assert [seat in drawn for seat in (" W  White", " B  Black")] == [True, True]
    for resource in ("timber", "brick", "wool", "wheat", "ore", "gold"):
        assert drawn.count(resource) >= 2
    assert set("▣▢═·") <= set(drawn)


def test_an_ascii_terminal_gets_ascii() -> None:
    assert "".join(lines(played(), use_unicode=False)).isascii()


def test_legal_actions_are_marked_with_their_numbers() -> None:
    marks = {"left_stall_4_above": "7", "right_house_5": "12"}

    marked = lines(shops(), 60, marks=marks)

    assert any(line.lstrip().startswith("7") for line in marked)
    assert any("12" in line for line in marked)


def test_long_word_is_cut_without_a_line_break() -> None:
    assert wrap_to_two_lines("swift Ironfist", 7) == ["swift", "Ironfis"]
    assert wrap_to_two_lines("a very long name of three", 9) == ["a very", "long name"]
