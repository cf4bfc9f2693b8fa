"""Python code for chance: dice, draws, random choices, searches through a stack."""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.core.layout import nothing
from interpreter.core.optional import may_hold_none
from interpreter.plan.queries import (
    card_of,
    dealt_values,
    everybody,
    falls,
    kind_of_choice,
)
from interpreter.plan.specialise.deals import Form, deal_of, forms_ready
from interpreter.python.expressions.templates import TEMPLATES
from interpreter.python.expressions.writer import Writer
from interpreter.python.statements.flow import Flow, FlowTable
from interpreter.python.statements.moves import Holder, M
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.failures import Failing
from interpreter.source.lines import Lines, goes_to, guarded, indented, placed, unless
from interpreter.state.state import Weighted
from interpreter.state.wait_points import ChanceStep
from rulebook import model as m
from rulebook import tooling

ONE = code.literal(1)
FLAT = 4096
"""Maximum number of dice outcomes that are drawn from a table."""


def chance(
    t: Flow,
    node: Any,
    event: str,
    outcomes: Lines,
    accepted: Lines,
    empty: int,
    types: Any,
    seats: str | None = None,
) -> None:
    """Write a chance event, as two functions.

    `outcomes` are the lines of the function of (g, s, f) that returns the outcomes.
    `accepted` are the lines of the function that also receives the outcome as `m`.
    `seats` is code for the seats that may know the outcome, or None for all.
    """
    here = t.here()
    point = t.point(node, here)
    listing = t.w.source.function(t.w.source.new_name("x"), "g, s, f", text(outcomes))
    after = t.label()
    accept = t.w.source.new_name("x")
    number = t.w.source.new_name("N")
    told = None
    if seats is not None:
        told = t.w.source.new_name("x")
        t.w.source.function(told, "s, f", [f"return {seats}"])
    t.w.source.function(accept, "g, s, f, m", [*text(accepted), f"return {number}"])

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


def text(lines: Lines) -> list[str]:
    """Return lines as text; they must not contain a jump."""
    return placed(lines, {})


# ---------------------------------------------------------------- cards


def _draw(t: Flow, node: m.DrawCard, end: int) -> None:
    del end
    source = Holder(t, node.source, node)
    destination = Holder(t, node.destination, node)
    assert source.value is not None and source.block is not None
    none, done = t.label(), t.label()
    bound = None if node.slot is None else t.w.slot(node.slot)
    seats = f"({source.audience()} | {destination.audience()})"
    if destination.tests:
        t.add(*unless(code.chain("and", destination.tests), [goes_to(none)]))
    if source.is_stack:
        outcomes: Lines = [f"return stack_outcomes({source.cell})"]
        taken: Lines = [f"{source.cell} = take_top({source.cell}, m)"]
        accepted = taken + t.written(source.value, seats)
    else:
        endless = source.block.field.endless
        held = t.w.code(node.source).text
        held = f"[1] * {source.block.size}" if endless else held
        outcomes = [f"return bag_outcomes({held})"]
        accepted = [] if endless else source.take(M, ONE, seats)
    if destination.counts:
        accepted += destination.put(M, ONE, node.end, seats)
    if bound is not None:
        accepted.append(f"{bound} = m")
    kind = card_of(node.source)
    accepted = accepted or ["pass"]
    chance(t, node, node.event, outcomes, accepted, none, kind, seats)
    t.close(goes_to(done))
    t.place(none)
    if bound is not None:
        t.add(f"{bound} = -1")
    t.place(done)


def _reveal(t: Flow, node: m.Reveal, end: int) -> None:
    del end
    holder = Holder(t, node.stack, node)
    assert holder.value is not None
    none, done = t.label(), t.label()
    bound, cell = t.w.slot(node.slot), holder.cell
    every = everybody(t.w.facts)
    accepted: Lines = [
        f"if {cell}[0][0][0] < 0:",
        f"    {cell} = learn({cell}, m, {every})",
        f"{cell} = show_top({cell}, {every})",
        f"{bound} = m",
        *t.written(holder.value),
    ]
    outcomes: Lines = [f"return stack_outcomes({cell})"]
    kind = card_of(node.stack)
    chance(t, node, node.event, outcomes, accepted, none, kind)
    t.close(goes_to(done))
    t.place(none)
    t.add(f"{bound} = -1")
    t.place(done)


def _sees(t: Flow, node: m.Sees, end: int) -> None:
    del end
    holder = Holder(t, node.holder, node)
    assert holder.value is not None and holder.block is not None
    seat, nobody = t.w.code(node.who), t.label()
    who = f"(1 << {seat})"
    if may_hold_none(node.who):
        t.add(f"if {seat} < 0:", *indented([goes_to(nobody)]))
    if not holder.is_stack:
        if holder.block.seen is not None:
            owner = holder.value.owner
            place = code.literal(0) if owner is None else t.w.code(owner)
            seen = code.cell(code.plus(holder.block.seen, place))
            t.add(*guarded(holder.tests, [f"{seen} |= {who}"]))
        t.place(nobody)
        return
    cell, shown = holder.cell, t.label()
    again = t.here()
    outcomes: Lines = [f"return bag_outcomes({cell}[1])"]
    accepted: Lines = [f"{cell} = learn({cell}, m, {who})"]
    event = t.stand(node).label
    kind = card_of(node.holder)
    chance(t, node, event, outcomes, accepted, shown, kind, who)
    t.close(goes_to(again))
    t.place(shown)
    t.add(*guarded(holder.tests, [f"{cell} = show({cell}, {who})"]))
    t.place(nobody)


