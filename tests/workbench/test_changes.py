"""Changes below an event are sentences in the reader's language."""

from __future__ import annotations

import pytest

from interpreter import Game
from rulebook import loads
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import (
    CardMove,
    Change,
    Sentences,
    changes_text,
    patterns_of,
)
from workbench.presentation.narration.view_changes import field_changes, view_changes

RULES = """rules language 1
rulebook fair "Fair"
  players 2
  seats red, blue
  turns 9

kind good: wool, wood

game has
  bank: bag of good, seen by all, starts with 2 of each

each player has
  hand:   bag of good, seen by owner, starts with 5 of each
  table:  bag of good, seen by all, starts with 5 of each
  fame:   0 to 99, seen by all, starts at 5
  coins:  0 to 99, seen by all, starts at 5
  debts(good): 0 to 9, seen by all

points of player
  fame: the player's fame

limit one_card: at most 2 each turn of trade "two trades a turn"

action trade
  {effect}

turn
  phase day
    you do trade
    you do trade

rule end
  whenever your fame = 99: you win

words en
  red   = "Red"
  blue  = "Blue"
  wool  = "wool"
  wood  = "wood", "woods"

words de
  red   = "Rot"
  blue  = "Blau"
  wool  = "Wolle"
  wood  = "Holz", "Hölzer"
  coins = "Münzen"
  debts = "Schulden"
  good  = "Ware", "Waren"
"""


def changes(effect: str, language: str = "en", reader: str = "blue") -> list[str]:
    """Return the changes that a reader sees after an effect of Red's action."""
    book = loads(RULES.format(effect=effect))
    game = Game.start(book, seed=1)
    before = game.view(reader)
    game.apply("trade")
    localizer = Localizer(language, book)
    return [each.text for each in view_changes(before, game.view(reader), localizer)]


@pytest.mark.parametrize(
    ("effect", "english", "german"),
    [
        (
            "move all wood from bank to your table",
            ["Red got 2 woods"],
            ["Rot hat bekommen: 2 Hölzer"],
        ),
        (
            "move 1 wool from bank to your hand",
            ["Red got 1 card"],
            ["Rot hat bekommen: 1 Ware"],
        ),
        (
            "move 2 wool from your hand to bank",
            ["Red lost 2 cards"],
            ["Rot hat verloren: 2 Waren"],
        ),
        (
            "decrease your coins by up to 2",
            ["Red's coins: 5 → 3"],
            ["Münzen von Rot: 5 → 3"],
        ),
        (
            "increase your fame by up to 1",
            ["Red's points: 5 → 6"],
            ["Punkte von Rot: 5 → 6"],
        ),
        (
            "increase your debts(wool) by up to 2",
            ["Red's debts (wool): 0 → 2"],
            ["Schulden (Wolle) von Rot: 0 → 2"],
        ),
        (
            "move 1 wool from your hand to your table",
            ["Red revealed 1 wool"],
            ["Rot hat aufgedeckt: 1 Wolle"],
        ),
    ],
)
def test_a_change_is_a_sentence(
    effect: str, english: list[str], german: list[str]
) -> None:
    assert changes(effect) == english
    assert changes(effect, "de") == german


def test_moves_between_own_bags_are_no_gain() -> None:
    assert changes("move 1 wool from your hand to your table", reader="red") == []


def test_cards_that_were_turned_over_are_neither_gained_nor_lost() -> None:
    revealed = [CardMove("good", "", -2), CardMove("good", "wool", 2)]
    exchanged = [*revealed, CardMove("good", "wood", -1)]

    assert [pattern for pattern, _ in patterns_of(revealed)] == ["revealed"]
    assert [(pattern, move.name) for pattern, move in patterns_of(exchanged)] == [
        ("lost", ""),
        ("got", "wool"),
        ("lost", "wood"),
    ]


def test_equal_sentences_are_counted() -> None:
    gain, other = Change("red", "Red got 1 card"), Change("blue", "Blue got 1 card")

    assert changes_text([gain, other, gain]) == "Red got 1 card × 2 · Blue got 1 card"


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ({"count": 3}, {"wool": 2, "wood": 1}, "Red revealed 2 wool and 1 wood"),
        ({"wool": 0, "wood": 2}, {"count": 2}, "Red turned 2 woods face down"),
        ({"count": 3}, {"count": 2}, "Red lost 1 card"),
    ],
)
def test_cards_that_become_known_are_not_gained(
    before: dict[str, int], after: dict[str, int], text: str
) -> None:
    localizer = Localizer(
        "en", loads(RULES.format(effect="increase your coins by up to 1"))
    )
    moves = field_changes("secret", "good", before, after, localizer)

    first, *_ = Sentences(localizer, "red").describe(moves)
    assert first == text


def test_points_that_may_be_more_are_marked() -> None:
    localizer = Localizer(
        "en", loads(RULES.format(effect="increase your coins by up to 1"))
    )
    before = {"points": {"red": 1, "blue": 1}, "at_least": ("red",)}
    after = {"points": {"red": 2, "blue": 2}, "at_least": ("red",)}

    texts = [each.text for each in view_changes(before, after, localizer)]
    assert texts == ["Red's points: ≥ 1 → ≥ 2", "Blue's points: 1 → 2"]


def test_a_sole_member_of_a_kind_is_named() -> None:
    rules = RULES.format(effect="increase your coins by up to 1")
    rules = rules.replace("kind good:", "kind coupon: ticket\nkind good:")
    localizer = Localizer("en", loads(rules))

    texts = Sentences(localizer, "red").cards([CardMove("coupon", "", 2)])
    assert list(texts) == ["Red got 2 ticket"]
