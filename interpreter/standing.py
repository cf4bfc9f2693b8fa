"""Pieces on spaces as Python expressions: templates as in `expressions`.

Where one of a kind stands on a space, its cell holds the owner; where several may, the
space has a count for each owner.
"""

from __future__ import annotations

import rulebook as rb
from interpreter.expressions import NAME, Writer, writes
from interpreter.layout import PieceCells
from interpreter.missing import may_hold_none


def cells_of(w: Writer, piece: str) -> PieceCells:
    """Return where the cells of a piece are."""
    return w.facts.layout.pieces[piece]


def row(w: Writer, piece: str, space: rb.Expr) -> str:
    """Return the index of the first count of a piece on a space."""
    base = w.facts.piece_base(piece, space)
    owners = cells_of(w, piece).owners
    scaled = w.text(space) if owners == 1 else f"{w.text(space)} * {owners}"
    return w.source.folded(f"({base} + {scaled})")


def guarded(text: str, owner: rb.Expr, written: str, nothing: str) -> str:
    """Return an expression that is nothing where the owner may be none and is."""
    if not may_hold_none(owner):
        return text
    return f"({text} if {written} >= 0 else {nothing})"


def count_on(
    w: Writer, piece: str, owner: rb.Expr | None, space: rb.Expr, *, another: bool
) -> str:
    """Return how many (of the owner's, of others') pieces stand on a space."""
    owners = cells_of(w, piece).owners
    if not owners:
        return f"int({one_stands(w, piece, owner, space, another=another)})"
    first = row(w, piece, space)
    every = f"sum(s[{first}:{first} + {owners}])" if owners > 1 else f"s[{first}]"
    if owner is None:
        return every
    text = w.text(owner)
    own = guarded(f"s[{first} + {text}]", owner, text, "0")
    return f"({every} - {own})" if another else own


def one_stands(
    w: Writer, piece: str, owner: rb.Expr | None, space: rb.Expr, *, another: bool
) -> str:
    """Return whether the one piece on a space is the owner's, another's, anybody's."""
    cell = f"s[{w.piece_cell(piece, space)}]"
    if owner is None:
        return f"({cell} >= 0)"
    text = w.text(owner)
    if another:
        return f"(-1 != {cell} != {text})"
    somebody = "-1 != " if may_hold_none(owner) else ""
    return f"({somebody}{cell} == {text})"


@writes(rb.PieceOn)
def _piece_on(w: Writer, e: rb.PieceOn) -> str:
    if not cells_of(w, e.piece).owners:
        return one_stands(w, e.piece, e.owner, e.space, another=e.another)
    return f"({count_on(w, e.piece, e.owner, e.space, another=e.another)} > 0)"


@writes(rb.PieceOwner)
def _piece_owner(w: Writer, e: rb.PieceOwner) -> str:
    return f"s[{w.piece_cell(e.piece, e.space)}]"


def counted(w: Writer, cells: str, length: str, owner: rb.Expr | None) -> str:
    """Return how many cells of a slice hold (the owner's) piece."""
    if owner is None:
        return f"({length} - {cells}.count(-1))"
    text = w.text(owner)
    if not may_hold_none(owner):
        return f"{cells}.count({text})"
    if NAME.fullmatch(text):
        return f"({cells}.count({text}) if {text} >= 0 else 0)"
    return f"owned({cells}, {text})"


def everywhere(w: Writer, piece: str, owner: rb.Expr | None) -> str:
    """Return how many (of the owner's) pieces stand on the board."""
    cells = cells_of(w, piece)
    if not cells.owners:
        length = str(cells.high - cells.low)
        return counted(w, f"s[{cells.low}:{cells.high}]", length, owner)
    if owner is None:
        return f"sum(s[{cells.low}:{cells.high}])"
    text = w.text(owner)
    own = f"sum(s[{cells.low} + {text}:{cells.high}:{cells.owners}])"
    return guarded(own, owner, text, "0")


def among(w: Writer, piece: str, owner: rb.Expr | None, spaces: rb.Expr) -> str:
    """Return how many (of the owner's) pieces stand on the spaces of a set."""
    owners = cells_of(w, piece).owners
    if not owners and isinstance(spaces, rb.Related) and owner is not None:
        return counted(w, w.related_cells(piece, spaces), "", owner)
    text, base = w.text(spaces), w.facts.set_base(piece, spaces)
    if not owners:
        cells = f"[s[{base} + i] for i in {text}]"
        return counted(w, cells, f"len({text})", owner)
    if owner is None:
        each = f"for i in {text} for o in range({owners})"
        return f"sum([s[{base} + i * {owners} + o] {each}])"
    whose = w.text(owner)
    own = f"sum([s[{base} + i * {owners} + {whose}] for i in {text}])"
    return guarded(own, owner, whose, "0")


@writes(rb.PieceCount)
def _piece_count(w: Writer, e: rb.PieceCount) -> str:
    spaces = e.spaces
    if spaces is not None and isinstance(spaces.type, rb.Member):
        return count_on(w, e.piece, e.owner, spaces, another=e.another)

    def standing(owner: rb.Expr | None) -> str:
        if spaces is None:
            return everywhere(w, e.piece, owner)
        return among(w, e.piece, owner, spaces)

    if e.another:
        return f"({standing(None)} - {standing(e.owner)})"
    return standing(e.owner)


@writes(rb.PieceLeft)
def _piece_left(w: Writer, e: rb.PieceLeft) -> str:
    count = cells_of(w, e.piece).count
    left = f"({count} - {everywhere(w, e.piece, e.owner)})"
    return left if e.owner is None else guarded(left, e.owner, w.text(e.owner), "0")


def spaces_of(w: Writer, e: rb.PieceSpaces | rb.PieceSpace) -> str:
    """Return the generator of the spaces on which (the owner's) pieces stand."""
    cells, size = cells_of(w, e.piece), w.facts.sizes[e.domain]
    base, owners = cells.bases[e.domain], cells.owners
    end = base + size * max(1, owners)
    if not owners:
        test = "c != -1"
        if e.owner is not None:
            test = f"c == {w.text(e.owner)}"
            if may_hold_none(e.owner):
                test = f"-1 != {test}"
        return f"i for i, c in enumerate(s[{base}:{end}]) if {test}"
    if e.owner is None:
        cell = f"s[{base} + i * {owners}:{base} + (i + 1) * {owners}]"
        return f"i for i in range({size}) if any({cell})"
    text = w.text(e.owner)
    own = f"i for i, c in enumerate(s[{base} + {text}:{end}:{owners}]) if c"
    return f"{own} and {text} >= 0" if may_hold_none(e.owner) else own


@writes(rb.PieceSpaces)
def _piece_spaces(w: Writer, e: rb.PieceSpaces) -> str:
    return f"tuple([{spaces_of(w, e)}])"


@writes(rb.PieceSpace)
def _piece_space(w: Writer, e: rb.PieceSpace) -> str:
    return f"next(({spaces_of(w, e)}), -1)"
