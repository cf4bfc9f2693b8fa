"""C loops over the spaces near a player's pieces, for conditions that require one.

For example, a piece may need to be next to another one of its owner. The spaces that
meet such a condition are computed as bits from the pieces, so the loop need not test
the whole board. Fixed relations lead from a piece to the other spaces.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from interpreter.native.writer import CWriter, Loop
from interpreter.plan.specialise.terms import slots_read
from rulebook import model as m

FEWEST = 16
"""Minimum number of members for which this search replaces a test of all members."""

WORDS_FEW = 4
"""Maximum number of words for which combining whole words is faster than
visiting bits.
"""

Rows = Sequence[Sequence[int]]


@attrs.frozen
class Near:
    """C lines that compute the members that meet a condition, as bits in several words.

    Unless `exact`, the bits may include other members, and the condition must still be
    tested.
    """

    lines: str
    bits: str
    words: int
    exact: bool

    def loop(self, name: str) -> Loop:
        """Return the C loop over the members whose bit is set."""
        following = f"({name} = next_place({self.bits}, {self.words})) >= 0"
        return Loop(self.lines, f"for (VAR {name}; {following};) {{ ")


def near(w: CWriter, e: m.Expr, slot: int, size: int) -> Near | None:
    """Return a search for the members that meet a condition, or None if there is no
    fast one.

    `size` is the number of members.
    """
    return last_near_search(w, e, (slot,), size) if size >= FEWEST else None


def last_near_search(
    w: CWriter, e: m.Expr, slots: tuple[int, ...], size: int
) -> Near | None:
    """Return a search for the last of several variables, if each is near the one
    before.
    """
    match e:
        case m.And(parts=parts):
            return first_of(w, parts, slots, size)
        case m.Or(parts=parts):
            each = [last_near_search(w, part, slots, size) for part in parts]
            sure = [near for near in each if near is not None]
            return joined(w, sure) if sure and len(sure) == len(each) else None
        case m.PieceOn(
            space=m.Local(type=m.Member() as kind) as space,
            owner=m.Local() as owner,
            another=False,
        ) if space.slot == slots[-1] and owner.slot not in slots:
            return piece_spaces(w, e.piece, owner, kind.domain)
        case m.Exists(
            set=m.Related(
                relation=relation, of=m.Local(slot=of), type=m.SetOf() as far
            ),
            where=m.Expr() as where,
        ) if of == slots[-1] and far.domain is not None:
            wider = w.facts.sizes[far.domain]
            there = last_near_search(w, where, (*slots, e.slot), wider)
            return there and beside(w, there, w.facts.relations[relation], wider, size)
        case _:
            return None


def piece_spaces(w: CWriter, piece: str, owner: m.Local, domain: str) -> Near | None:
    """Return a search for the spaces of an owner's pieces."""
    cells, size = w.facts.layout.pieces[piece], w.facts.sizes[domain]
    if cells.owners:
        return None
    bits, o, words = w.file.new("b"), w.file.new("o"), size // 64 + 1
    lines = (
        f"uint64_t {bits}[{words}] = {{0}}; num {o} = {w.value(owner)}; if ({o} >= 0) "
        f"places_of({bits}, g->s + {cells.bases[domain]}, {size}, {o}); "
    )
    return Near(lines, bits, words, exact=True)


def first_of(
    w: CWriter, parts: tuple[m.Expr, ...], slots: tuple[int, ...], size: int
) -> Near | None:
    """Return a search based on the first suitable condition; the others remain tests.

    A condition that reads a variable bound further out cannot be evaluated yet.
    """
    for part in parts:
        there = last_near_search(w, part, slots, size)
        if there is None:
            continue
        others = [other for other in parts if other is not part]
        ready = [x for x in others if not set(slots[:-1]) & slots_read(x)]
        exact = there.exact and len(ready) == len(others)
        if not ready:
            return attrs.evolve(there, exact=exact)
        bits, left, v = w.file.new("b"), w.file.new("b"), w.file.new("m")
        with w.binding(slots[-1], v):
            tests = " && ".join([w.value(test) for test in ready])
        through = attrs.evolve(there, lines="", bits=left).loop(v)
        copied = f"memcpy({left}, {there.bits}, sizeof {left});"
        lines = (
            f"{there.lines}uint64_t {bits}[{there.words}] = {{0}}, "
            f"{left}[{there.words}]; {copied} {through.head}"
            f"{added(bits, v, f'(({tests}) != 0)')} }} "
        )
        return Near(lines, bits, there.words, exact)
    return None


def added(bits: str, place: str, holds: str = "1") -> str:
    """Return the C line that sets the bit of a place if a condition is true (default:
    always).
    """
    return f"{bits}[{place} / 64] |= (uint64_t){holds} << {place} % 64;"


def joined(w: CWriter, each: list[Near]) -> Near:
    """Return the union of several searches."""
    bits, words, i = w.file.new("b"), each[0].words, w.file.new("i")
    values = " | ".join([f"{near.bits}[{i}]" for near in each])
    lines = (
        f"uint64_t {bits}[{words}]; "
        f"for (int {i} = 0; {i} < {words}; {i}++) {bits}[{i}] = {values}; "
    )
    before = "".join([near.lines for near in each])
    return Near(before + lines, bits, words, all(near.exact for near in each))


def beside(w: CWriter, there: Near, lie: Rows, wider: int, size: int) -> Near:
    """Return a search for the members next to those found by another search.

    `size` is the number of members.
    """
    around: list[list[int]] = [[] for _ in range(wider)]
    for place in range(size):
        for space in lie[place]:
            around[space].append(place)
    bits, words = w.file.new("b"), size // 64 + 1
    at, v, i = [w.file.new(x) for x in ("m", "m", "i")]
    if words <= WORDS_FEW:
        masks = w.file.masks(around, words)
        body = f"{bits}[{i}] |= {masks}[{at} * {words} + {i}];"
        row = f"for (int {i} = 0; {i} < {words}; {i}++)"
    else:
        members, places = w.file.sets([*around, []])
        body = f"num {v} = {members}[{i}]; {added(bits, v)}"
        row = f"for (num {i} = {places}[{at} + 1]; {i} < {places}[{at} + 2]; {i}++)"
    lines = (
        f"{there.lines}uint64_t {bits}[{words}] = {{0}}; "
        f"{there.loop(at).head}{row} {{ {body} }} }} "
    )
    return Near(lines, bits, words, there.exact)
