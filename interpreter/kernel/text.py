"""Printer of kernel operations as readable text, one statement per line.

For example, `store cell[117 + 6 * v1] := cell[117 + 6 * v1] + 1`. A local is `v` with
its slot; locals that lowering or a pass creates are `t` with a number. A number with
`#` is an amount. Constant tables have names; `KernelPrinter.tables` contains the
tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from textwrap import wrap
from typing import Any

import attrs

from interpreter.kernel import operations as k

FIRST_CREATED_SLOT = 1_000_000
"""First slot of the locals that lowering or a pass creates."""

WIDTH = 88
MAX_WRITTEN_MEMBERS = 8
"""Maximum number of members of a constant sequence that are printed."""

Lines = list[str]


class Level(IntEnum):
    """Precedence of the outermost operator in a text."""

    CHOICE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    BITS = 5
    SUM = 6
    PRODUCT = 7
    ATOM = 8


@attrs.frozen
class Fragment:
    """Text of an expression, with the precedence of its outermost operator."""

    text: str
    level: Level = Level.ATOM

    def as_operand(self, level: Level) -> str:
        """Return the text as an operand, in parentheses if it binds less tightly."""
        return self.text if self.level >= level else f"({self.text})"


@attrs.define
class KernelPrinter:
    """Printer of one program.

    `tables` are the constant tables by name. `created` contains the names of the
    created locals of the current part, by slot.
    """

    tables: dict[str, tuple[Any, ...]] = attrs.field(factory=dict)
    names: dict[tuple[Any, ...], str] = attrs.field(factory=dict)
    created: dict[int, str] = attrs.field(factory=dict)

    # ------------------------------------------------------------ blocks and tables

    def block(self, ops: Iterable[k.Operation]) -> Lines:
        """Return the lines of a block or a step."""
        return [line for op in ops for line in LINES[type(op)](self, op)]

    def steps(self, steps: Iterable[k.Step], places: Mapping[k.Label, int]) -> Lines:
        """Return the lines of a unit's steps; *places* maps labels to step numbers."""
        lines: Lines = []
        for number, step in enumerate(steps):
            here = [label(x) for x in sorted(places) if places[x] == number]
            lines += [f"{', '.join(here) or 'then'}:", *indented(self.block(step))]
        return lines

    def table_lines(self) -> Lines:
        """Return the lines of the tables used so far."""
        return [
            line
            for name, table in self.tables.items()
            for line in wrap(f"{name} = {table}", WIDTH, subsequent_indent="    ")
        ]

    def new_part(self) -> None:
        """Clear the names of the created locals before printing another part."""
        self.created.clear()

    # ------------------------------------------------------------ expressions

    def fragment(self, e: k.Operation) -> Fragment:
        """Return the text of an expression, with its precedence level."""
        piece = TEXTS[type(e)](self, e)
        return piece if isinstance(piece, Fragment) else Fragment(piece)

    def text(self, e: k.Operation, level: Level = Level.CHOICE) -> str:
        """Return the text of an expression, as an operand at a precedence level."""
        return self.fragment(e).as_operand(level)

    def comma_separated(self, parts: Iterable[k.Operation]) -> str:
        """Return the texts of expressions, separated by commas."""
        return ", ".join(map(self.text, parts))

    def slot(self, slot: int) -> str:
        """Return the name of a local."""
        if slot < FIRST_CREATED_SLOT:
            return f"v{slot}"
        return self.created.setdefault(slot, f"t{len(self.created)}")

    def slots(self, slots: Iterable[int]) -> str:
        """Return the names of locals, separated by commas."""
        return ", ".join(map(self.slot, slots))

    def table(self, table: tuple[Any, ...], name: str | None = None) -> str:
        """Return the name of a constant table, which is added to `tables` if new."""
        key = (name, table)
        if key not in self.names:
            if name is None or name in self.tables:
                name = f"T{len(self.tables)}"
            self.names[key] = name
            self.tables[name] = table
        return self.names[key]

    def members_text(
        self, slot: int, sequence: k.Sequence, where: k.Value | None
    ) -> str:
        """Return the text of the members that meet a condition."""
        members = f"{self.slot(slot)} in {self.text(sequence, Level.OR)}"
        return members if where is None else f"{members} where {self.text(where)}"

    def argument_list(
        self, slots: Iterable[int], arguments: Iterable[k.Operation]
    ) -> str:
        """Return the text of arguments, each with its slot in the callee's frame."""
        pairs = zip(slots, arguments, strict=True)
        return ", ".join([f"v{slot}: {self.text(value)}" for slot, value in pairs])