# ---------------------------------------------------------------- dice and choices


def _roll(t: Flow, node: m.RollDice, end: int) -> None:
    del end
    blocks = [t.w.facts.layout.fields[name] for name in node.fields]
    types = tuple(block.field.type for block in blocks)
    outcomes = falls(block.field for block in blocks)
    flat = sum(weight for _, weight in outcomes) <= FLAT
    table = t.w.source.given(Weighted(outcomes) if flat else outcomes)
    if node.condition is None:
        listing: Lines = [f"return {table}"]
    else:
        cells = t.w.source.table(tuple(block.base for block in blocks))
        test = f"lambda: {t.w.code(node.condition).text}"
        listing = [f"return conditioned(s, {cells}, {table}, {test})"]
    accepted: Lines = []
    for place, block in enumerate(blocks):
        accepted.append(f"s[{block.base}] = m[{place}]")
        accepted += t.mark(tooling.StatePart.field(block.field.key))
    after = t.label()
    chance(t, node, node.event, listing, accepted, after, types)
    t.place(after)


def _chance_choose(t: Flow, node: m.ChanceChoose, end: int) -> None:
    outcomes: Lines = [f"return [(i, 1) for i in {t.w.text(node.set)}]"]
    accepted: Lines = [f"{t.w.slot(node.slot)} = m"]
    kind = kind_of_choice(node)
    chance(t, node, node.event, outcomes, accepted, end, kind)


# ---------------------------------------------------------------- spreading


def _spread(t: Flow, node: m.Spread, end: int) -> None:
    del end
    facts = t.w.facts
    assert isinstance(node.set.type, m.SetOf) and node.set.type.domain is not None
    block = facts.layout.fields[node.field]
    cards, rest = t.hidden(node)
    said = t.book(node).condition
    values = dealt_values(facts, node)
    table = t.w.source.given(values)
    copies = t.w.source.literal(facts.copies(node.cards)).text
    row, members = f"s[{block.base} + r[0]]", t.w.code(node.set).text
    seats = None if block.field.seen_by is m.Audience.ALL else "0"
    if isinstance(block.field.type, m.Stack):
        begin = f"begin_dealing({copies}, {members})"
        put: Lines = [f"{row} = put({row}, m, 1, 'bottom', 0)"]
    else:
        start = t.w.source.literal(nothing(block.field.type)).text
        begin = f"begin_spread(s, {block.base}, {copies}, {table}, {members}, {start})"
        put = [f"{row} = {table}[m]"]
    t.add(f"{cards}, {rest} = {begin}")
    again, done = t.here(), t.label()
    forms = forms_ready(facts, t.book(node), node)
    deal = t.w.source.given(deal_of(facts, t.book(node), values[:-1]))
    tests = code.listed([test_of(t.w, form) for form in forms])
    tried = "None" if said is None else t.tried(t.w, said)
    arguments = f"s, {block.base}, {cards}, {rest}, {deal}, [{tests}], {tried}"
    accepted: Lines = [
        f"r = {rest}",
        *put,
        *t.mark(tooling.StatePart.field(node.field)),
        f"{cards} = changed({cards}, m, {cards}[m] - 1)",
        f"{rest} = r[1:]",
    ]
    here = t.w.source.given(Failing(node.span, block.field))
    outcomes: Lines = [
        "try:",
        f"    return spread_outcomes({arguments})",
        "except TooLong:",
        f"    too_hard({here})",
    ]
    kind = m.Member(node.cards)
    with t.binding(*t.stand(node).slots):
        chance(t, node, node.event, outcomes, accepted, done, kind, seats)
    t.close(goes_to(again))
    t.place(done)
    t.add(f"{cards} = {rest} = None")


def nothing_asked(w: Writer, condition: m.Expr) -> str:
    """Return the code `None`, because arrangements of a deal are not counted."""
    del w, condition
    return "None"


def test_of(w: Writer, form: Form) -> Code:
    """Return code for a function that tests the forbidden condition for some members.

    It contains no counters, because the search evaluates it, not the rules.
    """
    plain = attrs.evolve(w, templates=TEMPLATES, bound={*w.bound, *form.slots})
    parameters = "".join([f", v{slot}" for slot in form.slots])
    return code.made(f"lambda s{parameters}: {plain.code(form.never).text}")


FLOWS: FlowTable = {
    m.DrawCard: _draw,
    m.Reveal: _reveal,
    m.Sees: _sees,
    m.RollDice: _roll,
    m.ChanceChoose: _chance_choose,
    m.Spread: _spread,
}
