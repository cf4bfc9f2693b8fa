"""Visible numbers of a game by name, computed from the state of the interpreter."""

from __future__ import annotations

from typing import Any

from interpreter.c_engine import HIDDEN
from interpreter.core.layout import (
    ACTIVE,
    BACKWARDS,
    MISSES_TURN,
    NEXT,
    ROUND,
    STARTER,
    TURN,
    Block,
)
from interpreter.knowledge.views import visible_cells
from interpreter.knowledge.visibility import sees
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from rulebook import model as m


def seen(plan: Plan, g: State, seat: int) -> dict[str, int]:
    """Return the numbers that a seat sees; hidden ones are `HIDDEN`."""
    s, names = visible_cells(plan, g, seat), plan.values.names
    known = {"seat": seat, "asks": g.frames[-1][0]}
    known |= {"turn": s[TURN], "round": s[ROUND]}
    known |= {"active": s[ACTIVE], "starter": s[STARTER]}
    if plan.changes_turn_order:
        known |= {"order.next": s[NEXT], "order.backwards": int(s[BACKWARDS])}
        known["order.misses"] = s[MISSES_TURN]
    for block in plan.layout.fields.values():
        for index in range(0 if block.field.endless else block.count):
            owner = block.field.owner
            home = "game" if owner is None else names[owner][index]
            shown = sees(plan, s, block, index, seat)
            name, kind = f"{home}.{block.field.name}", block.field.type
            if isinstance(kind, m.Stack):
                entries, _ = s[block.row(index)]
                known |= of_stack(plan, entries, kind.domain, name, seat)
            else:
                known |= of_field(plan, s, block, index, name, shown=shown)
    known |= of_pieces(plan, s)
    for award, cell in plan.layout.awards.items():
        known[f"award.{award}"] = s[cell]
    points = plan.source.names["visible_points"]
    for number, player in enumerate(names["player"]):
        known[f"points.{player}"] = points(s, number)
    return known


def of_field(
    plan: Plan, s: list[Any], block: Block, index: int, name: str, *, shown: bool
) -> dict[str, int]:
    row = block.row(index)
    match block.field.type:
        case m.Bag(domain=domain):
            counts = s[row : row + block.size]
            known = {f"{name}.count": sum(counts)}
            for card, count in zip(plan.values.names[domain], counts, strict=True):
                known[f"{name}.{card}"] = count if shown else HIDDEN
            return known
        case kind:
            known = {name: int(s[row]) if shown else HIDDEN}
            hidden = block.field.seen_by is not m.Audience.ALL
            if hidden and m.is_card(plan.model.domains, kind):
                known[f"{name}.count"] = int(s[row] >= 0)
            return known


def of_stack(
    plan: Plan, entries: tuple[tuple[int, int], ...], domain: str, name: str, seat: int
) -> dict[str, int]:
    mine = [card if who >> seat & 1 else None for card, who in entries]
    known = {f"{name}.count": len(mine), f"{name}.top": -1}
    if mine:
        known[f"{name}.top"] = HIDDEN if mine[0] is None else mine[0]
    for number, card in enumerate(plan.values.names[domain]):
        known[f"{name}.known.{card}"] = mine.count(number)
    return known


def of_pieces(plan: Plan, s: list[Any]) -> dict[str, int]:
    known, names = {}, plan.values.names
    for piece, cells in plan.layout.pieces.items():
        for domain, base in cells.bases.items():
            for number, space in enumerate(names[domain]):
                if cells.owners <= 1:
                    known[f"{piece}.{space}"] = s[base + number]
                    continue
                for owner in range(cells.owners):
                    place = base + number * cells.owners + owner
                    known[f"{piece}.{space}.{names['player'][owner]}"] = s[place]
    return known