def indented(lines: Iterable[str]) -> Lines:
    """Return lines indented by one level."""
    return [f"    {line}" for line in lines]


def label(number: k.Label) -> str:
    """Return the text of a label."""
    return f"L{number}"


def bits(number: int) -> str:
    """Return the positions of the set bits of a number, separated by commas."""
    return ", ".join([str(n) for n in range(number.bit_length()) if number >> n & 1])


# ---------------------------------------------------------------- values

LEVELS: Mapping[str, Level] = {
    "+": Level.SUM,
    "-": Level.SUM,
    "*": Level.PRODUCT,
    "//": Level.PRODUCT,
    "%": Level.PRODUCT,
    "|": Level.BITS,
    "&": Level.BITS,
}
"""Precedence of infix operators; other operators are printed as functions."""

SIGNS = frozenset({"-"})
"""Operators that are printed as a prefix sign if the left operand is 0."""


def _int(t: KernelPrinter, e: k.Int) -> Fragment:
    del t
    if e.truth:
        return Fragment("yes" if e.value else "no")
    return Fragment(str(e.value), Level.ATOM if e.value >= 0 else Level.PRODUCT)


def _grid_index(t: KernelPrinter, e: k.GridIndex) -> str:
    places = [
        f"{t.text(at, Level.BITS)} in {low}..{low + size - 1}"
        for (low, size), at in zip(e.axes, e.coordinates, strict=True)
    ]
    index = f"grid({', '.join(places)})"
    return index if e.owner is None else f"{index} of {t.text(e.owner, Level.ATOM)}"


def _binary(t: KernelPrinter, e: k.Binary) -> Fragment:
    level = LEVELS.get(e.operator)
    if level is None:
        return Fragment(f"{e.operator}({t.comma_separated((e.left, e.right))})")
    if e.operator in SIGNS and e.left == k.Int(0):
        return Fragment(f"{e.operator}{t.text(e.right, Level.ATOM)}", Level.PRODUCT)
    right = t.text(e.right, Level(level + 1))
    return Fragment(f"{t.text(e.left, level)} {e.operator} {right}", level)


def _compare(t: KernelPrinter, e: k.CompareValues) -> Fragment:
    left, right = t.text(e.left, Level.BITS), t.text(e.right, Level.BITS)
    return Fragment(f"{left} {e.operator} {right}", Level.COMPARISON)


def _between(t: KernelPrinter, e: k.Between) -> Fragment:
    low, value, high = [t.text(x, Level.BITS) for x in (e.low, e.value, e.high)]
    return Fragment(f"{low} {e.first} {value} {e.second} {high}", Level.COMPARISON)


def _all(t: KernelPrinter, e: k.All) -> Fragment:
    if not e.parts:
        return Fragment("yes")
    text = " and ".join([t.text(part, Level.NOT) for part in e.parts])
    return Fragment(f"eager({text})") if e.eager else Fragment(text, Level.AND)


def _some(t: KernelPrinter, e: k.Some) -> Fragment:
    text = " or ".join([t.text(part, Level.AND) for part in e.parts])
    return Fragment(text, Level.OR) if e.parts else Fragment("no")


def _select(t: KernelPrinter, e: k.Select) -> Fragment:
    then, condition = t.text(e.then, Level.OR), t.text(e.condition, Level.OR)
    return Fragment(f"{then} if {condition} else {t.text(e.otherwise)}", Level.CHOICE)


