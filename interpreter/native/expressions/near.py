"""Loops through what is near somebody's pieces, where a condition asks for one there.

A path may be built on where an own one ends: only what lies by an own piece is looked
at then, and not the whole board. What lies by what stands fixed.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from interpreter.native.writer import Loop, Writer
from interpreter.tables.reads import walk
from rulebook import model as m

FEWEST = 16
"""How many members there are at least where looking at all of them is slow."""

Rows = Sequence[frozenset[int]]


@attrs.frozen
class Near:
    """A piece of an owner's stands on one of the spaces that a row has for a member."""

    piece: str
    owner: m.Local
    domain: str
    rows: Rows


def near(w: Writer, e: m.Expr, slot: int) -> list[Near]:
    """Return one of what must be near a member for a condition to hold; or nothing."""
    kinds = [node.type for node in walk(e) if is_local(node, slot)]
    if not kinds or not isinstance(kinds[0], m.Member):
        return []
    size = w.facts.sizes[kinds[0].domain]
    if size < FEWEST:
        return []
    return asked(w, e, (slot,), [frozenset([place]) for place in range(size)])


def is_local(node: object, slot: int) -> bool:
    """Whether a part is a variable."""
    return isinstance(node, m.Local) and node.slot == slot


def asked(w: Writer, e: m.Expr, slots: tuple[int, ...], rows: Rows) -> list[Near]:
    """Return what is asked of the last of some variables, each near the one before."""
    match e:
        case m.And(parts=parts):
            each = [asked(w, part, slots, rows) for part in parts]
            return next((nears for nears in each if nears), [])
        case m.Or(parts=parts):
            each = [asked(w, part, slots, rows) for part in parts]
            return [piece for nears in each for piece in nears] if all(each) else []
        case m.PieceOn(
            space=m.Local(type=m.Member() as kind) as space,
            owner=m.Local() as owner,
            another=False,
        ) if space.slot == slots[-1] and owner.slot not in slots:
            if w.facts.layout.pieces[e.piece].owners:
                return []
            return [Near(e.piece, owner, kind.domain, rows)]
        case m.Exists(
            set=m.Related(relation=relation, of=m.Local(slot=of)),
            where=m.Expr() as where,
        ) if of == slots[-1]:
            lie = w.facts.relations[relation]
            wider = [frozenset(far for at in row for far in lie[at]) for row in rows]
            return asked(w, where, (*slots, e.slot), wider)
        case _:
            return []


def loop_near(w: Writer, nears: list[Near], name: str) -> Loop:
    """Return the loop through the members that have one of some pieces near."""
    size = len(nears[0].rows)
    bits, words, lines = w.file.new("b"), size // 64 + 1, ""
    for (piece, owner, domain), rows in merged(nears).items():
        o, own, at, v = [w.file.new(x) for x in ("o", "b", "m", "m")]
        cells, spaces = w.facts.layout.pieces[piece], w.facts.sizes[domain]
        around = [
            tuple(place for place, row in enumerate(rows) if space in row)
            for space in range(spaces)
        ]
        members, places = w.file.sets([*around, ()])
        i = w.file.new("i")
        lines += (
            f"num {o} = {w.value(owner)}; uint64_t {own}[{spaces // 64 + 1}] = {{0}}; "
            f"if ({o} >= 0) "
            f"places_of({own}, g->s + {cells.bases[domain]}, {spaces}, {o}); "
            f"for (num {at}; ({at} = next_place({own}, {spaces // 64 + 1})) >= 0;) "
            f"for (num {i} = {places}[{at} + 1]; {i} < {places}[{at} + 2]; {i}++) "
            f"{{ num {v} = {members}[{i}]; "
            f"{bits}[{v} / 64] |= (uint64_t)1 << {v} % 64; }} "
        )
    following = f"({name} = next_place({bits}, {words})) >= 0"
    return Loop(
        f"uint64_t {bits}[{words}] = {{0}}; {lines}",
        f"for (VAR {name}; {following};) {{ ",
    )


def merged(nears: list[Near]) -> dict[tuple[str, m.Local, str], Rows]:
    """Return for each piece and owner all that they may be near of."""
    rows: dict[tuple[str, m.Local, str], Rows] = {}
    for piece in nears:
        key = (piece.piece, piece.owner, piece.domain)
        before = rows.get(key, [frozenset()] * len(piece.rows))
        rows[key] = [a | b for a, b in zip(before, piece.rows, strict=True)]
    return rows
