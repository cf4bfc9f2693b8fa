"""Exchanges of cards that a seat can make without another player, found by trial.

A seat receives many cards of one kind and nothing else. Each of its legal actions is
then tried. An action is an exchange if it takes some of these cards, gives others, and
requires no other player.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

import attrs

from interpreter import Action, Game
from workbench.analysis.economy.probes.baseline import Pieces
from workbench.analysis.economy.probes.income_probe import IncomeProbe
from workbench.analysis.economy.probes.turns import (
    CHANCE,
    MAX_SUCCESSIVE_EVENTS,
    held_cards,
)

CARDS_GIVEN = 12
"""Number of cards given to a seat; exchanges that cost more are not found."""


@attrs.frozen
class Exchange:
    """Action that exchanges `give_count` `give` cards for `get_count` `get` cards."""

    action: str
    give: str
    give_count: int
    get: str
    get_count: int


def find_exchanges(probe: IncomeProbe, pieces: Pieces) -> tuple[Exchange, ...]:
    """Return the cheapest exchange between any two kinds in a turn of the seat."""
    payments = probe.baseline.payments
    if payments is None:
        return ()
    best: dict[tuple[str, str], Exchange] = {}
    for give in payments.kinds:
        for exchange in _exchanges_of_kind(probe, pieces, give):
            known = best.get((give, exchange.get))
            if (
                known is None
                or exchange.give_count * known.get_count
                < known.give_count * exchange.get_count
            ):
                best[give, exchange.get] = exchange
    return tuple(best.values())


def best_terms(exchanges: tuple[Exchange, ...]) -> Mapping[str, tuple[int, int]]:
    """Return the best terms for giving each kind: cards given, cards received."""
    table: dict[str, tuple[int, int]] = {}
    for offer in exchanges:
        gives, gets = table.get(offer.give, (offer.give_count, offer.get_count))
        cheaper = offer.give_count * gets < gives * offer.get_count
        table[offer.give] = (
            (offer.give_count, offer.get_count) if cheaper else (gives, gets)
        )
    return table


def _exchanges_of_kind(
    probe: IncomeProbe, pieces: Pieces, give: str
) -> Iterator[Exchange]:
    """Yield the exchanges for cards of one kind that are legal during a turn."""
    baseline, seat = probe.baseline, probe.seat
    game = baseline.with_holdings(
        seat,
        pieces,
        removed_pieces=probe.moving_pieces,
        cards={give: CARDS_GIVEN},
        numbers=probe.stockpiles.get(give, ()),
    )
    turn, steps = game.turn, 0
    while not game.over and game.turn == turn and steps < MAX_SUCCESSIVE_EVENTS:
        steps += 1
        if game.to_act == CHANCE:
            game.apply(next(c for c in game.legal_actions() if c.probability))
            continue
        actions = game.legal_actions()
        if game.to_act == seat:
            yield from _try_actions(probe, game, actions, give)
        decline = next(
            (a for a in actions if a.name in baseline.declining_actions), None
        )
        if not actions or (decline is None and len({a.name for a in actions}) > 1):
            return
        game.apply(actions[0] if decline is None else decline)


def _try_actions(
    probe: IncomeProbe, game: Game, actions: tuple[Action, ...], give: str
) -> Iterator[Exchange]:
    """Yield the exchanges among some legal actions, found by trying each."""
    baseline, seat = probe.baseline, probe.seat
    assert baseline.payments is not None
    kinds = set(baseline.payments.kinds)
    before = held_cards(baseline, game, seat)
    for action in actions:
        if action.name in baseline.declining_actions:
            continue
        after = game.copy()
        after.apply(action)
        _apply_forced_actions(after, seat, baseline.declining_actions)
        if after.to_act not in {seat, CHANCE} or after.turn != game.turn:
            continue
        held = held_cards(baseline, after, seat)
        changed = {k: held[k] - before[k] for k in held if held[k] != before[k]}
        match sorted(changed.items(), key=lambda pair: pair[1]):
            case [(lost, less), (get, more)] if (
                lost == give and less < 0 < more and get in kinds
            ):
                yield Exchange(action.name, give, -less, get, more)


def _apply_forced_actions(
    game: Game, seat: str, declining_actions: Container[str]
) -> None:
    """Apply the legal action of a seat as long as it has exactly one.

    Stop before an action named in *declining_actions*.
    """
    turn, steps = game.turn, 0
    while game.to_act == seat and game.turn == turn and steps < MAX_SUCCESSIVE_EVENTS:
        actions = game.legal_actions()
        if len(actions) != 1 or actions[0].name in declining_actions:
            return
        game.apply(actions[0])
        steps += 1
