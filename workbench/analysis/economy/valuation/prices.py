"""What things cost: each action that pays, and where a card says it, each card."""

from collections.abc import Iterator, Mapping

import attrs

from rulebook import model as m
from workbench.analysis.economy.probes.payments import Payments


@attrs.frozen
class Price:
    """The price of an action; of one `card`, a member of `kind`, if it hangs on one."""

    action: str
    cost: Mapping[str, int]
    card: str | None = None
    kind: str | None = None

    @property
    def name(self) -> str:
        """The action as it is written, with what its price hangs on."""
        return self.action if self.card is None else f"{self.action}({self.card})"


def prices(model: m.Model, purse: Payments) -> tuple[Price, ...]:
    """The prices of a game in the order of its actions, but of what costs nothing."""
    return tuple(
        price
        for action in model.actions.values()
        for needs in action.requirements
        if needs.sort is m.RequirementSort.PAYS
        for price in _of(model, purse, action, needs)
        if price.cost
    )


def unsaid(model: m.Model, purse: Payments) -> tuple[str, ...]:
    """The actions whose price is reckoned in play: nobody can say it before."""
    return tuple(
        action.name
        for action in model.actions.values()
        for needs in action.requirements
        if needs.sort is m.RequirementSort.PAYS
        and needs.bag is not None
        and not any(True for _ in _of(model, purse, action, needs))
    )


def _of(
    model: m.Model, purse: Payments, action: m.Action, needs: m.Requirement
) -> Iterator[Price]:
    """The prices for which one requirement stands."""
    match needs.bag:
        case m.Const(value=value):
            yield Price(action.name, purse.named(value))
        case m.ColumnValue(domain=kind, column=column, of=m.Local()):
            domain = model.domains[kind]
            values = domain.columns[column].values
            for member, value in zip(domain.members, values, strict=True):
                yield Price(action.name, purse.named(value), member, kind)
