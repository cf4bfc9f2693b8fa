"""Examination of a game's economy: income, saving times and unreachable content."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from math import lcm

import attrs

from interpreter import PositionError
from rulebook import Rulebook, RulesError
from rulebook.signatures import TurnState, inputs_of
from rulebook.tooling import walk
from workbench.analysis.economy.probes.baseline import Baseline
from workbench.analysis.economy.probes.blockers import Blocker, find_blockers
from workbench.analysis.economy.probes.exchanges import (
    Exchange,
    best_terms,
    find_exchanges,
)
from workbench.analysis.economy.probes.income_probe import Income, IncomeProbe
from workbench.analysis.economy.probes.setups import SetUp, SetUps, sample_setups
from workbench.analysis.economy.probes.turns import (
    CHANCE,
    GainOdds,
    TooManyOutcomes,
    mean_gain,
)
from workbench.analysis.economy.valuation.prices import (
    Price,
    known_prices,
    unknown_prices,
)
from workbench.analysis.economy.valuation.saving_time import (
    TooManyHands,
    mean_saving_time,
)
from workbench.analysis.economy.valuation.shadow_prices import (
    PurchaseValue,
    import_solver,
    purchase_value,
)
from workbench.analysis.economy.valuation.unreachable import (
    Unreachable,
    impossible_actions,
    prices_without_income,
    unaffordable_prices,
    unattainable_awards,
    unplayable_cards,
)
from workbench.analysis.simulation.settings import Settings
from workbench.budget import TimeUp

MAX_TURNS_SHOWN = 216
"""Maximum number of turns to show income for; beyond it, `DEFAULT_TURNS_SHOWN`."""
DEFAULT_TURNS_SHOWN = 100
LATER_ROUND = 10
"""Later round whose income is compared with that of the examined round."""
TIME_UP_REASON = "the time limit was reached before all turns were computed"
TOO_MANY_REASON = "a turn has too many outcomes to compute them all"


@attrs.frozen
class SavingTime:
    """Saving time of a price, and the value of cards to a seat that saves for it.

    `turns_without_exchanges` and `turns_with_exchanges` are mean numbers of turns
    without and with exchanges, or None if the price can never be paid. `known` is false
    if there are too many possible hands to compute these numbers.
    """

    price: Price
    turns_without_exchanges: float | None
    turns_with_exchanges: float | None
    known: bool
    purchase_value: PurchaseValue


@attrs.frozen
class ExaminedSetUp:
    """Set-up with its income, its possible exchanges and its saving times."""

    setup: SetUp
    income: Income
    exchanges: tuple[Exchange, ...]
    saving_times: tuple[SavingTime, ...]


@attrs.frozen
class IncomeReport:
    """Income of turns on one board.

    `spaces` is the income of each space by piece, and `base_income` the income without
    pieces. `examined_setups` are the set-ups, and `blockers` the pieces that block
    income. Income is shown for `turns` turns. `is_even` is true if income does not
    depend on whose turn it is.
    """

    probe: IncomeProbe
    turns: int
    is_even: bool
    spaces: Mapping[str, Mapping[str, Income]]
    base_income: Income
    setups: SetUps
    examined_setups: tuple[ExaminedSetUp, ...]
    blockers: tuple[Blocker, ...]

    @property
    def has_income(self) -> bool:
        """True if turns yield any income."""
        return bool(self.spaces or self.base_income)


@attrs.frozen
class Economy:
    """Economy of a game on one board, derived from its rules.

    `income_report` is the income of turns, or None if it cannot be computed;
    `unknown_reason` is then the reason. `later_round` is a later round with a different
    income of turns, or None. `time_up` is set if time ran out before all turns were
    computed.
    """

    baseline: Baseline
    settings: Settings
    income_report: IncomeReport | None
    unknown_reason: str
    prices: tuple[Price, ...]
    unknown_prices: tuple[str, ...]
    unaffordable: tuple[Unreachable, ...]
    unpayable: tuple[Unreachable, ...]
    awards: tuple[Unreachable, ...]
    actions: tuple[Unreachable, ...]
    cards: tuple[Unreachable, ...]
    later_round: int | None
    time_up: TimeUp | None = None

    @property
    def book(self) -> Rulebook:
        """Rules of the game."""
        return self.baseline.book


def examine(
    book: Rulebook,
    settings: Settings,
    games: int,
    round: int = 1,
) -> Economy:
    """Return the economy of a game, with set-ups sampled from *games* games.

    Incomes are those of turns in *round*. Raises `RequestError` if scipy is not
    installed or set-up never ends.
    """
    import_solver()
    baseline = Baseline.of_game(book, settings)
    if round > 1:
        baseline = baseline.in_round(round)
    prices = (
        () if baseline.payments is None else known_prices(book.model, baseline.payments)
    )
    reason, income_report, later_round = "", None, None
    time_up: TimeUp | None = None
    unpayable: tuple[Unreachable, ...] = ()
    game = baseline.with_holdings(baseline.seats[0], {})
    unaffordable, impossible = (
        tuple(unaffordable_prices(game, prices)),
        tuple(impossible_actions(game)),
    )
    awards = tuple(unattainable_awards(game))
    cards = tuple(unplayable_cards(game, impossible, unaffordable))
    try:
        income_report = _income_report(
            baseline, settings, prices, games, {item.name for item in unaffordable}
        )
        if income_report.has_income:
            exchanges = tuple(
                item
                for examined in income_report.examined_setups
                for item in examined.exchanges
            )
            unpayable = tuple(
                prices_without_income(
                    income_report.probe, income_report.setups, exchanges, prices
                )
            )
        later_round = find_later_round(income_report.probe)
    except TimeUp as up:
        reason, time_up = TIME_UP_REASON, up
    except TooManyOutcomes:
        reason = TOO_MANY_REASON
    except (RulesError, PositionError) as error:
        reason = f"the game cannot continue when players have nothing: {error}"
    return Economy(
        baseline=baseline,
        settings=settings,
        income_report=income_report,
        unknown_reason=reason,
        prices=prices,
        unknown_prices=()
        if baseline.payments is None
        else unknown_prices(book.model, baseline.payments),
        unaffordable=unaffordable,
        unpayable=unpayable,
        awards=awards,
        actions=impossible,
        cards=cards,
        later_round=later_round,
        time_up=time_up,
    )


def _income_report(
    baseline: Baseline,
    settings: Settings,
    prices_to_save: tuple[Price, ...],
    games: int,
    unpayable: Container[str],
) -> IncomeReport:
    """Return the income of turns, with set-ups sampled from *games* games.

    *unpayable* are the names of prices that can never be paid.
    """
    probe = IncomeProbe.from_baseline(baseline)
    setups = sample_setups(probe, settings, games)
    cache: dict[str, SavingTime] = {}
    return IncomeReport(
        probe=probe,
        turns=turns_to_show(probe),
        is_even=probe.is_even,
        spaces=probe.income_by_space,
        base_income=probe.base_income,
        setups=setups,
        examined_setups=tuple(
            _examine_setup(probe, setup, prices_to_save, unpayable, cache)
            for setup in setups.setups
        ),
        blockers=find_blockers(probe),
    )


def find_later_round(probe: IncomeProbe) -> int | None:
    """Return a later round with a different income, or None."""
    baseline = probe.baseline
    model = baseline.book.model
    turn = (model.actions, model.procedures, model.defines)
    last = min(
        LATER_ROUND, model.rounds or LATER_ROUND, model.turns // len(baseline.seats)
    )
    reads = [place for node in walk(turn) for place in inputs_of(node).places]
    if baseline.round >= last or TurnState.ROUND not in reads:
        return None
    try:
        later = attrs.evolve(probe, baseline=baseline.in_round(last))
        same = later.sample_odds(probe.turn_part) == probe.sample_odds(probe.turn_part)
    except (TooManyOutcomes, RulesError, PositionError):
        return None
    return None if same else last


def turns_to_show(probe: IncomeProbe) -> int:
    """Return the number of turns for which income is shown.

    If possible, each chance outcome is expected a whole number of times in them.
    """
    game = probe.baseline.with_holdings(
        probe.seat, {}, removed_pieces=probe.moving_pieces
    )
    turn = game.turn
    while not game.over and game.turn == turn:
        options = game.legal_actions()
        if game.to_act == CHANCE:
            span = lcm(*(item.probability.denominator for item in options))
            return span if span <= MAX_TURNS_SHOWN else DEFAULT_TURNS_SHOWN
        declines = [
            item for item in options if item.name in probe.baseline.declining_actions
        ]
        if not (declines or len(options) == 1):
            break
        game.apply((declines or options)[0])
    return 1


def _examine_setup(
    probe: IncomeProbe,
    setup: SetUp,
    prices_to_save: Iterable[Price],
    unpayable: Container[str],
    cache: dict[str, SavingTime],
) -> ExaminedSetUp:
    """Return a set-up with its income, exchanges and saving times.

    *unpayable* are the names of prices that can never be paid. *cache* stores saving
    times for set-ups with equal income and exchanges.
    """
    turns = [probe.turn_gains(setup.pieces, active) for active in probe.probed_seats]
    exchanges = find_exchanges(probe, setup.pieces)
    income: dict[str, Fraction] = {}
    for odds in turns:
        for kind, value in mean_gain(odds).items():
            income[kind] = income.get(kind, Fraction()) + value / len(turns)
    saving_times = []
    for price in prices_to_save:
        key = repr((price.cost, turns, exchanges))
        if key not in cache:
            cache[key] = _saving_time(probe, price, turns, income, exchanges)
        saving_time = attrs.evolve(cache[key], price=price)
        never = SavingTime(price, None, None, True, saving_time.purchase_value)
        saving_times.append(never if price.name in unpayable else saving_time)
    return ExaminedSetUp(setup, income, exchanges, tuple(saving_times))


def _saving_time(
    probe: IncomeProbe,
    price: Price,
    turns: list[GainOdds],
    income: Income,
    exchanges: tuple[Exchange, ...],
) -> SavingTime:
    """Return the saving time of a price, with and without exchanges."""
    value = purchase_value(price.cost, income, exchanges)
    terms, kinds = best_terms(exchanges), {offer.get for offer in exchanges}
    try:
        plain = mean_saving_time(
            price.cost, turns, {}, (), storage_limits=probe.storage_limits
        )
        shorter = plain
        if terms:
            shorter = mean_saving_time(
                price.cost, turns, terms, kinds, storage_limits=probe.storage_limits
            )
    except TooManyHands:
        return SavingTime(price, None, None, False, value)
    return SavingTime(price, plain, shorter, True, value)
