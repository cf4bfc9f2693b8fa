"""Printer of kernel statements as lines of Python that refer to `g`, `s` and `f`.

`g` is the running state, `s` its cells, `f` the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel import operations as k
from interpreter.python.python_expressions import Printer
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.failures import EffectPlace
from interpreter.source.lines import Line, Lines, if_lines, indent, unless_lines
from rulebook.completeness import check_complete, concrete_classes


@attrs.define
class StatementPrinter:
    """Printer of the statements of one unit.

    `leave` is the line that leaves the unit.
    """

    p: Printer
    leave: Line

    def lines(self, ops: Iterable[k.Statement]) -> Lines:
        """Return the lines of statements."""
        return [line for op in ops for line in STATEMENTS[type(op)](self, op)]

    def nested(self, ops: Iterable[k.Statement]) -> Lines:
        """Return the lines of a block, indented by one level."""
        return indent(self.lines(ops) or ["pass"])

    def write(self, target: Code | str, value: Code) -> Lines:
        """Return the line that assigns *value* to *target*."""
        return [f"{target} = {value.text}"]


def _bind(t: StatementPrinter, e: k.Bind) -> Lines:
    value = t.p.value(e.value)
    t.p.bound.add(e.slot)
    return t.write(t.p.slot(e.slot), value)


def _assign_row(t: StatementPrinter, e: k.AssignRow) -> Lines:
    if e.row is None:
        return [f"{t.p.slot(e.slot)} = (0,) * {e.size}"]
    return t.write(t.p.slot(e.slot), t.p.row_tuple(e.row))


def _assign_element(t: StatementPrinter, e: k.AssignElement) -> Lines:
    slot = t.p.slot(e.row.slot)
    changed = code.call("changed", slot, t.p.value(e.index), t.p.value(e.value))
    return t.write(slot, changed)


def _store(t: StatementPrinter, e: k.Store) -> Lines:
    cell = code.cell(t.p.value(e.cell))
    match e.value:
        case k.Binary(operator="+" | "-" | "&" | "|" as operator, left=k.Load(e.cell)):
            return [f"{cell} {operator}= {t.p.value(e.value.right).text}"]
        case value:
            return t.write(cell, t.p.value(value))


def _store_row(t: StatementPrinter, e: k.StoreRow) -> Lines:
    first = t.p.value(e.first)
    end = code.add(first, code.literal(e.size))
    return t.write(code.cells(first, end), t.p.row(e.row))


def _clear(t: StatementPrinter, e: k.Clear) -> Lines:
    row = e.row
    first = t.p.value(row.first)
    end = code.add(first, code.literal((row.size - 1) * row.step + 1))
    step = "" if row.step == 1 else f", {row.step}"
    head = f"for i in range({first.text}, {end.text}{step}):"
    change = f"s[i] = {e.number}"
    if e.value is None:
        return [head, f"    {change}"]
    return [head, f"    if s[i] == {t.p.value(e.value)}: {change}"]


def _fail(t: StatementPrinter, e: k.Fail) -> Lines:
    here = t.p.source.add_object(EffectPlace(e.span, e.part, e.owners))
    shown = code.join_code([Code(here), *t.p.values(e.message_values)])
    condition = t.p.value(e.condition)
    if condition.is_constant:
        return if_lines(condition, [f"{e.reason}({shown})"])
    return [f"if {condition.text}: {e.reason}({shown})"]


def _require(t: StatementPrinter, e: k.RequireTruth) -> Lines:
    here = t.p.source.add_object(e.source)
    places = [f"{slot + FIRST_LOCAL}: v{slot}" for slot in sorted(t.p.bound)]
    fails = f"failed({here}, s, f, {{{', '.join(places)}}})"
    return unless_lines(t.p.value(e.condition), [fails])


def _when(t: StatementPrinter, e: k.When) -> Lines:
    condition = t.p.value(e.condition)
    if condition.is_constant:
        return t.lines(e.body if condition.constant else e.otherwise)
    lines: Lines = [f"if {condition.text}:", *t.nested(e.body)]
    return [*lines, "else:", *t.nested(e.otherwise)] if e.otherwise else lines


def _for_each(t: StatementPrinter, e: k.ForEach) -> Lines:
    members = t.p.members(e.sequence)
    with t.p.binding(e.slot) as v:
        skip = [] if e.where is None else unless_lines(t.p.value(e.where), ["continue"])
        return [f"for {v} in {members.text}:", *indent(skip), *t.nested(e.body)]


def _for_counts(t: StatementPrinter, e: k.ForCounts) -> Lines:
    row = t.p.row(e.row)
    with t.p.binding(e.index) as card, t.p.binding(e.count) as number:
        head = f"for {card}, {number} in enumerate({row.text}):"
        return [head, f"    if {number}:", *indent(t.nested(e.body))]


def _times(t: StatementPrinter, e: k.Times) -> Lines:
    stop = [] if e.until is None else if_lines(t.p.value(e.until), ["break"])
    head = f"for _ in range({t.p.value(e.count).text}):"
    return [head, *indent(stop), *t.nested(e.body)]


def _scope(t: StatementPrinter, e: k.Scope) -> Lines:
    before = set(t.p.bound)
    lines = t.lines(e.body)
    t.p.bound.intersection_update(before)
    return lines


def _run(t: StatementPrinter, e: k.Run) -> Lines:
    return [f"q{e.unit}(g, s, {new_frame(t.p, str(e.unit), e.arguments)})"]


def new_frame(p: Printer, unit: str, arguments: Iterable[Any]) -> str:
    """Return the text of a new frame of a unit, with arguments in its first slots."""
    given = code.join_code([p.argument(argument) for argument in arguments])
    return f"g.plan.units[{unit}].frame({given})"


def _offered(t: StatementPrinter, e: k.Offered) -> Lines:
    append: Lines = [f"out.append({t.p.value(e.index).text})"]
    return append if e.condition is None else if_lines(t.p.value(e.condition), append)


def _announce(t: StatementPrinter, e: k.Announce) -> Lines:
    sentence = t.p.source.add_object(e.sentence)
    values = code.tuple_code(t.p.values(e.values))
    return [f"g.announce({sentence}, {values.text})"]


# ---------------------------------------------------------------- stacks


def change_stack(
    t: StatementPrinter, function: str, stack: k.Stack, *values: str
) -> Lines:
    """Return the line that replaces a stack with the result of a function of it."""
    cell = t.p.stack(stack)
    return [f"{cell} = {function}({', '.join([cell.text, *values])})"]


def _stack_put(t: StatementPrinter, e: k.StackPut) -> Lines:
    card, number, knowing = t.p.values((e.card, e.number, e.knowing))
    end = "top" if e.on_top else "bottom"
    return change_stack(
        t, "put", e.stack, card.text, number.text, repr(end), knowing.text
    )


def _stack_take(t: StatementPrinter, e: k.StackTake) -> Lines:
    card, knowing = t.p.values((e.card, e.knowing))
    return change_stack(t, "take", e.stack, card.text, knowing.text)


def _stack_learn(t: StatementPrinter, e: k.StackLearn) -> Lines:
    card, knowing = t.p.values((e.card, e.knowing))
    return change_stack(t, "learn", e.stack, card.text, knowing.text)


def _stack_show(t: StatementPrinter, e: k.StackShow) -> Lines:
    word = "show_top" if e.top_only else "show"
    return change_stack(t, word, e.stack, t.p.value(e.knowing).text)


STATEMENTS: Mapping[type, Callable[[StatementPrinter, Any], Lines]] = {
    k.Bind: _bind,
    k.Assign: lambda t, e: t.write(t.p.slot(e.slot), t.p.value(e.value)),
    k.AssignSet: lambda t, e: t.write(t.p.slot(e.slot), t.p.stored(e.sequence)),
    k.AssignRow: _assign_row,
    k.AssignElement: _assign_element,
    k.Store: _store,
    k.StoreRow: _store_row,
    k.StoreSet: lambda t, e: t.write(
        code.cell(t.p.value(e.cell)), t.p.stored(e.sequence)
    ),
    k.Clear: _clear,
    k.Wake: lambda _, e: [f"g.triggers |= {e.triggers}"],
    k.Tick: lambda _, e: [f"g.executed += {e.count}"],
    k.CheckBudget: lambda _, __: ["g.check_budget()"],
    k.Fail: _fail,
    k.RequireTruth: _require,
    k.When: _when,
    k.ForEach: _for_each,
    k.ForCounts: _for_counts,
    k.Times: _times,
    k.Scope: _scope,
    k.Run: _run,
    k.DropFirst: lambda t, e: [f"{t.p.slot(e.rest)} = {t.p.slot(e.rest)}[1:]"],
    k.Leave: lambda t, _: [t.leave],
    k.Offered: _offered,
    k.Announce: _announce,
    k.Visit: lambda _, e: [f"held[{e.site}] += 1"],
    k.CompareCards: lambda _, e: ["moving(s)" if e.begins else "moved(s)"],
    k.StackPut: _stack_put,
    k.StackTake: _stack_take,
    k.StackShuffle: lambda t, e: change_stack(t, "shuffled", e.stack),
    k.StackDraw: lambda t, e: change_stack(
        t, "take_top", e.stack, t.p.value(e.card).text
    ),
    k.StackLearn: _stack_learn,
    k.StackShow: _stack_show,
}

check_complete(
    "the Python text of statements", STATEMENTS, concrete_classes(k.Statement, k)
)
