"""The parts of the state, as reads and writes of it name them."""

from __future__ import annotations

from enum import Enum, auto

import attrs

from rulebook import model as m
from rulebook.model.types import Member


class PartSort(Enum):
    """What a part of the state is."""

    FIELD = auto()
    PIECE = auto()
    AWARD = auto()
    ACTIVE = auto()
    TURN = auto()
    WINNER = auto()


@attrs.frozen(cache_hash=True)
class StatePart:
    """A part of the state: a field by its key, a piece or an award by its name, or one
    of which there is only one."""

    sort: PartSort
    name: str = ""

    @classmethod
    def field(cls, key: str) -> StatePart:
        """Return the part that a field is, by its key in the model."""
        return cls(PartSort.FIELD, key)

    @classmethod
    def piece(cls, name: str) -> StatePart:
        """Return the part that the pieces of a name are."""
        return cls(PartSort.PIECE, name)

    @classmethod
    def award(cls, name: str) -> StatePart:
        """Return the part that the holder of an award is."""
        return cls(PartSort.AWARD, name)


ACTIVE = StatePart(PartSort.ACTIVE)
TURN = StatePart(PartSort.TURN)
WINNER = StatePart(PartSort.WINNER)


def field_part(model: m.Model, field: str, owner: m.Expr | None) -> StatePart:
    """Return the part that a field of an owner is."""
    if field not in model.fields and owner is not None:
        assert isinstance(owner.type, Member)
        return StatePart.field(f"{owner.type.domain}.{field}")
    return StatePart.field(field)
