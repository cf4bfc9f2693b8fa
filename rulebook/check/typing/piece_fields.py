"""Fields of pieces, such as `each troop has`: values that travel with a piece.

For a piece with owners, the field is stored for each owner and space, so that the owner
sees it like any other field. For a piece without an owner, it is stored for each space.
Every statement that places, removes or moves the piece updates its fields: values move
with the piece, and the fields of the space that it left get their start values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.parameterized_fields import parameterized_value
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.pieces import check_space, piece_and_owner
from rulebook.model.value_types import Member, Truth, Type, Whole
from rulebook.signatures import PieceTransfer
from rulebook.source.spans import Span

# ---------------------------------------------------------------- declaration


def field_of_space(
    world: SymbolTable, piece: m.Piece, node: s.FieldLine
) -> tuple[str, s.FieldLine]:
    """Return the owner and declaration of the field that stores a piece's field."""
    _check_piece(piece, node)
    if node.parameters:
        raise mistake(
            "RB110",
            node.span,
            f"a field of a {piece.name} has one value for each piece",
            "remove the brackets",
        )
    name = attrs.evolve(node.name, text=f"{piece.name}_{node.name.text}")
    (space,) = piece.stands_on
    if piece.owner is None:
        return space, attrs.evolve(node, name=name)
    kind = s.Name(space, span=node.name.span)
    parameter = s.ParameterPhrase(kind, kind, span=node.name.span)
    return piece.owner, attrs.evolve(node, name=name, parameters=(parameter,))


def _check_piece(piece: m.Piece, node: s.FieldLine) -> None:
    """Raise `Mistake` for a piece whose fields would be ambiguous."""
    where = ((piece.span, "declared here"),)
    if piece.moves:
        whose = f"for each {piece.owner}" if piece.owner else "for the game"
        raise mistake(
            "RB131",
            node.name.span,
            f"there is only one {piece.name}, so its fields need no space",
            f"declare the field {whose}",
            where,
        )
    if node.seen_by == m.Audience.OWNER and not piece.each_player:
        owner = f"belongs to a {piece.owner}, not to a player"
        whose = owner if piece.owner else "has no owner"
        raise mistake("RB146", node.span, f"a {piece.name} {whose}", None, where)
    if piece.room is not None:
        raise mistake(
            "RB131",
            node.name.span,
            f"several {piece.plural} can stand on a space, so their fields cannot be "
            "told apart",
            "remove the number of pieces on a space from the declaration of the piece",
            where,
        )
    if len(piece.stands_on) != 1:
        raise mistake(
            "RB131",
            node.name.span,
            f"the fields of a {piece.name} need one kind of space that it stands on",
            "name one kind of space after `stands on`",
            where,
        )


def check_piece_field_type(world: SymbolTable, node: s.FieldLine, type_: Type) -> None:
    """Raise `Mistake` if a piece cannot carry values of this type."""
    kind = world.domains[type_.domain] if isinstance(type_, Member) else None
    cards = kind is not None and kind.sort is m.DomainSort.CARDS
    if cards or not isinstance(type_, Truth | Whole | Member):
        raise mistake(
            "RB110",
            node.span,
            f"a piece can carry only numbers, yes/no or members, not `{type_}`",
            "declare a kind whose members are the values",
        )


# ---------------------------------------------------------------- reading


def _piece_field(unit: Unit, node: s.PieceFieldValue, expected: Type | None) -> m.Expr:
    piece, owner = piece_and_owner(unit, node.piece, allow_unowned=True)
    space = check_space(unit, node.space, piece)
    keys = {unit.world.fields[key].written_name: key for key in piece.fields}
    if node.name.text not in keys:
        raise unknown_name_error(f"field of a {piece.name}", node.name, keys)
    key = keys[node.name.text]
    return field_on(unit.world, piece, key, owner, space, node.span)


