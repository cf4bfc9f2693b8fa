"""Writer of expressions as C code over `g` (the game) and `f` (the frame).

A value becomes code that is safe as an operand. A set becomes a loop, or an array that
begins with its size where the whole set is needed. A bag is read card by card.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.core.layout import Block
from interpreter.native.amounts import Amounts
from rulebook import model as m

SMALL = 2
"""Largest number that becomes a literal; larger numbers, and all numbers of costs, are
data.
"""

WIDTHS = (("int8_t", 7), ("int16_t", 15), ("int32_t", 31), ("int64_t", 63))


class Untranslated(Exception):
    """Raised for a part of the rules that cannot be translated to C."""


def width(values: Sequence[int]) -> str:
    """Return the smallest C integer type that holds all the numbers.

    >>> width([0, 127]), width([-129]), width([])
    ('int8_t', 'int16_t', 'int8_t')
    """
    low, high = min(values, default=0), max(values, default=0)
    for name, bits in WIDTHS:
        if -(1 << bits) <= low and high < 1 << bits:
            return name
    raise Untranslated(f"a number of more than 63 bits: {max(-low, high)}")


Types = m.Type | tuple[m.Type, ...]
"""Type of an outcome, or of each of its parts."""


@attrs.define
class File:
    """Tables, events and names that all functions of one game share."""

    tables: dict[str, str] = attrs.field(factory=dict)
    rows: list[str] = attrs.field(factory=list)
    events: dict[str, int] = attrs.field(factory=dict)
    falls: list[tuple[str, Types]] = attrs.field(factory=list)
    reasons: dict[str, int] = attrs.field(factory=dict)
    amounts: Amounts = attrs.field(factory=Amounts)
    outcome: int = 1
    trails: int = 0
    deal_tests: int = 0
    last: int = 0

    def new(self, letter: str) -> str:
        """Return an unused name."""
        self.last += 1
        return f"{letter}{self.last}"

    def trail(self) -> int:
        """Return the number of a new longest-trail expression."""
        self.trails += 1
        return self.trails - 1

    def event(self, name: str) -> int:
        """Return the number of a chance event."""
        return self.events.setdefault(name, len(self.events))

    def fall(self, name: str, types: Types) -> int:
        """Return the number of an event with outcomes of these types, for the log."""
        if isinstance(types, tuple):
            self.outcome = max(self.outcome, len(types))
        if (name, types) not in self.falls:
            self.falls.append((name, types))
        return self.falls.index((name, types))

    def reason(self, name: str) -> int:
        """Return the number of a reason why a game ends."""
        return self.reasons.setdefault(name, len(self.reasons))

    def table(self, values: Sequence[Any]) -> str:
        """Return the name of an array of numbers."""
        numbers = [int(value) for value in values]
        key = repr(numbers)
        if key not in self.tables:
            name = self.tables[key] = self.new("K")
            listed = ", ".join(map(str, numbers)) or "0"
            size = max(1, len(numbers))
            self.rows.append(
                f"static const UNUSED {width(numbers)} {name}[{size}] = {{{listed}}};"
            )
        return self.tables[key]

    def wide(self, values: Sequence[int]) -> str:
        """Return the name of an array of 32-bit integers."""
        key = f"wide {list(values)}"
        if key not in self.tables:
            name = self.tables[key] = self.new("K")
            listed = ", ".join(map(str, values)) or "0"
            size = max(1, len(values))
            self.rows.append(
                f"static const UNUSED int32_t {name}[{size}] = {{{listed}}};"
            )
        return self.tables[key]

    def data(self, key: Hashable, values: Sequence[Any], what: str) -> str:
        """Return the name of an array of amounts."""
        kind = width([int(value) for value in values])
        known = self.amounts.arrays.get(key)
        name = self.new("K") if known is None else known.name
        return self.amounts.array(key, name, kind, values, what)

    def guarded(self, values: Sequence[Any]) -> str:
        """Return the name of an array that starts with the last value, the one for
        none.
        """
        return self.table((values[-1], *values[:-1]))

    def sets(self, rows: Sequence[Sequence[int]]) -> tuple[str, str]:
        """Return the names of two arrays: the members of all rows, and the start of
        each row.

        The row for none, the last one, comes first.
        """
        turned = (rows[-1], *rows[:-1])
        places = [0]
        for row in turned:
            places.append(places[-1] + len(row))
        return self.table([x for row in turned for x in row]), self.table(places)

    def masks(self, rows: Sequence[Sequence[int]], words: int) -> str:
        """Return the name of an array of rows of members as bits, with *words* words
        per row.
        """
        every = [sum(1 << member for member in set(row)) for row in rows]
        low = (1 << 64) - 1
        parts = [row >> 64 * word & low for row in every for word in range(words)]
        key = f"masks {parts}"
        if key not in self.tables:
            name = self.tables[key] = self.new("K")
            listed = ", ".join([f"0x{part:x}u" for part in parts])
            self.rows.append(
                f"static const UNUSED uint64_t {name}[{len(parts)}] = {{{listed}}};"
            )
        return self.tables[key]


@attrs.frozen
class Loop:
    """Loop over a set: lines before it, its head, and a test that skips members."""

    before: str
    head: str


Value = Callable[["CWriter", Any], str]
Through = Callable[["CWriter", Any, str], Loop]
Anyhow = Callable[["CWriter", Any, str], Loop | None]
Fill = Callable[["CWriter", Any, str], str]
Bag = Callable[["CWriter", Any, str], str]
Most = Callable[["CWriter", Any], int]
Tables = Mapping[type, Any]
Values = Mapping[type, Value]
Loops = Mapping[type, Through]
Lists = Mapping[type, Fill]
Counts = Mapping[type, Bag]


@attrs.frozen
class Templates:
    """Templates for expressions, by class: values, sets and bags.

    `loops` iterate over a set and `lists` fill an array with it. `counts` read one
    count of a bag and `fills` fill an array with all counts. `most` is the maximum size
    of a set. `unordered` iterate over a set in the fastest order. `tabulated` reads a
    value from a table, and `narrowed` visits only members that can meet a condition,
    where possible.
    """

    values: Values
    loops: Loops
    lists: Lists
    counts: Counts
    fills: Lists
    most: Mapping[type, Most]
    unordered: Mapping[type, Anyhow]
    tabulated: Callable[[CWriter, Any], str | None]
    narrowed: Callable[
        [CWriter, Any, str, m.Expr | None], tuple[Loop | None, m.Expr | None]
    ]


@attrs.define
class CWriter:
    """Writer of the expressions of one unit as C.

    Slots in `bound` are C variables. `places` are the offsets of the other slots in the
    frame; if None, every slot is a variable. A literal below `enough` may be replaced
    by any other such number. With `costs`, costs become literals, and every other
    number is separate data.
    """

    file: File
    facts: Facts
    templates: Templates
    stacks: Mapping[int, int]
    defines: Mapping[str, str]
    places: Mapping[int, int] | None = None
    bound: dict[int, str] = attrs.field(factory=dict)
    tallies: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    enough: str = "2"
    costs: bool = False

    def with_variables(self) -> CWriter:
        """Return a writer for code whose slots are all variables."""
        return attrs.evolve(self, places=None, bound={})

    # ------------------------------------------------------------ writing

    def value(self, e: Any) -> str:
        """Return the C code of an expression's value."""
        table = self.templates.tabulated(self, e)
        return table or str(self.lookup(self.templates.values, e)(self, e))

    def number(self, e: m.Expr) -> str:
        """Return the C code of an arithmetic operand; none counts as 0."""
        value = self.value(e)
        if isinstance(e.type, m.Whole | m.Truth):
            return value
        return f"at_least_0({value})"

    def amount(self, value: int, e: m.Part, *more: Hashable) -> str:
        """Return the C code of an amount, which is data and not part of the text.

        `e` is the part that contains it, and `more` distinguishes the numbers of a bag.
        A number of 2 or less becomes a literal, which is faster and seldom changes.
        """
        apart = self.costs and value > 0
        if value <= SMALL and not more and not apart:
            return f"({value})" if value < 0 else str(value)
        where = f"{e.span.file}:{e.span.line}" if e.span.file else "worked out"
        key = object() if apart else (e.span, more)
        return self.file.amounts.number(value, key, where)

    def lookup(self, table: Tables, e: Any) -> Any:
        """Return the template in a table for the class of an expression."""
        template = table.get(type(e))
        if template is None:
            raise Untranslated(f"no C for {type(e).__name__} as it is used here")
        return template

    # ------------------------------------------------------------ variables

    def slot(self, number: int) -> str:
        """Return the C code of a local variable, for reading and writing."""
        if number in self.bound:
            return self.bound[number]
        if self.places is None:
            return f"v{number}"
        return f"f[{self.places[number]}]"

    def array(self, number: int) -> str:
        """Return the C code of the first cell of a local variable with
        several cells.
        """
        if number in self.bound:
            return self.bound[number]
        if self.places is None:
            return f"v{number}"
        return f"(f + {self.places[number]})"

    @contextmanager
    def binding(self, slot: int, name: str | None = None) -> Iterator[str]:
        """Make a slot a C variable inside the block."""
        before = self.bound.get(slot)
        self.bound[slot] = name or self.file.new(f"v{slot}_")
        yield self.bound[slot]
        if before is None:
            del self.bound[slot]
        else:
            self.bound[slot] = before

    # ------------------------------------------------------------ cells

    def row(self, value: m.FieldValue) -> str:
        """Return the C index of the first cell of a field's owner."""
        block = self.facts.block(value)
        if value.owner is None:
            return str(block.base)
        return f"({block.base} + {self.value(value.owner)} * {block.stride})"

    def stack(self, value: m.FieldValue) -> str:
        """Return the C code of the address of a stack."""
        block = self.facts.block(value)
        first = self.stacks[block.base]
        if value.owner is None:
            return f"(&g->stack[{first}])"
        return f"(&g->stack[{first} + {self.value(value.owner)}])"

    def cell(self, index: str) -> str:
        """Return the C code of a cell of the state."""
        return f"g->s[{index}]"

    def block_of(self, e: m.Expr) -> Block | None:
        """Return the block of a holder, or None if it is not a field."""
        return self.facts.block(e) if isinstance(e, m.FieldValue) else None

    def kinds(self, kind: m.Type) -> int:
        """Return the number of different cards in a domain."""
        assert isinstance(kind, m.Bag | m.Stack)
        return self.facts.sizes[kind.domain]

    # ------------------------------------------------------------ through sets

    def loop(
        self,
        e: Any,
        name: str,
        body: str,
        where: m.Expr | None = None,
        *,
        anyhow: bool = False,
    ) -> str:
        """Return the C loop over a set; `body` may break and continue.

        `anyhow` means that the order does not matter.
        """
        loop, where = self.templates.narrowed(self, e, name, where)
        if loop is None and anyhow and type(e) in self.templates.unordered:
            loop = self.templates.unordered[type(e)](self, e, name)
        if loop is None:
            loop = self.through(e, name)
        guard = "" if where is None else f"if (!{self.value(where)}) continue; "
        return f"{{ {loop.before}{loop.head}{guard}{body} }} }}"

    def through(self, e: Any, name: str) -> Loop:
        """Return the loop over a set; a set without a loop template is stored in an
        array first.
        """
        template = self.templates.loops.get(type(e))
        if template is not None:
            loop: Loop = template(self, e, name)
            return loop
        array = self.file.new("a")
        index = self.file.new("i")
        before = f"num {array}[{self.most(e) + 1}]; {self.listed(e, array)} "
        head = (
            f"for (num {index} = 1; {index} <= {array}[0]; {index}++) "
            f"{{ VAR {name} = {array}[{index}]; "
        )
        return Loop(before, head)

    def listed(self, e: Any, array: str) -> str:
        """Return the lines that fill an array with a set, its size first."""
        template = self.templates.lists.get(type(e))
        if template is not None:
            return str(template(self, e, array))
        name = self.file.new("m")
        return (
            f"{array}[0] = 0; {self.loop(e, name, f'{array}[++{array}[0]] = {name};')}"
        )

    def most(self, e: Any) -> int:
        """Return the maximum size of a set."""
        template = self.templates.most.get(type(e))
        if template is not None:
            return int(template(self, e))
        if isinstance(e.type, m.SetOf) and e.type.domain is not None:
            return self.facts.sizes[e.type.domain]
        raise Untranslated(f"a set of numbers from {type(e).__name__}")

    # ------------------------------------------------------------ bags

    def count(self, e: Any, member: str) -> str:
        """Return the C code of one count of a bag, for a member that is not none."""
        return str(self.lookup(self.templates.counts, e)(self, e, member))

    def is_plain(self, e: Any) -> bool:
        """Return whether the counts of a bag can be read one by one."""
        if isinstance(e, m.SumBags):
            return all(self.is_plain(bag) for bag in e.bags)
        return type(e) in self.templates.counts

    def filled(self, e: Any, array: str) -> str:
        """Return the lines that fill an array with the counts of a bag."""
        template = self.templates.fills.get(type(e))
        if template is not None:
            return str(template(self, e, array))
        k = self.file.new("k")
        size = self.kinds(e.type)
        return (
            f"for (num {k} = 0; {k} < {size}; {k}++) {array}[{k}] = {self.count(e, k)};"
        )

    def counts(self, e: Any) -> tuple[str, Callable[[str], str]]:
        """Return the lines that prepare a bag, and a function that returns the C code
        of one count.
        """
        if self.is_plain(e):
            return "", lambda member: self.count(e, member)
        array = self.file.new("b")
        before = f"num {array}[{self.kinds(e.type)}]; {self.filled(e, array)} "
        return before, lambda member: f"{array}[{member}]"
