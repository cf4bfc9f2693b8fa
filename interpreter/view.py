"""What a seat may know of a position: the only way a state leaves for that seat.

The shape is the position's. A hidden holder shows how many cards it has, a hidden value
nothing. During a simultaneous block everything but the viewer's own is as it was when
the block began.
"""

from __future__ import annotations

from typing import Any

import rulebook as rb
from interpreter.layout import Block
from interpreter.plan import Plan
from interpreter.position import Plain, write_cells, write_end, write_frame
from interpreter.state import State
from interpreter.steps import Decision

PLAYER = "player"


def owning_seat(plan: Plan, block: Block, index: int) -> int | None:
    """Return the seat to which a field of an owner belongs."""
    owner = block.field.owner
    if owner is None:
        return None
    if owner == PLAYER:
        return index
    domain = plan.model.domains[owner]
    return index // len(domain.members) if domain.each_player else None


def sees(plan: Plan, s: list[Any], block: Block, index: int, seat: int | None) -> bool:
    """Whether a seat (None: a spectator) sees what is in a field."""
    if block.field.seen_by == "all":
        return True
    if seat is None:
        return False
    if block.field.seen_by == "owner" and owning_seat(plan, block, index) == seat:
        return True
    return block.seen is not None and bool(s[block.seen + index] >> seat & 1)


def visible_cells(plan: Plan, g: State, seat: int | None) -> list[Any]:
    """Return the cells as they are for a seat while a simultaneous block goes on."""
    if g.split is None:
        return g.s
    s = list(g.split)
    for block in plan.layout.fields.values():
        for index in range(block.count):
            if seat is not None and owning_seat(plan, block, index) == seat:
                row, end = block.row(index), block.row(index) + block.stride
                s[row:end] = g.s[row:end]
    return s


def view(plan: Plan, g: State, seat: int | None) -> Plain:
    """Return what a seat may know."""
    s = visible_cells(plan, g, seat)
    found = write_cells(plan, s)
    found.pop("seen", None)
    for block in plan.layout.fields.values():
        if block.field.seen_by != "all":
            hide_field(plan, s, block, seat, found)
    found["pending"] = pending(plan, g, seat)
    found["end"] = write_end(plan, s)
    seen = without_hidden(plan, s, seat)
    found["points"] = {
        name: plan.points(seen, number)
        for number, name in enumerate(plan.values.names[PLAYER])
    }
    return found


def without_hidden(plan: Plan, s: list[Any], seat: int | None) -> list[Any]:
    """Return the cells with every hidden field empty: what a viewer counts with."""
    known = list(s)
    for block in plan.layout.fields.values():
        if block.field.seen_by != "all":
            for index in range(block.count):
                if not sees(plan, s, block, index, seat):
                    row, end = block.row(index), block.row(index) + block.size
                    known[row:end] = plan.layout.empty[row:end]
    return known


def hide_field(
    plan: Plan, s: list[Any], block: Block, seat: int | None, found: Plain
) -> None:
    """Take out of a view what a seat does not see of a field."""
    field = block.field
    for index in range(block.count):
        if sees(plan, s, block, index, seat):
            continue
        if field.owner is None:
            home = found["game"]
        else:
            name = plan.values.names[field.owner][index]
            home = found["board" if field.dealt else field.owner][name]
        home[field.name] = covered(plan, s, block, index, seat)


def covered(
    plan: Plan, s: list[Any], block: Block, index: int, seat: int | None
) -> Any:
    """Return what anybody can know of a hidden holder or value."""
    row = block.row(index)
    match block.field.type:
        case rb.Bag():
            return {"count": sum(s[row : row + block.size])}
        case rb.Stack(domain=domain):
            entries, _ = s[row]
            names = plan.values.names[domain]
            known = [
                names[card] if seat is not None and mask >> seat & 1 else None
                for card, mask in entries
            ]
            hidden: Plain = {"count": len(entries)}
            if any(card is not None for card in known):
                hidden["known"] = known
            return hidden
        case _:
            return None


def pending(plan: Plan, g: State, seat: int | None) -> list[Plain]:
    """Return the control stack, without the values that others hold for themselves."""
    found = []
    secret = False
    for frame in g.frames:
        if secret:
            break
        described = write_frame(plan, frame)
        mine = seat is not None and frame[2] == seat
        unit = plan.units[frame[0]]
        split = any(frame[split.began] for split in unit.splits)
        acting = acting_seat(g)
        if split and acting != seat:
            secret = True
            described["at"] = "the answers"
        if not mine:
            described["values"] = {}
        found.append(described)
    return found


def acting_seat(g: State) -> int | None:
    """Return the seat that must decide."""
    if isinstance(g.waiting, Decision):
        return g.waiting.seat(g)
    return None
