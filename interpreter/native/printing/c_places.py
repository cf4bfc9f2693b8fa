"""Conditions on places as operations on whole words of bits.

A condition on one place becomes, for every word, an expression whose bits are the
places that meet it. This is possible if it compares contents that are kept as sets of
places, combines such conditions, or depends on the place alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import OPERATORS
from interpreter.kernel.traversal import locals_of
from interpreter.native.c_file import CFile


class Printer(Protocol):
    """Printer of values as C, with the tables and names of its file."""

    file: CFile

    def new(self, letter: str) -> str:
        """Return an unused C name that starts with *letter*."""

    def value(self, e: k.Value) -> str:
        """Return the C text of a value, safe as an operand."""


WORD = 64
ALL_BITS = (1 << WORD) - 1

WORDS_MAX = 4
"""Maximum number of words of a set for which whole words are combined."""


ENTRIES_MAX = 64
"""Maximum range of the entries of a table whose places are grouped by entry."""


def word_count(size: int) -> int:
    """Return the number of words needed to store one bit per place."""
    return size // WORD + 1


@attrs.frozen
class Words:
    """Set of places: C lines that prepare it, and the C expression for each word."""

    before: str
    words: tuple[str, ...]

    def joined(self, other: Words, operator: str) -> Words:
        """Return the words of both sets joined by a C operator."""
        pairs = zip(self.words, other.words, strict=True)
        words = tuple([f"({a} {operator} {b})" for a, b in pairs])
        return Words(self.before + other.before, words)


def constant(places: Iterable[int], size: int) -> Words:
    """Return a constant set of places."""
    bits = sum(1 << place for place in set(places))
    words = range(word_count(size))
    listed = [f"0x{bits >> WORD * word & ALL_BITS:x}u" for word in words]
    return Words("", tuple([f"(uint64_t){word}" for word in listed]))


def complement(e: Words, size: int) -> Words:
    """Return the places below *size* that are not in a set."""
    inverted = Words(e.before, tuple([f"~{word}" for word in e.words]))
    return inverted.joined(constant(range(size), size), "&")


def meeting(p: Printer, e: k.Value, slot: int, size: int) -> Words | None:
    """Return the places below *size* for which a condition on a local is true.

    Return None if the condition cannot be evaluated for all places at once.
    """
    if word_count(size) > WORDS_MAX:
        return None
    match e:
        case k.All(parts=parts) | k.Some(parts=parts) if parts:
            first, *others = [meeting(p, part, slot, size) for part in parts]
            for other in others:
                if first is None or other is None:
                    return None
                first = first.joined(other, "&" if isinstance(e, k.All) else "|")
            return first
        case k.Negate(value=value):
            inner = meeting(p, value, slot, size)
            return None if inner is None else complement(inner, size)
        case k.CompareValues(
            operator, k.Lookup(table, k.Var(slot=read)), k.Int(value)
        ) if read == slot:
            holds: Callable[[int, int], Any] = OPERATORS[operator]
            return constant(
                [place for place in range(size) if holds(table[place], value)], size
            )
        case k.CompareValues(operator, k.Lookup(table, k.Var(slot=read)), wanted) if (
            read == slot and slot not in locals_of(wanted)
        ):
            return with_entry(p, operator, table[:size], wanted)
        case k.CompareValues(
            operator, k.Select(condition, then, otherwise), wanted
        ) if slot not in locals_of(condition):
            sides = [
                meeting(p, k.CompareValues(operator, x, wanted), slot, size)
                for x in (then, otherwise)
            ]
            return selected(p, condition, sides)
        case k.Select(condition, then, otherwise) if slot not in locals_of(condition):
            sides = [meeting(p, x, slot, size) for x in (then, otherwise)]
            return selected(p, condition, sides)
        case k.CompareValues(operator, k.Load(cell), wanted):
            return compared(p, operator, cell, wanted, slot, size)
        case k.Between(k.Int(-1), "!=", k.Load(cell), operator, wanted):
            same = content(p, cell, wanted, slot, size, nowhere=True)
            return same if same is None else filled(p, operator, cell, same, slot, size)
        case _:
            return None


def with_entry(
    p: Printer, operator: str, table: k.Table, wanted: k.Value
) -> Words | None:
    """Return the places whose entry in a table compares with a value.

    There is a set for each entry, and one for all values on either side of them.
    """
    low, high = min(table) - 1, max(table) + 1
    if high - low > ENTRIES_MAX:
        return None
    holds: Callable[[int, int], Any] = OPERATORS[operator]
    sets = [
        [place for place, entry in enumerate(table) if holds(entry, value)]
        for value in range(low, high + 1)
    ]
    width, i = word_count(len(table)), p.new("i")
    masks = p.file.masks(sets, width)
    inside = f"smaller(larger({p.value(wanted)}, {low}), {high})"
    before = f"num {i} = ({inside} - {low}) * {width}; "
    return Words(before, tuple([f"{masks}[{i} + {n}]" for n in range(width)]))


def selected(
    p: Printer, condition: k.Value, sides: Iterable[Words | None]
) -> Words | None:
    """Return one of two sets, selected by a condition."""
    first, second = sides
    if first is None or second is None:
        return None
    t = p.new("t")
    before = f"int {t} = {p.value(condition)} != 0; {first.before}{second.before}"
    pairs = zip(first.words, second.words, strict=True)
    return Words(before, tuple([f"({t} ? {a} : {b})" for a, b in pairs]))


def filled(
    p: Printer, operator: str, cell: k.Value, same: Words, slot: int, size: int
) -> Words | None:
    """Return the places that are not empty and in a set, or not in it."""
    empty = content(p, cell, k.Int(-1), slot, size, nowhere=False)
    match operator:
        case "==":
            return same
        case "!=" if empty is not None:
            return complement(same.joined(empty, "|"), size)
        case _:
            return None


def compared(
    p: Printer, operator: str, cell: k.Value, wanted: k.Value, slot: int, size: int
) -> Words | None:
    """Return the places whose cells compare with a value as an operator says."""
    match operator, wanted:
        case "==", _:
            return content(p, cell, wanted, slot, size, nowhere=False)
        case "!=", _:
            same = content(p, cell, wanted, slot, size, nowhere=False)
        case "<", k.Int(0):
            return content(p, cell, k.Int(-1), slot, size, nowhere=False)
        case ">=", k.Int(0):
            same = content(p, cell, k.Int(-1), slot, size, nowhere=False)
        case _:
            return None
    return None if same is None else complement(same, size)


def content(
    p: Printer, cell: k.Value, wanted: k.Value, slot: int, size: int, *, nowhere: bool
) -> Words | None:
    """Return the places whose cells contain a value that does not depend on them.

    If `nowhere` is true, no cell counts as containing -1.
    """
    if slot in locals_of(wanted):
        return None
    match cell:
        case k.Binary("+", k.Int(value=base), k.Var(slot=read)) if read == slot:
            shift, inside = 0, [*range(size)]
        case k.Binary("+", k.Int(value=base), k.Lookup(table, k.Var(slot=read))) if (
            read == slot
        ):
            inside = [place for place in range(size) if table[place] >= 0]
            shifts = {table[place] - place for place in inside}
            if len(shifts) != 1 or not (nowhere or never_none(wanted)):
                return None
            shift = shifts.pop()
        case _:
            return None
    row = p.file.held.row(base)
    if row is None or row.width > WORDS_MAX:
        return None
    name = p.new("h")
    own = row.set_of(p.value(wanted), p.new("o"), nowhere=nowhere)
    before = f"const uint64_t *{name} = {own}; "
    words = tuple(
        [shifted(name, row.width, word, shift) for word in range(word_count(size))]
    )
    whole = Words(before, words)
    return whole if shift == 0 else whole.joined(constant(inside, size), "&")


def never_none(e: k.Value) -> bool:
    """Return whether a value is certainly not -1."""
    return isinstance(e, k.Int) and e.value >= 0


def shifted(name: str, width: int, word: int, shift: int) -> str:
    """Return one word of a set whose places are lower by *shift*.

    A negative shift moves places up.
    """
    words, bits = divmod(shift, WORD)
    low = f"{name}[{word + words}]" if 0 <= word + words < width else "0"
    if not bits:
        return low
    high = f"{name}[{word + words + 1}]" if 0 <= word + words + 1 < width else "0"
    parts = []
    if low != "0":
        parts.append(f"{low} >> {bits}")
    if high != "0":
        parts.append(f"{high} << {WORD - bits}")
    return f"({' | '.join(parts) or '(uint64_t)0'})"
