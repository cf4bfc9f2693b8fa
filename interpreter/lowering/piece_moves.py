"""Lowering of placing, removing and moving pieces.

At play time, the operations check the conditions that the checker could not prove: the
space exists, it contains the pieces to remove, the target has room, and enough pieces
are left.
"""

from __future__ import annotations

import attrs

from interpreter.core.layout import PieceCells
from interpreter.core.optional import may_be_none
from interpreter.expressions.lowerer import (
    NONE,
    ONE,
    ZERO,
    add,
    all_of,
    at_least_0,
    exists,
    plus,
)
from interpreter.expressions.piece_values import (
    cells_of,
    count_on_board,
    counts_of_all,
    first_cell,
)
from interpreter.kernel import operations as k
from interpreter.lowering.statement_effects import EffectTable, StatementLowerer
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import Failure

Handled = m.PlacePiece | m.RemovePiece | m.MovePiece


@attrs.frozen
class PieceMove:
    """Statement that places, removes or moves pieces.

    `number` is the number of pieces, by default `ONE`. `all_owners` is true if the
    statement affects the pieces of all owners. Methods take a space both as its
    expression and as its evaluated index.
    """

    t: StatementLowerer
    node: Handled
    cells: PieceCells
    piece: m.Piece
    owner: k.Value
    number: k.Value
    all_owners: bool

    # ------------------------------------------------------------ checks

    def fail_if(
        self, condition: k.Value, reason: Failure, *shown_values: k.Value
    ) -> k.Statement:
        """Return the operation that fails if a condition is true."""
        owner, span = self.piece.owner, self.node.span
        owners = () if owner is None else self.t.low.facts.names[owner]
        return k.Fail(condition, reason, span, self.piece, shown_values, owners)

    def space_check(self, *spaces: tuple[m.Expr, k.Value]) -> k.Block:
        """Return the operation that checks that spaces exist."""
        tests = [k.CompareValues("<", at, ZERO) for e, at in spaces if may_be_none(e)]
        if not tests:
            return ()
        missing = tests[0] if len(tests) == 1 else k.Some(tuple(tests))
        return (self.fail_if(missing, Failure.NO_SPACE),)

    def supply_check(self) -> k.Block:
        """Return the operation that fails if more pieces are placed than exist."""
        count, facts = self.cells.count, self.t.low.facts
        spaces = sum(facts.sizes[domain] for domain in self.piece.stands_on)
        alone = not self.cells.owners and self.node.count is None
        if alone and (self.piece.moves or count >= spaces):
            return ()
        if self.cells.owners:
            standing = count_on_board(self.t.low, self.node.piece, self.node.owner)
        else:
            size = self.cells.high - self.cells.low
            row = k.CellRow(k.Int(self.cells.low), size)
            standing = k.CountEqual(row, self.owner)
        beyond = k.CompareValues(">", standing, k.Amount(count, self.piece.count))
        return (self.fail_if(beyond, Failure.NONE_LEFT, self.owner),)

    # ------------------------------------------------------------ pieces on a space

    def first_cell(self, space: m.Expr, index: k.Value) -> k.Value:
        """Return the first cell of the piece on a space."""
        return first_cell(self.t.low, self.node.piece, space, index)

    def take(self, space: m.Expr, index: k.Value) -> k.Block:
        """Return the operations that remove pieces from a space."""
        first, number = self.first_cell(space, index), self.number
        if self.cells.owners:
            if self.all_owners:
                return (k.Clear(k.CellRow(first, self.cells.owners), None, 0),)
            cell = add(first, self.owner)
            few = k.CompareValues("<", k.Load(cell), number)
            rest = k.Binary("-", k.Load(cell), number)
            return (self.fail_if(few, Failure.NOT_STANDING), k.Store(cell, rest))
        if self.all_owners:
            return (k.Store(first, NONE),)
        if number is ONE:
            wrong: k.Value = k.CompareValues("!=", k.Load(first), self.owner)
            return (self.fail_if(wrong, Failure.NOT_STANDING), k.Store(first, NONE))
        stands = k.CountTrue((k.CompareValues("==", k.Load(first), self.owner),))
        wrong = k.CompareValues(">", number, stands)
        some = k.When(number, (k.Store(first, NONE),))
        return (self.fail_if(wrong, Failure.NOT_STANDING), some)

    def put(
        self, space: m.Expr, index: k.Value, number: k.Value, owner: k.Value
    ) -> k.Block:
        """Return the operations that put pieces on a space."""
        assert not isinstance(self.node, m.RemovePiece)
        first = self.first_cell(space, index)
        if self.cells.owners:
            return self.put_several(first, number, owner)
        taken = (
            None if self.node.instead else k.CompareValues("!=", k.Load(first), NONE)
        )
        if number is ONE:
            checks = () if taken is None else (self.fail_if(taken, Failure.NO_ROOM),)
            return (*checks, k.Store(first, owner))
        several = k.CompareValues(">", number, ONE)
        full = several if taken is None else k.Some((several, k.All((number, taken))))
        some = k.When(number, (k.Store(first, owner),))
        return (self.fail_if(full, Failure.NO_ROOM), some)

    def put_several(self, first: k.Value, number: k.Value, owner: k.Value) -> k.Block:
        """Return the operations that put pieces on a space with room for several."""
        assert self.piece.room is not None
        cell, room = add(first, owner), self.cells.max_per_space
        more = k.Store(cell, k.Binary("+", k.Load(cell), number), grows=True)
        if room is None:
            return (more,)
        there = k.Load(cell)
        if not self.piece.room.each_owner:
            there = counts_of_all(first, self.cells.owners)  # type: ignore[assignment]
        beyond = k.CompareValues(">", there, k.Int(room))
        full = all_of(None if number is ONE else number, beyond)
        assert full is not None
        return (more, self.fail_if(full, Failure.NO_ROOM))

    # ------------------------------------------------------------ statements

    def remove_from_board(self) -> k.Block:
        """Return the operation that removes the only copy of a piece from the board."""
        if not self.piece.moves:
            return ()
        low, owners = self.cells.low, self.cells.owners
        size = self.cells.high - low
        if owners:
            row = k.CellRow(plus(low, self.owner), -(-size // owners), owners)
            return (k.Clear(row, None, 0),)
        return (k.Clear(k.CellRow(k.Int(low), size), self.owner, -1),)

    def move(
        self, source: tuple[m.Expr, k.Value], space: tuple[m.Expr, k.Value]
    ) -> k.Block:
        """Return the operations that move pieces from one space to another."""
        if not self.all_owners:
            return (*self.take(*source), *self.put(*space, self.number, self.owner))
        assert self.piece.owner is not None
        size = self.t.low.facts.sizes[self.piece.owner]
        owner = k.Var(self.t.low.new_slot(), size)
        first = self.first_cell(*source)
        if not self.cells.owners:
            put = (k.Store(first, NONE), *self.put(*space, ONE, owner))
            lifted = (k.Bind(owner.slot, k.Load(first)), k.When(exists(owner), put))
            return (k.Scope(lifted),)
        held, number = k.Load(add(first, owner)), k.Var(self.t.low.new_slot())
        each = (
            k.Bind(number.slot, held),
            k.Store(held.cell, ZERO),
            *self.put(*space, number, owner),
        )
        owners = k.Range(ZERO, k.Int(self.cells.owners - 1))
        return (k.ForEach(owner.slot, owners, None, each, frozen=False),)

    def statement(self, *parts: k.Block) -> k.Block:
        """Return a block with these parts that does nothing if the owner is none."""
        carried = self.t.statements(self.node.carried)
        ops = (*carried, *[op for part in parts for op in part])
        if isinstance(self.number, k.Var):
            assert self.node.count is not None
            count = at_least_0(self.t.low.value(self.node.count))
            ops = (k.Bind(self.number.slot, count), *ops)
        ops = (*ops, *self.t.wake(tooling.StatePart.piece(self.node.piece)))
        return self.t.if_exists(self.node.owner, (k.Scope(ops),))

    def evaluate_once(self, space: m.Expr) -> tuple[k.Block, k.Value]:
        """Return operations that evaluate a space once, and the resulting value.

        Lifting a piece may change the value of the expression.
        """
        value = self.t.low.value(space)
        if isinstance(value, k.Int | k.Var) or self.piece.moves:
            return (), value
        new = k.Var(self.t.low.new_slot(), self.t.low.size_of(space))
        return (k.Bind(new.slot, value),), new


def lower_piece_move(t: StatementLowerer, node: Handled) -> PieceMove:
    """Lower the parts of a statement that handles pieces."""
    piece = t.low.facts.model.pieces[node.piece]
    owner = ZERO if node.owner is None else t.low.value(node.owner)
    number = ONE if node.count is None else k.Var(t.low.new_slot())
    every = node.owner is None and piece.owner is not None
    cells = cells_of(t.low, node.piece)
    return PieceMove(t, node, cells, piece, owner, number, every)


def _place(t: StatementLowerer, node: m.PlacePiece) -> k.Block:
    h = lower_piece_move(t, node)
    before, at = h.evaluate_once(node.space)
    put = h.put(node.space, at, h.number, h.owner)
    exists_ = h.space_check((node.space, at))
    return h.statement(before, exists_, h.remove_from_board(), put, h.supply_check())


def _remove(t: StatementLowerer, node: m.RemovePiece) -> k.Block:
    h = lower_piece_move(t, node)
    before, at = h.evaluate_once(node.space)
    return h.statement(before, h.space_check((node.space, at)), h.take(node.space, at))


def _move(t: StatementLowerer, node: m.MovePiece) -> k.Block:
    h = lower_piece_move(t, node)
    source = (node.source, t.low.value(node.source))
    space = (node.space, t.low.value(node.space))
    return h.statement(h.space_check(source, space), h.move(source, space))


EFFECTS: EffectTable = {
    m.PlacePiece: _place,
    m.RemovePiece: _remove,
    m.MovePiece: _move,
}
