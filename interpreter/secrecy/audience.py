"""Who comes to know which card was chosen or drawn.

Who sees where a card comes from or where it goes knows it; what leaves the game or
comes from outside is shown to all. A choice that moves no card is made in the open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.core.facts import Facts
from interpreter.core.slots import FIRST_LOCAL
from rulebook import model as m
from rulebook import tooling

Code = m.Procedure | m.Action


def everybody(facts: Facts) -> int:
    """Return all seats as bits."""
    return (1 << facts.players) - 1


def secret_moves(code: Code, slot: int) -> Iterator[m.MoveCards]:
    """Yield the moves in a unit whose card is in a slot."""
    for node in tooling.walk(*code.body):
        match node:
            case m.MoveCards(
                bag=m.SingleBag(member=m.Local(slot=read)) | m.Local(slot=read)
            ) if read == slot:
                yield node
            case _:
                pass


def chosen_openly(model: m.Model, code: Code, slot: int) -> bool:
    """Whether everybody learns what is chosen for a slot."""
    moves = list(secret_moves(code, slot))
    sides = [side for move in moves for side in (move.source, move.destination)]
    return not moves or any(
        not isinstance(side, m.FieldValue)
        or model.fields[side.field].seen_by is m.Audience.ALL
        for side in sides
    )


def holder_audience(facts: Facts, holder: m.Expr | None) -> str:
    """Return the seats that see what lies in a holder, as a text over `f`.

    Its owner may not be known yet; then it is taken to be somebody else.
    """
    if not isinstance(holder, m.FieldValue):
        return str(everybody(facts))
    field = facts.block(holder).field
    if field.seen_by is m.Audience.ALL:
        return str(everybody(facts))
    owner = holder.owner
    if field.seen_by is m.Audience.OWNER and field.each_player:
        if isinstance(owner, m.Local):
            return f"seat_bit(f[{owner.slot + FIRST_LOCAL}])"
        if isinstance(owner, m.Const):
            return str(1 << owner.value)
    return "0"


def audience_text(facts: Facts, code: Code, slots: tuple[int, ...]) -> str | None:
    """Return who learns what is chosen for some slots, over `f`; None: everybody."""
    texts = []
    for slot in slots:
        moves = list(secret_moves(code, slot))
        sides = [
            holder_audience(facts, side)
            for move in moves
            for side in (move.source, move.destination)
        ]
        if moves and str(everybody(facts)) not in sides:
            texts.append(f"({' | '.join(sides)})")
    return " & ".join(texts) or None


def seat_bit(seat: Any) -> int:
    """Return a seat as a bit; of nobody 0."""
    return 0 if seat is None or seat < 0 else 1 << seat


__all__ = ["audience_text", "chosen_openly", "everybody", "seat_bit"]
