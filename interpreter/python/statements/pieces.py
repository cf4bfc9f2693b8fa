"""Python code for placing, removing and moving pieces.

The generated code checks at run time what the checker could not prove. The space
exists, the removed pieces stand there, the destination has room, and enough pieces are
left to place.
"""

from __future__ import annotations

from interpreter.core.optional import may_hold_none
from interpreter.python.expressions.pieces import cells_of, counts, everywhere, row
from interpreter.python.expressions.values import there_is
from interpreter.python.statements.effects import Effects, EffectTable
from interpreter.source import code
from interpreter.source.code import Binds, Code
from interpreter.source.failures import Failing
from interpreter.source.lines import Lines, guarded, indented
from rulebook import model as m
from rulebook import tooling

Handled = m.PlacePiece | m.RemovePiece | m.MovePiece
ONE, ZERO, NOBODY = code.literal(1), code.literal(0), code.literal(m.NONE)
N, EACH = code.name("n"), code.name("o")


class PieceWriter:
    """Writer of one statement about pieces."""

    def __init__(self, t: Effects, node: Handled) -> None:
        self.t = t
        self.node = node
        self.cells = cells_of(t.w, node.piece)
        self.piece = t.w.facts.model.pieces[node.piece]
        self.every = node.owner is None and self.piece.each_player
        """Whether the statement is about the pieces of all players."""
        self.owner = ZERO if node.owner is None else t.w.code(node.owner)

    # ----------------------------------------------------------------- failures

    def fails(self, name: str, *more: str) -> str:
        """Return the call that raises an error for this statement."""
        seats = self.t.w.facts.names["player"]
        here = self.t.w.source.given(Failing(self.node.span, self.piece, seats))
        return f"{name}({', '.join([here, *more])})"

    def there_is(self, *spaces: m.Expr) -> Lines:
        """Return the lines that check that the spaces are not none."""
        tests = [
            code.compared(self.t.w.code(place), "<", ZERO)
            for place in spaces
            if may_hold_none(place)
        ]
        return [self.fails_if(code.chain("or", tests), "no_space")] if tests else []

    def fails_if(self, condition: Code, name: str, *more: str) -> str:
        """Return the line that raises an error if a condition is true."""
        return f"if {condition.at(Binds.OR)}: {self.fails(name, *more)}"

    def somebodys(self, lines: Lines) -> Lines:
        """Return lines that are skipped if the owner is none."""
        owner = self.node.owner
        if owner is None or not may_hold_none(owner):
            return lines
        return guarded([there_is(self.t.w, owner)], lines)

    def amount(self) -> tuple[Lines, Code]:
        """Return the lines that compute the number of pieces, and code for it.

        A negative number counts as 0.
        """
        if self.node.count is None:
            return [], ONE
        return [f"n = max({self.t.w.code(self.node.count).text}, 0)"], N

    def left(self) -> Lines:
        """Return the lines that check that enough pieces are left."""
        count, facts = self.cells.count, self.t.w.facts
        spaces = sum(facts.sizes[domain] for domain in self.piece.stands_on)
        alone = not self.cells.owners and self.node.count is None
        if alone and (self.piece.moves or count >= spaces):
            return []
        if self.cells.owners:
            standing = everywhere(self.t.w, self.node.piece, self.node.owner)
        else:
            low, high = code.literal(self.cells.low), code.literal(self.cells.high)
            cells = code.cells(low, high)
            standing = code.made(f"{cells}.count({self.owner.text})", cells, self.owner)
        beyond = code.compared(standing, ">", code.literal(count))
        return [self.fails_if(beyond, "none_left", self.owner.text)]

    # ------------------------------------------------------------- single pieces

    def cell(self, space: m.Expr) -> Code:
        """Return code for the cell of the only piece on a space."""
        return code.cell(self.t.w.piece_cell(self.node.piece, space))

    def take(self, space: m.Expr, number: Code) -> Lines:
        """Return the lines that remove pieces from a space."""
        if self.cells.owners:
            return self.take_some(space, number)
        cell = self.cell(space)
        if self.every:
            return [f"{cell} = -1"]
        if number is ONE:
            wrong = code.compared(cell, "!=", self.owner)
            return [self.fails_if(wrong, "not_standing"), f"{cell} = -1"]
        there = code.call("int", code.compared(cell, "==", self.owner))
        wrong = code.compared(number, ">", there)
        return [self.fails_if(wrong, "not_standing"), f"if n: {cell} = -1"]

    def put(self, space: m.Expr, number: Code, owner: Code) -> Lines:
        """Return the lines that put pieces on a space."""
        assert not isinstance(self.node, m.RemovePiece)
        if self.cells.owners:
            return self.put_some(space, number, owner)
        cell = self.cell(space)
        taken = [] if self.node.instead else [code.compared(cell, "!=", NOBODY)]
        if number is not ONE:
            several = code.compared(number, ">", ONE)
            some = [code.chain("and", [number, *taken])] if taken else []
            taken = [code.chain("or", [several, *some])]
        lines: Lines = [self.fails_if(test, "no_room") for test in taken]
        return [*lines, f"{'' if number is ONE else 'if n: '}{cell} = {owner.text}"]

    # ---------------------------------------------------------------- several pieces

    def take_some(self, space: m.Expr, number: Code) -> Lines:
        """Return the lines that remove pieces from a space that can hold several."""
        first, owners = row(self.t.w, self.node.piece, space), self.cells.owners
        if self.every:
            return [f"{counts(first, owners)} = [0] * {owners}"]
        cell = code.cell(code.added(first, self.owner))
        wrong = code.compared(cell, "<", number)
        return [self.fails_if(wrong, "not_standing"), f"{cell} -= {number}"]

    def put_some(self, space: m.Expr, number: Code, owner: Code) -> Lines:
        """Return the lines that put pieces on a space that can hold several."""
        assert self.piece.room is not None
        first, owners = row(self.t.w, self.node.piece, space), self.cells.owners
        cell = code.cell(code.added(first, owner))
        lines: Lines = [f"{cell} += {number}"]
        most = self.cells.room
        if most is None:
            return lines
        there = cell
        if not self.piece.room.each_player:
            there = code.call("sum", counts(first, owners))
        beyond = code.compared(there, ">", code.literal(most))
        full = beyond if number is ONE else code.chain("and", [number, beyond])
        return [*lines, self.fails_if(full, "no_room")]

    # ----------------------------------------------------------------- statements

    def lifted(self) -> Lines:
        """Return the lines that remove a piece from its space if only one exists."""
        low, high, owners = self.cells.low, self.cells.high, self.cells.owners
        if not self.piece.moves:
            return []
        if owners:
            return [f"counted_off(s, {low}, {high}, {self.owner.text}, {owners})"]
        return [f"lift(s, {low}, {high}, {self.owner.text})"]

    def moved(self, source: m.Expr, space: m.Expr, number: Code) -> Lines:
        """Return the lines that move pieces from one space to another."""
        if not self.every:
            return [*self.take(source, number), *self.put(space, number, self.owner)]
        if not self.cells.owners:
            cell = self.cell(source)
            put: Lines = [f"{cell} = -1", *self.put(space, ONE, EACH)]
            return [f"o = {cell}", "if o >= 0:", *indented(put)]
        first, owners = row(self.t.w, self.node.piece, source), self.cells.owners
        held = code.cell(code.added(first, EACH))
        each: Lines = [f"n = {held}", f"{held} = 0", *self.put(space, N, EACH)]
        return [f"for o in range({owners}):", *indented(each)]

    def changed(self) -> Lines:
        """Return the line that wakes the triggers reading the positions of these
        pieces.
        """
        return self.t.mark(tooling.StatePart.piece(self.node.piece))


def _place(t: Effects, node: m.PlacePiece) -> Lines:
    h = PieceWriter(t, node)
    lines, number = h.amount()
    lines = [*h.there_is(node.space), *lines, *h.lifted()]
    lines += h.put(node.space, number, h.owner)
    return h.somebodys([*lines, *h.left(), *h.changed()])


def _remove(t: Effects, node: m.RemovePiece) -> Lines:
    h = PieceWriter(t, node)
    lines, number = h.amount()
    lines = [*h.there_is(node.space), *lines]
    return h.somebodys([*lines, *h.take(node.space, number), *h.changed()])


def _move(t: Effects, node: m.MovePiece) -> Lines:
    h = PieceWriter(t, node)
    lines, number = h.amount()
    lines = [*h.there_is(node.source, node.space), *lines]
    lines += h.moved(node.source, node.space, number)
    return h.somebodys([*lines, *h.changed()])


EFFECTS: EffectTable = {
    m.PlacePiece: _place,
    m.RemovePiece: _remove,
    m.MovePiece: _move,
}
