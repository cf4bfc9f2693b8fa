"""Unreachable content: unaffordable prices, unattainable awards, unusable cards.

Each finding has a reason. It is certain for the options played, whatever players do.
Prices that income and exchanges alone never pay are listed separately
(`prices_without_income`), because a card, a theft or a gift may still pay them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from interpreter import Game
from rulebook import model as m
from rulebook.tooling import children, walk
from workbench.analysis.economy.probes.exchanges import Exchange
from workbench.analysis.economy.probes.income_probe import IncomeProbe
from workbench.analysis.economy.probes.setups import SetUps
from workbench.analysis.economy.valuation.bounds import UpperBounds
from workbench.analysis.economy.valuation.prices import Price

COUNTS = "; the points clause still counts it"


@attrs.frozen
class Unreachable:
    """Unreachable content, with the reason why nobody can reach it."""

    name: str
    reason: str


def unaffordable_prices(
    game: Game, known_prices: Sequence[Price]
) -> Iterator[Unreachable]:
    """Yield the prices that require more cards of a kind than the game contains."""
    total = {item.name: item.most for item in game.supplies if item.exact}
    for price in known_prices:
        for kind, count in price.cost.items():
            if count > total.get(kind, count):
                reason = f"it costs {count} {kind}, but the game has only {total[kind]}"
                yield Unreachable(price.name, reason)
                break


def prices_without_income(
    probe: IncomeProbe,
    setups: SetUps,
    exchanges: Sequence[Exchange],
    known_prices: Sequence[Price],
) -> Iterator[Unreachable]:
    """Yield the prices that income and exchanges alone never pay."""
    reached = set(probe.base_income)
    reached |= {
        kind
        for row in probe.income_by_space.values()
        for income in row.values()
        for kind in income
    }
    reached |= {kind for setup in setups.setups for kind in setup.cards}
    before = None
    while before != reached:
        before = set(reached)
        reached |= {offer.get for offer in exchanges if offer.give in reached}
    for price in known_prices:
        missing = [kind for kind in price.cost if kind not in reached]
        if missing:
            reason = f"no income or exchange provides {' or '.join(missing)}"
            yield Unreachable(price.name, reason)


def unattainable_awards(game: Game) -> Iterator[Unreachable]:
    """Yield the awards that nobody can attain."""
    bounds = UpperBounds(game)
    for name, award in game.book.model.awards.items():
        most = bounds.upper_bound(award.measure, award.slots)
        least = award.at_least
        needed = 1 if least is None else _lower_bound(bounds, least, award.slots)
        if most < needed:
            reason = f"it requires at least {needed}, and the maximum is {most}"
            yield Unreachable(name, reason)
        elif award.only_if is not None and bounds.is_false(award.only_if, award.slots):
            yield Unreachable(name, "no player can meet its condition")


def _lower_bound(bounds: UpperBounds, e: m.Expr, slots: tuple[str, ...]) -> int:
    """Return the minimum of a number: exact if constant, else that of its type."""
    if e.is_fixed and not children(e):
        return bounds.upper_bound(e, slots)
    return e.type.low if isinstance(e.type, m.Whole) else 0


def impossible_actions(game: Game) -> Iterator[Unreachable]:
    """Yield the actions with a requirement that can never be met."""
    bounds = UpperBounds(game)
    for action in game.book.model.actions.values():
        for requirement in action.requirements:
            if bounds.is_false(requirement.condition, action.slots):
                yield Unreachable(action.name, requirement.reason or requirement.label)
                break


def unplayable_cards(
    game: Game,
    impossible: Sequence[Unreachable],
    unaffordable: Sequence[Unreachable],
) -> Iterator[Unreachable]:
    """Yield the cards that are not in the game, or that no action can use.

    *impossible* are impossible actions, and *unaffordable* unaffordable prices.
    """
    model, bounds = game.book.model, UpperBounds(game)
    never_legal = {item.name for item in impossible}
    reasons = {item.name: item.reason for item in unaffordable}
    for domain in model.domains.values():
        if not domain.copies:
            continue
        for number, card in enumerate(domain.members):
            if bounds.copy_count(domain.name, number) == 0:
                yield Unreachable(card, "the game has none")
                continue
            actions = list(_actions_naming(model, domain.name, number))
            if actions and all(name in never_legal for name in actions):
                suffix = COUNTS if _affects_points(model, domain.name, number) else ""
                yield Unreachable(
                    card, f"{' and '.join(actions)} is never possible{suffix}"
                )
            priced = [n for n in reasons if n.endswith(f"({card})")]
            if priced:
                yield Unreachable(card, reasons[priced[0]])


def _actions_naming(model: m.Model, kind: str, number: int) -> Iterator[str]:
    """Yield the actions with a requirement that names a card."""
    for action in model.actions.values():
        conditions = [requirement.condition for requirement in action.requirements]
        if any(_is_card(node, kind, number) for node in walk(conditions)):
            yield action.name


def _affects_points(model: m.Model, kind: str, number: int) -> bool:
    """Return whether the points of a player depend on a card."""
    return any(_is_card(node, kind, number) for node in walk(model.points))


def _is_card(node: object, kind: str, number: int) -> bool:
    """Return whether a node is a card, or a bag that contains only that card."""
    if not m.is_constant(node):
        return False
    match node.type:
        case m.Member(domain=domain):
            return bool(domain == kind and node.value == number)
        case m.Bag(domain=domain):
            bag = node.value
            return domain == kind and bool(bag[number]) and sum(map(bool, bag)) == 1
        case _:
            return False
