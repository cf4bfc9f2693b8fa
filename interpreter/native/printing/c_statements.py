"""Printer of kernel statements as lines of C that refer to `g` and `f`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.passes.keeping import constant_part
from interpreter.kernel.traversal import reads_local
from interpreter.native.c_file import NotTranslatable
from interpreter.native.printing.c_expressions import Printer
from rulebook.completeness import check_complete, concrete_classes

Lines = list[str]

UNROLLED_MAX = 32
"""Maximum size of a row whose numbers are cleared one by one."""


@attrs.frozen
class FrameLayouts:
    """Frame size and slot offsets of each unit, by unit number."""

    sizes: Mapping[int, int]
    places: Mapping[int, Mapping[int, int]]


@attrs.define
class StatementPrinter:
    """Printer of one unit's statements; `leave` is the line that leaves the unit.

    Loops count executed statements in a variable, because counting in memory is slow.
    """

    p: Printer
    leave: str
    frames: FrameLayouts
    is_in_loop: bool = False

    def lines(self, ops: Iterable[k.Statement]) -> Lines:
        """Return the C lines of statements."""
        return [line for op in ops for line in STATEMENTS[type(op)](self, op)]

    def loop(self, head: str, write_body: Callable[[], Lines]) -> Lines:
        """Return the lines of a loop, whose body ends with the loop."""
        if self.is_in_loop:
            return [head, *write_body(), "}"]
        self.is_in_loop = True
        body = write_body()
        self.is_in_loop = False
        if not any("ticks" in line for line in body):
            return [head, *body, "}"]
        return ["{ num ticks = 0;", head, *body, "}", FLUSH_TICKS, "}"]

    def new(self, letter: str) -> str:
        """Return an unused C name that starts with *letter*."""
        return self.p.new(letter)

    def argument_lines(self, frame: str, place: int, argument: Any) -> Lines:
        """Return the lines that write an argument to a frame at index *place*."""
        if isinstance(argument, k.Sequence):
            return [self.p.fill_sequence(argument, f"({frame} + {place})")]
        if isinstance(argument, k.Row):
            return [self.p.fill_row(argument, f"({frame} + {place})")]
        return [f"{frame}[{place}] = {self.p.value(argument)};"]


FLUSH_TICKS = "g->executed += ticks; ticks = 0;"
"""Line that adds the statements executed in a loop to those of the decision."""


def fail_line(condition: str, reason: str = "MISTAKE") -> str:
    """Return the line that fails with a reason if a condition is true."""
    return f"if ({condition}) fail(g, {reason});"


def _bind(t: StatementPrinter, e: k.Bind) -> Lines:
    name = t.new("m")
    line = f"VAR {name} = {t.p.value(e.value)};"
    t.p.bound[e.slot] = name
    return [line]


def _assign_set(t: StatementPrinter, e: k.AssignSet) -> Lines:
    array, target = t.new("a"), t.p.array(e.slot)
    if not reads_local(e.sequence, e.slot):
        return [f"{{ {t.p.fill_sequence(e.sequence, target)} }}"]
    capacity, fill_array = (
        t.p.max_size(e.sequence),
        t.p.fill_sequence(e.sequence, array),
    )
    fill = f"num {array}[{capacity + 1}]; {fill_array}"
    size = f"sizeof(num) * (size_t)({array}[0] + 1)"
    return ["{", fill, f"memcpy({target}, {array}, {size});", "}"]


def _assign_row(t: StatementPrinter, e: k.AssignRow) -> Lines:
    target = t.p.array(e.slot)
    if e.row is None:
        return [clear_row(target, e.size)]
    if not reads_local(e.row, e.slot):
        return [f"{{ {t.p.fill_row(e.row, target)} }}"]
    array = t.new("a")
    fill = f"num {array}[{e.size}]; {t.p.fill_row(e.row, array)}"
    return ["{", fill, f"memcpy({target}, {array}, sizeof {array});", "}"]


def clear_row(row: str, size: int) -> str:
    """Return the line that sets the numbers of a row to 0."""
    if size > UNROLLED_MAX:
        return f"memset({row}, 0, {size} * sizeof(num));"
    return "".join([f"{row}[{n}] = " for n in range(size)]) + "0;"


def _assign_element(t: StatementPrinter, e: k.AssignElement) -> Lines:
    place = f"{t.p.array(e.row.slot)}[{t.p.value(e.index)}]"
    return [f"{place} = {t.p.value(e.value)};"]


def _store(t: StatementPrinter, e: k.Store) -> Lines:
    cell, value = t.p.value(e.cell), t.p.value(e.value)
    before, beyond = "", ""
    if e.grows:
        x = t.new("x")
        before = f"num {x} = {value};"
        beyond, value = fail_line(f"{x} > PIECES_MAX", "BEYOND"), x
    block = t.p.file.kept.block_of(constant_part(e.cell))
    if block is None:
        after = t.p.file.kept.changed(e.cell)
        return [f"{{ {before} {beyond}", f"g->s[{cell}] = (cell){value}; {after} }}"]
    i, old = t.new("i"), t.new("o")
    return [
        f"{{ {before} {beyond}",
        f"num {i} = {cell}; VAR {old} = g->s[{i}]; g->s[{i}] = (cell){value};",
        f"wrote_{block}({i}, {old}); }}",
    ]


def _store_row(t: StatementPrinter, e: k.StoreRow) -> Lines:
    array, i = t.new("a"), t.new("k")
    return [
        f"{{ num {array}[{e.size}]; {t.p.fill_row(e.row, array)}",
        f"for (num {i} = 0; {i} < {e.size}; {i}++)",
        f"g->s[{t.p.value(e.first)} + {i}] = (cell){array}[{i}];",
        f"{t.p.file.kept.changed(e.first)} }}",
    ]


def _clear(t: StatementPrinter, e: k.Clear) -> Lines:
    i, o, x, row = t.new("i"), t.new("o"), t.new("x"), e.row
    first, last = t.p.value(row.first), f"{x} + {row.size * row.step}"
    head = f"for (num {x} = {first}, {i} = {x}; {i} < {last}; {i} += {row.step})"
    block = t.p.file.kept.block_of(constant_part(row.first))
    write = f"g->s[{i}] = {e.number};"
    if e.value is None or block is None:
        test = "" if e.value is None else f"if (g->s[{i}] == {o}) "
        after = t.p.file.kept.changed(row.first)
        each = f"{head} {test}{write} {after}"
    else:
        each = f"{head} if (g->s[{i}] == {o}) {{ {write} wrote_{block}({i}, {o}); }}"
    wanted = "" if e.value is None else f"num {o} = {t.p.value(e.value)}; "
    return [f"{{ {wanted}{each} }}"]


def _when(t: StatementPrinter, e: k.When) -> Lines:
    lines = [f"if ({t.p.value(e.condition)}) {{", *t.lines(e.body), "}"]
    return [*lines, "else {", *t.lines(e.otherwise), "}"] if e.otherwise else lines


def _for_each(t: StatementPrinter, e: k.ForEach) -> Lines:
    with t.p.binding(e.slot) as v:
        if e.frozen:
            array, i = t.new("a"), t.new("i")
            most = t.p.max_size(e.sequence) + 1
            before = f"num {array}[{most}]; {t.p.fill_sequence(e.sequence, array)}"
            head = f"for (num {i} = 1; {i} <= {array}[0]; {i}++) {{ "
            head += f"VAR {v} = {array}[{i}];"
        else:
            loop = t.p.loop_over(e.sequence, v)
            before, head = loop.before, loop.head
        skip = [] if e.where is None else [f"if (!{t.p.value(e.where)}) continue;"]
        return ["{", before, *t.loop(head, lambda: [*skip, *t.lines(e.body)]), "}"]


def _for_counts(t: StatementPrinter, e: k.ForCounts) -> Lines:
    array = t.new("b")
    with t.p.binding(e.index) as card, t.p.binding(e.count) as number:
        fill = f"num {array}[{e.size}]; {t.p.fill_row(e.row, array)}"
        head = f"for (num {card} = 0; {card} < {e.size}; {card}++) {{"
        count = f"VAR {number} = {array}[{card}]; if (!{number}) continue;"
        return ["{", fill, *t.loop(head, lambda: [count, *t.lines(e.body)]), "}"]


def _times(t: StatementPrinter, e: k.Times) -> Lines:
    i = t.new("i")
    head = f"for (num {i} = {t.p.value(e.count)}; {i} > 0; {i}--) {{"
    stop = [] if e.until is None else [f"if ({t.p.value(e.until)}) break;"]
    return t.loop(head, lambda: [*stop, *t.lines(e.body)])


def _scope(t: StatementPrinter, e: k.Scope) -> Lines:
    before = dict(t.p.bound)
    lines = ["{", *t.lines(e.body), "}"]
    t.p.bound.clear()
    t.p.bound.update(before)
    return lines


def _run(t: StatementPrinter, e: k.Run) -> Lines:
    frame = t.new("f")
    head = f"{{ num {frame}[{t.frames.sizes[e.unit]}] = {{{e.unit}}};"
    places = t.frames.places[e.unit]
    lines = [head]
    for slot, argument in zip(e.slots, e.arguments, strict=True):
        lines += t.argument_lines(frame, places[slot], argument)
    return [*lines, f"q{e.unit}(g, {frame}); }}"]


def drop_first(rest: str) -> str:
    """Return the line that removes the first member of a length-prefixed array."""
    size = f"sizeof(num) * (size_t)--{rest}[0]"
    return f"memmove({rest} + 1, {rest} + 2, {size});"


def is_quick(test: str) -> bool:
    """Return whether a test costs less than a branch.

    A quick test reads cells without a loop or a call. Storing an unused index is then
    cheaper than skipping it.
    """
    return not any(costly in test for costly in ("({", "(g,", "(g)"))


def _tick(t: StatementPrinter, e: k.Tick) -> Lines:
    counter = "ticks" if t.is_in_loop else "g->executed"
    return [f"{counter} += {e.count};"]


def _offered(t: StatementPrinter, e: k.Offered) -> Lines:
    index = f"(int32_t)({t.p.value(e.index)})"
    if e.condition is None:
        return [f"*at++ = {index};"]
    test = t.p.value(e.condition)
    if is_quick(test):
        return [f"*at = {index}; at += ({test}) != 0;"]
    return [f"if ({test}) *at++ = {index};"]


def _announce(t: StatementPrinter, e: k.Announce) -> Lines:
    number = t.p.file.outcome_event(e.sentence, e.sentence.types)
    values, size = [t.p.value(value) for value in e.values], len(e.values)
    listed, array = ", ".join(values) or "0", t.new("a")
    return [
        f"if (g->log) {{ num {array}[] = {{{listed}}};",
        f"logs(g, {number}, {size}, {array}, {(1 << t.p.facts.players) - 1}u); }}",
    ]


def _stack_put(t: StatementPrinter, e: k.StackPut) -> Lines:
    card, number, knowing = map(t.p.value, (e.card, e.number, e.knowing))
    inputs = f"{t.p.stack(e.stack)}, {card}, {number}, {int(e.on_top)}, {knowing}"
    return [f"stack_put(g, {inputs});"]


def _stack_take(t: StatementPrinter, e: k.StackTake) -> Lines:
    card, knowing = t.p.value(e.card), t.p.value(e.knowing)
    return [f"stack_take(g, {t.p.stack(e.stack)}, {card}, {knowing});"]


def _stack_learn(t: StatementPrinter, e: k.StackLearn) -> Lines:
    card, knowing = t.p.value(e.card), t.p.value(e.knowing)
    return [f"stack_learn({t.p.stack(e.stack)}, {card}, {knowing});"]


def _stack_show(t: StatementPrinter, e: k.StackShow) -> Lines:
    stack, knowing = t.p.stack(e.stack), t.p.value(e.knowing)
    if e.top_only:
        return [f"{stack}->known[0] |= {knowing};"]
    return [f"stack_show({stack}, {knowing});"]


def _untranslated(t: StatementPrinter, e: k.Statement) -> Lines:
    del t
    raise NotTranslatable(f"no C for {type(e).__name__}")


STATEMENTS: Mapping[type, Callable[[StatementPrinter, Any], Lines]] = {
    k.Bind: _bind,
    k.Assign: lambda t, e: [f"{t.p.slot(e.slot)} = {t.p.value(e.value)};"],
    k.AssignSet: _assign_set,
    k.AssignRow: _assign_row,
    k.AssignElement: _assign_element,
    k.Store: _store,
    k.StoreRow: _store_row,
    k.StoreSet: _untranslated,
    k.Clear: _clear,
    k.Wake: lambda _, e: [f"g->triggers |= {e.triggers}u;"],
    k.Tick: _tick,
    k.CheckBudget: lambda t, _: [*[FLUSH_TICKS] * t.is_in_loop, "goes_on(g);"],
    k.Fail: lambda t, e: [fail_line(t.p.value(e.condition))],
    k.RequireTruth: _untranslated,
    k.When: _when,
    k.ForEach: _for_each,
    k.ForCounts: _for_counts,
    k.Times: _times,
    k.Scope: _scope,
    k.Run: _run,
    k.DropFirst: lambda t, e: [drop_first(t.p.array(e.rest))],
    k.Leave: lambda t, _: [*[FLUSH_TICKS] * t.is_in_loop, t.leave],
    k.Offered: _offered,
    k.Announce: _announce,
    k.Visit: _untranslated,
    k.CompareCards: _untranslated,
    k.StackPut: _stack_put,
    k.StackTake: _stack_take,
    k.StackShuffle: lambda t, e: [f"stack_shuffle({t.p.stack(e.stack)});"],
    k.StackDraw: lambda t, e: [
        f"stack_take_top({t.p.stack(e.stack)}, {t.p.value(e.card)});"
    ],
    k.StackLearn: _stack_learn,
    k.StackShow: _stack_show,
}

check_complete("the C of statements", STATEMENTS, concrete_classes(k.Statement, k))
