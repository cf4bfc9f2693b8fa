"""C code for bags and stacks of cards."""

from __future__ import annotations

from interpreter.core.layout import ENDLESS
from interpreter.native.expressions.values import given
from interpreter.native.writer import Counts, CWriter, Lists, Loop, Loops, Values
from rulebook import model as m

# ---------------------------------------------------------------- one count of a bag


def _const(w: CWriter, e: m.Const, member: str) -> str:
    where = f"{e.span.file}:{e.span.line}"
    return f"{w.file.data((e.span, e.value), e.value, where)}[{member}]"


def _field(w: CWriter, e: m.FieldValue, member: str) -> str:
    if isinstance(e.type, m.Stack):
        return f"stack_held({w.stack(e)}, {member})"
    if w.facts.block(e).field.endless:
        return "ENDLESS"
    return w.cell(f"{w.row(e)} + {member}")


def _local(w: CWriter, e: m.Local, member: str) -> str:
    return f"{w.array(e.slot)}[{member}]"


def _column(w: CWriter, e: m.ColumnValue, member: str) -> str:
    column, name = w.facts.column(e.domain, e.column), f"{e.domain}.{e.column}"
    size = w.kinds(e.type)
    counts = [x for row in (column[-1], *column[:-1]) for x in row]
    table = w.file.data(name, counts, name)
    return f"{table}[({w.value(e.of)} + 1) * {size} + {member}]"


def _single(w: CWriter, e: m.SingleBag, member: str) -> str:
    return f"({member} == {w.value(e.member)} ? at_least_0({w.value(e.count)}) : 0)"


def _sum(w: CWriter, e: m.SumBags, member: str) -> str:
    return f"({' + '.join([w.count(bag, member) for bag in e.bags])})"


COUNTS: Counts = {
    m.Const: _const,
    m.FieldValue: _field,
    m.Local: _local,
    m.ColumnValue: _column,
    m.SingleBag: _single,
    m.SumBags: _sum,
}

# ---------------------------------------------------------------- whole bags


def _single_filled(w: CWriter, e: m.SingleBag, array: str) -> str:
    member, size = w.file.new("m"), w.kinds(e.type)
    count = f"at_least_0({w.value(e.count)})"
    return (
        f"memset({array}, 0, {size} * sizeof(num)); {{ num {member} = "
        f"{w.value(e.member)}; if ({member} >= 0) {array}[{member}] = {count}; }}"
    )


def _sum_filled(w: CWriter, e: m.SumBags, array: str) -> str:
    size, text = w.kinds(e.type), ""
    for place, bag in enumerate(e.bags):
        before, count = w.counts(bag)
        k = w.file.new("k")
        sign = "=" if not place else "+="
        text += (
            f"{{ {before}for (num {k} = 0; {k} < {size}; {k}++) "
            f"{array}[{k}] {sign} {count(k)}; }} "
        )
    return text


def _over_filled(w: CWriter, e: m.BagOver, array: str) -> str:
    with w.binding(e.slot) as v:
        body = f"{array}[{v}] = at_least_0({w.number(e.value)});"
        through = w.loop(e.set, v, body, e.where)
    return f"memset({array}, 0, {w.kinds(e.type)} * sizeof(num)); {through}"


def _call_filled(w: CWriter, e: m.CallDefine, array: str) -> str:
    before, arguments = given(w, e)
    return (
        f"{{ {before}{w.defines[e.define]}({', '.join(['g', array, *arguments])}); }}"
    )


FILLS: Lists = {
    m.SingleBag: _single_filled,
    m.SumBags: _sum_filled,
    m.BagOver: _over_filled,
    m.CallDefine: _call_filled,
}

# ---------------------------------------------------------------- values


def _count_in(w: CWriter, e: m.CountIn) -> str:
    if isinstance(e.holder, m.FieldValue):
        return w.count(e.holder, w.value(e.member))
    member = w.file.new("m")
    before, count = w.counts(e.holder)
    there = f"{member} < 0 ? 0 : {count(member)}"
    return f"({{ {before}num {member} = {w.value(e.member)}; {there}; }})"


def _size_of(w: CWriter, e: m.SizeOf) -> str:
    if isinstance(e.holder.type, m.SetOf):
        if isinstance(e.holder, m.Local):
            return f"{w.array(e.holder.slot)}[0]"
        total, v = w.file.new("n"), w.file.new("m")
        through = w.loop(e.holder, v, f"{total}++;")
        return f"({{ num {total} = 0; {through} {total}; }})"
    if isinstance(e.holder, m.FieldValue):
        if isinstance(e.holder.type, m.Stack):
            return f"{w.stack(e.holder)}->size"
        if w.facts.block(e.holder).field.endless:
            return str(ENDLESS)
    total, k = w.file.new("n"), w.file.new("k")
    before, count = w.counts(e.holder)
    size = w.kinds(e.holder.type)
    through = f"for (num {k} = 0; {k} < {size}; {k}++) {total} += {count(k)};"
    return f"({{ num {total} = 0; {before}{through} {total}; }})"


def _covers(w: CWriter, e: m.Covers) -> str:
    block = w.block_of(e.holder)
    if block is not None and block.field.endless:
        return "1"
    if isinstance(e.bag, m.Const) and w.is_plain(e.holder):
        tests = [
            f"{w.count(e.holder, str(card))} >= {w.amount(number, e.bag, card)}"
            for card, number in enumerate(e.bag.value)
            if number
        ]
        return f"({' && '.join(tests) or '1'})"
    good, k = w.file.new("t"), w.file.new("k")
    first, held = w.counts(e.holder)
    second, wanted = w.counts(e.bag)
    size = w.kinds(e.bag.type)
    through = (
        f"for (num {k} = 0; {k} < {size} && {good}; {k}++) "
        f"{good} = {held(k)} >= {wanted(k)};"
    )
    return f"({{ {first}{second}int {good} = 1; {through} {good}; }})"


def _kinds_in(w: CWriter, e: m.KindsIn, name: str) -> Loop:
    before, count = w.counts(e.holder)
    size = w.kinds(e.holder.type)
    head = f"for (num {name} = 0; {name} < {size}; {name}++) {{ "
    return Loop(before, f"{head}if (!{count(name)}) continue; ")


def _top(w: CWriter, e: m.TopOf) -> str:
    assert isinstance(e.stack, m.FieldValue)
    return f"stack_top({w.stack(e.stack)})"


VALUES: Values = {
    m.CountIn: _count_in,
    m.SizeOf: _size_of,
    m.Covers: _covers,
    m.TopOf: _top,
}
LOOPS: Loops = {m.KindsIn: _kinds_in}
