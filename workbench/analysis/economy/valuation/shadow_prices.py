"""Shadow prices of cards, from linear programs over income, exchanges and prices.

A seat that makes the best use of exchanges can afford a purchase a certain number of
times per turn in the long run. The shadow price of a kind is the increase in this
number for one more card of the kind per turn. Scipy solves the linear program and its
dual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs

from workbench.analysis.economy.probes.exchanges import Exchange
from workbench.extras import Extra, import_library

SOLVER_TOLERANCE = 1e-9
"""Threshold below which a result of the solver counts as 0."""


@attrs.frozen
class PurchaseValue:
    """Value of an income for a purchase.

    `turns` is the mean number of turns per purchase in the long run, or None if it is
    never affordable. `cards` contains the shadow prices: the share of a purchase that
    one more card of each kind pays for. Kinds without a value are omitted.
    """

    turns: float | None
    cards: Mapping[str, float]


def import_solver() -> Any:
    """Return scipy's linear solver; raise `RequestError` if not installed."""
    return import_library("scipy.optimize", Extra.DESK, "what cards are worth").linprog


def purchase_value(
    cost: Mapping[str, int],
    income: Mapping[str, Fraction],
    exchanges: Sequence[Exchange],
) -> PurchaseValue:
    """Return how often an income can pay a price, and the shadow prices of cards."""
    names = (
        *cost,
        *income,
        *(kind for offer in exchanges for kind in (offer.give, offer.get)),
    )
    kinds = list(dict.fromkeys(names))
    rows = [
        [
            float(cost.get(kind, 0)),
            *(
                offer.give_count * (offer.give == kind)
                - offer.get_count * (offer.get == kind)
                for offer in exchanges
            ),
        ]
        for kind in kinds
    ]
    limits = [float(max(income.get(kind, Fraction()), Fraction())) for kind in kinds]
    goal = [-1.0, *(0.0 for _ in exchanges)]
    linprog = import_solver()
    solved = linprog(goal, A_ub=rows, b_ub=limits, method="highs")
    assert solved.success, solved.message
    rate = -float(solved.fun)
    if rate < SOLVER_TOLERANCE:
        return PurchaseValue(None, {})
    columns = [[-row[n] for row in rows] for n in range(len(goal))]
    cards = {
        kind: _shadow_price(linprog, columns, limits, rate, kinds.index(kind))
        for kind in kinds
    }
    return PurchaseValue(
        1 / rate, {k: v for k, v in cards.items() if v > SOLVER_TOLERANCE}
    )


def _shadow_price(
    linprog: Any,
    columns: Sequence[Sequence[float]],
    limits: Sequence[float],
    purchase_rate: float,
    index: int,
) -> float:
    """Return the shadow price of kind *index*: the minimum over all dual solutions.

    It is the gain from one more card of this kind alone. If two kinds are equally
    scarce, it is 0 for both.
    """
    solved = linprog(
        [float(n == index) for n in range(len(limits))],
        A_ub=columns,
        b_ub=[-1.0, *(0.0 for _ in columns[1:])],
        A_eq=[limits],
        b_eq=[purchase_rate],
        method="highs",
    )
    assert solved.success, solved.message
    return float(solved.fun)
