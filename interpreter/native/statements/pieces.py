"""C code for placing, removing and moving pieces.

These lines check at run time what the checker cannot prove. The space exists, the
pieces stand where they are taken from, their destination has room, and enough pieces
are left in the supply.
"""

from __future__ import annotations

from interpreter.core.optional import may_hold_none
from interpreter.native.expressions.pieces import added_up, cells_of, everywhere, row
from interpreter.native.statements.effects import CEffects, EffectTable, Lines, under
from rulebook import model as m
from rulebook import tooling

Handled = m.PlacePiece | m.RemovePiece | m.MovePiece

ONCE = 1_000_000
"""First number of variables that this module creates; no unit has as many slots."""


class CPieces:
    """Writer of one statement about pieces; `number` is the C code of their count."""

    def __init__(self, t: CEffects, node: Handled) -> None:
        self.t = t
        self.w = t.w
        self.node = node
        self.cells = cells_of(t.w, node.piece)
        self.piece = t.w.facts.model.pieces[node.piece]
        self.every = node.owner is None and self.piece.each_player
        self.owner = "0" if node.owner is None else t.w.value(node.owner)
        self.number = "1" if node.count is None else t.w.file.new("n")

    def there_is(self, *spaces: m.Expr) -> Lines:
        """Return the C lines that check that the spaces are not none."""
        return [
            self.t.fails(f"{self.w.value(space)} < 0")
            for space in spaces
            if may_hold_none(space)
        ]

    def once(self, space: m.Expr) -> tuple[Lines, m.Expr]:
        """Return the C line that evaluates a space once, and an expression that reads
        the result.
        """
        if isinstance(space, m.Const | m.Local):
            return [], space
        name = self.w.file.new("m")
        line, slot = f"VAR {name} = {self.w.value(space)};", ONCE + self.w.file.last
        self.w.bound[slot] = name
        return [line], m.Local(slot=slot, name=name, type=space.type)

    def whole(self, lines: Lines) -> Lines:
        """Return the C lines of the statement, which does nothing if the
        owner is none.
        """
        if self.node.count is not None:
            count = f"at_least_0({self.w.value(self.node.count)})"
            lines = [f"VAR {self.number} = {count};", *lines]
        return under(self.t.there_is(self.node.owner), ["{", *lines, "}"])

    def left(self) -> Lines:
        """Return the C lines that check that enough pieces are left."""
        count, facts = self.cells.count, self.w.facts
        spaces = sum(facts.sizes[domain] for domain in self.piece.stands_on)
        alone = not self.cells.owners and self.node.count is None
        if alone and (self.piece.moves or count >= spaces):
            return []
        if self.cells.owners:
            standing = everywhere(self.w, self.node.piece, self.node.owner)
        else:
            cells = f"g->s + {self.cells.low}, {self.cells.high - self.cells.low}"
            standing = f"holding({cells}, {self.owner})"
        most = self.w.amount(count, self.piece.count)
        return [self.t.fails(f"{standing} > {most}")]

    # ------------------------------------------------------------ one on a space

    def cell(self, space: m.Expr) -> str:
        """Return the C code of the cell of the only piece on a space."""
        return self.w.cell(row(self.w, self.node.piece, space))

    def take(self, space: m.Expr) -> Lines:
        """Return the C lines that remove pieces from a space."""
        if self.cells.owners:
            return self.take_some(space)
        cell = self.cell(space)
        if self.every:
            return [f"{cell} = -1;"]
        if self.number == "1":
            return [self.t.fails(f"{cell} != {self.owner}"), f"{cell} = -1;"]
        wrong = f"{self.number} > ({cell} == {self.owner})"
        return [self.t.fails(wrong), f"if ({self.number}) {cell} = -1;"]

    def put(self, space: m.Expr, number: str, owner: str) -> Lines:
        """Return the C lines that put pieces on a space."""
        assert not isinstance(self.node, m.RemovePiece)
        if self.cells.owners:
            return self.put_some(space, number, owner)
        cell = self.cell(space)
        wrong = [] if self.node.instead else [f"{cell} != -1"]
        if number != "1":
            some = [f"({number} && {wrong[0]})"] if wrong else []
            wrong = [" || ".join([f"{number} > 1", *some])]
        change = f"{cell} = (cell){owner};"
        change = change if number == "1" else f"if ({number}) {change}"
        return [*map(self.t.fails, wrong), change]

    # ------------------------------------------------------------ several on a space

    def take_some(self, space: m.Expr) -> Lines:
        """Return the C lines that remove pieces from a space that can hold several."""
        first, owners = row(self.w, self.node.piece, space), self.cells.owners
        if self.every:
            return [f"{self.w.cell(f'{first} + {o}')} = 0;" for o in range(owners)]
        cell = self.w.cell(f"{first} + {self.owner}")
        wrong = self.t.fails(f"{cell} < {self.number}")
        return [wrong, f"{cell} = (cell)({cell} - {self.number});"]

    def put_some(self, space: m.Expr, number: str, owner: str) -> Lines:
        """Return the C lines that put pieces on a space that can hold several."""
        assert self.piece.room is not None
        first, owners = row(self.w, self.node.piece, space), self.cells.owners
        cell, x = self.w.cell(f"{first} + {owner}"), self.w.file.new("x")
        lines = [f"{{ num {x} = {cell} + {number};"]
        lines += [f"if ({x} > PIECES_MAX) fail(g, BEYOND);", f"{cell} = (cell){x}; }}"]
        most = self.cells.room
        if most is None:
            return lines
        there = cell
        if not self.piece.room.each_player:
            there = added_up(self.w, first, owners)
        some = "" if number == "1" else f"{number} && "
        return [*lines, self.t.fails(f"{some}{there} > {most}")]

    # ------------------------------------------------------------ whole sentences

    def lifted(self) -> Lines:
        """Return the C lines that remove a piece from its space if only one exists."""
        if not self.piece.moves:
            return []
        i, o = self.w.file.new("i"), self.w.file.new("o")
        cell, low, high = self.w.cell(i), self.cells.low, self.cells.high
        first, step, body = f"{low}", 1, f"if ({cell} == {o}) {cell} = -1;"
        if self.cells.owners:
            first, step, body = f"{low} + {o}", self.cells.owners, f"{cell} = 0;"
        through = f"for (num {i} = {first}; {i} < {high}; {i} += {step})"
        return [f"{{ num {o} = {self.owner}; {through} {body} }}"]

    def moved(self, source: m.Expr, space: m.Expr) -> Lines:
        """Return the C lines that move pieces from one space to another."""
        if not self.every:
            return [*self.take(source), *self.put(space, self.number, self.owner)]
        o = self.w.file.new("o")
        if not self.cells.owners:
            cell = self.cell(source)
            put = [f"{cell} = -1;", *self.put(space, "1", o)]
            return [f"{{ num {o} = {cell};", f"if ({o} >= 0) {{", *put, "} }"]
        first, owners = row(self.w, self.node.piece, source), self.cells.owners
        held, n = self.w.cell(f"{first} + {o}"), self.w.file.new("n")
        lines = [f"for (num {o} = 0; {o} < {owners}; {o}++) {{", f"num {n} = {held};"]
        return [*lines, f"{held} = 0;", *self.put(space, n, o), "}"]

    def changed(self) -> Lines:
        """Return the C line that wakes the triggers reading the positions of these
        pieces.
        """
        return self.t.mark(tooling.StatePart.piece(self.node.piece))


def _place(t: CEffects, node: m.PlacePiece) -> Lines:
    h = CPieces(t, node)
    before, space = ([], node.space) if h.piece.moves else h.once(node.space)
    lines = [*before, *h.there_is(space), *h.lifted()]
    lines += h.put(space, h.number, h.owner)
    return h.whole([*lines, *h.left(), *h.changed()])


def _remove(t: CEffects, node: m.RemovePiece) -> Lines:
    h = CPieces(t, node)
    return h.whole([*h.there_is(node.space), *h.take(node.space), *h.changed()])


def _move(t: CEffects, node: m.MovePiece) -> Lines:
    h = CPieces(t, node)
    lines = h.there_is(node.source, node.space)
    return h.whole([*lines, *h.moved(node.source, node.space), *h.changed()])


EFFECTS: EffectTable = {
    m.PlacePiece: _place,
    m.RemovePiece: _remove,
    m.MovePiece: _move,
}