def _call(t: KernelPrinter, e: k.CallFunction | k.CallRow | k.CallSet) -> str:
    return f"{e.function}({t.comma_separated(e.arguments)})"


def _kept_value(
    t: KernelPrinter, e: k.KeptValue | k.KeptPlaces, inner: k.Operation
) -> str:
    pairs = zip(e.slots, e.keys, strict=True)
    given = [f"v{slot} = {t.text(key)}" for slot, key in pairs if key != k.Var(slot)]
    return f"kept({', '.join([t.text(inner), *given])})"


def _probe(t: KernelPrinter, e: k.Probe) -> str:
    site = e.site if isinstance(e.site, int) else t.table(e.site)
    return f"probe({site}, {t.text(e.value)})"


def _fold(t: KernelPrinter, e: k.Fold) -> str:
    value = "" if e.value is None else f"{t.text(e.value)} for "
    return f"{e.kind}({value}{t.members_text(e.slot, e.sequence, e.where)})"


def _selections(t: KernelPrinter, e: k.FoldSelections) -> str:
    value = "" if e.value is None else f"{t.text(e.value)} for "
    sizes = f"{t.text(e.low, Level.SUM)}..{t.text(e.high, Level.SUM)}"
    where = "" if e.where is None else f" where {t.text(e.where)}"
    text = f"{value}{t.slot(e.slot)} of {sizes} from {t.text(e.row)}{where}"
    return f"{e.kind}_selection({text}; at most {e.limit})"


def _contains(t: KernelPrinter, e: k.ContainsElement) -> Fragment:
    member, members = t.text(e.member, Level.BITS), t.text(e.sequence, Level.BITS)
    return Fragment(f"{member} in {members}", Level.COMPARISON)


def _distance(t: KernelPrinter, e: k.LinkDistance) -> str:
    price = "" if e.price is None else f", by {t.text(e.price)}"
    return f"distance({t.text(e.ways)}, to {t.text(e.goal)}, else {e.beyond}{price})"


def _longest_trail(t: KernelPrinter, e: k.TrailLength) -> str:
    parts = [t.comma_separated(e.sorts), f"closed at {t.text(e.closed)}"]
    parts += [] if e.weight is None else [f"weight {t.text(e.weight)}"]
    parts += [] if e.joint is None else [f"joint at {t.text(e.joint)}"]
    parts += [] if e.seat is None else [f"of {t.text(e.seat)}"]
    parts += [f"ends {t.table(e.ends)}", f"at most {e.limit}"]
    return f"longest_trail({'; '.join(parts)})"


# ---------------------------------------------------------------- rows and stacks


def _cell_row(t: KernelPrinter, e: k.CellRow) -> str:
    step = "" if e.step == 1 else f" by {e.step}"
    return f"cells[{t.text(e.first)}; {e.size}{step}]"


def _constant_row(t: KernelPrinter, e: k.ConstantRow) -> str:
    del t
    if len(set(e.values)) == 1 < len(e.values):
        return f"(#{e.values[0]}; {len(e.values)})"
    return f"({', '.join([f'#{value}' for value in e.values])})"


def _lookup_row(t: KernelPrinter, e: k.LookupRow) -> str:
    return f"{t.table(e.rows, e.data)}[{t.text(e.index)}]"


def _built_row(t: KernelPrinter, e: k.BuiltRow) -> str:
    return f"row({t.text(e.value)} for {t.members_text(e.slot, e.sequence, e.where)})"


def _sum_row(t: KernelPrinter, e: k.SumRow) -> Fragment:
    return Fragment(" + ".join([t.text(row, Level.SUM) for row in e.rows]), Level.SUM)


def _stack(t: KernelPrinter, e: k.Stack) -> str:
    owner = "" if e.owner is None else f" + {t.text(e.owner, Level.PRODUCT)}"
    return f"stack[{e.base}{owner}]"


