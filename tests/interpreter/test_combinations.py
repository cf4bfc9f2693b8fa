"""Combinations of cards are all subsets of a hand, in both engines."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulebook
from interpreter import Game, run_scenario
from interpreter.kernel.selections import selections
from rulebook import tooling
from tests.native.compilers import NEEDS_C

FIFTEENS = (Path(__file__).parent / "fifteens.rules").read_text(encoding="utf-8")
WORTH = {"ace": 1, "two": 2, "three": 3, "five": 5, "nine": 9, "ten": 10}


def no_limit(tried: int) -> None:
    """Accept any number of combinations."""


SIZE = 8
"""Maximum number of cards in a hand of which all combinations are searched."""

ROWS = "\n".join(f"  {rank} | 4 | {worth}" for rank, worth in WORTH.items())
COUNTED = f"""rules language 1
rulebook counted "Counted"
  players 1
  seats red
  turns 9

cards rank (ranks)
  rank | copies | worth
{ROWS}

game has
  pile: bag of rank, seen by all, starts with every rank
  row:  stack of rank, seen by all

each player has
  hand:     bag of rank, seen by all
  fifteens: 0 to 255
  pairs:    0 to 255
  triples:  0 to 5000
  dearest:  0 to 80
  cheapest: 0 to 80
  lucky:    yes/no
  laid:     0 to 255

action count_up
  set your fifteens to number of combinations of ranks in your hand
    where number of cards in your hand <= {SIZE}
    and 15 = sum over rank in combination
    of rank's worth * number of rank in combination
  set your pairs to number of combinations pair of 2 ranks in your hand
    where some rank in pair where number of rank in pair = 2
  set your triples to number of combinations of at most 3 ranks in your hand
    where combination has ten
  set your dearest to most cards in lot
    of any combination lot of ranks in your hand
    where number of cards in your hand <= {SIZE} and lot has no ace
  set your cheapest to fewest cards in lot
    of any combination lot of at least 2 ranks in your hand
    where number of cards in your hand <= {SIZE} and lot has nine
  set your lucky to some combination of 3 ranks in your hand
    where combination has 2 two and combination has five
  each rank in your hand:
    repeat number of rank in your hand times:
      move up to 1 rank from your hand to top of row
  set your laid to number of combinations of at most 2 ranks in row
    where combination has three

turn
  phase work
    you do count_up
"""
RANKS = [rank for rank in WORTH for _ in range(4)]
HANDS = st.lists(st.sampled_from(range(24)), max_size=SIZE + 1, unique=True)


@pytest.fixture(scope="module")
def counted() -> rulebook.Rulebook:
    return rulebook.loads(COUNTED, "counted")


def expected(hand: list[str]) -> dict[str, int | bool]:
    """Return the same numbers, from all subsets of a list of cards."""
    subsets = [
        Counter(subset)
        for size in range(1, len(hand) + 1)
        for subset in combinations(hand, size)
    ]
    few = subsets if len(hand) <= SIZE else []
    without_ace = [lot.total() for lot in few if not lot["ace"]]
    with_nine = [lot.total() for lot in few if lot["nine"] and lot.total() >= 2]
    return {
        "fifteens": sum(
            sum(WORTH[rank] * count for rank, count in lot.items()) == 15 for lot in few
        ),
        "pairs": sum(list(lot.values()) == [2] for lot in subsets),
        "triples": sum(lot["ten"] > 0 and lot.total() <= 3 for lot in subsets),
        "dearest": max(without_ace, default=0),
        "cheapest": min(with_nine, default=0),
        "lucky": any(lot == {"two": 2, "five": 1} for lot in subsets),
        "laid": sum(lot["three"] > 0 and lot.total() <= 2 for lot in subsets),
    }


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=NEEDS_C)])
@given(cards=HANDS)
@settings(max_examples=60, deadline=None)
def test_combinations_are_all_subsets_of_different_cards(
    counted: rulebook.Rulebook, engine: str, cards: list[int]
) -> None:
    hand = [RANKS[card] for card in cards]
    position = Game.start(counted, players=1, seed=1).position
    held = Counter(hand)
    position["player"]["red"]["hand"] = {rank: held[rank] for rank in WORTH}
    position["game"]["pile"] = {rank: 4 - held[rank] for rank in WORTH}
    game = Game.from_position(counted, position, engine=engine)

    game.apply("count_up")

    fields = game.position["player"]["red"]
    wanted = expected(hand)
    assert {name: fields[name] for name in wanted} == wanted


@given(
    counts=st.lists(st.integers(0, 3), max_size=4),
    low=st.integers(-1, 6),
    high=st.integers(-1, 6),
)
def test_selections_are_those_of_all_subsets(
    counts: list[int], low: int, high: int
) -> None:
    items = [kind for kind, count in enumerate(counts) for _ in range(count)]
    wanted = Counter(
        tuple(subset.count(kind) for kind in range(len(counts)))
        for size in range(max(low, 1), high + 1)
        for subset in combinations(items, size)
    )

    assert dict(selections(counts, low, high, no_limit)) == wanted


def test_a_small_size_of_many_cards_is_quick() -> None:
    assert len(list(selections([1] * 60, 2, 2, no_limit))) == comb(60, 2)


def test_what_the_scenarios_say() -> None:
    book = rulebook.loads(FIFTEENS, "fifteens")
    verdicts = [run_scenario(book, scenario) for scenario in book.model.scenarios]

    assert len(verdicts) == 6
    assert [verdict.message for verdict in verdicts if verdict.status != "passed"] == []


def test_why_tells_the_cards_that_were_combined() -> None:
    need = (
        "  needs pair: some combination of 2 cards in your hand\n"
        "    where number of cards in your hand <= 6 and combination has card\n"
        '    and combination is alike  "not in a pair"\n'
    )
    text = FIFTEENS.replace("  needs card:", f"{need}  needs card:")
    game = Game.start(rulebook.loads(text, "fifteens"), seed=1)
    refused = game.why("lay(spades_seven)", "red")

    assert refused.requirement == "pair"
    cards = {card for card, number in refused.values["your hand"].items() if number}
    assert cards == game_hand(game)
    assert refused.values["number of cards in your hand <= 6"] is True


def game_hand(game: Game) -> set[str]:
    """Return the cards in the hand of red."""
    hand = game.position["player"]["red"]["hand"]
    return {card for card, number in hand.items() if number}


def test_the_bound_is_the_number_of_cards_not_of_kinds() -> None:
    _, warnings = rulebook.examine_text(FIFTEENS.replace("<= 6", "<= 26"), "fifteens")

    assert {(warning.code, warning.severity) for warning in warnings} == {
        ("RB158", "warning")
    }
    assert "combinations of up to 26 cards" in warnings[0].message


def test_sizes_and_conditions_are_mutated() -> None:
    book = rulebook.loads(FIFTEENS, "fifteens")
    changes = [
        mutant.change
        for name in ("define.pairs(player)", "define.longest_run(player)")
        for mutant in tooling.mutants(book, name)
    ]

    assert len([change for change in changes if change.startswith("size")]) == 2
    assert any("most/fewest" in change for change in changes)
    assert any(change.startswith("condition dropped") for change in changes)


MANY = """rules language 1
rulebook beads "Beads"
  players 1
  turns 9
