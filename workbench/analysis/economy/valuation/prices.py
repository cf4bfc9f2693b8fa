"""Prices of actions, and of each card if a price depends on the card."""

from collections.abc import Iterator, Mapping

import attrs

from rulebook import model as m
from workbench.analysis.economy.probes.payments import Payments
from workbench.analysis.economy.probes.queries import table_column


@attrs.frozen
class Price:
    """Price of an action.

    If the price depends on a card, `card` is that card and `kind` its domain.
    """

    action: str
    cost: Mapping[str, int]
    card: str | None = None
    kind: str | None = None

    @property
    def name(self) -> str:
        """Text of the action, with the card on which its price depends."""
        return self.action if self.card is None else f"{self.action}({self.card})"


def known_prices(model: m.Model, payments: Payments) -> tuple[Price, ...]:
    """Return the prices in action order, without free actions."""
    return tuple(
        price
        for action in model.actions.values()
        for need in action.requirements
        if need.sort is m.RequirementSort.PAYS
        for price in _requirement_prices(model, payments, action, need)
        if price.cost
    )


def unknown_prices(model: m.Model, payments: Payments) -> tuple[str, ...]:
    """Return the names of the actions whose price is only known during play."""
    return tuple(
        action.name
        for action in model.actions.values()
        for need in action.requirements
        if need.sort is m.RequirementSort.PAYS
        and need.bag is not None
        and not any(True for _ in _requirement_prices(model, payments, action, need))
    )


def _requirement_prices(
    model: m.Model, payments: Payments, action: m.Action, requirement: m.Requirement
) -> Iterator[Price]:
    """Yield the prices that a payment requirement of an action defines."""
    column = table_column(model, requirement.bag)
    if m.is_constant(requirement.bag):
        yield Price(action.name, payments.counts_by_name(requirement.bag.value))
    elif column is not None and m.is_variable(column.member):
        domain = column.domain
        for member, value in zip(domain.members, column.values, strict=True):
            yield Price(
                action.name, payments.counts_by_name(value), member, domain.name
            )
