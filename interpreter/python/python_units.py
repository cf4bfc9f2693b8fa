"""Printer of the steps of a unit as Python functions of (g, s, f).

A step returns the number of the next step, or WAIT or SWITCH. A step at which the game
waits calls an object that is created once all functions are compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from interpreter.core.action_index import PlannedAction
from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel import operations as k
from interpreter.python.python_expressions import NONE, Printer, keys
from interpreter.python.python_statements import StatementPrinter, new_frame
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.failures import EffectPlace
from interpreter.source.lines import Jump, Line, Lines, if_lines, jump_to, resolve_lines
from interpreter.state.state import SWITCH, WeightedOutcomes
from interpreter.state.wait_points import (
    AskStep,
    ChanceStep,
    ChooseStep,
    GatherStep,
    PlannedOffer,
)
from rulebook.completeness import check_complete, concrete_classes

MAX_DICE_RESULTS = 4096
"""Maximum number of dice results whose outcomes are drawn from a table."""

TRANSFERS = (
    k.Goto,
    k.Push,
    k.Return,
    k.EndGame,
    k.Chance,
    k.Decision,
)
"""Operations that end a step without continuing at the next step."""

Enumerate = Callable[[PlannedAction, tuple[int, ...]], str]
"""Callback that writes the function that lists legal indices, and returns its name."""


@attrs.define(kw_only=True)
class UnitPrinter(StatementPrinter):
    """Printer of one unit; `places` are the step numbers of its labels."""

    unit: int
    places: Mapping[k.Label, int]
    enumerate: Enumerate

    def step(self, number: int, step: k.Step) -> Lines:
        """Return the lines of a step."""
        self.p.bound.clear()
        lines = self.operations(step)
        last = step[-1] if step else None
        certain = isinstance(last, k.Finish) and last.certain
        if isinstance(last, TRANSFERS) or certain:
            return lines
        return [*lines, f"return {number + 1}"]

    def operations(self, ops: Iterable[Any]) -> Lines:
        """Return the lines of statements and of operations that may jump to a label."""
        lines: Lines = []
        for op in ops:
            if isinstance(op, k.Statement):
                lines += self.lines((op,))
            else:
                lines += CONTROLS[type(op)](self, op)
        return lines

    # ------------------------------------------------------------ linked objects

    def step_number(self, label: k.Label) -> int:
        """Return the step number of a label."""
        return self.places[label]

    def reader(self, value: Code | None) -> str | None:
        """Return the name of a new (s, f) function for *value*; None for no value."""
        if value is None:
            return None
        return self.p.source.add_expression_function("s, f", value.text)

    def value_function(self, e: k.Value | None) -> str | None:
        """Return the name of a new function for a kernel value; None for no value."""
        return None if e is None else self.reader(self.p.value(e))

    def fetch(self, name: str | None) -> Any:
        """Return the compiled function with a name; call only in `link` callbacks."""
        return None if name is None else self.p.source.names[name]

    def link(self, make: Callable[[], Any]) -> str:
        """Return the name of the object that *make* returns after compilation."""
        source = self.p.source
        name = source.new_name("D")
        source.linkers.append(lambda: source.names.__setitem__(name, make()))
        return name

    def shared_arguments(self, e: k.Decision | k.Chance) -> dict[str, Any]:
        """Return the keyword arguments that all waiting steps share."""
        return {"unit": self.unit, "pc": self.step_number(e.here), "name": e.name}


# ---------------------------------------------------------------- control


def _branch(t: UnitPrinter, e: k.Branch) -> Lines:
    return if_lines(t.p.value(e.condition), t.operations(e.body))


def _settle(t: UnitPrinter, e: k.Settle) -> Lines:
    del t
    settles = Jump("if g.triggers and g.settle(f, ", e.label, "):")
    return [settles, f"    return {SWITCH}"]


def _push(t: UnitPrinter, e: k.Push) -> Lines:
    pushed = new_frame(t.p, t.p.value(e.unit).text, e.arguments)
    return [
        Jump("f[1] = ", e.after),
        f"g.frames.append({pushed})",
        f"return {SWITCH}",
    ]


def _unset(t: UnitPrinter, e: k.Unset) -> Lines:
    targets = " = ".join([t.p.slot(slot).text for slot in e.slots])
    return [f"{targets} = None"]


def _take_first(t: UnitPrinter, e: k.TakeFirst) -> Lines:
    rest, slot = t.p.slot(e.rest), t.p.slot(e.slot)
    return [f"r = {rest}", f"{slot}, {rest} = r[0], r[1:]"]


def _begin_together(t: UnitPrinter, e: k.BeginTogether) -> Lines:
    own, everybody = t.p.slot(e.own), t.p.slot(e.everybody)
    return [
        f"{own} = g.split is None",
        f"{everybody} = {t.p.slot(e.rest)}",
        f"if {own}:",
        "    g.split, g.answered = tuple(s), ()",
    ]


def _end_together(t: UnitPrinter, e: k.EndTogether) -> Lines:
    own, everybody = t.p.slot(e.own), t.p.slot(e.everybody)
    return [
        f"if {own}:",
        "    g.split, g.answered = None, ()",
        f"{own} = {everybody} = None",
    ]


def _finish(t: UnitPrinter, e: k.Finish) -> Lines:
    over = f"return g.finish(r, {e.reason!r})"
    lines: Lines = [f"r = {ranks(t.p, e).text}"]
    return [*lines, over] if e.certain else [*lines, "if r:", f"    {over}"]


def ranks(p: Printer, e: k.Finish) -> Code:
    """Return the code of the ranks of all seats; the ranks are empty if nobody wins."""
    players = code.literal(p.players)
    if e.ranking is not None:
        chosen = p.filtered_list(e.ranking.slot, e.ranking.sequence, e.ranking.where)
        return code.call("ranked", players, chosen, keys(p, e.ranking))
    if e.winners is None:
        return Code("()")
    if isinstance(e.winners, k.Sequence):
        return code.call("sharing", players, p.stored(e.winners))
    return code.call("sharing", players, code.tuple_code([p.value(e.winners)]))


def _return(t: UnitPrinter, e: k.Return) -> Lines:
    del t
    wake: Lines = [f"g.triggers |= {e.triggers}"] if e.triggers else []
    return [*wake, "return g.leave_unit()"]


# ---------------------------------------------------------------- chance


def _chance(t: UnitPrinter, e: k.Chance) -> Lines:
    source = t.p.source
    outcomes = resolve_lines(OUTCOMES[type(e.outcomes)](t, e.outcomes), {})
    listing = source.function(source.new_name("x"), "g, s, f", outcomes)
    with t.p.binding(e.slot) as outcome:
        accepted = resolve_lines(t.lines(e.accepted), {})
    number = t.step_number(e.after)
    accept = source.function(
        source.new_name("x"),
        f"g, s, f, {outcome}",
        [*accepted, f"return {number}"],
    )
    observers = t.value_function(e.observers)

    def make() -> ChanceStep:
        return ChanceStep(
            **t.shared_arguments(e),
            event=e.event,
            outcomes=t.fetch(listing),
            accepted=t.fetch(accept),
            empty=t.step_number(e.empty),
            types=e.types,
            observers=t.fetch(observers),
        )

    return [f"return {t.link(make)}.reach(g, s, f)"]


def _weights(t: UnitPrinter, e: k.Weights) -> Lines:
    return [f"return bag_outcomes({t.p.row(e.row).text})"]


def _top_card(t: UnitPrinter, e: k.TopCard) -> Lines:
    return [f"return stack_outcomes({t.p.stack(e.stack).text})"]


def _uniform(t: UnitPrinter, e: k.Uniform) -> Lines:
    members = t.p.members(e.sequence).with_precedence(code.Precedence.OR)
    return [f"return [(i, 1) for i in {members}]"]


def _dice(t: UnitPrinter, e: k.Dice) -> Lines:
    flat = sum(weight for _, weight in e.rows) <= MAX_DICE_RESULTS
    rows = list(e.rows)
    table = t.p.source.add_object(WeightedOutcomes(rows) if flat else rows)
    if e.condition is None:
        return [f"return {table}"]
    cells = t.p.source.table(e.cells)
    test = f"lambda: {t.p.value(e.condition).text}"
    return [f"return conditioned(s, {cells}, {table}, {test})"]


def _deal(t: UnitPrinter, e: k.Deal) -> Lines:
    cards, rest = t.p.slot(e.cards), t.p.slot(e.rest)
    deal = t.p.source.add_object(e.data)
    tests = code.join_code([deal_test(t.p, test) for test in e.tests])
    tried = NONE
    if e.tried is not None:
        tried = Code(f"lambda s: {t.p.value(e.tried).text}")
    here = t.p.source.add_object(EffectPlace(e.span, e.field))
    given = f"s, {e.base}, {cards}, {rest}, {deal}, [{tests}], {tried.text}"
    return [
        "try:",
        f"    return spread_outcomes({given})",
        "except StepLimitReached:",
        f"    too_hard({here})",
    ]


def deal_test(p: Printer, e: k.DealTest) -> Code:
    """Return the code of a function that tests whether members violate a condition."""
    plain = attrs.evolve(p, bound={*p.bound, *e.slots}, folds_constants=True)
    parameters = "".join([f", v{slot}" for slot in e.slots])
    return code.combine(f"lambda s{parameters}: {plain.value(e.broken).text}")


def _begin_deal(t: UnitPrinter, e: k.BeginDeal) -> Lines:
    deal = e.deal
    copies = t.p.source.literal(deal.copies).text
    members = t.p.stored(deal.members).text
    begun = f"begin_dealing({copies}, {members})"
    if not deal.is_stack:
        values = t.p.source.add_object(deal.values)
        what = f"{deal.base}, {copies}, {values}, {members}, {deal.start}"
        begun = f"begin_spread(s, {what})"
    return [f"{t.p.slot(deal.cards)}, {t.p.slot(deal.rest)} = {begun}"]


OUTCOMES: Mapping[type, Callable[[UnitPrinter, Any], Lines]] = {
    k.Weights: _weights,
    k.TopCard: _top_card,
    k.Uniform: _uniform,
    k.Dice: _dice,
    k.Deal: _deal,
}

# ---------------------------------------------------------------- decisions


def in_listing_order(offers: Iterable[k.ActionOffer]) -> list[k.ActionOffer]:
    """Return offers in the order of their actions' indices."""
    return sorted(offers, key=lambda offer: int(offer.action.base))


