"""Python code for sets, and for iterations over them."""

from __future__ import annotations

from typing import Any

from interpreter.core.layout import BACKWARDS
from interpreter.core.optional import may_hold_none
from interpreter.plan.specialise.constants import seating
from interpreter.python.expressions.values import counter, minus
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source import code
from interpreter.source.code import Code
from rulebook import model as m


def _all_of(w: Writer, e: m.AllOf) -> Code:
    members = tuple(range(w.facts.sizes[e.domain]))
    return Code(w.source.table(members), constant=members)


def _clockwise(w: Writer, e: m.Clockwise) -> Code:
    rows, start = seating(w.facts, e), w.code(e.start)
    if e.turning and w.facts.turns_back:
        both = (rows, tuple([row[::-1] for row in rows]))
        return code.looked_up(w.source.table(both), counter(BACKWARDS), start)
    return code.looked_up(w.source.table(rows), start)


def _numbers(w: Writer, e: m.Numbers) -> Code:
    low, end = w.code(e.low), code.plus(1, w.code(e.high))
    return code.made(f"tuple(range({low.text}, {end.text}))", low, end)


def _contains(w: Writer, e: m.Contains) -> Code:
    member, zero = w.code(e.member), code.literal(0)
    match e.set:
        case m.Numbers(low=low, high=high):
            return code.between(w.code(low), member, w.code(high), "<=", "<=")
        case m.KindsIn(holder=m.FieldValue(type=m.Bag()) as holder):
            if w.facts.block(holder).field.endless:
                return code.compared(member, ">=", zero)
            held = code.cell(w.cell(holder, e.member))
            return code.compared(held, ">", zero)
        case m.AllOf():
            return code.compared(member, ">=", zero)
        case _:
            return code.compared(member, "in", w.code(e.set))


def _exists(w: Writer, e: m.Exists) -> Code:
    match e:
        case m.Exists(
            set=m.Related() as spaces,
            where=m.PieceOn(space=m.Local(e.slot), owner=m.Local() as owner) as on,
        ) if not (
            on.another or owner.slot == e.slot or w.facts.layout.pieces[on.piece].owners
        ):
            return somewhere(w, on.piece, owner, spaces)
    members = w.code(e.set)
    if e.where is None:
        return code.compared(code.call("len", members), ">", code.literal(0))
    with w.binding(e.slot) as v:
        tests = code.run(w.code(e.where), code.each(v, members), v)
    if isinstance(e.set, m.Related):
        return code.compared(code.literal(True), "in", code.array(tests))
    return code.call("any", tests)


def somewhere(w: Writer, piece: str, owner: m.Local, spaces: m.Related) -> Code:
    """Return code for whether an owner's piece stands on one of the related spaces."""
    there, who = w.related_cells(piece, spaces), w.code(owner)
    if may_hold_none(owner):
        return code.between(code.literal(-1), who, there, "!=", "in")
    return code.compared(who, "in", there)


def _find(w: Writer, e: m.Find) -> Code:
    members = w.code(e.set)
    with w.binding(e.slot) as v:
        fitting = code.run(code.name(v), code.each(v, members, w.tested(e)), v)
        return code.made(f"next(({fitting.text}), -1)", fitting)


def _count(w: Writer, e: m.Count) -> Code:
    members = w.code(e.set)
    if e.where is None:
        return code.call("len", members)
    with w.binding(e.slot) as v:
        tests = code.run(w.code(e.where), code.each(v, members), v)
        return code.call("sum", code.array(tests))


def numbers(w: Writer, e: m.Sum | m.Highest) -> Code:
    """Return code for the list of the numbers of the members that meet a condition."""
    members = w.code(e.set)
    with w.binding(e.slot) as v:
        return code.array(
            code.run(w.number(e.value), code.each(v, members, w.tested(e)), v)
        )


def _best(w: Writer, e: m.Best) -> Code:
    return code.call("best", w.chosen(e), keys(w, e))


def keys(w: Writer, e: Any) -> Code:
    """Return code for the key function that compares members; larger keys are
    better.
    """
    with w.binding(e.slot) as v:
        measures = [
            minus(w.number(measure.value))
            if measure.smallest
            else w.number(measure.value)
            for measure in e.by
        ]
        return code.function_of(v, code.row_of(measures))


def _sorted(w: Writer, e: m.Sorted) -> Code:
    members = w.chosen(e)
    with w.binding(e.slot) as v:
        key = code.function_of(v, w.number(e.value))
    text = f"tuple(sorted({members.text}, key={key.text}, reverse={e.falling}))"
    return code.made(text, members, key)


def _highest(w: Writer, e: m.Highest) -> Code:
    measured = numbers(w, e)
    return code.made(
        f"{'min' if e.smallest else 'max'}({measured.text}, default=0)", measured
    )


TEMPLATES: Templates = {
    m.AllOf: _all_of,
    m.Clockwise: _clockwise,
    m.Numbers: _numbers,
    m.Contains: _contains,
    m.Exists: _exists,
    m.Find: _find,
    m.Filter: lambda w, e: code.call("tuple", w.chosen(e)),
    m.Count: _count,
    m.Sum: lambda w, e: code.call("sum", numbers(w, e)),
    m.Best: _best,
    m.Sorted: _sorted,
    m.Highest: _highest,
    m.Only: lambda w, e: code.call("only", w.code(e.set)),
}
