"""C code for pieces on spaces.

If a space can hold one piece of a kind, its cell stores the owner. If it can hold
several, it has a count for each owner.
"""

from __future__ import annotations

from interpreter.core.layout import PieceCells
from interpreter.core.optional import may_hold_none
from interpreter.native.writer import CWriter, Loop, Loops, Values
from rulebook import model as m


def cells_of(w: CWriter, piece: str) -> PieceCells:
    """Return the cells of a piece."""
    return w.facts.layout.pieces[piece]


def row(w: CWriter, piece: str, space: m.Expr) -> str:
    """Return the C index of the first cell of a piece on a space."""
    base, owners = w.facts.piece_base(piece, space), cells_of(w, piece).owners
    return f"({base} + {w.value(space)} * {max(1, owners)})"


def added_up(w: CWriter, first: str, owners: int) -> str:
    """Return the C sum of the counts of all owners on a space."""
    x = w.file.new("x")
    cells = " + ".join([w.cell(f"{x} + {owner}") for owner in range(owners)])
    return f"({{ num {x} = {first}; {cells}; }})"


def guarded(value: str, owner: m.Expr, who: str) -> str:
    """Return a C number that is 0 if the owner is none."""
    return f"({who} >= 0 ? {value} : 0)" if may_hold_none(owner) else value


def count_on(
    w: CWriter, piece: str, owner: m.Expr | None, space: m.Expr, *, another: bool
) -> str:
    """Return the C number of pieces on a space: all, the owner's, or those of
    others.
    """
    owners = cells_of(w, piece).owners
    if not owners:
        return alone_on(w, piece, owner, space, another=another)
    first = row(w, piece, space)
    if owner is None:
        return added_up(w, first, owners)
    who = w.value(owner)
    own = guarded(w.cell(f"{first} + {who}"), owner, who)
    return f"({added_up(w, first, owners)} - {own})" if another else own


def alone_on(
    w: CWriter, piece: str, owner: m.Expr | None, space: m.Expr, *, another: bool
) -> str:
    """Return the C condition that the only piece on a space is anybody's, the owner's,
    or another's.
    """
    cell = w.cell(row(w, piece, space))
    if owner is None:
        return f"({cell} >= 0)"
    who, x = w.value(owner), w.file.new("x")
    if another:
        return f"({{ num {x} = {cell}; {x} != -1 && {x} != {who}; }})"
    if may_hold_none(owner):
        return f"({{ num {x} = {cell}; {x} != -1 && {x} == {who}; }})"
    return f"({cell} == {who})"


def _piece_on(w: CWriter, e: m.PieceOn) -> str:
    on = count_on(w, e.piece, e.owner, e.space, another=e.another)
    return f"({on} > 0)" if cells_of(w, e.piece).owners else on


def everywhere(w: CWriter, piece: str, owner: m.Expr | None) -> str:
    """Return the C number of pieces on the board, all or the owner's."""
    cells = cells_of(w, piece)
    i, total, o = w.file.new("i"), w.file.new("n"), w.file.new("o")
    who = "" if owner is None else f"num {o} = {w.value(owner)}; "
    guard = f"if ({o} >= 0) " if owner is not None and may_hold_none(owner) else ""
    if not cells.owners:
        size = cells.high - cells.low
        held = f"holding(g->s + {cells.low}, {size}, {'-1' if owner is None else o})"
        more = f"{size} - {held}" if owner is None else held
        return f"({{ num {total} = 0; {who}{guard}{total} = {more}; {total}; }})"
    first = str(cells.low) if owner is None else f"{cells.low} + {o}"
    step = 1 if owner is None else cells.owners
    through = f"for (num {i} = {first}; {i} < {cells.high}; {i} += {step})"
    add = f"{total} += {w.cell(i)};"
    return f"({{ num {total} = 0; {who}{guard}{through} {add} {total}; }})"


def among(w: CWriter, piece: str, owner: m.Expr | None, spaces: m.Expr) -> str:
    """Return the C number of pieces on the spaces of a set, all or the owner's."""
    owners, base = cells_of(w, piece).owners, w.facts.set_base(piece, spaces)
    total, v, o = w.file.new("n"), w.file.new("m"), w.file.new("o")
    who = "" if owner is None else f"num {o} = {w.value(owner)}; "
    guard = f"if ({o} >= 0) " if owner is not None and may_hold_none(owner) else ""
    if not owners:
        cell = w.cell(f"{base} + {v}")
        more = f"{cell} != -1" if owner is None else f"{cell} == {o}"
    elif owner is None:
        more = added_up(w, f"{base} + {v} * {owners}", owners)
    else:
        more = w.cell(f"{base} + {v} * {owners} + {o}")
    through = w.loop(spaces, v, f"{total} += {more};")
    return f"({{ num {total} = 0; {who}{guard}{through} {total}; }})"


def _piece_count(w: CWriter, e: m.PieceCount) -> str:
    spaces = e.spaces
    if spaces is not None and isinstance(spaces.type, m.Member):
        return count_on(w, e.piece, e.owner, spaces, another=e.another)

    def standing(owner: m.Expr | None) -> str:
        if spaces is None:
            return everywhere(w, e.piece, owner)
        return among(w, e.piece, owner, spaces)

    if e.another:
        return f"({standing(None)} - {standing(e.owner)})"
    return standing(e.owner)


def _piece_left(w: CWriter, e: m.PieceLeft) -> str:
    count = w.amount(cells_of(w, e.piece).count, w.facts.model.pieces[e.piece].count)
    left = f"({count} - {everywhere(w, e.piece, e.owner)})"
    return left if e.owner is None else guarded(left, e.owner, w.value(e.owner))


def spaces_of(w: CWriter, e: m.PieceSpaces | m.PieceSpace, name: str) -> Loop:
    """Return the C loop over the spaces with pieces, anybody's or the owner's."""
    cells, size = cells_of(w, e.piece), w.facts.sizes[e.domain]
    base, owners = cells.bases[e.domain], cells.owners
    o = w.file.new("o")
    before = "" if e.owner is None else f"num {o} = {w.value(e.owner)}; "
    if not owners and e.owner is not None:
        bits, words = w.file.new("b"), size // 64 + 1
        before += f"uint64_t {bits}[{words}] = {{0}}; "
        before += f"if ({o} >= 0) places_of({bits}, g->s + {base}, {size}, {o}); "
        following = f"({name} = next_place({bits}, {words})) >= 0"
        return Loop(before, f"for (VAR {name}; {following};) {{ ")
    if not owners:
        test = f"{w.cell(f'{base} + {name}')} != -1"
    elif e.owner is None:
        test = f"{added_up(w, f'{base} + {name} * {owners}', owners)} > 0"
    else:
        test = f"{o} >= 0 && {w.cell(f'{base} + {name} * {owners} + {o}')} != 0"
    head = f"for (num {name} = 0; {name} < {size}; {name}++) {{ "
    return Loop(before, f"{head}if (!({test})) continue; ")


def _piece_space(w: CWriter, e: m.PieceSpace) -> str:
    first, v = w.file.new("m"), w.file.new("m")
    loop = spaces_of(w, e, v)
    through = f"{{ {loop.before}{loop.head}{first} = {v}; break; }} }}"
    return f"({{ num {first} = -1; {through} {first}; }})"


VALUES: Values = {
    m.PieceOn: _piece_on,
    m.PieceOwner: lambda w, e: w.cell(row(w, e.piece, e.space)),
    m.PieceCount: _piece_count,
    m.PieceLeft: _piece_left,
    m.PieceSpace: _piece_space,
}
LOOPS: Loops = {m.PieceSpaces: spaces_of}
