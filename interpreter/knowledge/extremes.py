"""Extremes of hidden information: all unseen cards are the same, all values equal.

Every sum over hidden information has its minimum and maximum in such an extreme.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from interpreter.knowledge.visibility import unseen_rows, without_hidden
from interpreter.plan.plan import Plan
from rulebook import model as m

Cells = list[Any]


def extreme_cells(
    plan: Plan,
    s: Cells,
    base: Cells,
    seat: int | None,
    read: Container[str] | None = None,
) -> Iterator[list[Cells]]:
    """For each domain of cards and each hidden field, yield the extremes as cells.

    They are modified copies of `base`; `s` determines the number of cards. `read` are
    the keys of the fields that matter: domains and fields without one are left out.
    """
    for domain, blocks in plan.hidden.cards.items():
        if read is not None and all(block.field.key not in read for block in blocks):
            continue
        hidden = unseen_rows(plan, s, blocks, seat)
        extremes = []
        for card in range(plan.facts.sizes[domain]):
            cells = base.copy()
            for block, row in hidden:
                if isinstance(block.field.type, m.Bag):
                    held = sum(s[row : row + block.size])
                    cells[row : row + block.size] = [0] * block.size
                    cells[row + card] = held
                elif isinstance(block.field.type, m.Member) and s[row] >= 0:
                    cells[row] = card
            extremes.append(cells)
        yield extremes
    for block in plan.hidden.values:
        if read is not None and block.field.key not in read:
            continue
        extremes = []
        for value in values(plan, block.field.type):
            cells = base.copy()
            for _, row in unseen_rows(plan, s, [block], seat):
                cells[row] = value
            extremes.append(cells)
        yield extremes


def values(plan: Plan, kind: m.Type) -> list[Any]:
    """Return the minimum and maximum of a number type, or all values of
    another type.
    """
    match kind:
        case m.Truth():
            return [False, True]
        case m.Whole(low=low, high=high):
            return [low, high]
        case m.SetOf(domain=str(domain)):
            return [(), tuple(range(plan.facts.sizes[domain]))]
        case _:
            low, size = plan.values.extent(kind)
            return list(range(low, low + size))


def known_points(plan: Plan, s: Cells, seat: int | None) -> list[tuple[int, int]]:
    """Return the minimum and maximum points of each player, as far as a viewer can
    know.
    """
    base = without_hidden(plan, s, seat)
    players = range(plan.players)
    points: list[int] = [plan.points(base, player) for player in players]
    bounds = [(number, number) for number in points]
    if plan.hidden.points:
        for extremes in extreme_cells(plan, s, base, seat, plan.hidden.points):
            for player in players:
                here = [plan.points(cells, player) for cells in extremes]
                more = [number - points[player] for number in here] or [0]
                low, high = bounds[player]
                bounds[player] = (low + min(more), high + max(more))
    return bounds