# ---------------------------------------------------------------- sequences


def _range(t: KernelPrinter, e: k.Range) -> Fragment:
    low, high = t.text(e.low, Level.SUM), t.text(e.high, Level.SUM)
    return Fragment(f"{low}..{high}", Level.BITS)


def _listed(t: KernelPrinter, e: k.Listed) -> str:
    if len(e.members) > MAX_WRITTEN_MEMBERS:
        return t.table(e.members)
    return f"{{{', '.join(map(str, e.members))}}}"


def _table_row(t: KernelPrinter, e: k.TableRow) -> Fragment:
    text = f"row {t.text(e.index, Level.ATOM)} of {t.table(e.rows)}"
    return Fragment(text, Level.BITS)


def _holding(t: KernelPrinter, e: k.Holding) -> str:
    value = "any" if e.value is None else t.text(e.value)
    word = "holding" if e.nowhere else "holding_even_none"
    return f"{word}({value}, cells[{e.base}; {e.size}])"


def _guarded(t: KernelPrinter, e: k.Guarded) -> Fragment:
    members, condition = t.text(e.sequence, Level.OR), t.text(e.condition, Level.OR)
    return Fragment(f"{members} if {condition} else {{}}", Level.CHOICE)


def _best(t: KernelPrinter, e: k.BestSet) -> str:
    members = t.members_text(e.slot, e.sequence, e.where)
    return f"best({members} by {t.comma_separated(e.keys)})"


def _sorted(t: KernelPrinter, e: k.SortedSet) -> str:
    order = "falling " * e.falling
    most = "" if e.count is None else f", at most {t.text(e.count)}"
    members = t.members_text(e.slot, e.sequence, e.where)
    return f"sorted({members} by {order}{t.text(e.key)}{most})"


def _per(t: KernelPrinter, e: k.PerElement) -> str:
    return f"{t.slot(e.slot)} with {t.text(e.value)}"


def _step(t: KernelPrinter, e: k.StepCondition) -> str:
    return f"{t.slot(e.before)} to {t.slot(e.slot)} with {t.text(e.holds)}"


def _ways(t: KernelPrinter, e: k.Ways) -> str:
    table = e.neighbours if e.links is None else e.links
    along = "over" if e.links is None else "along"
    parts = [f"from {t.text(e.start)}", f"{along} {t.table(table)}"]
    parts += [] if e.fits is None else [f"to {t.text(e.fits)}"]
    parts += [] if e.through is None else [f"through {t.text(e.through)}"]
    parts += [] if e.within is None else [f"within {t.text(e.within)}"]
    parts += [] if e.step is None else [f"step {t.text(e.step)}"]
    return ", ".join(parts)


