"""What a card is worth: linear programmes over income, exchanges and prices.

In the long run a seat that saves for one thing can pay it so many times a turn, by the
best use of exchanges. The shadow price of a kind is how much oftener that is for one
more card of it a turn: scipy solves the programme and its dual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs

from workbench.analysis.economy.probes.exchanges import Exchange
from workbench.extras import Extra, library

LEAST = 1e-9
"""What is less is nothing: the programme is solved with numbers that are rounded."""


@attrs.frozen
class Worth:
    """How many turns one purchase takes in the long run, None: for ever.

    `cards` are the shadow prices: the share of a purchase that one card more of each
    kind brings; of kinds that are left out it is nothing.
    """

    turns: float | None
    cards: Mapping[str, float]


def solver() -> Any:
    """What solves linear programmes; refused where scipy is not installed."""
    return library("scipy.optimize", Extra.DESK, "what cards are worth").linprog


def worth(
    cost: Mapping[str, int],
    income: Mapping[str, Fraction],
    exchanges: Sequence[Exchange],
) -> Worth:
    """How often a price can be paid out of an income, and what cards are worth then."""
    named = (*cost, *income, *(kind for it in exchanges for kind in (it.give, it.get)))
    kinds = list(dict.fromkeys(named))
    rows = [
        [
            float(cost.get(kind, 0)),
            *(
                it.gives * (it.give == kind) - it.gets * (it.get == kind)
                for it in exchanges
            ),
        ]
        for kind in kinds
    ]
    limits = [float(max(income.get(kind, Fraction()), Fraction())) for kind in kinds]
    goal = [-1.0, *(0.0 for _ in exchanges)]
    linprog = solver()
    solved = linprog(goal, A_ub=rows, b_ub=limits, method="highs")
    assert solved.success, solved.message
    often = -float(solved.fun)
    if often < LEAST:
        return Worth(None, {})
    columns = [[-row[n] for row in rows] for n in range(len(goal))]
    cards = {
        kind: _price(linprog, columns, limits, often, kinds.index(kind))
        for kind in kinds
    }
    return Worth(1 / often, {k: v for k, v in cards.items() if v > LEAST})


def _price(
    linprog: Any,
    columns: Sequence[Sequence[float]],
    limits: Sequence[float],
    often: float,
    number: int,
) -> float:
    """The shadow price of a kind: the least that any solution of the dual gives it.

    That is what one card more of this kind alone brings; where two kinds are equally
    scarce, that is nothing of either.
    """
    solved = linprog(
        [float(n == number) for n in range(len(limits))],
        A_ub=columns,
        b_ub=[-1.0, *(0.0 for _ in columns[1:])],
        A_eq=[limits],
        b_eq=[often],
        method="highs",
    )
    assert solved.success, solved.message
    return float(solved.fun)
