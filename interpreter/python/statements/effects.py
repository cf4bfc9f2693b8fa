"""Python code for statements without decisions and chance, over `g`, `s` and `f`.

`g` is the running state, `s` its cells, `f` the frame. A write that an award or a rule
reads is marked in `g.triggers`. Loops and conditions become loops and conditions of
Python. Statements that may wait are in `interpreter.python.statements.flow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interpreter.core.budget import statements_in
from interpreter.core.dependencies import walk
from interpreter.core.layout import BACKWARDS, MISSING, NEXT, STARTER
from interpreter.core.optional import may_hold_none
from interpreter.core.slots import FIRST_LOCAL
from interpreter.plan.queries import everybody, may_leave, tally_size, target
from interpreter.plan.specialise.terms import Blocks, BudgetBlock
from interpreter.python.expressions.values import tally_index, there_is
from interpreter.python.expressions.writer import Writer
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.failures import Failing
from interpreter.source.lines import Line, Lines, guarded, indented, under, unless
from rulebook import model as m
from rulebook import tooling

Effect = Callable[["Effects", Any], Lines]
EffectTable = Mapping[type, Effect]
Procedures = dict[str, tuple[str, int]]
"""For each procedure: the name of its function (empty if it can wait) and its unit."""


def counted(block: Iterable[Any]) -> Lines:
    """Return the line that counts the statements of a block."""
    number = statements_in(block)
    return [f"g.executed += {number}"] if number else []


class Effects:
    """Writer of the statements of one unit; `stop` is the line that leaves the unit.

    `book` maps a statement to its original in the book.
    """

    def __init__(
        self,
        writer: Writer,
        table: EffectTable,
        procedures: Procedures,
        stop: Line,
        book: Callable[[Any], Any],
    ) -> None:
        self.w = writer
        self.book = book
        self.table = table
        self.procedures = procedures
        self.stop = stop

    def block(self, statements: Iterable[Any]) -> Lines:
        """Return the lines of a block, which is counted when it starts."""
        return [*counted(statements), *self.lines(statements)]

    def lines(self, statements: Iterable[Any]) -> Lines:
        """Return the lines of some statements."""
        lines: Lines = []
        for statement in statements:
            lines.extend(self.table[type(statement)](self, statement))
        return lines

    def nested(self, statements: Iterable[Any]) -> Lines:
        """Return the lines of a block, indented by one level."""
        return indented(self.block(statements) or ["pass"])

    def mark(self, part: tooling.StatePart) -> Lines:
        """Return the line that wakes the triggers reading a part of the state."""
        mask = self.w.facts.masks.get(part, 0)
        return [f"g.triggers |= {mask}"] if mask else []

    def chooser(self, member: m.Expr) -> m.Expr | None:
        """Return the seat that chose the moved card, or None if no seat did."""
        del member
        return None

    def written(
        self, field: m.FieldValue | m.SetField, knowing: str | None = None
    ) -> Lines:
        """Return the lines after a write to a field: wake triggers, and update who has
        seen it.

        Seats that know what was moved (`knowing`, as bits) still know the contents.
        """
        key = self.w.facts.key(field.field, field.owner)
        block = self.w.facts.layout.fields[key]
        lines = self.mark(tooling.StatePart.field(key))
        if block.seen is not None:
            owner = code.literal(0)
            if field.owner is not None:
                owner = self.w.code(field.owner)
            change = "= 0" if knowing is None else f"&= {knowing}"
            lines.append(f"{code.cell(code.plus(block.seen, owner))} {change}")
        return lines


# ---------------------------------------------------------------- variables and fields


def _set_local(t: Effects, node: m.SetLocal) -> Lines:
    return [f"{t.w.slot(node.slot)} = {t.w.code(node.value).text}"]


def _set_tally(t: Effects, node: m.SetTally) -> Lines:
    t.w.facts.tallies[node.slot] = node.domains
    slot = t.w.slot(node.slot)
    if node.value is None:
        return [f"{slot} = (0,) * {tally_size(t.w.facts, node)}"]
    place = tally_index(t.w, node.slot, node.indices)
    changed = code.call("changed", slot, place, t.w.code(node.value))
    tests = [there_is(t.w, index) for index in node.indices if may_hold_none(index)]
    return guarded(tests, [f"{slot} = {changed}"])


def _set_field(t: Effects, node: m.SetField) -> Lines:
    place = target(node)
    block = t.w.facts.block(place)
    row, value = t.w.row(place), t.w.code(node.value)
    if isinstance(block.field.type, m.Bag):
        end = code.added(row, code.literal(block.size))
        lines: Lines = [f"{code.cells(row, end)} = {value.text}"]
    else:
        cell = code.cell(row)
        lines = [f"{cell} = {value.text}", *beyond(t, node, block.field, cell)]
    lines += t.written(node)
    tests = []
    if node.owner is not None and may_hold_none(node.owner):
        tests = [there_is(t.w, node.owner)]
    return guarded(tests, lines)


def beyond(t: Effects, node: m.SetField, field: m.Field, cell: Code) -> Lines:
    """Return the lines that check that a number is in the range of its field."""
    kind = may_leave(t.w.facts, node, field)
    if kind is None:
        return []
    here = t.w.source.given(Failing(node.span, field))
    return [f"if not {kind.low} <= {cell} <= {kind.high}: beyond({here}, {cell})"]


def _next_turn(t: Effects, node: m.NextTurn) -> Lines:
    who = t.w.code(node.who)
    seated = code.between(
        code.literal(0), who, code.literal(t.w.facts.players), "<=", "<"
    )
    return guarded([seated], [f"s[{NEXT}] = {who.text}"])


def _misses_turn(t: Effects, node: m.MissesTurn) -> Lines:
    who = code.call("seat_bit", t.w.code(node.who))
    return [f"s[{MISSING}] |= {who} & {everybody(t.w.facts)}"]


def _turns_go(t: Effects, node: m.TurnsGo) -> Lines:
    way = f"not s[{BACKWARDS}]"
    if node.way is not m.Way.OTHER:
        way = str(node.way is m.Way.COUNTERCLOCKWISE)
    return [
        f"s[{BACKWARDS}] = {way}",
        *t.mark(tooling.StatePart(tooling.PartSort.TURN)),
    ]


def _starts(t: Effects, node: m.Starts) -> Lines:
    tests = [there_is(t.w, node.who)] if may_hold_none(node.who) else []
    return guarded(tests, [f"s[{STARTER}] = {t.w.code(node.who).text}"])


# ---------------------------------------------------------------- control


def _stop(t: Effects, node: m.Stop) -> Lines:
    del node
    return [t.stop]


def _require(t: Effects, node: m.Require) -> Lines:
    here = t.w.source.given(t.book(node))
    places = [f"{slot + FIRST_LOCAL}: v{slot}" for slot in sorted(t.w.bound)]
    fails = f"failed({here}, s, f, {{{', '.join(places)}}})"
    return unless(t.w.code(node.condition), [fails])


def _step(t: Effects, node: m.Step) -> Lines:
    return t.lines(node.body)


def _if(t: Effects, node: m.If) -> Lines:
    condition = t.w.code(node.condition)
    if condition.known:
        return t.block(node.body if condition.constant else node.otherwise)
    lines: Lines = [f"if {condition.text}:", *t.nested(node.body)]
    if node.otherwise:
        lines += ["else:", *t.nested(node.otherwise)]
    return lines


def counts_at_once(node: Blocks) -> bool:
    """Return whether blocks may be counted together, because nothing in them reads the
    count.
    """
    always = all(block.condition is None for block in node.blocks)
    return always and not any(
        isinstance(inner, m.Repeat | m.Call | m.Stop | m.Require)
        or (isinstance(inner, BudgetBlock) and inner.again)
        for inner in walk(node)
    )


def _blocks(t: Effects, node: Blocks) -> Lines:
    if counts_at_once(node):
        whole = [statement for block in node.blocks for statement in block.body]
        return t.block(whole)
    lines: Lines = []
    for block in node.blocks:
        again = ["g.goes_on()"] if block.again else []
        written: Lines = [*again, *t.block(block.body)]
        tests = [] if block.condition is None else [t.w.code(block.condition)]
        lines += guarded(tests, written) if written else []
    return lines


def _each(t: Effects, node: m.Each) -> Lines:
    members = t.w.code(node.set)
    with t.w.binding(node.slot) as name:
        lines: Lines = [f"for {name} in {members.text}:"]
        if node.where is not None:
            left_out = unless(t.w.code(node.where), ["continue"])
            lines += indented(left_out)
        return lines + t.nested(node.body)


def _repeat(t: Effects, node: m.Repeat) -> Lines:
    head = f"for _ in range({t.w.code(node.times).text}):"
    asked: Lines = []
    if node.until is not None:
        asked = under(t.w.code(node.until), ["break"])
    return [head, *indented(asked), "    g.goes_on()", *t.nested(node.body)]


def _call(t: Effects, node: m.Call) -> Lines:
    return [f"{t.procedures[node.procedure][0]}(g, s, {new_frame(t, node)})"]


def new_frame(t: Effects, node: m.Call) -> str:
    """Return code for a new frame of a called procedure."""
    _, unit = t.procedures[node.procedure]
    given = [t.w.slot(m.YOU), *[t.w.code(argument) for argument in node.arguments]]
    return f"g.plan.units[{unit}].frame({code.listed(given)})"


EFFECTS: EffectTable = {
    m.SetLocal: _set_local,
    m.SetTally: _set_tally,
    m.SetField: _set_field,
    m.NextTurn: _next_turn,
    m.MissesTurn: _misses_turn,
    m.TurnsGo: _turns_go,
    m.Starts: _starts,
    m.Stop: _stop,
    m.Require: _require,
    m.Step: _step,
    m.If: _if,
    Blocks: _blocks,
    m.Each: _each,
    m.Repeat: _repeat,
    m.Call: _call,
}