EXPRESSIONS: Mapping[type, Callable[[KernelPrinter, Any], str | Fragment]] = {
    k.Int: _int,
    k.Amount: lambda _, e: f"#{e.value}",
    k.Var: lambda t, e: t.slot(e.slot),
    k.Absent: lambda _, e: f"absent({e.value})",
    k.Load: lambda t, e: f"cell[{t.text(e.cell)}]",
    k.Lookup: lambda t, e: f"{t.table(e.table, e.data)}[{t.text(e.index)}]",
    k.GridIndex: _grid_index,
    k.Binary: _binary,
    k.CompareValues: _compare,
    k.Between: _between,
    k.Negate: lambda t, e: Fragment(f"not {t.text(e.value, Level.NOT)}", Level.NOT),
    k.All: _all,
    k.Some: _some,
    k.CountTrue: lambda t, e: f"count_true({t.comma_separated(e.parts)})",
    k.Select: _select,
    k.SeatBit: lambda t, e: f"bit({t.text(e.seat)})",
    k.CallFunction: _call,
    k.KeptValue: lambda t, e: _kept_value(t, e, e.value),
    k.Probe: _probe,
    k.Fold: _fold,
    k.FoldSelections: _selections,
    k.ContainsElement: _contains,
    k.SameSequence: lambda t, e: f"same({t.comma_separated((e.left, e.right))})",
    k.Element: lambda t, e: f"{t.text(e.row, Level.ATOM)}[{t.text(e.index)}]",
    k.Total: lambda t, e: f"total({t.text(e.row)})",
    k.CountEqual: lambda t, e: f"count_equal({t.comma_separated((e.row, e.value))})",
    k.CoversRow: lambda t, e: f"covers({t.comma_separated((e.row, e.other))})",
    k.StackSize: lambda t, e: f"size({t.text(e.stack)})",
    k.StackEntry: lambda t, e: f"entry({t.text(e.stack)}, {t.text(e.place)})",
    k.LinkDistance: _distance,
    k.TrailLength: _longest_trail,
    # rows and stacks
    k.CellRow: _cell_row,
    k.ConstantRow: _constant_row,
    k.LookupRow: _lookup_row,
    k.LocalRow: lambda t, e: t.slot(e.slot),
    k.BuiltRow: _built_row,
    k.SumRow: _sum_row,
    k.CallRow: _call,
    k.StackRow: lambda t, e: f"counts({t.text(e.stack)})",
    k.StackPool: lambda t, e: f"unknown({t.text(e.stack)})",
    k.Stack: _stack,
    # sequences
    k.Range: _range,
    k.Listed: _listed,
    k.TableRow: _table_row,
    k.Holding: _holding,
    k.Nonzero: lambda t, e: f"nonzero({t.text(e.row)})",
    k.FilteredSet: lambda t, e: (
        f"{{{t.members_text(e.slot, e.sequence, e.condition)}}}"
    ),
    k.Guarded: _guarded,
    k.LocalSet: lambda t, e: t.slot(e.slot),
    k.CellSet: lambda t, e: f"set_in_cell[{t.text(e.cell)}]",
    k.CallSet: _call,
    k.BestSet: _best,
    k.SortedSet: _sorted,
    k.WinnerSet: lambda _, __: "winners",
    k.Around: lambda t, e: f"around({t.text(e.sequence)}, {t.table(e.rows)})",
    k.Union: lambda t, e: f"union({t.comma_separated(e.sequences)})",
    k.KeptPlaces: lambda t, e: _kept_value(t, e, e.sequence),
    k.PerElement: _per,
    k.StepCondition: _step,
    k.Ways: _ways,
    k.Reached: lambda t, e: f"reached({t.text(e.ways)})",
}
"""Printing functions for values, sequences, rows and their parts, by class."""

# ---------------------------------------------------------------- statements


def _assign_row(t: KernelPrinter, e: k.AssignRow) -> Lines:
    row = f"(0; {e.size})" if e.row is None else t.text(e.row)
    return [f"{t.slot(e.slot)} := {row}"]


def _store(t: KernelPrinter, e: k.Store) -> Lines:
    grows = ", grows" * e.grows
    return [f"store cell[{t.text(e.cell)}] := {t.text(e.value)}{grows}"]


def _clear(t: KernelPrinter, e: k.Clear) -> Lines:
    where = "" if e.value is None else f" where they are {t.text(e.value)}"
    return [f"store every {t.text(e.row)} := {e.number}{where}"]


def _fail(t: KernelPrinter, e: k.Fail) -> Lines:
    shown = (
        f", showing {t.comma_separated(e.message_values)}" if e.message_values else ""
    )
    return [f"fail {e.reason} if {t.text(e.condition)}{shown}"]


def _when(t: KernelPrinter, e: k.When) -> Lines:
    lines = [f"if {t.text(e.condition)}:", *nested_block(t, e.body)]
    return [*lines, "else:", *nested_block(t, e.otherwise)] if e.otherwise else lines


def nested_block(t: KernelPrinter, ops: Iterable[k.Operation]) -> Lines:
    """Return the indented lines of a block inside an operation."""
    return indented(t.block(ops) or ["nothing"])


