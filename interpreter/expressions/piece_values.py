"""Lowering of expressions about pieces on spaces.

If a space holds only one piece of a kind, its cell contains the owner. Otherwise the
space has a count for each owner.
"""

from __future__ import annotations

from interpreter.core.layout import PieceCells
from interpreter.core.optional import may_be_none
from interpreter.expressions.lowerer import (
    NONE,
    ZERO,
    Lowerer,
    Rules,
    add,
    exists,
    plus,
    times,
)
from interpreter.kernel import operations as k
from rulebook import model as m


def cells_of(t: Lowerer, piece: str) -> PieceCells:
    """Return the cells of a piece."""
    return t.facts.layout.pieces[piece]


def first_cell(t: Lowerer, piece: str, space: m.Expr, index: k.Value) -> k.Value:
    """Return the first cell of a piece on a space, which has the value `index`."""
    owners = max(1, cells_of(t, piece).owners)
    return plus(t.facts.piece_base(piece, space), times(index, owners))


def counts_of_all(first: k.Value, owners: int) -> k.Value:
    """Lower the number of pieces of all owners on a space."""
    return k.Total(k.CellRow(first, owners)) if owners > 1 else k.Load(first)


def zero_if_none(value: k.Value, owner: m.Expr, owner_value: k.Value) -> k.Value:
    """Return *value* as an operation that gives 0 if the owner is none."""
    return k.Select(exists(owner_value), value, ZERO) if may_be_none(owner) else value


def count_on_space(
    t: Lowerer, piece: str, owner: m.Expr | None, space: m.Expr, *, another: bool
) -> k.Value:
    """Lower the number of pieces on a space; 0 or 1 if only one may stand there.

    Count those of *owner*, or with *another* those of all other owners.
    """
    owners, first = (
        cells_of(t, piece).owners,
        first_cell(t, piece, space, t.value(space)),
    )
    owner_value = None if owner is None else t.value(owner)
    if owners:
        total = counts_of_all(first, owners)
        if owner is None or owner_value is None:
            return total
        own = zero_if_none(k.Load(add(first, owner_value)), owner, owner_value)
        return k.Binary("-", total, own) if another else own
    if owner is None or owner_value is None:
        return exists(k.Load(first))
    if another:
        return k.Between(NONE, "!=", k.Load(first), "!=", owner_value)
    if may_be_none(owner):
        return k.Between(NONE, "!=", k.Load(first), "==", owner_value)
    return k.CompareValues("==", k.Load(first), owner_value)


def _piece_on(t: Lowerer, e: m.PieceOn) -> k.Value:
    count = count_on_space(t, e.piece, e.owner, e.space, another=e.another)
    return k.CompareValues(">", count, ZERO) if cells_of(t, e.piece).owners else count


def count_on_board(t: Lowerer, piece: str, owner: m.Expr | None) -> k.Value:
    """Lower the number of pieces on the board, of *owner* if given."""
    cells = cells_of(t, piece)
    size = cells.high - cells.low
    if not cells.owners:
        row = k.CellRow(k.Int(cells.low), size)
        if owner is None:
            return k.Binary("-", k.Int(size), k.CountEqual(row, NONE))
        owner_value = t.value(owner)
        return zero_if_none(k.CountEqual(row, owner_value), owner, owner_value)
    if owner is None:
        return k.Total(k.CellRow(k.Int(cells.low), size))
    owner_value, spaces = t.value(owner), -(-size // cells.owners)
    own = k.Total(k.CellRow(plus(cells.low, owner_value), spaces, cells.owners))
    return zero_if_none(own, owner, owner_value)


def count_in_set(
    t: Lowerer, piece: str, owner: m.Expr | None, spaces: m.Expr
) -> k.Value:
    """Lower the number of pieces on a set of spaces, of *owner* if given."""
    owners, base = cells_of(t, piece).owners, t.facts.set_base(piece, spaces)
    assert isinstance(spaces.type, m.SetOf) and spaces.type.domain is not None
    space = k.Var(t.new_slot(), t.facts.sizes[spaces.type.domain])
    first = plus(base, times(space, max(1, owners)))
    owner_value = None if owner is None else t.value(owner)
    if owners:
        count = (
            counts_of_all(first, owners)
            if owner_value is None
            else k.Load(add(first, owner_value))
        )
        total = k.Fold(k.FoldKind.SUM, space.slot, t.sequence(spaces), None, count)
    else:
        cell = k.Load(first)
        test = (
            k.CompareValues("!=", cell, NONE)
            if owner_value is None
            else k.CompareValues("==", cell, owner_value)
        )
        total = k.Fold(k.FoldKind.COUNT, space.slot, t.sequence(spaces), test)
    return (
        total
        if owner is None or owner_value is None
        else zero_if_none(total, owner, owner_value)
    )


def _piece_count(t: Lowerer, e: m.PieceCount) -> k.Value:
    spaces = e.spaces
    if spaces is not None and isinstance(spaces.type, m.Member):
        count = count_on_space(t, e.piece, e.owner, spaces, another=e.another)
        return count if cells_of(t, e.piece).owners else k.CountTrue((count,))

    def number_of_pieces(owner: m.Expr | None) -> k.Value:
        if spaces is None:
            return count_on_board(t, e.piece, owner)
        return count_in_set(t, e.piece, owner, spaces)

    if e.another:
        return k.Binary("-", number_of_pieces(None), number_of_pieces(e.owner))
    return number_of_pieces(e.owner)


def _piece_left(t: Lowerer, e: m.PieceLeft) -> k.Value:
    declared = t.facts.model.pieces[e.piece].count
    count = k.Amount(cells_of(t, e.piece).count, declared)
    left = k.Binary("-", count, count_on_board(t, e.piece, e.owner))
    return left if e.owner is None else zero_if_none(left, e.owner, t.value(e.owner))


def _piece_spaces(t: Lowerer, e: m.PieceSpaces | m.PieceSpace) -> k.Sequence:
    cells, size = cells_of(t, e.piece), t.facts.sizes[e.domain]
    base, owners = cells.bases[e.domain], cells.owners
    owner_value = None if e.owner is None else t.value(e.owner)
    if not owners:
        nowhere = e.owner is not None and may_be_none(e.owner)
        return k.Holding(base, size, owner_value, nowhere)
    if e.owner is None or owner_value is None:
        if owners == 1:
            return k.Nonzero(k.CellRow(k.Int(base), size), size)
        space = k.Var(t.new_slot(), size)
        total = counts_of_all(plus(base, times(space, owners)), owners)
        has_piece = k.CompareValues(">", total, ZERO)
        return k.FilteredSet(space.slot, k.Range(ZERO, k.Int(size - 1)), has_piece)
    own = k.Nonzero(k.CellRow(plus(base, owner_value), size, owners), size)
    return k.Guarded(exists(owner_value), own) if may_be_none(e.owner) else own


def _piece_space(t: Lowerer, e: m.PieceSpace) -> k.Value:
    return k.Fold(k.FoldKind.FIRST, t.new_slot(), _piece_spaces(t, e))


VALUES: Rules = {
    m.PieceOn: _piece_on,
    m.PieceOwner: lambda t, e: k.Load(
        first_cell(t, e.piece, e.space, t.value(e.space))
    ),
    m.PieceCount: _piece_count,
    m.PieceLeft: _piece_left,
    m.PieceSpace: _piece_space,
}
SEQUENCES: Rules = {m.PieceSpaces: _piece_spaces}
