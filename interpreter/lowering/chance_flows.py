"""Lowering of chance events to steps: dice, draws, random choices, revealed cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Any

from interpreter.core.facts import Facts
from interpreter.core.layout import empty_value
from interpreter.core.optional import may_be_none
from interpreter.expressions.lowerer import NONE, ONE, ZERO, add, exists, plus
from interpreter.kernel import operations as k
from interpreter.lowering.card_moves import LoweredHolder, union
from interpreter.lowering.unit_lowerer import FlowTable, UnitLowerer
from interpreter.plan.deals.deals import forms_of, make_deal
from interpreter.plan.units import HiddenDeal
from rulebook import model as m
from rulebook import tooling
from rulebook.secrecy import HIDDEN_FROM_ACTOR


def add_chance_event(
    t: UnitLowerer,
    node: Any,
    event: str,
    outcomes: k.Outcomes,
    slot: int,
    body: k.Block,
    empty: k.Label,
    types: Any,
    observers: k.Value | None = None,
) -> None:
    """Add a chance event; its outcome is in *slot* while *body* runs."""
    here = t.label_here()
    name, after = t.name_wait_point(node, here), t.new_label()
    t.close(
        k.Chance(
            here, name, event, outcomes, slot, body, after, empty, types, observers
        )
    )
    t.place(after)


# ---------------------------------------------------------------- cards


def card_type(holder: m.Expr) -> m.Member:
    """Return the type of a card in a holder."""
    assert isinstance(holder.type, m.Bag | m.Stack)
    return m.Member(holder.type.domain)


def _draw(t: UnitLowerer, node: m.DrawCard, end: k.Label) -> None:
    del end
    source = LoweredHolder(t, node.source, node)
    destination = LoweredHolder(t, node.destination, node)
    assert source.value is not None and source.block is not None
    none, done, card = t.new_label(), t.new_label(), k.Var(t.low.new_slot())
    observers = union(source.audience(), destination.audience())
    if destination.existence_test is not None:
        t.add(k.Branch(k.Negate(destination.existence_test), (k.Goto(none),)))
    outcomes: k.Outcomes
    accepted: k.Block = ()
    if source.is_stack:
        outcomes = k.TopCard(source.stack)
        accepted = (
            k.StackDraw(source.stack, card),
            *t.after_write(source.value, observers),
        )
    elif source.block.field.endless:
        outcomes = k.Uniform(k.Range(ZERO, k.Int(source.block.size - 1)))
    else:
        outcomes = k.Weights(t.low.row(node.source))
        accepted = source.take(card, ONE, observers)
    if destination.has_count:
        accepted += destination.put(card, ONE, node.end, observers)
    if node.slot is not None:
        accepted += (k.Assign(node.slot, card),)
    kind = card_type(node.source)
    add_chance_event(
        t, node, node.event, outcomes, card.slot, accepted, none, kind, observers
    )
    t.close(k.Goto(done))
    t.place(none)
    if node.slot is not None:
        t.add(k.Assign(node.slot, NONE))
    t.place(done)


def _reveal(t: UnitLowerer, node: m.Reveal, end: k.Label) -> None:
    del end
    holder = LoweredHolder(t, node.stack, node)
    assert holder.value is not None
    none, done, card = t.new_label(), t.new_label(), k.Var(t.low.new_slot())
    stack, every = holder.stack, k.Int(t.low.facts.all_seats)
    unknown = k.CompareValues("<", k.StackEntry(stack, ZERO), ZERO)
    accepted = (
        k.When(unknown, (k.StackLearn(stack, card, every),)),
        k.StackShow(stack, every, top_only=True),
        k.Assign(node.slot, card),
        *t.after_write(holder.value),
    )
    kind = card_type(node.stack)
    add_chance_event(
        t, node, node.event, k.TopCard(stack), card.slot, accepted, none, kind
    )
    t.close(k.Goto(done))
    t.place(none)
    t.add(k.Assign(node.slot, NONE))
    t.place(done)


def _sees(t: UnitLowerer, node: m.Sees, end: k.Label) -> None:
    del end
    holder = LoweredHolder(t, node.holder, node)
    assert holder.value is not None and holder.block is not None
    seat, nobody = t.low.value(node.player), t.new_label()
    who = k.SeatBit(seat)
    if may_be_none(node.player):
        t.add(k.Branch(k.Negate(exists(seat)), (k.Goto(nobody),)))
    if not holder.is_stack:
        if holder.block.viewers_base is not None:
            owner = holder.value.owner
            place = ZERO if owner is None else t.low.value(owner)
            seen = plus(holder.block.viewers_base, place)
            look = k.Store(seen, k.Binary("|", k.Load(seen), who))
            t.add(*guard_operation(holder, look))
        t.place(nobody)
        return
    stack, all_known, card = holder.stack, t.new_label(), k.Var(t.low.new_slot())
    again = t.label_here()
    event, kind = t.statement_steps(node).label, card_type(node.holder)
    accepted = (k.StackLearn(stack, card, who),)
    pool = k.Weights(k.StackPool(stack))
    add_chance_event(t, node, event, pool, card.slot, accepted, all_known, kind, who)
    t.close(k.Goto(again))
    t.place(all_known)
    t.add(*guard_operation(holder, k.StackShow(stack, who, top_only=False)))
    t.place(nobody)


def guard_operation(holder: LoweredHolder, op: k.Statement) -> k.Block:
    """Return a block that skips an operation if a holder's owner is none."""
    return (
        (op,)
        if holder.existence_test is None
        else (k.When(holder.existence_test, (op,)),)
    )


