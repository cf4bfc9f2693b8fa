"""Lowering of decisions to steps: `Ask`, `Choose` and `Gather`."""

from __future__ import annotations

from interpreter.core.action_index import PlannedAction
from interpreter.core.optional import may_be_none
from interpreter.kernel import operations as k
from interpreter.lowering.choice_audience import audience
from interpreter.lowering.unit_lowerer import FlowTable, UnitLowerer
from rulebook import model as m
from rulebook.signatures import effects_of


def _ask(t: UnitLowerer, node: m.Ask, end: k.Label) -> None:
    del end
    after, ended, passed, done = (t.new_label() for _ in range(4))
    offers = tuple([offer_of(t, offer) for offer in offers_of(node)])
    arguments: dict[int, list[tuple[m.Expr, ...]]] = {}
    for offer in offers_of(node):
        unit = t.actions.by_name[offer.action].unit
        arguments.setdefault(unit, []).append(offer.arguments)
    here = t.label_here()
    t.record_wait(node, here)
    t.close(
        k.WaitForAction(
            here,
            t.name_wait_point(node, here),
            t.low.value(node.player),
            node,
            offers,
            node.until,
            after,
            ended,
            passed,
            done,
            t.disclosure.secrecy.may_skip_secretly(effects_of(node)),
        )
    )
    t.place(ended)
    t.settle_here(node, ended, 1)
    t.record_start(ended, node.player, arguments)
    t.close(k.Goto(done))
    t.place(after)
    t.settle_here(node, after, 2)
    t.record_start(after, node.player, arguments)
    if node.until is not None:
        t.close(k.Goto(here))
    else:
        t.flatten_block(node.body)
        t.close(k.Goto(done))
    t.place(passed)
    t.flatten_block(node.otherwise)
    t.place(done)


def offers_of(node: m.Ask) -> tuple[m.Offer, ...]:
    """Return the offers to a seat, including the action that ends a loop."""
    if node.until is None or node.until in [offer.action for offer in node.offers]:
        return node.offers
    return (*node.offers, m.Offer(action=node.until))


def required_values(offer: m.Offer, action: PlannedAction) -> list[m.Expr]:
    """Return the values of an offer that must not be none."""
    pairs = zip(action.action.parameters, offer.arguments, strict=False)
    return [
        value
        for parameter, value in pairs
        if isinstance(parameter.type, m.Member)
        and not parameter.type.optional
        and may_be_none(value)
    ]


def offer_of(t: UnitLowerer, offer: m.Offer) -> k.ActionOffer:
    """Return the kernel form of an offer."""
    action = t.actions.by_name[offer.action]
    given = action.action.parameters[: len(offer.arguments)]
    return k.ActionOffer(
        action,
        offer.free,
        tuple([parameter.slot for parameter in given]),
        tuple(map(t.low.argument, offer.arguments)),
        tuple(map(t.low.value, required_values(offer, action))),
    )


def candidates(t: UnitLowerer, node: m.Choose | m.Gather) -> k.Sequence:
    """Return the members that can be chosen."""
    members = t.low.sequence(node.set)
    if node.where is None:
        return members
    return k.FilteredSet(node.slot, members, t.low.value(node.where))


def _choose(t: UnitLowerer, node: m.Choose, end: k.Label) -> None:
    chosen, passed, done = (t.new_label() for _ in range(3))
    members, who = candidates(t, node), t.low.value(node.player)
    observers = audience(t.low.facts, t.code, (node.slot,))
    here = t.label_here()
    t.record_wait(node, here)
    name, base = (
        t.name_wait_point(node, here),
        t.actions.by_name[node.choice].index_of_zero,
    )
    t.close(
        k.WaitForMember(
            here,
            name,
            who,
            node,
            node.slot,
            members,
            base,
            chosen,
            passed,
            end,
            observers,
        )
    )
    t.unit.binders.append((node.slot, t.places[here]))
    t.place(chosen)
    with t.binding(node.slot):
        t.flatten_block(node.body)
    if node.otherwise:
        t.close(k.Goto(done))
    t.place(passed)
    t.flatten_block(node.otherwise)
    t.place(done)


def _gather(t: UnitLowerer, node: m.Gather, end: k.Label) -> None:
    del end
    done = t.new_label()
    assert isinstance(node.set.type, m.SetOf) and node.set.type.domain is not None
    size = t.low.facts.sizes[node.set.type.domain]
    members, who = candidates(t, node), t.low.value(node.player)
    low, high = t.low.value(node.low), t.low.value(node.high)
    held = None if node.source is None else t.low.row(node.source)
    observers = audience(t.low.facts, t.code, (node.bag,))
    t.add(k.AssignRow(node.bag, None, size))
    with t.binding(node.bag):
        here = t.label_here()
        t.record_wait(node, here)
        t.close(
            k.WaitForCards(
                here,
                t.name_wait_point(node, here),
                who,
                node,
                k.LocalRow(node.bag, size),
                members,
                held,
                low,
                high,
                t.actions.by_name[node.choice].index_of_zero,
                done,
                observers,
                t.disclosure.has_secret_picks(t.code, node),
            )
        )
    t.unit.binders.append((node.bag, t.places[here] - 1))
    t.record_promise(node.bag, node.source, t.places[here])
    t.place(done)


FLOWS: FlowTable = {
    m.Ask: _ask,
    m.Choose: _choose,
    m.Gather: _gather,
}
