"""Probes of the engine: income, blockers, exchanges and set-ups."""

from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest

import rulebook
import workbench
from interpreter import Game
from rulebook import Rulebook
from workbench.analysis.economy import Economy, examine
from workbench.analysis.economy.examination import IncomeReport
from workbench.analysis.economy.probes.exchanges import Exchange, best_terms
from workbench.analysis.economy.probes.setups import total_cards
from workbench.analysis.economy.probes.turns import held_cards
from workbench.analysis.simulation.settings import Settings
from workbench.errors import RequestError

EXAMPLES = Path(__file__).parents[3] / "examples"
QUARTER = Fraction(1, 4)
HALF = Fraction(1, 2)


def test_income_of_a_space_follows_the_odds_of_its_neighbours(
    income_report: IncomeReport,
) -> None:
    assert income_report.spaces["hut"]["C7"] == {"apple": QUARTER, "pear": QUARTER}
    assert income_report.spaces["hut"]["C1"] == {"apple": QUARTER}
    assert income_report.spaces["barn"]["C10"] == {"pear": HALF}
    assert income_report.base_income == {}


def test_piece_without_income_has_no_row(income_report: IncomeReport) -> None:
    assert set(income_report.spaces) == {"hut", "barn"}


def test_forbidden_spaces_are_not_probed(income_report: IncomeReport) -> None:
    corners = {f"C{number}" for number in range(1, 14)}

    assert set(income_report.spaces["hut"]) == set(income_report.spaces["barn"])
    assert corners - set(income_report.spaces["hut"]) == {"C2", "C5", "C8"}


def test_income_is_shown_over_as_many_turns_as_chance_outcomes(
    income_report: IncomeReport,
) -> None:
    assert income_report.turns == 4
    assert income_report.is_even


def test_blocked_share_of_an_unowned_piece_is_reported(
    income_report: IncomeReport,
) -> None:
    (crow,) = income_report.blockers

    assert (crow.piece, crow.places) == ("crow", 3)
    assert crow.initial_share == 0
    assert crow.mean_share == Fraction(1, 3)
    assert crow.worst_share == HALF
    assert crow.worst_place in {("north",), ("south",)}


def test_exchanges_are_those_that_the_rules_offer(income_report: IncomeReport) -> None:
    asked = income_report.examined_setups[0].exchanges

    assert set(asked) == {
        Exchange("change", give, 2, get, 1)
        for give in ("apple", "pear", "plum")
        for get in ("apple", "pear")
        if give != get
    }
    assert best_terms(asked)["plum"] == (2, 1)


def test_best_set_up_exceeds_the_mean(income_report: IncomeReport) -> None:
    best, middle, poorest = income_report.examined_setups

    assert best.setup.label == "best"
    assert set(best.setup.pieces["hut"]) == {"C7", "C9"}
    assert best.income == {"apple": HALF, "pear": HALF}
    order = [
        total_cards(income_report.probe, it.setup.pieces)
        for it in (best, middle, poorest)
    ]
    assert order == sorted(order, reverse=True)
    assert order[0] > sum(income_report.setups.mean.values()) > order[2]
    assert (
        income_report.setups.chosen_by_players,
        income_report.setups.sample_size,
    ) == (True, 60)


def test_all_dealt_set_ups_are_listed(orchard_path: str) -> None:
    text = Path(orchard_path).read_text(encoding="utf-8")
    founding = text.index("    each player in players clockwise from starter")
    dealt = text[:founding] + "    each player: deal_home(player)\n\n"
    dealt += text[text.index("define spot is green") :]
    dealt += """
cards home
  home     | copies | spot
  hillside |      3 | C7
  meadow   |      2 | C10

each player has
  homes: bag of home, seen by all

game has
  homes_left: stack of home, seen by nobody, starts with every home

to deal_home(player)
  move the top card from homes_left to player's homes
  each home in player's homes: place player's hut on home's spot
"""
    spot = "stands on spot\npiece barn"
    crowded = dealt.replace(spot, "stands on spot, any number\npiece barn")

    economy = examine(rulebook.loads(crowded), Settings(players=2), 12)

    assert economy.income_report is not None
    assert not economy.income_report.setups.chosen_by_players
    listed = {it.setup.label: it for it in economy.income_report.examined_setups}
    assert set(listed) == {"hillside", "meadow"}
    assert listed["meadow"].setup.pieces == {"hut": ("C10",)}
    assert listed["hillside"].income == {"apple": QUARTER, "pear": QUARTER}
    assert sum(it.setup.count for it in listed.values()) == 24


