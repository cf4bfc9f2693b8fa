"""Sizes that matter in play: large boards, values fixed by offers, endless cards."""

from __future__ import annotations

from typing import Any

import pytest

import rulebook
from interpreter import Game, IllegalAction
from rulebook import RulesError

RADIUS = 10

ISLAND = """rules language 1
rulebook island "Island"
  players 2 to 4
  turns 40

hexes hex (hexes) pointy_top
  hex | q | r
{hexes}
corners corner (corners)
links path (paths)
piece hut (huts): 5 for each player, stands on corner
piece road (roads): 15 for each player, stands on path

setup
  first_seat starts

action found(corner)
  needs free: corner has no hut "somebody lives here"
  place your hut on corner
  you do found_road(corner)

action found_road(corner, path)
  needs touching: path is in corner's paths "the road begins at the new hut"
  needs empty: path has no road "there is a road"
  place your road on path

turn
  phase play
    you do found

award longest of player
  most longest trail of player's roads broken at corner where corner has a hut
  at least 5
  on a tie, nobody has it
"""


def island(radius: int) -> str:
    places = [
        (q, r)
        for q in range(-radius, radius + 1)
        for r in range(-radius, radius + 1)
        if abs(q + r) <= radius
    ]
    rows = [f"  H{n} | {q} | {r}" for n, (q, r) in enumerate(places, 1)]
    return ISLAND.format(hexes="\n".join(rows))


def game(rules: str, **more: Any) -> Game:
    return Game.start(rulebook.loads(rules), **more)


# ---------------------------------------------------------------- large boards


def test_an_island_of_331_hexes_loads_and_can_be_played() -> None:
    played = game(island(RADIUS))
    assert len(played.book.model.domains["hex"].members) == 331

    for _ in range(20):
        actions = played.legal_actions()
        played.apply(actions[len(actions) // 2])

    assert Game.replay(played.record, played.book) == played
    assert Game.from_position(played.book, played.position) == played


def test_values_fixed_by_every_offer_are_in_the_text_but_not_the_index() -> None:
    played = game(island(1))
    played.apply("found(C3)")
    first, *_ = played.legal_actions()
    path = first.arguments[1]

    assert first.text == f"found_road(C3, {path})"
    assert first.index <= 1 + 24 + 30
    other = game(island(1))
    other.apply("found(C8)")
    theirs = {action.text for action in other.legal_actions()}
    assert not theirs & {action.text for action in played.legal_actions()}


def test_a_text_with_values_of_another_offer_is_illegal() -> None:
    played = game(island(1))
    played.apply("found(C3)")
    first, *_ = played.legal_actions()
    path = first.arguments[1]

    assert not played.why(f"found_road(C9, {path})").legal
    with pytest.raises(IllegalAction):
        played.apply(f"found_road(C9, {path})")
    assert played.why(f"found_road({path})").legal
    played.copy().apply(f"found_road({path})")
    played.apply(first)
    assert first.text in played.record


def test_an_action_of_another_position_is_not_accepted() -> None:
    first, second = game(island(1)), game(island(1))
    first.apply("found(C8)")
    second.apply("found(C3)")
    shared = [
        (mine, its)
        for mine in first.legal_actions()
        for its in second.legal_actions()
        if mine.index == its.index
    ]

    for mine, _ in shared:
        with pytest.raises(IllegalAction):
            second.apply(mine)


CHOICE = """rules language 1
rulebook take "Take"
  players 2 to 2
  turns 9
kind ware (wares): tin, oak
game has
  heap: 0 to 99, seen by all, starts at 8
  spring: endless bag of ware, seen by all
  hoard: bag of ware, seen by all
  pile: stack of ware, seen by nobody
{actions}
turn
  phase play
{turn}
"""


def choice(actions: str, turn: str) -> str:
    lines = "\n".join(f"    {line}" for line in turn.splitlines())
    return CHOICE.format(actions=actions, turn=lines)


TAKE = """
action take(0 to 9 n, ware)
  set heap to n
"""


def test_two_offers_of_one_choice_are_distinguished() -> None:
    played = game(choice(TAKE, "you do take(3), take(5)"))

    assert [action.text for action in played.legal_actions()] == [
        f"take({n}, {ware})" for n in (3, 5) for ware in ("tin", "oak")
    ]
    played.apply("take(5, oak)")
    assert played.position["game"]["heap"] == 5


@pytest.mark.parametrize("turn", ["you do take(heap)", "you do take(heap), take(5)"])
def test_an_offer_outside_the_parameters_range_offers_nothing(turn: str) -> None:
    rest = "action rest\n  set heap to 12\n"
    played = game(choice(TAKE + rest, f"you do rest\n{turn}"))
    played.apply("rest")

    assert not any("12" in action.text for action in played.legal_actions())


# ---------------------------------------------------------------- what is written


def test_a_write_outside_a_fields_range_is_always_reported() -> None:
    grow = """
action grow
  move 100 tin from spring to hoard
  increase heap by number of tin in hoard
"""
    played = game(choice(grow, "you do grow"))
    before = played.position

    with pytest.raises(RulesError, match="holds 0 to 99"):
        played.apply("grow")
    assert played.position == before


@pytest.mark.parametrize("holder", ["hoard", "pile"])
def test_a_holder_has_a_limit_on_cards_from_outside(holder: str) -> None:
    draw = f"action draw\n  move 4000 tin from spring to {holder}\n"
    played = game(choice(draw, "you do draw"))
    played.apply("draw")
    played.apply("draw")

    with pytest.raises(RulesError, match="more than 10,000 cards"):
        played.apply("draw")


def test_negative_numbers_of_cards_count_as_0() -> None:
    draw = "action draw\n  move up to heap - 9 tin from spring to hoard\n"
    played = game(choice(draw, "you do draw"))
    played.apply("draw")

    assert played.position["game"]["hoard"] == {"tin": 0, "oak": 0}


# ---------------------------------------------------------------- searches

DEAL = """rules language 1
rulebook deal "Deal"
  players 2 to 2
  turns 9
cards chip (chips)
  chip | copies | worth
  low  | 1000   | 0
  high | 40     | 1
spaces plot (plots) by column 1 to 26, row 1 to 40
links way (ways) between plot by (0, 1), (1, 0)
each plot has
  worth: 0 to 1, seen by all
setup
  chance spreads chip over plot as worth so that {condition}
  first_seat starts
action rest
  stop
turn
  phase play
    you do rest
"""


def test_a_deal_over_a_thousand_spaces_needs_no_deep_recursion() -> None:
    condition = "no plot where plot's worth = 1 and plot's column = 27"
    book = rulebook.loads(
        DEAL.format(condition=condition), limits=rulebook.Limits(steps=10**9)
    )

    begun = Game.start(book, chance="given")

    assert len(begun.legal_actions()) == 2


def test_a_deal_that_exceeds_the_search_limit_is_an_error() -> None:
    condition = "(number of plots where plot's worth = 1) * 2 = 79"
    small = (
        DEAL.replace("1 to 40", "1 to 1").replace("1000", "20").replace("40 ", "20 ")
    )
    book = rulebook.loads(small.format(condition=condition))

    with pytest.raises(RulesError, match="20,000 arrangements"):
        Game.start(book)
