"""Values and sets of places that a C program keeps until a cell they depend on changes.

Each has entries, one for each combination of the locals that it depends on. A bit for
each entry says whether it is valid. A write to a cell clears the bits of everything
that depends on the cell's block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from math import prod
from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.passes.keeping import bound_slots, constant_part
from interpreter.kernel.traversal import map_children, walk
from interpreter.native.keeping.held_places import HeldPlaces

WROTE = re.compile(r"\bwrote_(\d+)\((\w+), (\w+)\);")
"""Placeholder for the lines after a write to one cell of a block.

Its arguments are the C variables with the index of the cell and its content before.
"""

CHANGED = re.compile(r"\bchanged_(\d+)\(\);")
"""Placeholder for the lines after writes to several cells of a block."""

WRITTEN = "written();"
"""Line after a write, by which a checked program finds the last write."""

RENEW = "renew(g);"
"""Line after a write to unknown cells."""


@attrs.frozen
class KeptEntries:
    """Kept value of a C program.

    `name` is the C function that returns it. `word` is the first of `words` words with
    a bit for each entry. `first` is its first number, or its first word of places, of
    which an entry has `width`. `by_owner` contains the blocks that it depends on, and
    whether a write to a cell concerns only the entries of the members that the cell
    contains before and after it. `check` are the C lines that compare entry `i` with a
    new value.
    """

    name: str
    word: int
    words: int
    first: int
    width: int
    entries: int
    by_owner: Mapping[int, bool]
    check: str

    def forget(self, block: int, cell: str, old: str) -> str:
        """Return the lines after a write to a cell of a block that it depends on.

        *old* is the content of the cell before.
        """
        if self.by_owner[block]:
            members = (old, f"g->s[{cell}]")
            bits = [f"(uint64_t)1 << (({member} + 1) & 63)" for member in members]
            return f"g->valid[{self.word}] &= ~({' | '.join(bits)});"
        return self.forget_all()

    def forget_all(self) -> str:
        """Return the line that forgets all entries."""
        words = range(self.word, self.word + self.words)
        return "".join([f"g->valid[{word}] = " for word in words]) + "0;"


@attrs.define
class KeptValues:
    """Kept values of a C program, by what they compute.

    `valid` counts the words with a bit for each entry, `numbers` the kept numbers and
    `places` the words of kept places. `block_of` returns the block of a cell, or None.
    """

    block_of: Callable[[int], int | None] = lambda _: None
    values: dict[Hashable, KeptEntries] = attrs.field(factory=dict)
    valid: int = 0
    numbers: int = 0
    places: int = 0

    def add(
        self, key: Hashable, e: k.KeptValue | k.KeptPlaces, name: str, width: int
    ) -> KeptEntries:
        """Reserve the entries of a value, given the number of words of its places.

        A number has no words of places.
        """
        first = self.places if width else self.numbers
        entries = prod(size + 1 for size in e.sizes)
        words = -(-entries // 64)
        single = len(e.slots) == 1 and words == 1
        pairs = zip(e.reads, e.owners, strict=True)
        by_owner = {x: single and owner in e.slots for x, owner in pairs}
        check = check_lines(e, name, first, width)
        kept = KeptEntries(
            name, self.valid, words, first, width, entries, by_owner, check
        )
        self.values[key] = kept
        self.valid += words
        self.places += entries * width
        self.numbers += 0 if width else entries
        return kept

    def check(self, held: HeldPlaces) -> list[str]:
        """Return the lines that compare all kept values with new ones."""
        rows = [row.check() for row in held.rows.values()]
        values = [
            f"for (num i = 0; i < {kept.entries}; i++) "
            f"if (g->valid[{kept.word} + i / 64] >> i % 64 & 1) {{ {kept.check} }}"
            for kept in self.values.values()
        ]
        return rows + values

    def changed(self, cell: k.Value) -> str:
        """Return the line after a write to a row of cells, given the first of them."""
        block = self.block_of(constant_part(cell))
        if block is None:
            return "" if isinstance(cell, k.Int) else RENEW
        return f"changed_{block}();"

    def resolve(self, text: str, held: HeldPlaces) -> str:
        """Return a C text in which the placeholders after writes are replaced."""

        def forgotten(block: int, cell: str, old: str) -> list[str]:
            kept = [x for x in self.values.values() if block in x.by_owner]
            return [x.forget(block, cell, old) for x in kept]

        def after_write(match: re.Match[str]) -> str:
            block = int(match[1])
            updates = [row.update(match[2], match[3]) for row in held.of_block(block)]
            lines = [*updates, *forgotten(block, match[2], match[3])]
            return " ".join([*lines, WRITTEN] if lines else [])

        def after_writes(match: re.Match[str]) -> str:
            block = int(match[1])
            if held.of_block(block):
                return RENEW
            kept = [x for x in self.values.values() if block in x.by_owner]
            return " ".join([x.forget_all() for x in kept])

        return CHANGED.sub(after_writes, WROTE.sub(after_write, text))


def check_lines(
    e: k.KeptValue | k.KeptPlaces, name: str, first: int, width: int
) -> str:
    """Return the C lines that compare entry `i` of a kept value with a new value."""
    rest, keys = "i", dict[int, str]()
    for slot, size in reversed([*zip(e.slots, e.sizes, strict=True)]):
        keys[slot] = f"({rest}) % {size + 1} - 1"
        rest = f"({rest}) / {size + 1}"
    given = "".join([f", {keys[slot]}" for slot in e.slots])
    if not width:
        same = f"{name}_now(g{given}) == g->number[{first} + i]"
        return f'if (!({same})) differs("{name}");'
    return (
        f"uint64_t bits[{width}]; {name}_now(g, bits{given}); "
        f"if (memcmp(bits, g->places + {first} + i * {width}, sizeof bits)) "
        f'differs("{name}");'
    )


def canonical(e: k.KeptValue | k.KeptPlaces) -> k.Operation:
    """Return a kept value with numbered locals: equal values are kept once."""
    numbers = {slot: number for number, slot in enumerate(e.slots)}
    for inner in walk(e):
        for slot in bound_slots(inner):
            numbers.setdefault(slot, len(numbers))
    whole: k.Operation = numbered(attrs.evolve(e, keys=()), numbers)
    return whole


def numbered(e: Any, numbers: Mapping[int, int]) -> Any:
    """Return an operation with other slots for its locals."""
    changes: dict[str, Any] = {}
    for name in ("slot", "before", "index", "count"):
        slot = getattr(e, name, None)
        if isinstance(slot, int) and slot in numbers:
            changes[name] = numbers[slot]
    if isinstance(e, k.KeptValue | k.KeptPlaces | k.DealTest):
        changes["slots"] = tuple([numbers[slot] for slot in e.slots])
    new = attrs.evolve(e, **changes) if changes else e
    return map_children(new, lambda part: numbered(part, numbers))
