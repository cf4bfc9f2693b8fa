"""Extremes of hidden information: all unseen cards, or all values, are the same.

Every sum over hidden information has its minimum and maximum in such an extreme.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from typing import Any

from interpreter.core.layout import Block
from interpreter.explain.point_sources import line_value
from interpreter.knowledge.visibility import unseen_rows, without_hidden
from interpreter.plan.plan import Plan
from rulebook import model as m

Cells = list[Any]


def extreme_cells(
    plan: Plan,
    s: Cells,
    base: Cells,
    seat: int | None,
    read_fields: Container[str] | None = None,
) -> Iterator[list[Cells]]:
    """For each domain of cards and each hidden field, yield the extremes as cells.

    They are modified copies of `base`; `s` determines the number of cards.
    `read_fields` are the keys of the fields that matter. All other fields stay
    unchanged, and domains without a hidden card in these fields are omitted. Without
    `read_fields`, stacks stay unchanged.
    """
    for domain, blocks in plan.hidden.cards.items():
        hidden = unseen_rows(plan, s, relevant_blocks(blocks, read_fields), seat)
        if read_fields is not None and not any(
            has_cards(s, *place) for place in hidden
        ):
            continue
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
                elif isinstance(block.field.type, m.Stack) and read_fields is not None:
                    entries, pool = s[row]
                    cells[row] = ((card, 0),) * len(entries), (0,) * len(pool)
            extremes.append(cells)
        yield extremes
    for block in relevant_blocks(plan.hidden.values, read_fields):
        extremes = []
        for value in extreme_values(plan, block.field.type):
            cells = base.copy()
            for _, row in unseen_rows(plan, s, [block], seat):
                cells[row] = value
            extremes.append(cells)
        yield extremes


def relevant_blocks(
    blocks: Sequence[Block], read_fields: Container[str] | None
) -> list[Block]:
    """Return the blocks of the fields in `read_fields`, or all blocks if it is None."""
    return [
        block
        for block in blocks
        if read_fields is None or block.field.key in read_fields
    ]


def has_cards(s: Cells, block: Block, row: int) -> bool:
    """Return whether a holder contains any card."""
    match block.field.type:
        case m.Bag():
            return any(s[row : row + block.size])
        case m.Stack():
            return bool(s[row][0])
        case _:
            return bool(s[row] >= 0)


def extreme_values(plan: Plan, kind: m.Type) -> list[Any]:
    """Return the extreme values of a number or set type, or all values of others."""
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
    """Return the minimum and maximum points of each player that a seat can infer."""
    return known_bounds(plan, s, seat, plan.points)


def known_point_sources(
    plan: Plan, s: Cells, seat: int | None
) -> dict[str, list[tuple[int, int]]]:
    """Return `known_points` separately for each line of `points`, by its label."""
    return {
        line.label: known_bounds(plan, s, seat, partial(line_value, plan, line))
        for line in plan.model.points.lines
    }


def known_bounds(
    plan: Plan, s: Cells, seat: int | None, points: Callable[[Cells, int], int]
) -> list[tuple[int, int]]:
    """Return the minimum and maximum of a number that a seat can infer, by player.

    `points` returns the number for cells and a player: all points, or some of them.
    """
    base = without_hidden(plan, s, seat)
    players = range(plan.players)
    known = [points(base, player) for player in players]
    bounds = [(number, number) for number in known]
    if plan.hidden.points:
        for extremes in extreme_cells(plan, s, base, seat, plan.hidden.points):
            for player in players:
                differences = [
                    points(cells, player) - known[player] for cells in extremes
                ] or [0]
                low, high = bounds[player]
                bounds[player] = (low + min(differences), high + max(differences))
    return bounds