BARNS = """
rules language 1
rulebook barns "Goods lie in barns"
  players 2
  turns 20

kind good (goods): hay, corn
spaces barn (barns) of each player by column 1 to 2

cost cart: 1 hay, 2 corn

each barn has
  kept: good or none, seen by all
  stored: 0 to 3, seen by all, starts at 0
each player has
  carts: 0 to 9, seen by all, starts at 0

payments of player: by pay if able_to_pay

define player's stock(good): 0 to 9
  sum over barn in player's barns where barn's kept = good of barn's stored

define player's stores: bag of good
  bag over good of player's stock(good)

define player is able_to_pay for bag price
  player's stores has price

to pay(player, bag price)
  each good:
    repeat smaller of (number of good in price, player's stock(good)) times:
      player chooses barn emptied in player's barns
          where emptied's kept = good and emptied's stored > 0
      decrease emptied's stored by 1

action build_cart
  needs few: your carts < 9                     "you have nine carts"
  increase your carts by 1
  pays cart

action swap(good give, good get)
  needs other:  give is not get                "that is the same"
  needs enough: your stock(give) >= swap_rate  "you have too little"
  needs room:   your stock(get) < 3            "your barn is full"
  repeat swap_rate times:
    you choose barn emptied in your barns
        where emptied's kept = give and emptied's stored > 0
    decrease emptied's stored by 1
  each barn in your barns where barn's kept = get: increase barn's stored by up to 1

option swap_rate (2 to 4): 3  "how many of a good buy one of the other"

setup
  each player:
    set player's barn(1)'s kept to hay
    set player's barn(2)'s kept to corn

turn
  phase work
    you may do build_cart, swap
    step luck: chance chooses good harvest
    each barn in your barns where barn's kept = harvest and barn's stored < 3:
      increase barn's stored by 1

points of player
  carts: player's carts
"""


def test_payable_cards_of_a_definition_are_counted_by_the_engine() -> None:
    economy = examine(rulebook.loads(BARNS), Settings(), 2)

    assert economy.baseline.payments is not None
    assert economy.baseline.payments.field is None
    assert economy.income_report is not None
    assert not economy.income_report.is_even
    assert economy.income_report.base_income == {"hay": QUARTER, "corn": QUARTER}
    (begun,) = economy.income_report.examined_setups
    # 4.5 own turns for 1 hay and 2 corn with equal odds: the first, the third, …
    assert begun.saving_times[0].turns_without_exchanges == pytest.approx(2 * 4.5 - 1)


def test_stockpiles_are_filled_to_try_exchanges() -> None:
    book = rulebook.loads(BARNS)
    for rate in (3, 4):
        economy = examine(book, Settings(options={"swap_rate": rate}), 1)
        assert economy.income_report is not None
        assert economy.income_report.probe.storage_limits == {"hay": 3, "corn": 3}
        swaps = {
            Exchange("swap", "hay", 3, "corn", 1),
            Exchange("swap", "corn", 3, "hay", 1),
        }
        assert set(economy.income_report.examined_setups[0].exchanges) == (
            swaps if rate == 3 else set()
        )


HARVEST = (
    "      each player: move up to (number of player's huts in marsh's spots) reed"
)


