"""Python code for pieces on spaces.

If only one piece of a kind can be on a space, its cell contains the owner. If several
can, the space has a count for each owner.
"""

from __future__ import annotations

from interpreter.core.layout import PieceCells
from interpreter.core.optional import may_hold_none
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source import code
from interpreter.source.code import Binds, Code
from rulebook import model as m

NOBODY = code.literal(m.NONE)
ZERO = code.literal(0)


def cells_of(w: Writer, piece: str) -> PieceCells:
    """Return the cells of a piece."""
    return w.facts.layout.pieces[piece]


def row(w: Writer, piece: str, space: m.Expr) -> Code:
    """Return code for the index of the first count of a piece on a space."""
    base, owners = w.facts.piece_base(piece, space), cells_of(w, piece).owners
    return code.plus(base, code.times(w.code(space), owners))


def counts(first: Code, owners: int) -> Code:
    """Return code for the counts of all owners on a space."""
    return code.cells(first, code.added(first, code.literal(owners)))


def minus(left: Code, right: Code) -> Code:
    """Return code for the difference of two numbers."""
    return code.binary(Binds.SUM, "-", left, right)


def guarded(number: Code, owner: m.Expr, who: Code) -> Code:
    """Return code for a number that becomes 0 if its owner is none."""
    if not may_hold_none(owner):
        return number
    return code.choice(code.compared(who, ">=", ZERO), number, ZERO)


def count_on(
    w: Writer, piece: str, owner: m.Expr | None, space: m.Expr, *, another: bool
) -> Code:
    """Return code for the number of pieces on a space: all, the owner's, or those of
    others.
    """
    owners = cells_of(w, piece).owners
    if not owners:
        return code.call("int", one_stands(w, piece, owner, space, another=another))
    first = row(w, piece, space)
    every = code.call("sum", counts(first, owners)) if owners > 1 else code.cell(first)
    if owner is None:
        return every
    who = w.code(owner)
    own = guarded(code.cell(code.added(first, who)), owner, who)
    return minus(every, own) if another else own


def one_stands(
    w: Writer, piece: str, owner: m.Expr | None, space: m.Expr, *, another: bool
) -> Code:
    """Return code for whether a space's only piece is the owner's, another's, or
    anybody's.
    """
    cell = code.cell(w.piece_cell(piece, space))
    if owner is None:
        return code.compared(cell, ">=", ZERO)
    who = w.code(owner)
    if another:
        return code.between(NOBODY, cell, who, "!=", "!=")
    if may_hold_none(owner):
        return code.between(NOBODY, cell, who, "!=", "==")
    return code.compared(cell, "==", who)


def _piece_on(w: Writer, e: m.PieceOn) -> Code:
    if not cells_of(w, e.piece).owners:
        return one_stands(w, e.piece, e.owner, e.space, another=e.another)
    count = count_on(w, e.piece, e.owner, e.space, another=e.another)
    return code.compared(count, ">", ZERO)


def counted(w: Writer, cells: Code, length: Code, owner: m.Expr | None) -> Code:
    """Return code for the number of cells with a piece, anybody's or the owner's."""
    if owner is None:
        return minus(length, code.made(f"{cells}.count(-1)", cells))
    who = w.code(owner)
    count = code.made(f"{cells}.count({who.text})", cells, who)
    if isinstance(owner, m.Const | m.Local):
        return guarded(count, owner, who)
    return code.call("owned", cells, who) if may_hold_none(owner) else count


def everywhere(w: Writer, piece: str, owner: m.Expr | None) -> Code:
    """Return code for the number of pieces on the board, all or the owner's."""
    cells = cells_of(w, piece)
    low, high = code.literal(cells.low), code.literal(cells.high)
    if not cells.owners:
        length = code.literal(cells.high - cells.low)
        return counted(w, code.cells(low, high), length, owner)
    if owner is None:
        return code.call("sum", code.cells(low, high))
    who, step = w.code(owner), code.literal(cells.owners)
    own = code.call("sum", code.cells(code.plus(cells.low, who), high, step))
    return guarded(own, owner, who)


