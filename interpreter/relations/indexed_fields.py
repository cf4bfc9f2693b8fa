"""Fields with a value for each player, each member of a domain, or both together."""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.core.facts import PLAYER, Facts
from interpreter.core.layout import Block
from rulebook import model as m

Cells = list[Any]
Shape = tuple[bool, str | None]
"""Shape of a field: whether each player has a value, and a domain or None.

If there is a domain, each of its members has a value.
"""

PLAYER_SLOT, MEMBER_SLOT, COUNTED_SLOT = 1, 2, 3
"""Slots of the variables in the statements of relations."""


def variable(slot: int, kind: str) -> m.Expr:
    """Return the variable of a slot."""
    return m.variable(slot, kind, m.Member(kind))


THE_PLAYER = variable(PLAYER_SLOT, PLAYER)


@attrs.frozen
class IndexedField:
    """Field with its shape, the number of players, and the number of members."""

    block: Block
    shape: Shape
    players: int
    size: int

    @property
    def key(self) -> str:
        """Key of the field in the model."""
        return self.block.field.key

    @property
    def type(self) -> m.Type:
        """Type of the values."""
        return self.block.field.type

    def values(self, s: Cells) -> list[Any]:
        """Return all values in a position, ordered by player, then by member."""
        return s[self.block.base : self.block.base + self.block.count]

    def value_expression(self, player: m.Expr, member: m.Expr) -> m.Expr:
        """Return the expression for the value of a player and a member."""
        field, (each_player, kind) = self.block.field, self.shape
        owner: m.Expr | None = None
        if field.is_pair:
            assert field.owner is not None
            pair, whose = m.Member(field.owner), player if each_player else None
            owner = m.SpaceAt(field.owner, whose, (member,), type=pair)
        elif each_player:
            owner = player
        elif kind is not None:
            owner = member
        return m.field_value(self.key, owner, field.type)


def indexed_field(facts: Facts, block: Block) -> IndexedField | None:
    """Return a field with its shape, or None if its shape is not supported."""
    shape = shape_of(facts.model, block)
    if shape is None or block.size != 1:
        return None
    each_player, kind = shape
    players = facts.players if each_player else 1
    size = 1 if kind is None else facts.sizes[kind]
    return (
        IndexedField(block, shape, players, size)
        if block.count == players * size
        else None
    )


def shape_of(model: m.Model, block: Block) -> Shape | None:
    """Return the shape of a field, or None if it is not supported."""
    field = block.field
    if field.owner is None:
        return False, None
    if not field.is_pair:
        return (True, None) if field.each_player else (False, field.owner)
    axes = model.domains[field.owner].axes
    match [axis.type for axis in axes]:
        case [m.Member(domain=kind)] if field.home in {None, PLAYER}:
            return field.home is not None, kind
        case _:
            return None
