"""Views of a position: the only form in which a seat may see a state.

A view has the form of a position. It shows the number of cards in a hidden holder, but
not which cards, and no hidden value. During a simultaneous block, everything except the
viewer's own fields is shown as at the start of the block. Points from hidden sources
are a minimum; `at_least` names the seats that may have more.
"""

from __future__ import annotations

from typing import Any

from interpreter.core.facts import PLAYER
from interpreter.core.layout import Block
from interpreter.core.stacks import UNKNOWN, with_change
from interpreter.documents import pairs
from interpreter.documents.control_stack import slot_name, write_frame
from interpreter.documents.plain_data import Plain
from interpreter.documents.positions import owner_part, write_cells, write_end
from interpreter.knowledge.extremes import known_points
from interpreter.knowledge.visibility import is_place_visible, own_rows, sees
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import Decision
from rulebook import model as m


def visible_cells(plan: Plan, g: State, seat: int | None) -> list[Any]:
    """Return the cells as a seat sees them during a simultaneous block."""
    if g.split is None:
        return g.s
    s = list(g.split)
    for row in own_rows(plan, seat):
        s[row] = g.s[row]
    return s


def with_known_places(plan: Plan, s: list[Any], seat: int | None) -> list[Any]:
    """Return the cells without the places of public stacks that only others know."""
    known = list(s)
    for block in plan.layout.fields.values():
        if block.field.seen_by is m.Audience.ALL and isinstance(
            block.field.type, m.Stack
        ):
            for index in range(block.count):
                entries, pool = s[block.row(index)]
                for place, (card, _) in enumerate(entries):
                    if card >= 0 and not is_place_visible(
                        plan, s, block, index, place, seat
                    ):
                        entries = (*entries[:place], UNKNOWN, *entries[place + 1 :])
                        pool = with_change(pool, card, 1)
                known[block.row(index)] = (entries, pool)
    return known


def view(plan: Plan, g: State, seat: int | None) -> Plain:
    """Return the view of a seat; None is a spectator."""
    s = with_known_places(plan, visible_cells(plan, g, seat), seat)
    visible = write_cells(plan, s)
    visible.pop("seen", None)
    for block in plan.layout.fields.values():
        if block.field.seen_by is not m.Audience.ALL:
            hide_field(plan, s, block, seat, visible)
    visible["pending"] = visible_frames(plan, g, seat)
    visible["end"] = write_end(plan, s)
    names = plan.values.names[PLAYER]
    known = known_points(plan, s, seat)
    visible["points"] = {name: low for name, (low, _) in zip(names, known, strict=True)}
    uncertain = [
        name for name, (low, high) in zip(names, known, strict=True) if low < high
    ]
    if uncertain:
        visible["at_least"] = uncertain
    return visible


def hide_field(
    plan: Plan, s: list[Any], block: Block, seat: int | None, visible: Plain
) -> None:
    """Replace the values that a seat does not see in a view by their public part."""
    field = block.field
    if field.is_pair:
        for entry in pairs.entries(plan, block):
            if not sees(plan, s, block, entry.index, seat):
                home = owner_part(visible, field, entry.owner)
                pairs.insert(home, field.name, entry.names, None)
        return
    for index in range(block.count):
        if sees(plan, s, block, index, seat):
            continue
        if field.owner is None:
            home = visible["game"]
        else:
            name = plan.values.names[field.owner][index]
            home = visible["board" if field.dealt else field.owner][name]
        home[field.name] = public_part(plan, s, block, index, seat)


def public_part(
    plan: Plan, s: list[Any], block: Block, index: int, seat: int | None
) -> Any:
    """Return the public part of a hidden holder or value."""
    row = block.row(index)
    match block.field.type:
        case m.Bag():
            return {"count": sum(s[row : row + block.size])}
        case m.Stack(domain=domain):
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
        case m.Member() as card if m.is_card(plan.model.domains, card):
            return {"count": int(s[row] >= 0)}
        case _:
            return None


def visible_frames(plan: Plan, g: State, seat: int | None) -> list[Plain]:
    """Return the control stack as plain data, without the values hidden from a seat."""
    frames = []
    secret = False
    for frame in g.frames:
        if secret:
            break
        described = write_frame(plan, frame)
        is_own = seat is not None and frame[2] == seat
        unit = plan.units[frame[0]]
        if not is_own:
            described["values"] = {}
        for slot in unit.hidden_slots:
            described["values"].pop(slot_name(unit, slot), None)
        for split in unit.simultaneous_blocks:
            if frame[split.started] and acting_seat(g) != seat:
                secret = True
                described["at"] = "the answers"
                for place in split.part:
                    described["values"].pop(slot_name(unit, place - 2), None)
        frames.append(described)
    return frames


def acting_seat(g: State) -> int | None:
    """Return the number of the seat that must decide, or None if no decision is due."""
    if isinstance(g.waiting, Decision):
        return g.waiting.seat(g)
    return None