def _for_each(t: KernelPrinter, e: k.ForEach) -> Lines:
    listed = ", listed first" * e.frozen
    return [
        f"for {t.members_text(e.slot, e.sequence, e.where)}{listed}:",
        *nested_block(t, e.body),
    ]


def _for_counts(t: KernelPrinter, e: k.ForCounts) -> Lines:
    index, count = t.slot(e.index), t.slot(e.count)
    return [f"for {count} of {index} in {t.text(e.row)}:", *nested_block(t, e.body)]


def _times(t: KernelPrinter, e: k.Times) -> Lines:
    until = "" if e.until is None else f" until {t.text(e.until)}"
    return [f"repeat {t.text(e.count)}{until}:", *nested_block(t, e.body)]


def _announce(t: KernelPrinter, e: k.Announce) -> Lines:
    values = f" with {t.comma_separated(e.values)}" if e.values else ""
    return [f"announce {e.sentence.text!r}{values}"]


def _stack_put(t: KernelPrinter, e: k.StackPut) -> Lines:
    end = "on" if e.on_top else "under"
    cards = f"{t.text(e.number, Level.ATOM)} of {t.text(e.card, Level.ATOM)}"
    return [f"put {cards} {end} {t.text(e.stack)}, known to {t.text(e.knowing)}"]


def _stack_take(t: KernelPrinter, e: k.StackTake) -> Lines:
    taken = f"take {t.text(e.card)} from {t.text(e.stack)}"
    return [f"{taken}, known to {t.text(e.knowing)}"]


def _stack_learn(t: KernelPrinter, e: k.StackLearn) -> Lines:
    learnt = f"learn {t.text(e.card)} in {t.text(e.stack)}"
    return [f"{learnt}, known to {t.text(e.knowing)}"]


def _stack_show(t: KernelPrinter, e: k.StackShow) -> Lines:
    verb = "show top of" if e.top_only else "show"
    return [f"{verb} {t.text(e.stack)} to {t.text(e.knowing)}"]


def _offered(t: KernelPrinter, e: k.Offered) -> Lines:
    test = "" if e.condition is None else f" if {t.text(e.condition)}"
    return [f"legal {t.text(e.index)}{test}"]


def assignment_line(t: KernelPrinter, slot: int, value: k.Operation) -> Lines:
    """Return the line that writes a local."""
    return [f"{t.slot(slot)} := {t.text(value)}"]


STATEMENTS: Mapping[type, Callable[[KernelPrinter, Any], Lines]] = {
    k.Bind: lambda t, e: [f"let {t.slot(e.slot)} = {t.text(e.value)}"],
    k.Assign: lambda t, e: assignment_line(t, e.slot, e.value),
    k.AssignSet: lambda t, e: assignment_line(t, e.slot, e.sequence),
    k.AssignRow: _assign_row,
    k.AssignElement: lambda t, e: [
        f"{t.text(e.row)}[{t.text(e.index)}] := {t.text(e.value)}"
    ],
    k.Store: _store,
    k.StoreRow: lambda t, e: [
        f"store cells[{t.text(e.first)}; {e.size}] := {t.text(e.row)}"
    ],
    k.StoreSet: lambda t, e: [
        f"store set_in_cell[{t.text(e.cell)}] := {t.text(e.sequence)}"
    ],
    k.Clear: _clear,
    k.Wake: lambda _, e: [f"wake triggers {bits(e.triggers)}"],
    k.Tick: lambda _, e: [f"tick {e.count}"],
    k.CheckBudget: lambda _, __: ["check budget"],
    k.Fail: _fail,
    k.RequireTruth: lambda t, e: [f"require {t.text(e.condition)}"],
    k.When: _when,
    k.ForEach: _for_each,
    k.ForCounts: _for_counts,
    k.Times: _times,
    k.Scope: lambda t, e: ["scope:", *nested_block(t, e.body)],
    k.Run: lambda t, e: [f"run unit {e.unit}({t.argument_list(e.slots, e.arguments)})"],
    k.DropFirst: lambda t, e: [f"drop first of {t.slot(e.rest)}"],
    k.Leave: lambda _, __: ["leave"],
    k.Visit: lambda _, e: [f"visit {e.site}"],
    k.CompareCards: lambda _, e: [
        "remember cards" if e.begins else "count cards that moved"
    ],
    k.Announce: _announce,
    k.StackTake: _stack_take,
    k.StackPut: _stack_put,
    k.StackShuffle: lambda t, e: [f"shuffle {t.text(e.stack)}"],
    k.StackDraw: lambda t, e: [f"draw {t.text(e.card)} from {t.text(e.stack)}"],
    k.StackLearn: _stack_learn,
    k.StackShow: _stack_show,
    k.Offered: _offered,
}
"""Printing functions for statements, by class."""

