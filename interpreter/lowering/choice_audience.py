"""Lowering of the audience of a choice: the seats that learn it, as bits."""

from __future__ import annotations

from interpreter.core.facts import PLAYER, Facts
from interpreter.kernel import operations as k
from rulebook import model as m
from rulebook.secrecy import decided_notes, notes_written, slot_moves

Code = m.Procedure | m.Action
NOBODY = k.Int(0)


def holder_audience(facts: Facts, holder: m.Expr | None) -> k.Value:
    """Return the seats that see the contents of a holder, as bits.

    A holder whose owner is not known yet is assumed to belong to another seat.
    """
    if not m.is_field(holder):
        return k.Int(facts.all_seats)
    field = facts.block(holder).field
    if field.seen_by is m.Audience.ALL:
        return k.Int(facts.all_seats)
    if field.seen_by is m.Audience.OWNER and field.each_player:
        return owner_seat(holder.owner)
    return NOBODY


def hidden_value_audience(facts: Facts, place: m.FieldPlace) -> k.Value:
    """Return the seats that see the hidden field at *place*, as bits."""
    owner = place.owner
    if facts.model.fields[place.field].seen_by is not m.Audience.OWNER:
        return NOBODY
    if owner is None or not is_player(owner.type):
        return NOBODY
    return owner_seat(owner)


def is_player(kind: m.Type) -> bool:
    """Return whether the values of a type are seats."""
    return isinstance(kind, m.Member) and kind.domain == PLAYER


def owner_seat(owner: m.Expr | None) -> k.Value:
    """Return an owner as bits, or no seats if an action's frame does not contain it."""
    if m.is_variable(owner):
        return k.SeatBit(k.Var(owner.slot))
    seat = m.constant_value(owner)
    return k.Int(1 << seat) if isinstance(seat, int) else NOBODY


def audience(facts: Facts, code: Code, slots: tuple[int, ...]) -> k.Value | None:
    """Return the seats, as bits, that learn the choices in *slots*; None for all."""
    known: list[list[k.Value]] = []
    for slot in slots:
        moves = list(slot_moves(code, slot))
        sides = [side for move in moves for side in (move.source, move.destination)]
        seers = [holder_audience(facts, side) for side in sides]
        written = [] if moves else decided_notes(facts.model, code, slot)
        known.append(seers or [hidden_value_audience(facts, note) for note in written])
    if isinstance(code, m.Action) and not any(known):
        written = notes_written(facts.model, code)
        known.append([hidden_value_audience(facts, note) for note in written])
    everyone = k.Int(facts.all_seats)
    secret = [seers for seers in known if seers and everyone not in seers]
    result: k.Value | None = None
    for seers in secret:
        seats = seers[0]
        for seer in seers[1:]:
            seats = k.Binary("|", seats, seer)
        result = seats if result is None else k.Binary("&", result, seats)
    return result
