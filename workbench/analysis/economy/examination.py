"""Examination of a game's economy: income from probes of the engine, and valuations."""

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
"""Maximum number of turns over which income is shown in whole numbers."""
DEFAULT_TURNS_SHOWN = 100
LATER_ROUND = 10
"""Round whose income is compared with that of the examined round."""
TIME_UP_REASON = "the time limit was reached before all turns were computed"
TOO_MANY_REASON = "a turn has too many outcomes to compute them all"


@attrs.frozen
class SavingTime:
    """Saving time of a price, and the value of cards to a seat that saves for it.

    `turns_without_exchanges` and `turns_with_exchanges` are mean numbers of turns
    without and with exchanges, or None if the price can never be paid. `known` is false
    if there are too many possible hands to compute them.
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
class SupplyReport:
    """Income of turns on one board.

    `spaces` is the income of each space by piece, and `base_income` the income without
    pieces. `examined_setups` are the set-ups, and `blockers` the pieces that block
    income. Income is shown for `turns` turns. `is_even` is true if it does not depend
    on whose turn it is.
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

    `supply_report` is the income of turns, or None if it cannot be computed; `why` is
    then the reason. `later_round` is a later round in which turns yield another income,
    or None. `time_up` is set if time ran out before all turns were computed.
    """

    baseline: Baseline
    settings: Settings
    supply_report: SupplyReport | None
    why: str
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
    listed = (
        () if baseline.payments is None else known_prices(book.model, baseline.payments)
    )
    why, income_report, otherwise = "", None, None
    stopped: TimeUp | None = None
    short: tuple[Unreachable, ...] = ()
    game = baseline.with_holdings(baseline.seats[0], {})
    dear, undone = (
        tuple(unaffordable_prices(game, listed)),
        tuple(impossible_actions(game)),
    )
    awards = tuple(unattainable_awards(game))
    cards = tuple(unplayable_cards(game, undone, dear))
    try:
        income_report = _supply_report(
            baseline, settings, listed, games, {it.name for it in dear}
        )
        if income_report.has_income:
            every = tuple(
                it for begun in income_report.examined_setups for it in begun.exchanges
            )
            short = tuple(
                prices_without_income(
                    income_report.probe, income_report.setups, every, listed
                )
            )
        otherwise = find_later_round(income_report.probe)
    except TimeUp as up:
        why, stopped = TIME_UP_REASON, up
    except TooManyOutcomes:
        why = TOO_MANY_REASON
    except (RulesError, PositionError) as error:
        why = f"the game cannot continue when players have nothing: {error}"
    return Economy(
        baseline=baseline,
        settings=settings,
        supply_report=income_report,
        why=why,
        prices=listed,
        unknown_prices=()
        if baseline.payments is None
        else unknown_prices(book.model, baseline.payments),
        unaffordable=dear,
        unpayable=short,
        awards=awards,
        actions=undone,
        cards=cards,
        later_round=otherwise,
        time_up=stopped,
    )


def _supply_report(
    baseline: Baseline,
    settings: Settings,
    prices_to_save: tuple[Price, ...],
    number: int,
    unpayable: Container[str],
) -> SupplyReport:
    """Return the income of turns.

    *unpayable* are the names of prices that can never be paid.
    """
    asker = IncomeProbe.from_baseline(baseline)
    setups = sample_setups(asker, settings, number)
    known: dict[str, SavingTime] = {}
    return SupplyReport(
        probe=asker,
        turns=turns_to_show(asker),
        is_even=asker.is_even,
        spaces=asker.income_by_space,
        base_income=asker.base_income,
        setups=setups,
        examined_setups=tuple(
            _examine_setup(asker, it, prices_to_save, unpayable, known)
            for it in setups.setups
        ),
        blockers=find_blockers(asker),
    )


def find_later_round(probe: IncomeProbe) -> int | None:
    """Return a later round with a different income, or None if there is none."""
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
        after = attrs.evolve(probe, baseline=baseline.in_round(last))
        same = after.sample_odds(probe.turn_part) == probe.sample_odds(probe.turn_part)
    except (TooManyOutcomes, RulesError, PositionError):
        return None
    return None if same else last


def turns_to_show(probe: IncomeProbe) -> int:
    """Return the number of turns for which income is shown.

    Over that many turns, each chance outcome is expected a whole number of times.
    """
    game = probe.baseline.with_holdings(
        probe.seat, {}, removed_pieces=probe.moving_pieces
    )
    turn = game.turn
    while not game.over and game.turn == turn:
        options = game.legal_actions()
        if game.to_act == CHANCE:
            whole = lcm(*(it.probability.denominator for it in options))
            return whole if whole <= MAX_TURNS_SHOWN else DEFAULT_TURNS_SHOWN
        no = [it for it in options if it.name in probe.baseline.declining_actions]
        if not (no or len(options) == 1):
            break
        game.apply((no or options)[0])
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
    offered = find_exchanges(probe, setup.pieces)
    income: dict[str, Fraction] = {}
    for odds in turns:
        for kind, value in mean_gain(odds).items():
            income[kind] = income.get(kind, Fraction()) + value / len(turns)
    waits = []
    for price in prices_to_save:
        key = repr((price.cost, turns, offered))
        if key not in cache:
            cache[key] = _saving_time(probe, price, turns, income, offered)
        wait = attrs.evolve(cache[key], price=price)
        never = SavingTime(price, None, None, True, wait.purchase_value)
        waits.append(never if price.name in unpayable else wait)
    return ExaminedSetUp(setup, income, offered, tuple(waits))


def _saving_time(
    probe: IncomeProbe,
    price: Price,
    turns: list[GainOdds],
    income: Income,
    exchanges: tuple[Exchange, ...],
) -> SavingTime:
    """Return the saving time of a price, with and without exchanges."""
    valued = purchase_value(price.cost, income, exchanges)
    at, got = best_terms(exchanges), {it.get for it in exchanges}
    try:
        without = mean_saving_time(
            price.cost, turns, {}, (), storage_limits=probe.storage_limits
        )
        full = without
        if at:
            full = mean_saving_time(
                price.cost, turns, at, got, storage_limits=probe.storage_limits
            )
    except TooManyHands:
        return SavingTime(price, None, None, False, valued)
    return SavingTime(price, without, full, True, valued)