def among(w: Writer, piece: str, owner: m.Expr | None, spaces: m.Expr) -> Code:
    """Return code for the number of pieces on the spaces of a set, all or the
    owner's.
    """
    owners = cells_of(w, piece).owners
    if not owners and isinstance(spaces, m.Related) and owner is not None:
        return counted(w, w.related_cells(piece, spaces), ZERO, owner)
    members, base = w.code(spaces), w.facts.set_base(piece, spaces)
    if not owners:
        text = f"[s[{base} + i] for i in {members.at(Binds.OR)}]"
        cells = code.made(text, members, code.CELLS)
        return counted(w, cells, code.call("len", members), owner)
    place, loop = f"{base} + i * {owners}", f"for i in {members.at(Binds.OR)}"
    if owner is None:
        text = f"sum([s[{place} + o] {loop} for o in range({owners})])"
        return code.made(text, members, code.CELLS)
    who = w.code(owner)
    own = code.made(f"sum([s[{place} + {who}] {loop}])", members, who, code.CELLS)
    return guarded(own, owner, who)


def _piece_count(w: Writer, e: m.PieceCount) -> Code:
    spaces = e.spaces
    if spaces is not None and isinstance(spaces.type, m.Member):
        return count_on(w, e.piece, e.owner, spaces, another=e.another)

    def standing(owner: m.Expr | None) -> Code:
        if spaces is None:
            return everywhere(w, e.piece, owner)
        return among(w, e.piece, owner, spaces)

    if e.another:
        return minus(standing(None), standing(e.owner))
    return standing(e.owner)


def _piece_left(w: Writer, e: m.PieceLeft) -> Code:
    count = code.literal(cells_of(w, e.piece).count)
    left = minus(count, everywhere(w, e.piece, e.owner))
    return left if e.owner is None else guarded(left, e.owner, w.code(e.owner))


def spaces_of(w: Writer, e: m.PieceSpaces | m.PieceSpace) -> Code:
    """Return code for a generator of the spaces with pieces, anybody's or the
    owner's.
    """
    cells, size = cells_of(w, e.piece), w.facts.sizes[e.domain]
    base, owners = cells.bases[e.domain], cells.owners
    end = base + size * max(1, owners)
    if not owners:
        return standing_alone(w, e, f"i for i, c in enumerate(s[{base}:{end}])")
    if e.owner is None:
        cell = f"s[{base} + i * {owners}:{base} + (i + 1) * {owners}]"
        return code.made(f"i for i in range({size}) if any({cell})", code.CELLS)
    who = w.code(e.owner)
    start = code.plus(base, who)
    own = f"i for i, c in enumerate(s[{start.text}:{end}:{owners}]) if c"
    if may_hold_none(e.owner):
        own += f" and {who.at(Binds.BITS)} >= 0"
    return code.made(own, who, code.CELLS)


def standing_alone(w: Writer, e: m.PieceSpaces | m.PieceSpace, every: str) -> Code:
    """Return code for the spaces with a piece, if a space holds at most one."""
    if e.owner is None:
        return code.made(f"{every} if c != -1", code.CELLS)
    who = w.code(e.owner)
    somebody = "-1 != " if may_hold_none(e.owner) else ""
    test = f"{somebody}c == {who.at(Binds.BITS)}"
    return code.made(f"{every} if {test}", who, code.CELLS)


def _piece_spaces(w: Writer, e: m.PieceSpaces) -> Code:
    spaces = spaces_of(w, e)
    return code.made(f"tuple([{spaces.text}])", spaces)


def _piece_space(w: Writer, e: m.PieceSpace) -> Code:
    spaces = spaces_of(w, e)
    return code.made(f"next(({spaces.text}), -1)", spaces)


TEMPLATES: Templates = {
    m.PieceOn: _piece_on,
    m.PieceOwner: lambda w, e: code.cell(w.piece_cell(e.piece, e.space)),
    m.PieceCount: _piece_count,
    m.PieceLeft: _piece_left,
    m.PieceSpaces: _piece_spaces,
    m.PieceSpace: _piece_space,
}
