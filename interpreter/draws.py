"""How chance is flattened: dice, draws, random choices, looking through a stack."""

from __future__ import annotations

from itertools import product
from typing import Any

import rulebook as rb
from interpreter.alike import alike
from interpreter.effects import Holder, Lines, guarded
from interpreter.expressions import Writer
from interpreter.failing import Failing
from interpreter.flow import Flow, flows
from interpreter.layout import nothing
from interpreter.missing import may_hold_none
from interpreter.state import Weighted
from interpreter.steps import ChanceStep

FLAT = 4096
"""The most ways to fall of dice whose outcomes are drawn from a table."""


def chance(
    t: Flow,
    what: str,
    event: str,
    outcomes: Lines,
    accepted: Lines,
    empty: int,
    types: Any,
    seats: str | None = None,
) -> None:
    """Write a chance event from the lines of its two functions.

    `outcomes` has (g, s, f), `accepted` has the outcome as `m` too; `seats` is the
    text of who may know it, None: all.
    """
    here = t.here()
    point = t.point(what, here)
    listing = t.w.source.function(t.w.source.new_name("x"), "g, s, f", outcomes)
    after = t.label()
    accept = t.w.source.new_name("x")
    number = t.w.source.new_name("N")
    told = None
    if seats is not None:
        told = t.w.source.new_name("x")
        t.w.source.function(told, "s, f", [f"return {seats}"])
    t.w.source.function(accept, "g, s, f, m", [*accepted, f"return {number}"])

    def make() -> ChanceStep:
        t.w.source.names[number] = t.at(after)
        return ChanceStep(
            **t.common(point, here),
            event=event,
            outcomes=t.fetch(listing),
            accepted=t.fetch(accept),
            empty=t.at(empty),
            types=types,
            told=None if told is None else t.fetch(told),
        )

    name = t.link(make)
    t.close(f"return {name}.reach(g, s, f)")
    t.place(after)


def member_type(holder: rb.Expr) -> rb.Member:
    """Return the type of a card in a holder."""
    assert isinstance(holder.type, rb.Bag | rb.Stack)
    return rb.Member(holder.type.domain)


# ---------------------------------------------------------------- cards


@flows(rb.DrawCard)
def _draw(t: Flow, node: rb.DrawCard, end: int) -> None:
    del end
    source = Holder(t, node.source, node)
    destination = Holder(t, node.destination, node)
    assert source.value is not None and source.block is not None
    none, done = t.label(), t.label()
    bound = None if node.slot is None else t.w.slot(node.slot)
    seats = f"({source.audience()} | {destination.audience()})"
    if destination.tests:
        t.add(f"if not ({' and '.join(destination.tests)}):", f"    return @{none}@")
    if source.is_stack:
        outcomes = [f"return stack_outcomes(s[{source.row}])"]
        taken = [f"s[{source.row}] = take_top(s[{source.row}], m)"]
        accepted = taken + t.written(source.value, seats)
    else:
        endless = source.block.field.endless
        text = f"[1] * {source.block.size}" if endless else t.w.text(node.source)
        outcomes = [f"return bag_outcomes({text})"]
        accepted = [] if endless else source.take("m", "1", seats)
    if destination.counts:
        accepted += destination.put("m", "1", node.end, seats)
    if bound is not None:
        accepted.append(f"{bound} = m")
    kind = member_type(node.source)
    accepted = accepted or ["pass"]
    chance(t, node.event, node.event, outcomes, accepted, none, kind, seats)
    t.close(f"return @{done}@")
    t.place(none)
    if bound is not None:
        t.add(f"{bound} = -1")
    t.place(done)


@flows(rb.Reveal)
def _reveal(t: Flow, node: rb.Reveal, end: int) -> None:
    del end
    holder = Holder(t, node.stack, node)
    assert holder.value is not None
    none, done = t.label(), t.label()
    bound, row = t.w.slot(node.slot), holder.row
    everybody = (1 << t.w.facts.players) - 1
    accepted = [
        f"if s[{row}][0][0][0] < 0:",
        f"    s[{row}] = learn(s[{row}], m, {everybody})",
        f"s[{row}] = show_top(s[{row}], {everybody})",
        f"{bound} = m",
        *t.written(holder.value),
    ]
    outcomes = [f"return stack_outcomes(s[{row}])"]
    kind = member_type(node.stack)
    chance(t, node.event, node.event, outcomes, accepted, none, kind)
    t.close(f"return @{done}@")
    t.place(none)
    t.add(f"{bound} = -1")
    t.place(done)


@flows(rb.Sees)
def _sees(t: Flow, node: rb.Sees, end: int) -> None:
    del end
    holder = Holder(t, node.holder, node)
    assert holder.value is not None and holder.block is not None
    who, nobody = f"(1 << {t.w.text(node.who)})", t.label()
    if may_hold_none(node.who):
        t.add(f"if {t.w.text(node.who)} < 0:", f"    return @{nobody}@")
    if not holder.is_stack:
        if holder.block.seen is not None:
            owner = holder.value.owner
            place = "0" if owner is None else t.w.text(owner)
            tests = [*holder.tests]
            t.add(*guarded(tests, [f"s[{holder.block.seen} + {place}] |= {who}"]))
        t.place(nobody)
        return
    row, shown = holder.row, t.label()
    again = t.here()
    outcomes = [f"return bag_outcomes(s[{row}][1])"]
    accepted = [f"s[{row}] = learn(s[{row}], m, {who})"]
    event = t.path[-1] if t.path else t.unit.name.rpartition(".")[2]
    kind = member_type(node.holder)
    chance(t, f"{event} looks", event, outcomes, accepted, shown, kind, who)
    t.close(f"return @{again}@")
    t.place(shown)
    t.add(*guarded(holder.tests, [f"s[{row}] = show(s[{row}], {who})"]))
    t.place(nobody)


