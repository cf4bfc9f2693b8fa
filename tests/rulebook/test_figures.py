"""Figures: the numbers of a clause, found by their words."""

import pytest

from interpreter import options_of
from rulebook import Rulebook, recheck
from rulebook.tooling import amendment_text, figures, with_figure
from workbench import load


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load("examples/first/first.rules")


@pytest.mark.parametrize(
    ("game", "clause", "there"),
    [
        ("germany", "cost.road", [("lumber", 1), ("brick", 1)]),
        ("germany", "option.gifts", [("default", False)]),
        ("germany", "option.points_to_win", [("default", None)]),
        ("germany", "action.play_banking", [("#1", 2)]),
        ("germany", "dice.white_die", [("#1", 1), ("#2", 6)]),
        ("germany", "setup", []),
    ],
)
def test_figures_go_with_words(
    game: str, clause: str, there: list[tuple[str, int | bool | None]]
) -> None:
    here = [(figure.word, figure.value) for figure in figures(load(game), clause)]
    assert here == there


def test_figures_in_tables_go_with_rows() -> None:
    there = {f.word: f.value for f in figures(load("cardgame"), "cards.development")}
    assert there["cloister.copies"] == 2
    assert there["cloister.timber"] == 1


@pytest.mark.parametrize(
    ("clause", "word", "value", "line"),
    [
        ("cost.hut", "reed", 3, "replace cost hut: 3 reed"),
        ("cost.hut", "", 3, "replace cost hut: 3 reed"),
    ],
)
def test_another_value_is_an_amendment(
    book: Rulebook, clause: str, word: str, value: int, line: str
) -> None:
    changed = with_figure(book, clause, word, value)
    assert changed is not None
    assert line in amendment_text(book, changed)
    made, _ = recheck(book, changed.clauses)
    assert made is not None
    assert [(f.word, f.value) for f in figures(made, clause)] == [("reed", value)]


@pytest.mark.parametrize(
    ("word", "value", "there"),
    [
        ("lumber", 0, {"brick": 1}),
        ("ore", 2, {"lumber": 1, "brick": 1, "ore": 2}),
        ("brick", 4, {"lumber": 1, "brick": 4}),
    ],
)
def test_a_cost_can_gain_or_lose_kinds(
    word: str, value: int, there: dict[str, int]
) -> None:
    germany = load("germany")
    changed = with_figure(germany, "cost.road", word, value)
    assert changed is not None
    made, _ = recheck(germany, changed.clauses)
    assert made is not None
    assert {f.word: f.value for f in figures(made, "cost.road")} == there


def test_words_without_a_figure_have_none(book: Rulebook) -> None:
    assert with_figure(book, "setup", "reed", 1) is None
    assert with_figure(load("germany"), "dice.white_die", "", 1) is None


def test_a_computed_default_becomes_a_constant() -> None:
    germany = load("germany")
    changed = with_figure(germany, "option.points_to_win", "default", 9)
    assert changed is not None
    made, _ = recheck(germany, changed.clauses)
    assert made is not None
    for players in (3, 4):
        assert options_of(made, players=players)["points_to_win"] == 9