def write_offer_listing(t: UnitPrinter, e: k.WaitForAction) -> str:
    """Write the function that lists the legal actions of offers; return its name."""
    lines: Lines = [f"v0 = {t.p.value(e.player).text}"]
    for offer in in_listing_order(e.offers):
        name = t.enumerate(offer.action, offer.slots)
        values = [code.literal(offer.free), *map(t.p.argument, offer.arguments)]
        call: Line = f"{name}(s, out, v0, {code.join_code(values)})"
        tests = [
            code.compare(t.p.value(value), ">=", code.literal(0))
            for value in offer.needed
        ]
        lines += if_lines(code.chain("and", tests), [call])
    name = t.p.source.new_name("x")
    return t.p.source.function(name, "s, f, out", resolve_lines(lines, {}) or ["pass"])


def planned_offer(t: UnitPrinter, offer: k.ActionOffer) -> Callable[[], PlannedOffer]:
    """Return a function that creates an offer once all functions are compiled."""
    action: PlannedAction = offer.action
    readers = {
        slot: t.reader(t.p.argument(argument))
        for slot, argument in zip(offer.slots, offer.arguments, strict=True)
    }
    return lambda: PlannedOffer(
        unit=action.unit,
        is_free=offer.free,
        fixed_values={slot: t.fetch(name) for slot, name in readers.items()},
        slots=tuple([place.slot for place in action.places]),
    )