# ---------------------------------------------------------------- dice and choices


def dice_results(fields: Iterable[m.Field]) -> list[tuple[tuple[int, ...], int]]:
    """Return the results of dice: pairs of the faces and their weight."""
    dice = [
        [(face, field.faces.count(face)) for face in dict.fromkeys(field.faces)]
        for field in fields
    ]
    return [
        (
            tuple(face for face, _ in combination),
            prod(share for _, share in combination),
        )
        for combination in product(*dice)
    ]


def _roll(t: UnitLowerer, node: m.RollDice, end: k.Label) -> None:
    del end
    blocks = [t.low.facts.layout.fields[name] for name in node.fields]
    cells = tuple([block.base for block in blocks])
    outcomes = k.Dice(
        tuple(dice_results(block.field for block in blocks)),
        cells,
        t.low.condition(node.condition),
    )
    faces = k.LocalRow(t.low.new_slot(), len(blocks))
    accepted: k.Block = ()
    for place, block in enumerate(blocks):
        face = k.Element(faces, k.Int(place))
        wakes = t.wake(tooling.StatePart.field(block.field.key))
        accepted += (k.Store(k.Int(block.base), face), *wakes)
    types, after = tuple([block.field.type for block in blocks]), t.new_label()
    add_chance_event(t, node, node.event, outcomes, faces.slot, accepted, after, types)
    t.place(after)


def choice_type(node: m.ChanceChoose) -> m.Type:
    """Return the type of the value that a random choice selects."""
    assert isinstance(node.set.type, m.SetOf)
    domain = node.set.type.domain
    return m.Whole(0, 0) if domain is None else m.Member(domain)


def _chance_choose(t: UnitLowerer, node: m.ChanceChoose, end: k.Label) -> None:
    member = k.Var(t.low.new_slot())
    outcomes = k.Uniform(t.low.sequence(node.set))
    accepted = (k.Assign(node.slot, member),)
    kind = choice_type(node)
    add_chance_event(t, node, node.event, outcomes, member.slot, accepted, end, kind)


# ---------------------------------------------------------------- deals


def dealt_values(facts: Facts, node: m.Spread) -> tuple[int, ...]:
    """Return the value of each kind of dealt card, then the value for no card."""
    if node.column:
        return facts.column(node.cards, node.column)
    return (*range(facts.sizes[node.cards]), m.NONE)


def _spread(t: UnitLowerer, node: m.Spread, end: k.Label) -> None:
    del end
    facts = t.low.facts
    block = facts.layout.fields[node.field]
    cards, rest = t.statement_steps(node).slots
    values = dealt_values(facts, node)
    if block.field.seen_by is not m.Audience.ALL:
        t.hide_slots(HIDDEN_FROM_ACTOR, cards)
        t.unit.hidden_deals.append(HiddenDeal(cards, node.cards, not node.column))
    is_stack = isinstance(block.field.type, m.Stack)
    kinds = facts.sizes[node.cards]
    tried = None
    if t.is_counted and node.condition is not None:
        tried = t.low.value(node.condition)
    deal = k.Deal(
        cards,
        rest,
        t.low.sequence(node.set),
        block.base,
        block.count,
        is_stack,
        node.cards,
        values,
        facts.copies(node.cards),
        0 if is_stack else int(empty_value(block.field.type)),
        make_deal(facts, node, values[:-1]),
        tuple(
            [
                k.DealTest(form.slots, t.low.value(form.never))
                for form in forms_of(facts, node)
            ]
        ),
        tried,
        node.span,
        block.field,
    )
    t.add(k.BeginDeal(deal))
    again, done, card = t.label_here(), t.new_label(), k.Var(t.low.new_slot())
    member = k.Var(t.low.new_slot())
    remaining = k.LocalSet(rest, block.count)
    first = k.Fold(k.FoldKind.FIRST, t.low.new_slot(), remaining)
    put: k.Statement
    if is_stack:
        stack = k.Stack(block.base, member, kinds)
        put = k.StackPut(stack, card, ONE, on_top=False, knowing=ZERO)
    else:
        put = k.Store(add(k.Int(block.base), member), k.Lookup(values, card))
    row = k.LocalRow(cards, kinds)
    fewer = k.Binary("-", k.Element(row, card), ONE)
    accepted = (
        k.Bind(member.slot, first),
        put,
        *t.wake(tooling.StatePart.field(node.field)),
        k.AssignElement(row, card, fewer),
        k.DropFirst(rest),
    )
    observers = None if block.field.seen_by is m.Audience.ALL else ZERO
    kind = m.Member(node.cards)
    with t.binding(cards, rest):
        add_chance_event(
            t, node, node.event, deal, card.slot, accepted, done, kind, observers
        )
    t.close(k.Goto(again))
    t.place(done)
    t.add(k.Unset((cards, rest)))


FLOWS: FlowTable = {
    m.DrawCard: _draw,
    m.Reveal: _reveal,
    m.Sees: _sees,
    m.RollDice: _roll,
    m.ChanceChoose: _chance_choose,
    m.Spread: _spread,
}
