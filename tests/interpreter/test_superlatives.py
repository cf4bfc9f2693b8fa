"""Superlatives: explanations by `why`, secrecy and ranges."""

from pathlib import Path

import pytest

import rulebook
from interpreter import Game
from rulebook import model as m
from rulebook import tooling
from rulebook.traversal import find

MARKET = (Path(__file__).parent / "market.rules").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def book() -> rulebook.Rulebook:
    return rulebook.loads(MARKET, "market")


def test_why_lists_the_compared_members_with_their_numbers(
    book: rulebook.Rulebook,
) -> None:
    game = Game.start(book, players=3)
    game.apply("raise(5)")
    game.apply("rest")

    refused = game.why("raise(5)")

    assert refused.values == {
        "amount": 5,
        "highest bid of any player": 5,
        "bid (red)": 5,
        "bid (blue)": 0,
        "bid (white)": 0,
    }


def test_why_lists_every_compared_number(book: rulebook.Rulebook) -> None:
    start = Game.start(book, players=2).position
    start["player"]["blue"]["medal"] = 3
    refused = Game.from_position(book, start).why("lead")

    assert refused.requirement == "first"
    assert {"points (blue)": 3, "tents (blue)": 0}.items() <= refused.values.items()


def test_a_superlative_reads_the_numbers_of_all() -> None:
    hidden = MARKET.replace(
        "bid:   0 to 20, seen by all", "bid: 0 to 20, seen by owner"
    )
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(hidden)

    assert "RB150" in {diagnostic.code for diagnostic in caught.value.diagnostics}


@pytest.mark.parametrize(
    ("phrase", "low", "high"),
    [
        ("highest rank of any player", 1, 4),
        ("highest rank of any player where player is not red", 0, 4),
        ("lowest rank of any player in players clockwise after red", 1, 4),
        ("highest n of any n in 2 to 5", 0, 5),
    ],
)
def test_the_range_of_a_superlative_includes_0_if_it_may_have_no_members(
    phrase: str, low: int, high: int
) -> None:
    text = f"{MARKET}\ndefine found: 0 to 99 = {phrase}\n"
    defines = rulebook.loads(text).model.defines
    (highest,) = find(list(defines.values())[-1].lines, m.Highest)

    assert highest.type == m.Whole(low, high)


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("number of players with the most who", "only numbers can be compared here"),
        ("highest hat of any player", "hat"),
        (
            "999999999 * 999999999 * (highest bid of any player)",
            "may exceed",
        ),
    ],
)
def test_rejects_an_impossible_comparison(phrase: str, said: str) -> None:
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(f"{MARKET}\ndefine found: 0 to 99 = {phrase}\n")

    assert said in caught.value.diagnostics[0].message


def test_rejects_first_over_numbers() -> None:
    text = f"{MARKET}\nto look\n  let n be first n in 1 to 3 where n > 1\n"
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(text)

    assert caught.value.diagnostics[0].code == "RB120"


def test_each_part_is_changed_by_some_mutant(book: rulebook.Rulebook) -> None:
    changes = {mutant.description for mutant in tooling.mutants(book)}

    assert {
        *("most/fewest", "first/only", "several", "order dropped", "best dropped"),
    } <= changes
