"""C code for sets: loops over them, searches in them, counts and measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.native.expressions.values import given, written
from interpreter.native.writer import CWriter, Lists, Loop, Loops, Most, Values
from interpreter.plan.specialise.constants import own_spaces, seating
from rulebook import model as m

NUMBERS_MAX = 256
"""Maximum number of elements in a stored set; the interpreter handles larger sets."""

# ---------------------------------------------------------------- loops


def over(index: str, low: str, end: str, name: str, value: str) -> str:
    """Return the head of a C loop from `low` up to, but not including, `end`."""
    return (
        f"for (num {index} = {low}; {index} < {end}; {index}++) "
        f"{{ VAR {name} = {value}; "
    )


def _members(w: CWriter, e: m.Const, name: str) -> Loop:
    table, index = w.file.table(e.value), w.file.new("i")
    return Loop("", over(index, "0", str(len(e.value)), name, f"{table}[{index}]"))


def _all_of(w: CWriter, e: m.AllOf, name: str) -> Loop:
    size = w.facts.sizes[e.domain]
    return Loop("", f"for (num {name} = 0; {name} < {size}; {name}++) {{ ")


def _numbers(w: CWriter, e: m.Numbers, name: str) -> Loop:
    index, last = w.file.new("i"), w.file.new("e")
    before = f"num {index} = {written(w, e.low)}, {last} = {written(w, e.high)}; "
    return Loop(
        before, f"for (; {index} <= {last}; {index}++) {{ VAR {name} = {index}; "
    )


def table_row(w: CWriter, rows: Any, of: str, name: str) -> Loop:
    """Return the C loop over one row of a table of sets."""
    members, places = w.file.sets(rows)
    index, end, row = w.file.new("i"), w.file.new("e"), w.file.new("r")
    before = (
        f"num {row} = {of} + 1, {index} = {places}[{row}], "
        f"{end} = {places}[{row} + 1]; "
    )
    head = f"for (; {index} < {end}; {index}++) {{ VAR {name} = {members}[{index}]; "
    return Loop(before, head)


def _related(w: CWriter, e: m.Related, name: str) -> Loop:
    return table_row(w, w.facts.relations[e.relation], w.value(e.of), name)


def _column(w: CWriter, e: m.ColumnValue, name: str) -> Loop:
    return table_row(w, w.facts.column(e.domain, e.column), w.value(e.of), name)


def _own_spaces(w: CWriter, e: m.OwnSpaces, name: str) -> Loop:
    return table_row(w, own_spaces(w.facts, e.domain), w.value(e.player), name)


def _clockwise(w: CWriter, e: m.Clockwise, name: str) -> Loop:
    rows, start = seating(w.facts, e), w.value(e.start)
    if not (e.turning and w.facts.turns_back):
        return table_row(w, rows, start, name)
    ahead = table_row(w, rows, start, name)
    turned = w.file.new("a")
    forward = f"{turned}[++{turned}[0]] = {name};"
    listed = f"{{ {ahead.before}{ahead.head}{forward} }} }}"
    index = w.file.new("i")
    before = (
        f"num {turned}[{w.facts.players + 1}]; {turned}[0] = 0; {listed} "
        f"int {index}_b = g->s[BACKWARDS] != 0; "
    )
    place = f"{turned}[{index}_b ? {turned}[0] + 1 - {index} : {index}]"
    return Loop(before, over(index, "1", f"{turned}[0] + 1", name, place))


def _filter(w: CWriter, e: m.Filter, name: str) -> Loop:
    with w.binding(e.slot, name):
        loop, where = w.templates.narrowed(w, e.set, name, e.where)
        loop = loop or w.through(e.set, name)
        if where is None:
            return loop
        return Loop(loop.before, f"{loop.head}if (!{w.value(where)}) continue; ")


def _local(w: CWriter, e: m.Local, name: str) -> Loop:
    array, index = w.array(e.slot), w.file.new("i")
    value = f"{array}[{index}]"
    return Loop("", over(index, "1", f"{array}[0] + 1", name, value))


def _winners(w: CWriter, e: m.Winners, name: str) -> Loop:
    del w, e
    head = f"for (num {name} = 0; {name} < g->ranked; {name}++) "
    return Loop("", f"{head}{{ if (g->ranks[{name}] != 1) continue; ")


LOOPS: Loops = {
    m.Const: _members,
    m.AllOf: _all_of,
    m.Numbers: _numbers,
    m.Related: _related,
    m.ColumnValue: _column,
    m.OwnSpaces: _own_spaces,
    m.Clockwise: _clockwise,
    m.Filter: _filter,
    m.Local: _local,
    m.Winners: _winners,
}

# ---------------------------------------------------------------- lists


def _call(w: CWriter, e: m.CallDefine, array: str) -> str:
    before, arguments = given(w, e)
    return f"{before}{w.defines[e.define]}({', '.join(['g', array, *arguments])});"


def keys(w: CWriter, by: tuple[m.Measure, ...], array: str) -> str:
    """Return the C lines that fill an array with the measures of a member."""
    return "".join(
        [
            f"{array}[{place}] = {'-' * x.smallest}{w.number(x.value)}; "
            for place, x in enumerate(by)
        ]
    )


def _best(w: CWriter, e: m.Best, array: str) -> str:
    key, most, way, size = *[w.file.new("k") for _ in range(3)], len(e.by)
    with w.binding(e.slot) as v:
        body = (
            f"num {key}[{size}]; {keys(w, e.by, key)}"
            f"int {way} = {array}[0] ? compared({key}, {most}, {size}) : 1; "
            f"if ({way} < 0) continue; if ({way} > 0) {{ {array}[0] = 0; "
            f"memcpy({most}, {key}, sizeof {most}); }} {array}[++{array}[0]] = {v};"
        )
        through = w.loop(e.set, v, body, e.where)
    return f"num {most}[{size}] = {{0}}; {array}[0] = 0; {through}"


def _sorted(w: CWriter, e: m.Sorted, array: str) -> str:
    key = w.file.new("k")
    with w.binding(e.slot) as v:
        body = f"{array}[++{array}[0]] = {v}; {key}[{array}[0]] = {w.number(e.value)};"
        through = w.loop(e.set, v, body, e.where)
    return (
        f"num {key}[{w.most(e) + 1}]; {array}[0] = 0; {through} "
        f"sort_by({array}, {key}, {int(e.falling)});"
    )


def _numbers_listed(w: CWriter, e: m.Numbers, array: str) -> str:
    v, most = w.file.new("m"), w.most(e)
    enter = f"if ({array}[0] == {most}) fail(g, BEYOND); {array}[++{array}[0]] = {v};"
    return f"{array}[0] = 0; {w.loop(e, v, enter)}"


LISTS: Lists = {
    m.CallDefine: _call,
    m.Numbers: _numbers_listed,
    m.Best: _best,
    m.Sorted: _sorted,
}


def _numbers_most(w: CWriter, e: m.Numbers) -> int:
    ends = (e.low, e.high)
    values = [x.value if isinstance(x, m.Const) else None for x in ends]
    kinds = [x.type for x in ends]
    low, high = (
        value if value is not None else getattr(kind, side, None)
        for value, kind, side in zip(values, kinds, ("low", "high"), strict=True)
    )
    if low is None or high is None:
        return NUMBERS_MAX
    return int(min(NUMBERS_MAX, max(0, high - low + 1)))


MOST: Mapping[type, Most] = {
    m.Const: lambda w, e: len(e.value),
    m.Numbers: _numbers_most,
    m.Filter: lambda w, e: w.most(e.set),
    m.Best: lambda w, e: w.most(e.set),
    m.Sorted: lambda w, e: w.most(e.set),
    m.Clockwise: lambda w, e: w.facts.players,
}

# ---------------------------------------------------------------- values over sets


def _contains(w: CWriter, e: m.Contains) -> str:
    member = w.value(e.member)
    match e.set:
        case m.Numbers(low=low, high=high):
            x = w.file.new("x")
            inside = f"{w.value(low)} <= {x} && {x} <= {w.value(high)}"
            return f"({{ num {x} = {member}; {inside}; }})"
        case m.AllOf():
            return f"({member} >= 0)"
        case m.KindsIn(holder=m.FieldValue(type=m.Bag()) as holder):
            if w.facts.block(holder).field.endless:
                return f"({member} >= 0)"
            return f"({w.cell(f'{w.row(holder)} + {member}')} > 0)"
        case m.Local(slot=slot):
            return f"lists({w.array(slot)}, {member})"
        case _:
            x, v, here = w.file.new("x"), w.file.new("m"), w.file.new("t")
            enter = f"if ({v} == {x}) {{ {here} = 1; break; }}"
            through = w.loop(e.set, v, enter, anyhow=True)
            return f"({{ num {x} = {member}; int {here} = 0; {through} {here}; }})"


def _exists(w: CWriter, e: m.Exists) -> str:
    here = w.file.new("t")
    with w.binding(e.slot) as v:
        through = w.loop(e.set, v, f"{here} = 1; break;", e.where, anyhow=True)
    return f"({{ int {here} = 0; {through} {here}; }})"


def _find(w: CWriter, e: m.Find) -> str:
    first = w.file.new("m")
    with w.binding(e.slot) as v:
        through = w.loop(e.set, v, f"{first} = {v}; break;", e.where)
    return f"({{ num {first} = -1; {through} {first}; }})"


def _count(w: CWriter, e: m.Count) -> str:
    total = w.file.new("n")
    with w.binding(e.slot) as v:
        where = "1" if e.where is None else w.value(e.where)
        through = w.loop(e.set, v, f"{total} += {where};", anyhow=True)
    return f"({{ num {total} = 0; {through} {total}; }})"


def _sum(w: CWriter, e: m.Sum) -> str:
    total = w.file.new("n")
    with w.binding(e.slot) as v:
        add = f"{total} += {w.number(e.value)};"
        through = w.loop(e.set, v, add, e.where, anyhow=True)
    return f"({{ num {total} = 0; {through} {total}; }})"


def _highest(w: CWriter, e: m.Highest) -> str:
    best, any_, k = w.file.new("n"), w.file.new("t"), w.file.new("k")
    sign = "<" if e.smallest else ">"
    with w.binding(e.slot) as v:
        body = (
            f"num {k} = {w.number(e.value)}; "
            f"if (!{any_} || {k} {sign} {best}) {best} = {k}; {any_} = 1;"
        )
        through = w.loop(e.set, v, body, e.where)
    return f"({{ num {best} = 0; int {any_} = 0; {through} {best}; }})"


def _only(w: CWriter, e: m.Only) -> str:
    v, only, many = w.file.new("m"), w.file.new("n"), w.file.new("t")
    through = w.loop(e.set, v, f"{only} = {v}; {many}++;")
    return (
        f"({{ num {only} = -1; int {many} = 0; {through} {many} == 1 ? {only} : -1; }})"
    )


VALUES: Values = {
    m.Contains: _contains,
    m.Exists: _exists,
    m.Find: _find,
    m.Count: _count,
    m.Sum: _sum,
    m.Highest: _highest,
    m.Only: _only,
}