# ---------------------------------------------------------------- control


def _push(t: KernelPrinter, e: k.Push) -> Lines:
    unit = f"unit {t.text(e.unit, Level.ATOM)}"
    return [
        f"push {unit}({t.argument_list(e.slots, e.arguments)}), then {label(e.after)}"
    ]


def _begin_together(t: KernelPrinter, e: k.BeginTogether) -> Lines:
    rest, everybody = t.slot(e.rest), t.slot(e.everybody)
    return [f"begin together {t.slot(e.own)} with {rest}, all in {everybody}"]


def _end_together(t: KernelPrinter, e: k.EndTogether) -> Lines:
    return [f"end together {t.slot(e.own)}, all in {t.slot(e.everybody)}"]


def _finish(t: KernelPrinter, e: k.Finish) -> Lines:
    who = e.winners or e.ranking
    winner = "nobody" if who is None else t.text(who)
    test = "" if e.certain else " if there is one"
    return [f"finish, winner {winner}{test}, {e.reason!r}"]


def _return(t: KernelPrinter, e: k.Return) -> Lines:
    del t
    return [f"return, wake triggers {bits(e.triggers)}" if e.triggers else "return"]


def _chance(t: KernelPrinter, e: k.Chance) -> Lines:
    audience = "" if e.observers is None else f", told to {t.text(e.observers)}"
    outcomes = t.text(e.outcomes)
    head = f"chance {e.event!r} at {label(e.here)} {e.name!r}: "
    end = f"then {label(e.after)}, without outcomes {label(e.empty)}"
    return [
        f"{head}{t.slot(e.slot)} of {outcomes}{audience}:",
        *indented([*t.block(e.accepted), end]),
    ]


def _begin_deal(t: KernelPrinter, e: k.BeginDeal) -> Lines:
    deal = e.deal
    to = f"{t.slot(deal.rest)} := {t.text(deal.members)}"
    return [f"begin deal {t.slot(deal.cards)} := {t.table(deal.copies)}, {to}"]


def _weights(t: KernelPrinter, e: k.Weights) -> str:
    return f"weights {t.text(e.row)}"


def _dice(t: KernelPrinter, e: k.Dice) -> str:
    cells = ", ".join([f"cell[{cell}]" for cell in e.cells])
    test = "" if e.condition is None else f" where {t.text(e.condition)}"
    return f"dice {cells} with {t.table(e.rows)}{test}"


def _deal(t: KernelPrinter, e: k.Deal) -> str:
    holders = "stacks" if e.is_stack else "cells"
    places = f"{holders}[{e.base}; {e.count}]"
    text = f"deal {t.slot(e.cards)} to {t.slot(e.rest)}, {e.domain} in {places}"
    text += f" as {t.table(e.values)}" if not e.is_stack else ""
    tests = [f"never {t.text(test)}" for test in e.tests]
    tests += [] if e.tried is None else [f"tried {t.text(e.tried)}"]
    return ", ".join([text, *tests])


def _deal_test(t: KernelPrinter, e: k.DealTest) -> str:
    return f"({t.slots(e.slots)}) with {t.text(e.broken)}"


