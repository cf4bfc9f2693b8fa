"""Python code for decisions: `Ask`, `Choose`, `Gather`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.core.action_index import PlannedAction
from interpreter.core.slots import FIRST_LOCAL
from interpreter.plan.queries import in_listing_order, needed, offers_of
from interpreter.python.statements.flow import Flow, FlowTable
from interpreter.secrecy.audience import audience_text
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.lines import Lines, goes_to, guarded, placed
from interpreter.state.wait_points import AskStep, ChooseStep, GatherStep, PlannedOffer
from rulebook import model as m


def waiting(t: Flow, node: Any, make: Any) -> tuple[int, str]:
    """Write a step that waits; `make` creates its wait point when all steps are known.

    Return the label of the step and the name of the wait point.
    """
    here = t.here()
    point = t.point(node, here)
    name = t.link(lambda: make(point, here))
    t.close(f"return {name}.reach(g, s, f)")
    return here, point


def menu(t: Flow, node: m.Ask, offers: Sequence[m.Offer]) -> str:
    """Write the function that lists the legal actions of the offers; return
    its name.
    """
    lines: Lines = [f"v0 = {t.w.code(node.who).text}"]
    for offer, action in in_listing_order(offers, t.actions):
        given = action.action.parameters[: len(offer.arguments)]
        slots = tuple([parameter.slot for parameter in given])
        name = t.lists(t.w, t.rules, action, slots)
        free = code.literal(offer.free)
        values = [free, *[t.w.code(value) for value in offer.arguments]]
        call = f"{name}(s, out, v0, {code.listed(values)})"
        lines.extend(guarded(there(t, offer, action), [call]))
    name = t.w.source.new_name("x")
    return t.w.source.function(name, "s, f, out", placed(lines, {}))


def there(t: Flow, offer: m.Offer, action: PlannedAction) -> list[Code]:
    """Return conditions that the required values of an offer are not none."""
    return [
        code.compared(t.w.code(value), ">=", code.literal(0))
        for value in needed(offer, action)
    ]


def planned_offer(t: Flow, offer: m.Offer) -> Any:
    """Return a function that creates the planned offer once the code is compiled."""
    action: PlannedAction = t.actions.by_name[offer.action]
    given = action.action.parameters[: len(offer.arguments)]
    readers = {
        p.slot: t.value(value) for p, value in zip(given, offer.arguments, strict=True)
    }
    return lambda: PlannedOffer(
        unit=action.unit,
        free=offer.free,
        fixed={slot: t.fetch(name) for slot, name in readers.items()},
        slots=tuple(place.slot for place in action.places),
    )


def _ask(t: Flow, node: m.Ask, end: int) -> None:
    del end
    offers = offers_of(node)
    said = t.book(node)
    after, ended, passed, done = (t.label() for _ in range(4))
    who, offered = t.value(node.who), menu(t, node, offers)
    makers: dict[str, list[Any]] = {}
    for offer in offers:
        makers.setdefault(offer.action, []).append(planned_offer(t, offer))

    def make(point: str, here: int) -> AskStep:
        return AskStep(
            **t.common(point, here),
            who=t.fetch(who),
            menu=t.fetch(offered),
            offers={
                name: tuple(each() for each in made) for name, made in makers.items()
            },
            node=said,
            until=None if node.until is None else t.actions.by_name[node.until].base,
            after=t.at(after),
            ended=t.at(ended),
            passed=t.at(passed),
            done=t.at(done),
            in_order=len(makers) == len(offers),
            gives=any(t.actions.by_name[name].given for name in makers),
            private=t.teaching.secrecy.asking(said),
        )

    here, _ = waiting(t, node, make)
    t.place(ended)
    t.settle_here(node, ended, 1)
    t.close(goes_to(done))
    t.place(after)
    t.settle_here(node, after, 2)
    if node.until is not None:
        t.close(goes_to(here))
    else:
        t.body(node.body)
        t.close(goes_to(done))
    t.place(passed)
    t.body(node.otherwise)
    t.place(done)


def told_by(t: Flow, slots: tuple[int, ...]) -> str | None:
    """Write the function for the seats that learn the values of some slots.

    Return its name, or None if everybody learns them.
    """
    text = audience_text(t.w.facts, t.code, slots)
    return None if text is None else t.w.source.lines_of("s, f", text)


def listing(t: Flow, node: m.Choose | m.Gather) -> str:
    """Write the function that lists the candidates of a choice; return its name."""
    candidates = t.w.candidates(node)
    return t.w.source.lines_of("s, f", candidates.text)


def _choose(t: Flow, node: m.Choose, end: int) -> None:
    chosen, passed, done = (t.label() for _ in range(3))
    candidates = listing(t, node)
    who, said = t.value(node.who), t.book(node)
    told = told_by(t, (node.slot,))

    def make(point: str, here: int) -> ChooseStep:
        return ChooseStep(
            **t.common(point, here),
            who=t.fetch(who),
            told=None if told is None else t.fetch(told),
            candidates=t.fetch(candidates),
            node=said,
            base=t.actions.by_name[node.choice].zero,
            slot=node.slot + FIRST_LOCAL,
            chosen=t.at(chosen),
            passed=t.at(passed),
            empty=t.at(end),
        )

    here, _ = waiting(t, node, make)
    t.unit.binders.append((node.slot, t.at(here)))
    t.place(chosen)
    with t.binding(node.slot):
        t.body(node.body)
    if node.otherwise:
        t.close(goes_to(done))
    t.place(passed)
    t.body(node.otherwise)
    t.place(done)


def _gather(t: Flow, node: m.Gather, end: int) -> None:
    del end
    done = t.label()
    assert isinstance(node.set.type, m.SetOf) and node.set.type.domain is not None
    size = t.w.facts.sizes[node.set.type.domain]
    candidates = listing(t, node)
    who, low, high = t.value(node.who), t.value(node.low), t.value(node.high)
    held = None if node.source is None else t.value(node.source)
    told, said = told_by(t, (node.bag,)), t.book(node)
    t.add(f"{t.w.slot(node.bag)} = {t.w.source.literal((0,) * size)}")

    def make(point: str, here: int) -> GatherStep:
        return GatherStep(
            **t.common(point, here),
            who=t.fetch(who),
            told=None if told is None else t.fetch(told),
            candidates=t.fetch(candidates),
            held=None if held is None else t.fetch(held),
            low=t.fetch(low),
            high=t.fetch(high),
            node=said,
            base=t.actions.by_name[node.choice].zero,
            size=size,
            bag=node.bag + FIRST_LOCAL,
            done=t.at(done),
            private=t.teaching.picks_secretly(t.code, said),
        )

    with t.binding(node.bag):
        here, _ = waiting(t, node, make)
    t.unit.binders.append((node.bag, t.at(here) - 1))
    t.promise(node.bag, said.source, t.at(here))
    t.place(done)


FLOWS: FlowTable = {
    m.Ask: _ask,
    m.Choose: _choose,
    m.Gather: _gather,
}
