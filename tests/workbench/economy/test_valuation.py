"""Saving times, shadow prices and unreachable content."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import rulebook
from interpreter import Game
from rulebook import Rulebook
from workbench.analysis.economy import Economy
from workbench.analysis.economy.probes.exchanges import Exchange
from workbench.analysis.economy.probes.turns import GainOdds
from workbench.analysis.economy.valuation import saving_time as waiting
from workbench.analysis.economy.valuation.saving_time import (
    Terms,
    TooManyHands,
    mean_saving_time,
)
from workbench.analysis.economy.valuation.shadow_prices import purchase_value
from workbench.analysis.economy.valuation.unreachable import (
    impossible_actions,
    unattainable_awards,
    unplayable_cards,
)

ROLL: GainOdds = {
    (): Fraction(1, 2),
    (("wood", 1),): Fraction(1, 6),
    (("clay", 1), ("wood", 1)): Fraction(1, 6),
    (("clay", 2),): Fraction(1, 6),
}
OTHER: GainOdds = {(): Fraction(2, 3), (("gold", 1),): Fraction(1, 3)}
RATES: list[Terms] = [
    {},
    {"wood": (3, 1), "clay": (3, 1), "gold": (3, 1)},
    {"clay": (2, 1)},
    {"gold": (4, 1), "clay": (3, 2)},
]
COSTS = [{"wood": 1, "clay": 1}, {"wood": 2, "gold": 1}]
ROOM = {"wood": 2, "clay": 3}
CASES: list[tuple[dict[str, int], Terms, list[GainOdds], dict[str, int]]] = [
    (cost, rates, turns, {})
    for cost in COSTS
    for rates, turns in zip(
        [*RATES, {}],
        ([ROLL], [ROLL], [OTHER, ROLL], [ROLL], [ROLL, OTHER]),
        strict=True,
    )
]
CASES += [(COSTS[0], rates, [ROLL], ROOM) for rates in RATES[:3]]


def by_turns(
    cost: dict[str, int], turns: list[GainOdds], rates: Terms, room: dict[str, int]
) -> float:
    """Return the mean wait by its definition: the sum of the odds of not paying yet."""
    hands: dict[tuple[tuple[str, int], ...], float] = {(): 1.0}
    waited = 0.0
    for number in range(400):
        waiting = {hand: p for hand, p in hands.items() if not pays(hand, cost, rates)}
        waited += sum(waiting.values())
        if sum(waiting.values()) < 1e-9:
            break
        hands = {}
        for (hand, p), (gain, q) in product(
            waiting.items(), turns[number % len(turns)].items()
        ):
            more = dict(hand)
            for kind, count in gain:
                more[kind] = min(more.get(kind, 0) + count, room.get(kind, 12))
            key = tuple(sorted(more.items()))
            hands[key] = hands.get(key, 0.0) + p * float(q)
    return waited


def pays(hand: tuple[tuple[str, int], ...], cost: dict[str, int], rates: Terms) -> bool:
    have = dict(hand)
    missing = sum(max(count - have.get(kind, 0), 0) for kind, count in cost.items())
    had = sum(
        (have.get(kind, 0) - cost.get(kind, 0)) // gives * gets
        for kind, (gives, gets) in rates.items()
        if have.get(kind, 0) > cost.get(kind, 0)
    )
    return missing <= had


@pytest.mark.parametrize(("cost", "rates", "turns", "room"), CASES)
def test_saving_time_agrees_with_its_definition(
    cost: dict[str, int], rates: Terms, turns: list[GainOdds], room: dict[str, int]
) -> None:
    kinds = ("wood", "clay", "gold")
    told = mean_saving_time(cost, turns, rates, kinds, storage_limits=room)

    comes = {kind for odds in turns for gain in odds for kind, _ in gain}
    if set(cost) <= comes or rates:
        assert told == pytest.approx(by_turns(cost, turns, rates, room), abs=1e-6)
    else:
        assert told is None


def test_price_without_income_is_never_paid() -> None:
    assert mean_saving_time({"gold": 1}, [ROLL], {}, ()) is None
    assert mean_saving_time({"gold": 1}, [ROLL], {"clay": (2, 1)}, ("wood",)) is None
    assert (
        mean_saving_time({"gold": 1}, [ROLL], {"clay": (2, 1)}, ("gold",)) is not None
    )


def test_price_beyond_the_storage_limit_is_never_paid() -> None:
    assert (
        mean_saving_time({"wood": 2}, [ROLL], {}, (), storage_limits={"wood": 1})
        is None
    )
    assert mean_saving_time(
        {"wood": 2}, [ROLL], {}, (), storage_limits={"wood": 2}
    ) == pytest.approx(6)
    # Three of one kind are exchanged, and two more of it fit besides the price.
    rates = {"clay": (3, 1)}
    cost = {"gold": 1, "clay": 1}
    assert (
        mean_saving_time(cost, [ROLL], rates, ("gold",), storage_limits={"clay": 3})
        is None
    )
    assert (
        mean_saving_time(cost, [ROLL], rates, ("gold",), storage_limits={"clay": 4})
        is not None
    )


def test_initial_hand_counts() -> None:
    cost = {"wood": 1, "clay": 1}

    assert mean_saving_time(cost, [ROLL], {}, (), {"wood": 1, "clay": 1}) == 0
    assert mean_saving_time(cost, [ROLL], {}, (), {"wood": 1}) == pytest.approx(3.0)


def test_rejects_too_many_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MAX_HANDS", 500)
    kinds = [f"k{number}" for number in range(9)]
    odds: GainOdds = {((kind, 1),): Fraction(1, 9) for kind in kinds}
    rates = dict.fromkeys(kinds, (6, 1))

    with pytest.raises(TooManyHands):
        mean_saving_time({"k0": 4}, [odds], rates, kinds)


# ---------------------------------------------------------------- shadow prices


def test_only_the_scarcest_kind_has_value_without_exchanges() -> None:
    income = {"wood": Fraction(1, 2), "clay": Fraction(1, 4)}

    told = purchase_value({"wood": 1, "clay": 1}, income, ())

    assert told.turns == pytest.approx(4.0)
    assert told.cards == pytest.approx({"clay": 1.0})


def test_equally_scarce_kinds_have_no_value_alone() -> None:
    income = {"wood": Fraction(1, 4), "clay": Fraction(1, 4)}

    assert purchase_value({"wood": 1, "clay": 1}, income, ()).cards == {}


def test_exchangeable_card_is_worth_its_share() -> None:
    income = {"wood": Fraction(1), "clay": Fraction(0)}
    change = (Exchange("change", "wood", 3, "clay", 1),)

    told = purchase_value({"wood": 1, "clay": 1}, income, change)

    assert told.turns == pytest.approx(4.0)
    assert told.cards == pytest.approx({"wood": 0.25, "clay": 0.75})


def test_shadow_prices_add_up_to_the_purchase(economy: Economy) -> None:
    """No two kinds are equally scarce, so the dual equals the linear program."""
    assert economy.income_report is not None
    for begun in economy.income_report.examined_setups:
        for wait in begun.saving_times:
            if wait.purchase_value.turns is None:
                continue
            paid = sum(
                float(value) * wait.purchase_value.cards.get(kind, 0)
                for kind, value in begun.income.items()
            )
            assert paid <= 1 / wait.purchase_value.turns + 1e-9


def test_price_without_income_or_exchange_takes_forever() -> None:
    told = purchase_value({"gold": 1}, {"wood": Fraction(1)}, ())

    assert told.turns is None
    assert told.cards == {}


# ---------------------------------------------------------------- unreachable content


def reasons(economy: Economy) -> dict[str, dict[str, str]]:
    parts = ("unaffordable", "unpayable", "awards", "actions", "cards")
    return {
        part: {it.name: it.reason for it in getattr(economy, part)} for part in parts
    }


def test_unreachable_content_is_listed_with_reasons(economy: Economy) -> None:
    assert reasons(economy) == {
        "unaffordable": {"build_palace": "it costs 21 apple, but the game has only 20"},
        "unpayable": {"build_shrine": "no income or exchange provides plum"},
        "awards": {
            "fencer": "it requires at least 4, and the maximum is 3",
        },
        "actions": {"hold_feast": "no feasts are held"},
        "cards": {
            "luck": "the game has none",
            "feast": "hold_feast is never possible",
        },
    }
    assert economy.income_report is not None
    palace = next(
        it
        for it in economy.income_report.examined_setups[0].saving_times
        if it.price.action == "build_palace"
    )
    assert (palace.turns_with_exchanges, palace.turns_without_exchanges) == (None, None)


def test_options_can_make_content_reachable(orchard: Rulebook) -> None:
    game = Game.start(orchard, options={"feasts": True, "charms": 2})

    assert list(impossible_actions(game)) == []
    assert list(unplayable_cards(game, (), ())) == []


BOUNDS = {
    "number of player's fences": 3,
    "number of player's fences + number of player's barns": 5,
    "2 * number of player's fences": 6,
    "number of feast in player's held": 2,
    "sum over charm of number of charm in player's held": 2,
    "longest trail of player's fences": 3,
    "smaller of (number of player's fences, 2)": 2,
    "player's barns_left": 2,
    "player's luckiest": 1,
    "number of plots where plot's number > 1": 1,
}
LUCKIEST = """
define player's luckiest: 0 to 9
  5 if feasts
  otherwise 1
"""
AWARD = """
award {name} of player
  most {measure}
  at least {least}
  on a tie, nobody has it
"""


@pytest.fixture(scope="module")
def bounded(orchard_path: str) -> Game:
    """Return the orchard with two awards per measure: one reachable, one just out of
    reach.
    """
    text = Path(orchard_path).read_text(encoding="utf-8") + LUCKIEST
    for number, (measure, most) in enumerate(BOUNDS.items()):
        for name, least in (("reached", most), ("missed", most + 1)):
            text += AWARD.format(name=f"{name}_{number}", measure=measure, least=least)
    return Game.start(rulebook.loads(text), players=2)


@pytest.mark.parametrize("number", range(len(BOUNDS)), ids=list(BOUNDS))
def test_bound_is_as_tight_as_the_rules_allow(bounded: Game, number: int) -> None:
    told = {it.name for it in unattainable_awards(bounded)}

    assert f"missed_{number}" in told
    assert f"reached_{number}" not in told