def _ask(t: KernelPrinter, e: k.WaitForAction) -> Lines:
    secret = ", private" * e.private
    ends = [f"after an action {label(e.after)}"]
    ends += [] if e.until is None else [f"after {e.until} {label(e.ended)}"]
    ends += [f"passed {label(e.passed)}", f"nothing to do {label(e.done)}"]
    return [
        f"ask {t.text(e.player)} at {label(e.here)} {e.name!r}{secret}:",
        *indented([t.text(offer) for offer in e.offers]),
        f"    {', '.join(ends)}",
    ]


def _offer(t: KernelPrinter, e: k.ActionOffer) -> str:
    name = getattr(e.action, "name", "action")
    free = " free" * e.free
    needed = f" if there is {t.comma_separated(e.needed)}" if e.needed else ""
    return f"offer {name}({t.argument_list(e.slots, e.arguments)}){free}{needed}"


def _choose(t: KernelPrinter, e: k.WaitForMember) -> Lines:
    audience = "" if e.observers is None else f", told to {t.text(e.observers)}"
    chosen = f"{t.slot(e.slot)} in {t.text(e.sequence, Level.OR)} from index {e.base}"
    ends = f"chosen {label(e.chosen)}, passed {label(e.passed)}, empty {label(e.empty)}"
    return [
        f"choose {t.text(e.player)} at {label(e.here)} {e.name!r}{audience}: {chosen}",
        f"    {ends}",
    ]


def _gather(t: KernelPrinter, e: k.WaitForCards) -> Lines:
    audience = "" if e.observers is None else f", told to {t.text(e.observers)}"
    secret = ", private" * e.private
    number = f"{t.text(e.low, Level.SUM)}..{t.text(e.high, Level.SUM)}"
    held = "" if e.hand is None else f", at most {t.text(e.hand)}"
    cards = f"{number} of {t.text(e.sequence, Level.OR)}{held} from index {e.base}"
    head = f"gather {t.text(e.player)} at {label(e.here)} {e.name!r}{audience}{secret}"
    return [f"{head}: {t.text(e.bag)} with {cards}", f"    done {label(e.done)}"]


CONTROLS: Mapping[type, Callable[[KernelPrinter, Any], Lines]] = {
    k.Goto: lambda _, e: [f"goto {label(e.label)}"],
    k.Branch: lambda t, e: [f"if {t.text(e.condition)}:", *nested_block(t, e.body)],
    k.Settle: lambda _, e: [f"settle at {label(e.label)}"],
    k.Push: _push,
    k.Unset: lambda t, e: [f"unset {t.slots(e.slots)}"],
    k.TakeFirst: lambda t, e: [f"{t.slot(e.slot)} := take first of {t.slot(e.rest)}"],
    k.BeginTogether: _begin_together,
    k.EndTogether: _end_together,
    k.EndGame: lambda _, __: ["end game"],
    k.Finish: _finish,
    k.Return: _return,
    k.BeginDeal: _begin_deal,
    k.Chance: _chance,
    k.WaitForAction: _ask,
    k.WaitForMember: _choose,
    k.WaitForCards: _gather,
}
"""Printing functions for control operations, which may jump to a label, by class."""

PARTS: Mapping[type, Callable[[KernelPrinter, Any], str]] = {
    k.Weights: _weights,
    k.TopCard: lambda t, e: f"top card of {t.text(e.stack)}",
    k.Uniform: lambda t, e: f"any of {t.text(e.sequence)}",
    k.Dice: _dice,
    k.Deal: _deal,
    k.DealTest: _deal_test,
    k.ActionOffer: _offer,
}
"""Printing functions for outcomes and for parts of control operations, by class."""

LINES: Mapping[type, Callable[[KernelPrinter, Any], Lines]] = {**STATEMENTS, **CONTROLS}

TEXTS: Mapping[type, Callable[[KernelPrinter, Any], str | Fragment]] = {
    **EXPRESSIONS,
    **PARTS,
}