def test_income_of_a_later_round_can_be_computed() -> None:
    text = (EXAMPLES / "first" / "first.rules").read_text(encoding="utf-8")
    start = text.index(HARVEST)
    late = text[: text.index("scenario")].replace(
        HARVEST, HARVEST.replace("each player:", "each player where round > 2:")
    )
    assert late != text[: text.index("scenario")]
    assert start
    book = rulebook.loads(late)

    first, third = (examine(book, Settings(players=3), 1, at) for at in (1, 3))

    assert first.income_report is not None
    assert third.income_report is not None
    assert (first.income_report.has_income, first.later_round) == (False, 10)
    assert (third.income_report.has_income, third.later_round) == (True, None)
    assert third.income_report.spaces["hut"]["C7"] == {"reed": 1}
    with pytest.raises(RequestError, match="has no round 9999"):
        examine(book, Settings(players=3), 1, 9999)


def test_income_only_in_own_turns_is_detected() -> None:
    text = (EXAMPLES / "first" / "first.rules").read_text(encoding="utf-8")
    mine = text.replace(
        "      each player: move up to (number of player's huts in marsh's spots) reed"
        " from store to player's basket\n",
        "      move up to (number of your huts in marsh's spots) reed"
        " from store to your basket\n",
    )
    assert mine != text
    mine = mine[: mine.index("scenario")]

    economy = examine(rulebook.loads(mine), Settings(players=2), 5)

    assert economy.income_report is not None
    assert not economy.income_report.is_even
    assert economy.income_report.spaces["hut"]["C7"] == {
        "reed": HALF
    }  # 1 in every second turn
    wait = economy.income_report.examined_setups[0].saving_times[0]
    assert economy.income_report.examined_setups[0].income == {"reed": HALF}
    assert wait.turns_with_exchanges == pytest.approx(
        3.0
    )  # in the first and third own turn


def test_income_at_the_start_of_the_own_turn_is_counted() -> None:
    text = (EXAMPLES / "first" / "first.rules").read_text(encoding="utf-8")
    start, end = text.index("  phase harvest"), text.index("  phase building")
    first = text[:start] + (
        "  phase harvest\n"
        "    move up to (number of your huts) reed from store to your basket\n"
    )
    calm = first + text[end : text.index("scenario")]

    economy = examine(rulebook.loads(calm), Settings(players=3), 2)

    assert economy.income_report is not None
    assert economy.income_report.spaces["hut"]["C13"] == {"reed": Fraction(1, 3)}
    assert (economy.income_report.is_even, economy.income_report.turns) == (False, 1)


def test_turn_without_income_is_not_an_error() -> None:
    economy = examine(
        workbench.load(str(EXAMPLES / "tiny" / "connect_four.rules")), Settings(), 5
    )

    assert economy.income_report is not None
    assert not economy.income_report.has_income
    assert economy.prices == ()


def test_the_mean_of_drawn_turns_agrees(economy: Economy, orchard: Rulebook) -> None:
    """Draw turns by the engine's own chance, one space at a time."""
    income_report = economy.income_report
    assert income_report is not None
    for space in ("C7", "C1", "C10"):
        begins = income_report.probe.baseline.with_holdings(
            "red", {"hut": (space,)}, removed_pieces=("crow",)
        )
        drawn = []
        for seed in range(300):
            game = Game.from_any_position(
                orchard, begins.position, seed=seed, chance="drawn"
            )
            drawn.append(
                sum(held_cards(income_report.probe.baseline, game, "red").values())
            )
        expected = float(sum(income_report.spaces["hut"][space].values()))
        assert abs(fmean(drawn) - expected) < 3.3 * stdev(drawn) / 300**0.5
        assert fmean(drawn) > 0


@pytest.mark.parametrize("seed", range(3))
def test_income_of_several_pieces_is_the_sum_of_their_spaces(
    income_report: IncomeReport, seed: int
) -> None:
    spaces = Random(seed).sample(sorted(income_report.spaces["hut"]), 3)

    together = sum(income_report.probe.mean_income({"hut": tuple(spaces)}).values())

    assert together == sum(
        sum(income_report.spaces["hut"][it].values()) for it in spaces
    )
