"""Audience of a choice or draw: the seats that learn which card it was.

Seats that see the source or the destination of a card know the card. A card that leaves
the game or comes from outside is shown to all. An argument that only decides hidden
values is known to the seats that see them (`interpreter.secrecy.notes`). All other
choices are public.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.core.facts import PLAYER, Facts
from interpreter.core.slots import FIRST_LOCAL
from interpreter.secrecy.notes import notes_decided, notes_written
from rulebook import model as m
from rulebook import tooling

Code = m.Procedure | m.Action


def all_seats_mask(facts: Facts) -> int:
    """Return all seats as bits."""
    return (1 << facts.players) - 1


def secret_moves(code: Code, slot: int) -> Iterator[m.MoveCards]:
    """Yield the moves whose card is in a slot and is not seen by all."""
    for node in tooling.walk(*code.body):
        match node:
            case m.MoveCards(
                bag=m.SingleBag(member=m.Local(slot=read)) | m.Local(slot=read)
            ) if read == slot:
                yield node
            case _:
                pass


def is_chosen_openly(model: m.Model, code: Code, slot: int) -> bool:
    """Return whether everybody learns the choice stored in a slot."""
    moves = list(secret_moves(code, slot))
    if not moves:
        return not notes(model, code, slot)
    sides = [side for move in moves for side in (move.source, move.destination)]
    return any(
        not isinstance(side, m.FieldValue)
        or model.fields[side.field].seen_by is m.Audience.ALL
        for side in sides
    )


def notes(model: m.Model, code: Code, slot: int) -> list[m.FieldValue]:
    """Return the hidden values that an argument decides, or an empty list if it decides
    more.
    """
    if not isinstance(code, m.Action):
        return []
    if slot not in {parameter.slot for parameter in code.parameters}:
        return []
    return notes_decided(model, code, slot)


def holder_audience(facts: Facts, holder: m.Expr | None) -> str:
    """Return code for the seats that see the contents of a holder.

    If the owner is not known yet, another seat is assumed to be the owner.
    """
    if not isinstance(holder, m.FieldValue):
        return str(all_seats_mask(facts))
    field = facts.block(holder).field
    if field.seen_by is m.Audience.ALL:
        return str(all_seats_mask(facts))
    owner = holder.owner
    if field.seen_by is m.Audience.OWNER and field.each_player:
        if isinstance(owner, m.Local):
            return f"seat_bit(f[{owner.slot + FIRST_LOCAL}])"
        if isinstance(owner, m.Const):
            return str(1 << owner.value)
    return "0"


def note_audience(facts: Facts, note: m.FieldValue) -> str:
    """Return code for the seats that see a hidden value."""
    if facts.model.fields[note.field].seen_by is m.Audience.OWNER:
        match note.owner:
            case m.Local(slot=slot, type=m.Member(domain=domain)) if domain == PLAYER:
                return f"seat_bit(f[{slot + FIRST_LOCAL}])"
            case m.Const(value=int(seat), type=m.Member(domain=domain)) if (
                domain == PLAYER
            ):
                return str(1 << seat)
            case _:
                pass
    return "0"


def audience_text(facts: Facts, code: Code, slots: tuple[int, ...]) -> str | None:
    """Return code for the seats that learn the choices in some slots; None
    means all.
    """
    known: list[list[str]] = []
    for slot in slots:
        moves = list(secret_moves(code, slot))
        sides = [side for move in moves for side in (move.source, move.destination)]
        seers = [holder_audience(facts, side) for side in sides]
        written = [] if moves else notes(facts.model, code, slot)
        known.append(seers or [note_audience(facts, note) for note in written])
    if isinstance(code, m.Action) and not any(known):
        written = notes_written(facts.model, code)
        known.append([note_audience(facts, note) for note in written])
    secret = [
        seers for seers in known if seers and str(all_seats_mask(facts)) not in seers
    ]
    texts = [f"({' | '.join(seers)})" for seers in secret]
    return " & ".join(texts) or None


def seat_bit(seat: Any) -> int:
    """Return a seat as a bit, or 0 for nobody."""
    return 0 if seat is None or seat < 0 else 1 << seat


__all__ = ["all_seats_mask", "audience_text", "is_chosen_openly", "seat_bit"]