def _ask(t: UnitPrinter, e: k.WaitForAction) -> Lines:
    who, offered = t.value_function(e.player), write_offer_listing(t, e)
    makers: dict[str, list[Callable[[], PlannedOffer]]] = {}
    actions: dict[str, PlannedAction] = {}
    for offer in e.offers:
        actions[offer.action.name] = offer.action
        makers.setdefault(offer.action.name, []).append(planned_offer(t, offer))

    def make() -> AskStep:
        return AskStep(
            **t.shared_arguments(e),
            player=t.fetch(who),
            menu=t.fetch(offered),
            offers={
                name: tuple([each() for each in made]) for name, made in makers.items()
            },
            node=e.source,
            until=None if e.until is None else actions[e.until].base,
            after=t.step_number(e.after),
            ended=t.step_number(e.ended),
            passed=t.step_number(e.passed),
            done=t.step_number(e.done),
            in_order=len(makers) == len(e.offers),
            has_fixed_values=any(actions[name].fixed_parameters for name in makers),
            private=e.private,
        )

    return [f"return {t.link(make)}.reach(g, s, f)"]


def write_candidate_listing(t: UnitPrinter, e: k.Sequence) -> str | None:
    """Write the function that lists the candidates of a choice; return its name."""
    members = t.p.members(e)
    return t.reader(
        members if isinstance(e, k.FilteredSet) else code.call("list", members)
    )


