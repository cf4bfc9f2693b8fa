"""Parts of the state, used as keys of reads and writes."""

from __future__ import annotations

from enum import Enum, auto

import attrs

from rulebook import model as m
from rulebook.signatures import (
    AwardPlace,
    FieldPlace,
    PiecePlace,
    Place,
    TurnState,
    VariablePlace,
)


class PartSort(Enum):
    """Sort of a part of the state."""

    FIELD = auto()
    PIECE = auto()
    AWARD = auto()
    ACTIVE = auto()
    TURN = auto()
    WINNER = auto()


@attrs.frozen(cache_hash=True)
class StatePart:
    """Part of the state, identified by its sort and the field, piece or award."""

    sort: PartSort
    name: str = ""

    @classmethod
    def field(cls, key: str) -> StatePart:
        """Return the part for a field, by the field's key in the model."""
        return cls(PartSort.FIELD, key)

    @classmethod
    def piece(cls, name: str) -> StatePart:
        """Return the part for all pieces of a kind."""
        return cls(PartSort.PIECE, name)

    @classmethod
    def award(cls, name: str) -> StatePart:
        """Return the part for the holder of an award."""
        return cls(PartSort.AWARD, name)


ACTIVE = StatePart(PartSort.ACTIVE)
TURN = StatePart(PartSort.TURN)
WINNER = StatePart(PartSort.WINNER)


TURN_PARTS = {
    TurnState.ACTIVE: ACTIVE,
    TurnState.ROUND: TURN,
    TurnState.DIRECTION: TURN,
    TurnState.WINNER: WINNER,
}
"""Parts for the turn states that expressions can read."""


def part_of(place: Place) -> StatePart | None:
    """Return the part of the state that contains a place.

    The result is None for a variable, and for state that no expression can read: the
    first player, the next player and missed turns.
    """
    match place:
        case FieldPlace(field=field):
            return StatePart.field(field)
        case PiecePlace(piece=piece):
            return StatePart.piece(piece)
        case AwardPlace(award=award):
            return StatePart.award(award)
        case VariablePlace(slot=slot):
            return ACTIVE if slot == m.YOU else None
        case TurnState():
            return TURN_PARTS.get(place)