kind bead (beads): amber, blue, green, red, white, black
game has
  bowl: bag of bead, seen by all, starts with 4 of each
  box: bag of bead, seen by all
  strings: 0 to 99, seen by all, starts at 0
action fill
  move bowl from bowl to box
action string
  if no combination of beads in box where number of cards in combination = 99:
    set strings to 1
turn
  phase play
    you do fill, string
points of player
  own: 0
"""


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=NEEDS_C)])
def test_a_search_of_too_many_combinations_fails_in_play(engine: str) -> None:
    """Four of each bead have 5^6 - 1 = 15,624 combinations."""

    def game(limit: int) -> Game:
        book = rulebook.loads(MANY, limits=rulebook.Limits(steps=limit))
        return Game.start(book, seed=1, engine=engine)

    enough, short = game(156_240), game(156_230)
    enough.apply("fill")
    enough.apply("string")
    short.apply("string")
    short.apply("fill")
    before = short.position

    with pytest.raises(rulebook.RulesError) as caught:
        short.apply("string")

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("RB152", 13)
    assert "tries more than 15,623 combinations" in diagnostic.message
    assert short.position == before


DEEP = """rules language 1
rulebook deep "Deep"
  players 1
  turns 9
kind suit (suits): clubs, hearts
kind rank (ranks): ace, two, three
cards card (cards) by rank, suit
game has
  deck: bag of card, seen by all, starts with 1 of each
  count: 0 to 999, seen by all
define bag of card lot is alike
  exactly one rank where some card in lot where card's rank is rank
define pairs(bag of card lot): 0 to 99
  number of combinations of 2 cards in lot where combination is alike
define bag of card lot's length: 0 to 99
  number of cards in lot
define worth(bag of card held): 0 to 999
  let whole be bag over card of number of card in held
  {value}
action reckon
  set count to worth(deck)
action measure
  set count to deck's length
turn
  phase play
    you do reckon, measure
points of player
  own: 0
"""


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=NEEDS_C)])
def test_a_bag_has_definitions(engine: str) -> None:
    game = Game.start(rulebook.loads(DEEP.format(value=0)), seed=1, engine=engine)
    game.apply("measure")

    assert game.position["game"]["count"] == 6


def test_combinations_in_a_deeply_nested_value() -> None:
    """Deeply nested Python becomes functions, whose parameters are its variables."""
    value = "pairs(whole)"
    for depth in range(12):
        value = f"smaller of ({900 + depth}, {value})"
        book = rulebook.loads(DEEP.format(value=value))
        game = Game.start(book, seed=1, engine="reference")
        game.apply("reckon")

        assert game.position["game"]["count"] == 3, depth
