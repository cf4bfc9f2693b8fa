"""Pieces that come, go and move, as lines of Python: templates as in `effects`.

What the check of a file let pass is seen here: there is a space, the pieces stand where
they are taken from, there is room where they go, and as many as are placed are left.
"""

from __future__ import annotations

import rulebook as rb
from interpreter.effects import Effects, Lines, effect, guarded
from interpreter.failing import Failing
from interpreter.missing import may_hold_none
from interpreter.source import indented
from interpreter.standing import cells_of, everywhere, row

Handled = rb.PlacePiece | rb.RemovePiece | rb.MovePiece
ONE = "1"


class Handling:
    """Writes one statement that handles pieces."""

    def __init__(self, t: Effects, node: Handled) -> None:
        self.t = t
        self.node = node
        self.cells = cells_of(t.w, node.piece)
        self.piece = t.w.facts.model.pieces[node.piece]
        self.every = node.owner is None and self.piece.each_player
        """Whether the pieces of all players are meant, who have some."""
        self.owner = "0" if node.owner is None else t.w.text(node.owner)

    # ------------------------------------------------------------ what can fail

    def fails(self, name: str, *more: str) -> str:
        """Return the call that reports this statement as a mistake."""
        seats = self.t.w.facts.names["player"]
        here = self.t.w.source.given(Failing(self.node.span, self.piece, seats))
        return f"{name}({', '.join([here, *more])})"

    def there_is(self, *spaces: rb.Expr) -> Lines:
        """Return the lines that see that there are spaces."""
        tests = [f"{self.t.w.text(one)} < 0" for one in spaces if may_hold_none(one)]
        return [f"if {' or '.join(tests)}: {self.fails('no_space')}"] if tests else []

    def somebodys(self, lines: Lines) -> Lines:
        """Return lines that are left out for what is nobody's."""
        owner = self.node.owner
        if owner is None or not may_hold_none(owner):
            return lines
        return guarded([f"{self.owner} >= 0"], lines)

    def amount(self) -> tuple[Lines, str]:
        """Return how many come or go, and the lines that find it; none below 0."""
        if self.node.count is None:
            return [], ONE
        return [f"n = max({self.t.w.text(self.node.count)}, 0)"], "n"

    def left(self) -> Lines:
        """Return the lines that see that not more pieces stand than there are."""
        count, facts = self.cells.count, self.t.w.facts
        spaces = sum(facts.sizes[domain] for domain in self.piece.stands_on)
        alone = not self.cells.owners and self.node.count is None
        if alone and (self.piece.moves or count >= spaces):
            return []
        if self.cells.owners:
            standing = everywhere(self.t.w, self.node.piece, self.node.owner)
        else:
            standing = f"s[{self.cells.low}:{self.cells.high}].count({self.owner})"
        return [f"if {standing} > {count}: {self.fails('none_left', self.owner)}"]

    # ------------------------------------------------------------ one on a space

    def take(self, space: rb.Expr, number: str) -> Lines:
        """Return the lines that take pieces off a space."""
        if self.cells.owners:
            return self.take_some(space, number)
        cell = f"s[{self.t.w.piece_cell(self.node.piece, space)}]"
        if self.every:
            return [f"{cell} = -1"]
        fails = self.fails("not_standing")
        if number == ONE:
            return [f"if {cell} != {self.owner}: {fails}", f"{cell} = -1"]
        return [
            f"if n > int({cell} == {self.owner}): {fails}",
            f"if n: {cell} = -1",
        ]

    def put(self, space: rb.Expr, number: str, owner: str) -> Lines:
        """Return the lines that put pieces on a space."""
        assert not isinstance(self.node, rb.RemovePiece)
        if self.cells.owners:
            return self.put_some(space, number, owner)
        cell = f"s[{self.t.w.piece_cell(self.node.piece, space)}]"
        taken = [] if self.node.instead else [f"{cell} != -1"]
        if number != ONE:
            taken = [f"n > 1 or n and {taken[0]}" if taken else "n > 1"]
        lines = [f"if {one}: {self.fails('no_room')}" for one in taken]
        return [*lines, f"{'' if number == ONE else 'if n: '}{cell} = {owner}"]

    # ------------------------------------------------------------ several on a space

    def take_some(self, space: rb.Expr, number: str) -> Lines:
        """Return the lines that take some of several pieces off a space."""
        first, owners = row(self.t.w, self.node.piece, space), self.cells.owners
        if self.every:
            return [f"s[{first}:{first} + {owners}] = [0] * {owners}"]
        cell = f"s[{first} + {self.owner}]"
        fails = self.fails("not_standing")
        return [f"if {cell} < {number}: {fails}", f"{cell} -= {number}"]

    def put_some(self, space: rb.Expr, number: str, owner: str) -> Lines:
        """Return the lines that put pieces where several may stand."""
        assert self.piece.room is not None
        first, owners = row(self.t.w, self.node.piece, space), self.cells.owners
        cell = f"s[{first} + {owner}]"
        lines, most = [f"{cell} += {number}"], self.cells.room
        if most is None:
            return lines
        there = cell
        if not self.piece.room.each_player:
            there = f"sum(s[{first}:{first} + {owners}])"
        return [*lines, f"if {number} and {there} > {most}: {self.fails('no_room')}"]

    # ------------------------------------------------------------ whole sentences

    def lifted(self) -> Lines:
        """Return the lines that lift the only piece there is."""
        low, high, owners = self.cells.low, self.cells.high, self.cells.owners
        if not self.piece.moves:
            return []
        if owners:
            return [f"counted_off(s, {low}, {high}, {self.owner}, {owners})"]
        return [f"lift(s, {low}, {high}, {self.owner})"]

    def moved(self, source: rb.Expr, space: rb.Expr, number: str) -> Lines:
        """Return the lines that take pieces off a space and put them on another."""
        if not self.every:
            return [*self.take(source, number), *self.put(space, number, self.owner)]
        if not self.cells.owners:
            cell = f"s[{self.t.w.piece_cell(self.node.piece, source)}]"
            put = [f"{cell} = -1", *self.put(space, ONE, "o")]
            return [f"o = {cell}", "if o >= 0:", *indented(put)]
        first, owners = row(self.t.w, self.node.piece, source), self.cells.owners
        each = [f"n = s[{first} + o]", f"s[{first} + o] = 0"]
        each += self.put(space, "n", "o")
        return [f"for o in range({owners}):", *indented(each)]

    def changed(self) -> Lines:
        """Return the line that wakes what reads where these pieces stand."""
        return self.t.mark(f"piece {self.node.piece}")


@effect(rb.PlacePiece)
def _place(t: Effects, node: rb.PlacePiece) -> Lines:
    h = Handling(t, node)
    lines, number = h.amount()
    lines = [*h.there_is(node.space), *lines, *h.lifted()]
    lines += h.put(node.space, number, h.owner)
    return h.somebodys([*lines, *h.left(), *h.changed()])


@effect(rb.RemovePiece)
def _remove(t: Effects, node: rb.RemovePiece) -> Lines:
    h = Handling(t, node)
    lines, number = h.amount()
    lines = [*h.there_is(node.space), *lines]
    return h.somebodys([*lines, *h.take(node.space, number), *h.changed()])


@effect(rb.MovePiece)
def _move(t: Effects, node: rb.MovePiece) -> Lines:
    h = Handling(t, node)
    lines, number = h.amount()
    lines = [*h.there_is(node.source, node.space), *lines]
    lines += h.moved(node.source, node.space, number)
    return h.somebodys([*lines, *h.changed()])