def field_on(
    world: SymbolTable,
    piece: m.Piece,
    key: str,
    owner: m.Expr | None,
    space: m.Expr,
    span: Span,
) -> m.Expr:
    """Return a field of the piece on a space; *owner* defaults to the piece's owner."""
    field = world.fields[key]
    if piece.owner is None:
        return m.field_value(key, space, field.type, span)
    return parameterized_value(
        world, field, owner or owner_on(piece, space, span), (space,), span
    )


def owner_on(piece: m.Piece, space: m.Expr, span: Span) -> m.Expr:
    """Return the owner of the piece on a space, or none."""
    assert piece.owner is not None
    return m.PieceOwner(
        piece.name, space, type=Member(piece.owner, optional=True), span=span
    )


def if_present(unit: Unit, node: s.PieceFieldValue, change: m.Stmt) -> m.Stmt:
    """Return a statement that changes a field only if the piece is on the space."""
    piece, owner = piece_and_owner(unit, node.piece, allow_unowned=True)
    space = check_space(unit, node.space, piece)
    stands = m.PieceOn(piece.name, owner, space, type=Truth(), span=node.span)
    return m.IfElse(condition=stands, body=(change,))  # no span, so coverage ignores it


# ---------------------------------------------------------------- carrying


@attrs.frozen
class FieldCarrier:
    """Builder of the statements that move or reset the fields of a piece."""

    world: SymbolTable
    piece: m.Piece
    span: Span

    def value(self, key: str, owner: m.Expr | None, space: m.Expr) -> m.Expr:
        """Return a field of the piece on a space."""
        return field_on(self.world, self.piece, key, owner, space, self.span)

    def assign(self, place: m.Expr, value: m.Expr) -> m.Stmt:
        """Return the assignment of a value to a field of the piece."""
        assert m.is_field(place)
        return m.SetField(
            field=place.field, owner=place.owner, value=value, span=self.span
        )

    def resets(self, owner: m.Expr | None, space: m.Expr) -> Iterator[m.Stmt]:
        """Yield the statements that reset the fields on a space to the start values."""
        for key in self.piece.fields:
            start = self.world.fields[key].start
            assert start is not None
            yield self.assign(self.value(key, owner, space), start)

    def moves(
        self, owner: m.Expr | None, source: m.Expr, space: m.Expr
    ) -> Iterator[m.Stmt]:
        """Yield the statements that move the fields from one space to another."""
        if owner is None and self.piece.owner is not None:
            owner = owner_on(self.piece, source, self.span)
        for key in self.piece.fields:
            value_before = self.value(key, owner, source)
            yield self.assign(self.value(key, owner, space), value_before)
        yield from self.resets(owner, source)

    def if_any(
        self, count: m.Expr | None, statements: tuple[m.Stmt, ...]
    ) -> tuple[m.Stmt, ...]:
        """Return statements that run only if *count*, a number of pieces, is not 0."""
        if count is None or not statements:
            return statements
        some = m.Compare(
            m.Comparison.MORE, count, m.number(0), type=Truth(), span=self.span
        )
        return (m.IfElse(condition=some, body=statements),)


def carried_fields(
    world: SymbolTable, piece: m.Piece, transfer: PieceTransfer
) -> tuple[m.Stmt, ...]:
    """Return the statements that update the fields of pieces before they move."""
    carrier = FieldCarrier(world, piece, transfer.span)
    source, space = transfer.source, transfer.destination
    statements: list[m.Stmt] = []
    if transfer.replaces and space is not None:
        statements += carrier.resets(None, space)
    if source is not None and space is None:
        statements += carrier.resets(transfer.owner, source)
    elif source is not None and space is not None:
        statements += carrier.moves(transfer.owner, source, space)
    return carrier.if_any(transfer.count, tuple(statements))


PIECE_FIELD_CHECKS: dict[type[Any], Callable[..., m.Expr]] = {
    s.PieceFieldValue: _piece_field
}
