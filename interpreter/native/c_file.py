"""Tables, events, amounts and names shared by the C functions of one game."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import attrs

from interpreter.core.announcement import Announcement
from interpreter.native.amounts import Amounts
from interpreter.native.keeping.held_places import HeldPlaces
from interpreter.native.keeping.kept_values import KeptValues
from rulebook import model as m

WIDTHS = (("int8_t", 7), ("int16_t", 15), ("int32_t", 31), ("int64_t", 63))


class NotTranslatable(Exception):
    """Raised for a part of the rules that cannot be translated to C."""


def smallest_type(values: Sequence[int]) -> str:
    """Return the smallest C integer type that can hold all *values*.

    >>> smallest_type([0, 127]), smallest_type([-129]), smallest_type([])
    ('int8_t', 'int16_t', 'int8_t')
    """
    low, high = min(values, default=0), max(values, default=0)
    for name, bits in WIDTHS:
        if -(1 << bits) <= low and high < 1 << bits:
            return name
    raise NotTranslatable(f"a number of more than 63 bits: {max(-low, high)}")


Types = m.Type | tuple[m.Type, ...]
"""Type of a chance outcome, or the types of its parts."""


@attrs.define
class CFile:
    """Tables, events, amounts and names shared by all functions of one game.

    `functions` are C functions for single expressions, by head and lines. `called` are
    the definitions that are called.
    """

    tables: dict[str, str] = attrs.field(factory=dict)
    rows: list[str] = attrs.field(factory=list)
    events: dict[str, int] = attrs.field(factory=dict)
    outcome_events: list[tuple[str | Announcement, Types]] = attrs.field(factory=list)
    reasons: dict[str, int] = attrs.field(factory=dict)
    amounts: Amounts = attrs.field(factory=Amounts)
    kept: KeptValues = attrs.field(factory=KeptValues)
    held: HeldPlaces = attrs.field(factory=HeldPlaces)
    functions: list[tuple[str, list[str]]] = attrs.field(factory=list)
    called: set[str] = attrs.field(factory=set)
    outcome: int = 1
    trails: int = 0
    deal_test_count: int = 0
    last: int = 0

    def new_name(self, letter: str) -> str:
        """Return an unused C name that starts with *letter*."""
        self.last += 1
        return f"{letter}{self.last}"

    def new_trail(self) -> int:
        """Return the number of a new longest-trail expression, from 0 on."""
        self.trails += 1
        return self.trails - 1

    def event(self, name: str) -> int:
        """Return the number of a chance event; a new event gets the next number."""
        return self.events.setdefault(name, len(self.events))

    def outcome_event(self, name: str | Announcement, types: Types) -> int:
        """Return the number in the log of an event whose outcomes have these types.

        The values of an announcement count as its outcome.
        """
        if isinstance(types, tuple):
            self.outcome = max(self.outcome, len(types))
        if (name, types) not in self.outcome_events:
            self.outcome_events.append((name, types))
        return self.outcome_events.index((name, types))

    def reason(self, name: str) -> int:
        """Return the number of a game-end reason; a new one gets the next number."""
        return self.reasons.setdefault(name, len(self.reasons))

    def table(self, values: Sequence[Any]) -> str:
        """Return the name of a constant array of numbers; equal arrays are shared."""
        numbers = [int(value) for value in values]
        key = repr(numbers)
        if key not in self.tables:
            name = self.tables[key] = self.new_name("K")
            listed = ", ".join(map(str, numbers)) or "0"
            size = max(1, len(numbers))
            self.rows.append(
                f"static const UNUSED {smallest_type(numbers)} {name}[{size}] = "
                f"{{{listed}}};"
            )
        return self.tables[key]

    def wide_table(self, values: Sequence[int]) -> str:
        """Return the name of a constant array of 32-bit numbers."""
        key = f"wide {list(values)}"
        if key not in self.tables:
            name = self.tables[key] = self.new_name("K")
            listed = ", ".join(map(str, values)) or "0"
            size = max(1, len(values))
            self.rows.append(
                f"static const UNUSED int32_t {name}[{size}] = {{{listed}}};"
            )
        return self.tables[key]

    def data(self, key: Hashable, values: Sequence[Any], comment: str) -> str:
        """Return the name of an array of amounts; equal keys share one array."""
        kind = smallest_type([int(value) for value in values])
        known = self.amounts.arrays.get(key)
        name = self.new_name("K") if known is None else known.name
        return self.amounts.array(key, name, kind, values, comment)

    def guarded_table(self, values: Sequence[Any]) -> str:
        """Return the name of an array with the last value, for index -1, put first."""
        return self.table((values[-1], *values[:-1]))

    def sets(self, rows: Sequence[Sequence[int]]) -> tuple[str, str]:
        """Return the names of two arrays: all members, and the start of each row.

        The last of *rows*, for the index -1, comes first.
        """
        turned = (rows[-1], *rows[:-1])
        places = [0]
        for row in turned:
            places.append(places[-1] + len(row))
        return self.table([x for row in turned for x in row]), self.table(places)

    def masks(self, rows: Sequence[Sequence[int]], words: int) -> str:
        """Return the name of an array of bit masks, with *words* words for each row."""
        every = [sum(1 << member for member in set(row)) for row in rows]
        low = (1 << 64) - 1
        parts = [row >> 64 * word & low for row in every for word in range(words)]
        key = f"masks {parts}"
        if key not in self.tables:
            name = self.tables[key] = self.new_name("K")
            listed = ", ".join([f"0x{part:x}u" for part in parts])
            self.rows.append(
                f"static const UNUSED uint64_t {name}[{len(parts)}] = {{{listed}}};"
            )
        return self.tables[key]
