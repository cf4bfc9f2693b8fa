"""Initials of titles: of their words, distinct, and at most three letters."""

import pytest

from rulebook import Rulebook
from workbench import load
from workbench.files.library.loading import load as load_file
from workbench.presentation.picture.hints import distinct_initials
from workbench.web.views.symbols import card_symbol, initials_by_member


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        ("Knight|Road Building|Year of Plenty", "K|RB|YP"),
        ("Kloster|Befestigtes Lager|Karl der Starke", "K|BL|KS"),
        ("two|three|ten|jack", "TW|TH|TE|J"),
        ("two of clubs|ten of clubs|two of hearts", "TWC|TEC|TH"),
        ("Acker mit der 3|Acker mit der 4|stack 1", "A3|A4|S1"),
        ("Gold-Flotte|Getreide-Flotte", "GOF|GEF"),
        ("below|ärger|ß|7", "B|Ä|SS|7"),
        ("in the main phase|as an answer", "TMP|AA"),
        ("to|up", "T|U"),
        ("fields|fields|forests", "FI|FI|FO"),
    ],
)
def test_initials_are_those_of_the_words(titles: str, expected: str) -> None:
    every = titles.split("|")
    initials = distinct_initials(every)
    assert [initials[title] for title in every] == expected.split("|")


def test_titles_that_cannot_be_told_apart_share_two_letters() -> None:
    titles = [f"amber jewel {'x' * number}" for number in range(3, 60)]
    initials = distinct_initials(titles)
    assert initials.keys() == {*titles}
    assert all(1 <= len(each) <= 3 for each in initials.values())
    assert distinct_initials([]) == {}
    assert distinct_initials(["…"]) == {"…": "…"}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["development", "event", "resource"])
def test_cards_of_a_kind_have_distinct_initials(kind: str, language: str) -> None:
    book: Rulebook = load("cardgame")
    initials = initials_by_member(book, language)
    members = book.model.domains[kind].members
    own = [initials[member] for member in members]
    assert len(set(own)) == len(members)
    assert [card_symbol(book, member, language)["letter"] for member in members] == own


def test_a_deck_of_suits_and_ranks_has_distinct_initials() -> None:
    book = load_file("examples/games/hearts.rules")
    initials = initials_by_member(book, "en")
    members = book.model.domains["card"].members
    assert len({initials[member] for member in members}) == len(members) == 52
