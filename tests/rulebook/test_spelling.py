"""Suggestions of the nearest name."""

import pytest

from rulebook.source.spelling import (
    edit_distance,
    foreign_word_help,
    nearest,
    nearest_names,
)


@pytest.mark.parametrize(
    ("left", "right", "mistakes"),
    [
        ("", "", 0),
        ("abc", "", 3),
        ("abc", "abc", 0),
        ("abc", "abd", 1),
        ("abc", "abcd", 1),
        ("abc", "bc", 1),
        ("abcd", "abdc", 1),
        ("kitten", "sitting", 3),
        ("ca", "abc", 3),
    ],
)
def test_distance_counts_typing_errors(left: str, right: str, mistakes: int) -> None:
    assert edit_distance(left, right) == mistakes
    assert edit_distance(right, left) == mistakes


@pytest.mark.parametrize(
    ("name", "candidates", "nearest_name"),
    [
        ("tokn", ["space", "token"], "token"),
        ("TOKEN", ["token"], "token"),
        ("tkoen", ["token"], "token"),
        ("token", [], None),
        ("stone", ["token"], None),
        ("ab", ["ac"], None),
        ("abc", ["abd", "abe"], "abd"),
        ("abcd", ["abce", "abcd"], "abcd"),
        ("straße", ["strasse"], "strasse"),
    ],
)
def test_finds_the_nearest_name(
    name: str, candidates: list[str], nearest_name: str | None
) -> None:
    assert nearest(name, candidates) == nearest_name


@pytest.mark.parametrize(
    ("name", "candidates", "near"),
    [
        ("tokn", ["space", "token"], ("token",)),
        ("hite", ["site", "tile", "white"], ("site", "white")),
        ("spost", ["past", "spot", "spots"], ("spot", "spots")),
        ("C3z", ["D3z", "C31", "C32"], ("C31", "C32", "D3z")),
        ("stone", ["token"], ()),
    ],
)
def test_finds_all_equally_near_names(
    name: str, candidates: list[str], near: tuple[str, ...]
) -> None:
    assert nearest_names(name, candidates) == near


@pytest.mark.parametrize(
    ("word", "help"),
    [
        ("True", "write `yes`"),
        ("null", "write `none`"),
        ("three", "write `3`"),
        ("Twelve", "write `12`"),
        ("salt", None),
    ],
)
def test_suggests_the_words_of_this_language(word: str, help: str | None) -> None:
    assert foreign_word_help(word) == help