def _choose(t: UnitPrinter, e: k.WaitForMember) -> Lines:
    who, observers, members = (
        t.value_function(e.player),
        t.value_function(e.observers),
        write_candidate_listing(t, e.sequence),
    )

    def make() -> ChooseStep:
        return ChooseStep(
            **t.shared_arguments(e),
            player=t.fetch(who),
            observers=t.fetch(observers),
            candidates=t.fetch(members),
            node=e.source,
            base=e.base,
            slot=e.slot + FIRST_LOCAL,
            chosen=t.step_number(e.chosen),
            passed=t.step_number(e.passed),
            empty=t.step_number(e.empty),
        )

    return [f"return {t.link(make)}.reach(g, s, f)"]


def _gather(t: UnitPrinter, e: k.WaitForCards) -> Lines:
    who, observers, members = (
        t.value_function(e.player),
        t.value_function(e.observers),
        write_candidate_listing(t, e.sequence),
    )
    low, high = t.value_function(e.low), t.value_function(e.high)
    held = None if e.hand is None else t.reader(t.p.row_tuple(e.hand))

    def make() -> GatherStep:
        return GatherStep(
            **t.shared_arguments(e),
            player=t.fetch(who),
            observers=t.fetch(observers),
            candidates=t.fetch(members),
            hand=t.fetch(held),
            low=t.fetch(low),
            high=t.fetch(high),
            node=e.source,
            base=e.base,
            size=e.bag.size,
            bag=e.bag.slot + FIRST_LOCAL,
            done=t.step_number(e.done),
            private=e.private,
        )

    return [f"return {t.link(make)}.reach(g, s, f)"]


CONTROLS: Mapping[type, Callable[[UnitPrinter, Any], Lines]] = {
    k.Goto: lambda _, e: [jump_to(e.label)],
    k.Branch: _branch,
    k.Settle: _settle,
    k.Push: _push,
    k.Unset: _unset,
    k.TakeFirst: _take_first,
    k.BeginTogether: _begin_together,
    k.EndTogether: _end_together,
    k.EndGame: lambda _, __: ["return g.end_game()"],
    k.Finish: _finish,
    k.Return: _return,
    k.BeginDeal: _begin_deal,
    k.Chance: _chance,
    k.WaitForAction: _ask,
    k.WaitForMember: _choose,
    k.WaitForCards: _gather,
}

check_complete("the Python text of controls", CONTROLS, concrete_classes(k.Control, k))
check_complete("the Python text of outcomes", OUTCOMES, concrete_classes(k.Outcomes, k))
