"""Examination of a game's economy: income from probes of the engine, and valuations."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from math import lcm

import attrs

from interpreter import PositionError
from rulebook import Rulebook, RulesError
from rulebook import model as m
from rulebook.tooling import find
from workbench.analysis.economy.probes.baseline import Baseline
from workbench.analysis.economy.probes.blockers import Blocked, blocked
from workbench.analysis.economy.probes.exchanges import Exchange, exchanges, terms
from workbench.analysis.economy.probes.income import Asker, Income
from workbench.analysis.economy.probes.setups import SetUp, SetUps, set_ups
from workbench.analysis.economy.probes.turns import CHANCE, Odds, TooMany, mean
from workbench.analysis.economy.valuation.prices import Price, prices, unsaid
from workbench.analysis.economy.valuation.saving_time import TooManyHands, turns_to
from workbench.analysis.economy.valuation.shadow_prices import Worth, solver, worth
from workbench.analysis.economy.valuation.unreachable import (
    Unreachable,
    unaffordable,
    undoable,
    unfed,
    unplayable,
    unreachable,
)
from workbench.analysis.simulation.settings import Settings
from workbench.budget import TimeUp

PER_MOST = 216
"""Maximum number of turns over which income is shown in whole numbers."""
PER = 100
LATER = 10
"""Round whose income is compared with that of the examined round."""
UP = "the time limit was reached before all turns were computed"
TOO_MANY = "a turn has too many outcomes to compute them all"


@attrs.frozen
class Wait:
    """Saving time of a price, and the value of cards to a seat that saves for it.

    `without` and `full` are mean numbers of turns without and with exchanges, or None
    if the price can never be paid. `known` is false if there are too many possible
    hands to compute them.
    """

    price: Price
    without: float | None
    full: float | None
    known: bool
    worth: Worth


@attrs.frozen
class Begun:
    """Set-up with its income, its possible exchanges and its saving times."""

    setup: SetUp
    income: Income
    exchanges: tuple[Exchange, ...]
    waits: tuple[Wait, ...]


@attrs.frozen
class SupplyReport:
    """Income of turns on one board.

    `spaces` is the income of each space by piece, and `nothing` the income without
    pieces. `begun` are the set-ups, and `blocked` the pieces that block income. Income
    is shown for `per` turns. `even` is true if it does not depend on whose turn it is.
    """

    asker: Asker
    per: int
    even: bool
    spaces: Mapping[str, Mapping[str, Income]]
    nothing: Income
    setups: SetUps
    begun: tuple[Begun, ...]
    blocked: tuple[Blocked, ...]

    @property
    def brings(self) -> bool:
        """Whether turns yield any income."""
        return bool(self.spaces or self.nothing)


@attrs.frozen
class Economy:
    """Economy of a game on one board, derived from its rules.

    `fed` is the income of turns, or None if it cannot be computed; `why` is then the
    reason. `otherwise` is a later round in which turns yield another income, or None.
    `stopped` is set if time ran out before all turns were computed.
    """

    ground: Baseline
    settings: Settings
    fed: SupplyReport | None
    why: str
    prices: tuple[Price, ...]
    unsaid: tuple[str, ...]
    unaffordable: tuple[Unreachable, ...]
    unfed: tuple[Unreachable, ...]
    awards: tuple[Unreachable, ...]
    actions: tuple[Unreachable, ...]
    cards: tuple[Unreachable, ...]
    otherwise: int | None
    stopped: TimeUp | None = None

    @property
    def book(self) -> Rulebook:
        """Rules of the game."""
        return self.ground.book


def examine(
    book: Rulebook,
    settings: Settings,
    number: int,
    round: int = 1,
) -> Economy:
    """Return the economy of a game, with set-ups sampled from *number* games.

    Incomes are those of turns in *round*. Raises `Refused` if scipy is not installed or
    set-up never ends.
    """
    solver()
    ground = Baseline.of(book, settings)
    if round > 1:
        ground = ground.later(round)
    listed = () if ground.purse is None else prices(book.model, ground.purse)
    why, fed, otherwise = "", None, None
    stopped: TimeUp | None = None
    short: tuple[Unreachable, ...] = ()
    game = ground.with_holdings(ground.seats[0], {})
    dear, undone = tuple(unaffordable(game, listed)), tuple(undoable(game))
    awards = tuple(unreachable(game))
    cards = tuple(unplayable(game, undone, dear))
    try:
        fed = _fed(ground, settings, listed, number, {it.name for it in dear})
        if fed.brings:
            every = tuple(it for begun in fed.begun for it in begun.exchanges)
            short = tuple(unfed(fed.asker, fed.setups, every, listed))
        otherwise = later(fed.asker)
    except TimeUp as up:
        why, stopped = UP, up
    except TooMany:
        why = TOO_MANY
    except (RulesError, PositionError) as error:
        why = f"the game cannot continue when players have nothing: {error}"
    return Economy(
        ground=ground,
        settings=settings,
        fed=fed,
        why=why,
        prices=listed,
        unsaid=() if ground.purse is None else unsaid(book.model, ground.purse),
        unaffordable=dear,
        unfed=short,
        awards=awards,
        actions=undone,
        cards=cards,
        otherwise=otherwise,
        stopped=stopped,
    )


def _fed(
    ground: Baseline,
    settings: Settings,
    listed: tuple[Price, ...],
    number: int,
    dear: Container[str],
) -> SupplyReport:
    """Return the income of turns.

    *dear* contains the names of prices that can never be paid.
    """
    asker = Asker.of(ground)
    setups = set_ups(asker, settings, number)
    known: dict[str, Wait] = {}
    return SupplyReport(
        asker=asker,
        per=per(asker),
        even=asker.is_even,
        spaces=asker.table,
        nothing=asker.nothing,
        setups=setups,
        begun=tuple(
            _examine_start(asker, it, listed, dear, known) for it in setups.listed
        ),
        blocked=blocked(asker),
    )


def later(asker: Asker) -> int | None:
    """Return a later round with a different income, or None if there is none."""
    ground = asker.ground
    model = ground.book.model
    turn = (model.actions, model.procedures, model.defines)
    last = min(LATER, model.rounds or LATER, model.turns // len(ground.seats))
    if ground.round >= last or not any(True for _ in find(turn, m.Round)):
        return None
    try:
        after = attrs.evolve(asker, ground=ground.later(last))
        same = after.sampled(asker.reach) == asker.sampled(asker.reach)
    except (TooMany, RulesError, PositionError):
        return None
    return None if same else last


def per(asker: Asker) -> int:
    """Return the number of turns for which income is shown.

    Over that many turns, each chance outcome is expected a whole number of times.
    """
    game = asker.ground.with_holdings(asker.seat, {}, without=asker.moving)
    turn = game.turn
    while not game.over and game.turn == turn:
        options = game.legal_actions()
        if game.to_act == CHANCE:
            whole = lcm(*(it.probability.denominator for it in options))
            return whole if whole <= PER_MOST else PER
        no = [it for it in options if it.name in asker.ground.declining]
        if not (no or len(options) == 1):
            break
        game.apply((no or options)[0])
    return 1


def _examine_start(
    asker: Asker,
    setup: SetUp,
    listed: Iterable[Price],
    dear: Container[str],
    known: dict[str, Wait],
) -> Begun:
    """Return a set-up with its income, exchanges and saving times.

    *dear* contains the names of prices that can never be paid. *known* caches saving
    times of set-ups with the same income and exchanges.
    """
    turns = [asker.odds(setup.pieces, active) for active in asker.actives]
    offered = exchanges(asker, setup.pieces)
    income: dict[str, Fraction] = {}
    for odds in turns:
        for kind, value in mean(odds).items():
            income[kind] = income.get(kind, Fraction()) + value / len(turns)
    waits = []
    for price in listed:
        key = repr((price.cost, turns, offered))
        if key not in known:
            known[key] = _wait(asker, price, turns, income, offered)
        wait = attrs.evolve(known[key], price=price)
        never = Wait(price, None, None, True, wait.worth)
        waits.append(never if price.name in dear else wait)
    return Begun(setup, income, offered, tuple(waits))


def _wait(
    asker: Asker,
    price: Price,
    turns: list[Odds],
    income: Income,
    offered: tuple[Exchange, ...],
) -> Wait:
    """Return the saving time of a price, with and without exchanges."""
    valued = worth(price.cost, income, offered)
    at, got = terms(offered), {it.get for it in offered}
    try:
        without = turns_to(price.cost, turns, {}, (), room=asker.room)
        full = without
        if at:
            full = turns_to(price.cost, turns, at, got, room=asker.room)
    except TooManyHands:
        return Wait(price, None, None, False, valued)
    return Wait(price, without, full, True, valued)
