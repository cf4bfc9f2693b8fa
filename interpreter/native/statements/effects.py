"""C code for statements without decisions and chance, over `g` and `f`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from interpreter.core.budget import statements_in
from interpreter.core.layout import BACKWARDS, MISSING, NEXT, STARTER
from interpreter.core.optional import may_hold_none
from interpreter.core.slots import FIRST_LOCAL
from interpreter.native.expressions.values import INVISIBLE, tally_index
from interpreter.native.writer import CWriter, Untranslated
from interpreter.plan.queries import everybody, may_leave, tally_size, target
from interpreter.plan.specialise.terms import Blocks
from rulebook import model as m
from rulebook import tooling

Lines = list[str]
Effect = Callable[["CEffects", Any], Lines]
EffectTable = Mapping[type, Effect]
STABLE = (m.Const, m.AllOf, m.Numbers, m.Related, m.OwnSpaces, m.ColumnValue)


@attrs.frozen
class Procedures:
    """Facts about all units: numbers, frame sizes, and offsets of slots.

    `quiet` are the units that are plain functions, because they never wait.
    """

    numbers: Mapping[str, int]
    sizes: Mapping[int, int]
    places: Mapping[int, Mapping[int, int]]
    quiet: frozenset[int]


def counted(block: Iterable[Any]) -> Lines:
    """Return the C line that counts the statements of a block."""
    number = statements_in(block)
    return [f"g->executed += {number};"] if number else []


def under(tests: list[str], lines: Lines) -> Lines:
    """Return C lines inside conditions, or unchanged if there are none."""
    if not tests or not lines:
        return lines
    return [f"if ({' && '.join(tests)}) {{", *lines, "}"]


class CEffects:
    """Writer of the statements of one unit; `stop` is the C line that leaves the unit.

    `book` maps a statement to its original in the book.
    """

    def __init__(
        self,
        writer: CWriter,
        table: Mapping[type, Effect],
        procedures: Procedures,
        stop: str,
        book: Callable[[Any], Any],
    ) -> None:
        self.w = writer
        self.table = table
        self.procedures = procedures
        self.stop = stop
        self.book = book

    def block(self, statements: Iterable[Any]) -> Lines:
        """Return the C lines of a block, which is counted when it starts."""
        return [*counted(statements), *self.lines(statements)]

    def lines(self, statements: Iterable[Any]) -> Lines:
        """Return the C lines of some statements."""
        lines: Lines = []
        for statement in statements:
            effect = self.table.get(type(statement))
            if effect is None:
                raise Untranslated(f"no C for {type(statement).__name__}")
            lines += effect(self, statement)
        return lines

    def mark(self, part: tooling.StatePart) -> Lines:
        """Return the C line that wakes the triggers reading a part of the state."""
        mask = self.w.facts.masks.get(part, 0)
        return [f"g->triggers |= {mask}u;"] if mask else []

    def chooser(self, member: m.Expr) -> m.Expr | None:
        """Return the seat that chose the moved card, or None if no seat did."""
        del member
        return None

    def there_is(self, e: m.Expr | None) -> Lines:
        """Return the C lines that check that an optional member is not none."""
        if e is None or not may_hold_none(e):
            return []
        return [f"{self.w.value(e)} >= 0"]

    def fails(self, condition: str) -> str:
        """Return the C line that reports a mistake in the rules if a
        condition is true.
        """
        return f"if ({condition}) fail(g, MISTAKE);"

    def written(
        self, field: m.FieldValue | m.SetField, knowing: str | None = None
    ) -> Lines:
        """Return the C lines after a write to a field: wake triggers, and reset who has
        seen the value.
        """
        key = self.w.facts.key(field.field, field.owner)
        block = self.w.facts.layout.fields[key]
        lines = self.mark(tooling.StatePart.field(key))
        if block.seen is not None:
            owner = "0" if field.owner is None else self.w.value(field.owner)
            change = "= 0" if knowing is None else f"&= {knowing}"
            lines.append(f"{self.w.cell(f'{block.seen} + {owner}')} {change};")
        return lines

    def given(self, frame: str, slot: int, unit: int, value: m.Expr) -> Lines:
        """Return the C lines that write an argument into a frame."""
        place = self.procedures.places[unit][slot]
        if isinstance(value.type, m.SetOf):
            return [self.w.listed(value, f"({frame} + {place})")]
        if isinstance(value.type, m.Bag):
            return [self.w.filled(value, f"({frame} + {place})")]
        return [f"{frame}[{place}] = {self.w.value(value)};"]

    def new_frame(self, node: m.Call, frame: str) -> Lines:
        """Return the C lines that write the arguments of a call into its frame."""
        unit = self.procedures.numbers[node.procedure]
        lines = [f"{frame}[{FIRST_LOCAL}] = {self.w.slot(m.YOU)};"]
        callee = self.w.facts.model.procedures[node.procedure]
        for parameter, value in zip(callee.parameters, node.arguments, strict=True):
            lines += self.given(frame, parameter.slot, unit, value)
        return lines


# ---------------------------------------------------------------- variables and fields


def _set_local(t: CEffects, node: m.SetLocal) -> Lines:
    value = node.value
    if not isinstance(value.type, INVISIBLE):
        return [f"{t.w.slot(node.slot)} = {t.w.value(value)};"]
    array = t.w.file.new("a")
    if isinstance(value.type, m.SetOf):
        most = t.w.most(value) + 1
        fill = f"num {array}[{most}]; {t.w.listed(value, array)}"
        copy = f"memcpy({t.w.array(node.slot)}, {array}, "
        copy += f"sizeof(num) * (size_t)({array}[0] + 1));"
        return ["{", fill, copy, "}"]
    size = t.w.kinds(value.type)
    fill = f"num {array}[{size}]; {t.w.filled(value, array)}"
    return [
        "{",
        fill,
        f"memcpy({t.w.array(node.slot)}, {array}, sizeof {array});",
        "}",
    ]


def _set_tally(t: CEffects, node: m.SetTally) -> Lines:
    t.w.tallies[node.slot] = node.domains
    if node.value is None:
        size = tally_size(t.w.facts, node)
        return [f"memset({t.w.array(node.slot)}, 0, {size} * sizeof(num));"]
    place = tally_index(t.w, node.slot, node.indices)
    tests = [test for index in node.indices for test in t.there_is(index)]
    change = f"{t.w.array(node.slot)}[{place}] = {t.w.value(node.value)};"
    return under(tests, [change])


def _set_field(t: CEffects, node: m.SetField) -> Lines:
    place = target(node)
    block = t.w.facts.block(place)
    if isinstance(block.field.type, m.Bag):
        array, k = t.w.file.new("a"), t.w.file.new("k")
        lines = [
            f"{{ num {array}[{block.size}]; {t.w.filled(node.value, array)}",
            f"for (num {k} = 0; {k} < {block.size}; {k}++)",
            f"{t.w.cell(f'{t.w.row(place)} + {k}')} = (cell){array}[{k}]; }}",
        ]
    elif isinstance(block.field.type, m.SetOf):
        raise Untranslated(f"a field that holds a set: {block.field.key}")
    else:
        x = t.w.file.new("x")
        wrong = beyond(t, node, block.field, x)
        cell = t.w.cell(t.w.row(place))
        lines = [f"{{ num {x} = {t.w.value(node.value)};", *wrong]
        lines += [f"{cell} = (cell){x}; }}"]
    return under(t.there_is(node.owner), lines + t.written(node))


def beyond(t: CEffects, node: m.SetField, field: m.Field, value: str) -> Lines:
    """Return the C line that checks that a number is in the range of its field."""
    kind = may_leave(t.w.facts, node, field)
    if kind is None:
        return []
    return [t.fails(f"{value} < {kind.low} || {value} > {kind.high}")]


def _next_turn(t: CEffects, node: m.NextTurn) -> Lines:
    x, players = t.w.file.new("x"), t.w.facts.players
    test = f"if ({x} >= 0 && {x} < {players})"
    return [f"{{ num {x} = {t.w.value(node.who)}; {test} g->s[{NEXT}] = (cell){x}; }}"]


def _misses_turn(t: CEffects, node: m.MissesTurn) -> Lines:
    who = f"bit({t.w.value(node.who)})"
    missing = f"g->s[{MISSING}]"
    return [
        f"{missing} = (cell)((seats){missing} | ({who} & {everybody(t.w.facts)}u));"
    ]


def _turns_go(t: CEffects, node: m.TurnsGo) -> Lines:
    way = f"!g->s[{BACKWARDS}]"
    if node.way is not m.Way.OTHER:
        way = str(int(node.way is m.Way.COUNTERCLOCKWISE))
    return [
        f"g->s[{BACKWARDS}] = {way};",
        *t.mark(tooling.StatePart(tooling.PartSort.TURN)),
    ]


def _starts(t: CEffects, node: m.Starts) -> Lines:
    change = f"g->s[{STARTER}] = (cell){t.w.value(node.who)};"
    return under(t.there_is(node.who), [change])


# ---------------------------------------------------------------- control


def _stop(t: CEffects, node: m.Stop) -> Lines:
    del node
    return [t.stop]


def _step(t: CEffects, node: m.Step) -> Lines:
    return t.lines(node.body)


def _if(t: CEffects, node: m.If) -> Lines:
    lines = [f"if ({t.w.value(node.condition)}) {{", *t.block(node.body), "}"]
    if node.otherwise:
        lines += ["else {", *t.block(node.otherwise), "}"]
    return lines


def _blocks(t: CEffects, node: Blocks) -> Lines:
    lines: Lines = []
    for block in node.blocks:
        again = ["goes_on(g);"] if block.again else []
        tests = [] if block.condition is None else [t.w.value(block.condition)]
        lines += under(tests, [*again, *t.block(block.body)])
    return lines


def _each(t: CEffects, node: m.Each) -> Lines:
    members, array = node.set, t.w.file.new("a")
    with t.w.binding(node.slot) as v:
        if isinstance(members, STABLE):
            loop = t.w.through(members, v)
            before, head = loop.before, loop.head
        else:
            i = t.w.file.new("i")
            before = f"num {array}[{t.w.most(members) + 1}];"
            before += f" {t.w.listed(members, array)}"
            head = f"for (num {i} = 1; {i} <= {array}[0]; {i}++) {{ "
            head += f"VAR {v} = {array}[{i}];"
        lines = ["{", before, head]
        if node.where is not None:
            lines.append(f"if (!{t.w.value(node.where)}) continue;")
        return [*lines, *t.block(node.body), "} }"]


def _repeat(t: CEffects, node: m.Repeat) -> Lines:
    i, times = t.w.file.new("i"), t.w.value(node.times)
    lines = [f"for (num {i} = {times}; {i} > 0; {i}--) {{"]
    if node.until is not None:
        lines.append(f"if ({t.w.value(node.until)}) break;")
    return [*lines, "goes_on(g);", *t.block(node.body), "}"]


def _call(t: CEffects, node: m.Call) -> Lines:
    unit, frame = t.procedures.numbers[node.procedure], t.w.file.new("f")
    size = t.procedures.sizes[unit]
    lines = [f"{{ num {frame}[{size}] = {{{unit}}};", *t.new_frame(node, frame)]
    return [*lines, f"q{unit}(g, {frame}); }}"]


EFFECTS: EffectTable = {
    m.SetLocal: _set_local,
    m.SetTally: _set_tally,
    m.SetField: _set_field,
    m.NextTurn: _next_turn,
    m.MissesTurn: _misses_turn,
    m.TurnsGo: _turns_go,
    m.Starts: _starts,
    m.Stop: _stop,
    m.Step: _step,
    m.If: _if,
    Blocks: _blocks,
    m.Each: _each,
    m.Repeat: _repeat,
    m.Call: _call,
}
