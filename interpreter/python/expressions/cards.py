"""Python code for bags and stacks of cards."""

from __future__ import annotations

from interpreter.core.layout import ENDLESS
from interpreter.core.optional import may_hold_none
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.source import code
from interpreter.source.code import Code
from rulebook import model as m


def is_stack(e: m.Expr) -> bool:
    """Return whether the value of an expression is a stack."""
    return isinstance(e.type, m.Stack)


def counts_of(w: Writer, e: m.Expr) -> Code:
    """Return code for the counts of a bag or stack, as a tuple."""
    return code.call("contents", w.code(e)) if is_stack(e) else w.code(e)


def _count_in(w: Writer, e: m.CountIn) -> Code:
    if is_stack(e.holder):
        return code.call("stack_count", w.code(e.holder), w.code(e.member))
    block = w.bag_block(e.holder)
    if block is None:
        return code.call("at", w.code(e.holder), w.code(e.member))
    if block.field.endless:
        return code.literal(ENDLESS)
    assert isinstance(e.holder, m.FieldValue)
    return code.cell(w.cell(e.holder, e.member))


def _size_of(w: Writer, e: m.SizeOf) -> Code:
    if is_stack(e.holder):
        holder = w.code(e.holder)
        return code.made(f"len({holder}[0])", holder)
    block = w.bag_block(e.holder)
    if block is not None and block.field.endless:
        return code.literal(ENDLESS)
    if block is not None and isinstance(e.holder, m.FieldValue):
        row = w.row(e.holder)
        end = code.added(row, code.literal(block.size))
        return code.call("sum", code.cells(row, end))
    word = "sum" if isinstance(e.holder.type, m.Bag) else "len"
    return code.call(word, w.code(e.holder))


def _covers(w: Writer, e: m.Covers) -> Code:
    block = w.bag_block(e.holder)
    if block is not None and block.field.endless:
        return code.literal(True)
    if block is None or not isinstance(e.holder, m.FieldValue):
        return code.call("covers", counts_of(w, e.holder), w.code(e.bag))
    match e.bag:
        case m.Const(value=counts):
            row = w.row(e.holder)
            tests = [
                at_least(code.added(row, code.literal(card)), code.literal(count))
                for card, count in enumerate(counts)
                if count
            ]
            return code.chain("and", tests)
        case m.SingleBag(member=member, count=count):
            held = at_least(w.cell(e.holder, member), w.code(count))
            if not may_hold_none(member):
                return held
            nothing = code.compared(w.code(member), "<", code.literal(0))
            return code.chain("or", [held, nothing])
        case bag:
            return code.call("covers", w.code(e.holder), w.code(bag))


def at_least(place: Code, count: Code) -> Code:
    """Return code that tests whether a cell contains at least a number."""
    return code.compared(code.cell(place), ">=", count)


def _kinds_in(w: Writer, e: m.KindsIn) -> Code:
    holder = w.code(e.holder)
    if is_stack(e.holder):
        return code.call("stack_kinds", holder)
    return code.made(f"tuple([i for i, c in enumerate({holder.text}) if c])", holder)


def _single_bag(w: Writer, e: m.SingleBag) -> Code:
    assert isinstance(e.type, m.Bag)
    size = code.literal(w.facts.sizes[e.type.domain])
    return code.call("single", size, w.code(e.member), w.code(e.count))


def _sum_bags(w: Writer, e: m.SumBags) -> Code:
    bags = [counts_of(w, bag) for bag in e.bags]
    return code.made(f"tuple(map(sum, zip({code.listed(bags)})))", *bags)


def _bag_over(w: Writer, e: m.BagOver) -> Code:
    assert isinstance(e.type, m.Bag)
    size, members = w.facts.sizes[e.type.domain], w.code(e.set)
    with w.binding(e.slot) as v:
        pair = code.row_of([code.name(v), w.number(e.value)])
        pairs = code.run(pair, code.each(v, members, w.tested(e)), v)
        return code.made(f"bag_of({size}, ({pairs.text}))", pairs)


TEMPLATES: Templates = {
    m.CountIn: _count_in,
    m.SizeOf: _size_of,
    m.Covers: _covers,
    m.KindsIn: _kinds_in,
    m.SingleBag: _single_bag,
    m.SumBags: _sum_bags,
    m.TopOf: lambda w, e: code.call("top", w.code(e.stack)),
    m.BagOver: _bag_over,
}
