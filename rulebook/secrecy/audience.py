"""Audience of a choice or draw: the seats that learn its outcome.

Seats that see the source or the destination of a card know the card. A card that leaves
the game or comes from outside is shown to all. An argument or a choice that only
decides hidden values is known to the seats that see these values
(`rulebook.secrecy.notes`). All other choices are public.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import model as m
from rulebook.secrecy.notes import notes_decided_by_argument, notes_decided_by_choice
from rulebook.signatures import CardTransfer, FieldPlace, effects_within

Code = m.Procedure | m.Action


def slot_moves(code: Code, slot: int) -> Iterator[CardTransfer]:
    """Yield the moves of the cards stored in the variable with this slot."""
    for effects in effects_within(*code.body):
        cards = effects.cards
        if cards is None or cards.bag is None:
            continue
        if m.is_variable(cards.bag, slot) or m.is_variable(cards.card, slot):
            yield cards


def is_public_choice(model: m.Model, code: Code, slot: int) -> bool:
    """Return whether all seats learn the choice stored in this variable slot."""
    moves = list(slot_moves(code, slot))
    if not moves:
        return not decided_notes(model, code, slot)
    sides = [side for move in moves for side in move.holders]
    return any(
        not m.is_field(side) or model.fields[side.field].seen_by is m.Audience.ALL
        for side in sides
    )


def decided_notes(model: m.Model, code: Code, slot: int) -> list[FieldPlace]:
    """Return the hidden values that a choice decides, or [] if any value is visible."""
    if slot not in {parameter.slot for parameter in code.parameters}:
        return notes_decided_by_choice(model, code, slot)
    return (
        notes_decided_by_argument(model, code, slot)
        if isinstance(code, m.Action)
        else []
    )