# ---------------------------------------------------------------- dice and choices


def faces(field: rb.Field) -> list[tuple[int, int]]:
    """Return the faces of a die with their weights."""
    return [(face, field.faces.count(face)) for face in dict.fromkeys(field.faces)]


@flows(rb.RollDice)
def _roll(t: Flow, node: rb.RollDice, end: int) -> None:
    del end
    blocks = [t.w.facts.layout.fields[name] for name in node.fields]
    types = tuple(block.field.type for block in blocks)
    outcomes = []
    for combination in product(*(faces(block.field) for block in blocks)):
        weight = 1
        for _, share in combination:
            weight *= share
        outcomes.append((tuple(face for face, _ in combination), weight))
    flat = sum(weight for _, weight in outcomes) <= FLAT
    table = t.w.source.given(Weighted(outcomes) if flat else outcomes)
    if node.condition is None:
        listing = [f"return {table}"]
    else:
        cells = t.w.source.table(tuple(block.base for block in blocks))
        test = f"lambda: {t.w.text(node.condition)}"
        listing = [f"return conditioned(s, {cells}, {table}, {test})"]
    accepted: Lines = []
    for place, block in enumerate(blocks):
        accepted.append(f"s[{block.base}] = m[{place}]")
        accepted += t.mark(f"field {block.field.key}")
    after = t.label()
    chance(t, node.event, node.event, listing, accepted, after, types)
    t.place(after)


@flows(rb.ChanceChoose)
def _chance_choose(t: Flow, node: rb.ChanceChoose, end: int) -> None:
    outcomes = [f"return [(i, 1) for i in {t.w.text(node.set)}]"]
    accepted = [f"{t.w.slot(node.slot)} = m"]
    assert isinstance(node.set.type, rb.SetOf)
    domain = node.set.type.domain
    kind = rb.Whole(0, 0) if domain is None else rb.Member(domain)
    chance(t, node.event, node.event, outcomes, accepted, end, kind)


# ---------------------------------------------------------------- spreading


@flows(rb.Spread)
def _spread(t: Flow, node: rb.Spread, end: int) -> None:
    del end
    facts = t.w.facts
    assert isinstance(node.set.type, rb.SetOf) and node.set.type.domain is not None
    block = facts.layout.fields[node.field]
    cards = t.hide("remaining cards", rb.Bag(node.cards))
    hidden = t.last_slot
    rest = t.hide(f"remaining {node.set.type.domain}", node.set.type)
    column = facts.column(node.cards, node.column) if node.column else None
    values = column or (*range(facts.sizes[node.cards]), -1)
    table = t.w.source.given(values)
    copies = t.w.source.literal(facts.copies(node.cards))
    row, members = f"s[{block.base} + r[0]]", t.w.text(node.set)
    seats = None if block.field.seen_by == "all" else "0"
    if isinstance(block.field.type, rb.Stack):
        begin = f"begin_dealing({copies}, {members})"
        put = [f"{row} = put({row}, m, 1, 'bottom', 0)"]
    else:
        start = t.w.source.literal(nothing(block.field.type))
        begin = f"begin_spread(s, {block.base}, {copies}, {table}, {members}, {start})"
        put = [f"{row} = {table}[m]"]
    t.add(f"{cards}, {rest} = {begin}")
    again, done = t.here(), t.label()
    lazy = Writer(t.w.source, t.w.facts, t.w.bound, t.w.variable, lazy=True)
    tests = ", ".join(condition_texts(lazy, node.condition))
    kinds = t.w.source.literal(alike(facts, node.field, node.condition, values[:-1]))
    arguments = f"s, {block.base}, {cards}, {rest}, {table}, {kinds}"
    accepted = [
        f"r = {rest}",
        *put,
        *t.mark(f"field {node.field}"),
        f"{cards} = changed({cards}, m, {cards}[m] - 1)",
        f"{rest} = r[1:]",
    ]
    here = t.w.source.given(Failing(node.span, block.field))
    outcomes = [
        "try:",
        f"    return spread_outcomes({arguments}, [{tests}])",
        "except TooLong:",
        f"    too_hard({here})",
    ]
    kind = rb.Member(node.cards)
    with t.binding(hidden, t.last_slot):
        chance(t, node.event, node.event, outcomes, accepted, done, kind, seats)
    t.close(f"return @{again}@")
    t.place(done)
    t.add(f"{cards} = {rest} = None")


def condition_texts(w: Writer, condition: rb.Expr | None) -> list[str]:
    """Return tests as lambdas; `no member where …` gives one for each member."""
    match condition:
        case None:
            return []
        case rb.And(parts=parts):
            return [text for part in parts for text in condition_texts(w, part)]
        case rb.Not(value=rb.Exists(where=where) as exists) if where is not None:
            with w.binding(exists.slot) as name:
                test = f"lambda s, {name}={name}: not {w.text(where)}"
                return [f"*[{test} for {name} in {w.members(exists)}]"]
        case _:
            return [f"lambda s: {w.text(condition)}"]
