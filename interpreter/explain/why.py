"""Explanations of why an action is legal or illegal, requirement by requirement.

They use the requirements that decide the list of legal actions, in the order of the
file. An explanation names the first one that is not met, the values it compares, and a
change that would satisfy it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

import rulebook as rb
from interpreter.arguments import index_in, text_of
from interpreter.core.action_index import PASS_NAME, PlannedAction, split_text
from interpreter.core.layout import ACTIVE
from interpreter.explain import sentences
from interpreter.explain.condition_parts import Explainer
from interpreter.explain.deciding_lines import deciding_lines
from interpreter.explain.gathering import gathering, selection
from interpreter.explanation import Explanation
from interpreter.phrases import Said, say
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import (
    PASS,
    AskStep,
    ChooseStep,
    Decision,
    GatherStep,
)
from rulebook import model as m
from rulebook import tooling


@attrs.frozen
class WhyQuestion:
    """Question whether a seat may do an action; None is the seat to act."""

    plan: Plan
    state: State
    seat: str | None
    text: str

    @property
    def actor(self) -> int | None:
        """The seat that must decide."""
        waiting = self.state.waiting
        return waiting.seat(self.state) if isinstance(waiting, Decision) else None

    @property
    def seat_name(self) -> str | None:
        """The seat that the question is about."""
        if self.seat is not None or self.actor is None:
            return self.seat
        return self.plan.values.names["player"][self.actor]

    def no(self, reason: str, **details: Any) -> Explanation:
        """Return an explanation that the action is illegal."""
        return Explanation(False, self.seat_name, self.text, reason=reason, **details)


def explain_action(
    plan: Plan, state: State, seat: str | None, action: Any
) -> Explanation:
    """Explain an action that a caller passes as an action, a text or an index."""
    index, text, size = index_in(action), text_of(action), plan.actions.size
    if index is not None and not 0 <= index < size:
        asked = WhyQuestion(plan, state, seat, text)
        return asked.no(say("no_index", index=text, last=str(size - 1)))
    if index is not None:
        text = plan.actions.action(0, index).text
    return explain(WhyQuestion(plan, state, seat, text))


def explain(asked: WhyQuestion) -> Explanation:
    """Return the explanation that answers a question."""
    plan = asked.plan
    name, arguments = split_text(asked.text)
    action = plan.actions.by_name.get(name)
    picked = selection(plan.actions, asked.text)
    if picked is not None:
        return with_place(plan, picked[0].action, picks(asked, picked[1]))
    if action is None and name != PASS_NAME:
        near = tooling.nearest(name, [*plan.actions.by_name, PASS_NAME])
        hint = say("did_you_mean", name=near) if near else None
        return asked.no(say("unknown_action", action=name), fix=hint)
    if action is not None:
        wrong = sentences.wrong_arguments(plan, action, arguments)
        if wrong is not None:
            reason, fix = wrong
            return with_place(plan, action.action, asked.no(reason, fix=fix))
    refusal = why_not_now(asked)
    if refusal is None:
        index = plan.actions.index_of(asked.text)
        assert index is not None
        refusal = explain_decision(asked, name, index)
    return refusal if action is None else with_place(plan, action.action, refusal)


def with_place(plan: Plan, action: m.Action, explanation: Explanation) -> Explanation:
    """Return an explanation, with the clause and place of the action if it has none."""
    if explanation.clause is not None:
        return explanation
    return attrs.evolve(
        explanation, clause=action.name, **place_of(plan, action, action.cites)
    )


def place_of(plan: Plan, part: m.Part, cites: tuple[rb.Cite, ...]) -> dict[str, Any]:
    """Return the file, line and column of a part, and its citation."""
    del plan
    cite = next((c for c in cites if not c.example), cites[0] if cites else None)
    place: dict[str, Any] = {"citation": None, "cites": cites}
    if cite is not None:
        place["citation"] = {"source": cite.source, "section": cite.heading}
        if cite.says:
            place["citation"]["says"] = cite.says
    if part.span.file:
        place["file"] = part.span.file
        place["line"] = part.span.line
        place["column"] = part.span.column
    return place


def why_not_now(asked: WhyQuestion) -> Explanation | None:
    """Explain why the seat cannot do anything now; return None if it can."""
    state = asked.state
    if state.is_over:
        return asked.no(say("over"))
    if asked.actor is None:
        return asked.no(say("chance_first"))
    actor = asked.plan.values.names["player"][asked.actor]
    if asked.seat is not None and asked.seat != actor:
        return explain_other_seat(asked, asked.seat, actor)
    return None


def explain_other_seat(asked: WhyQuestion, seat: str, actor: str) -> Explanation:
    """Explain that another seat must decide, and in which clause the game is.

    The clause is the one that the order of the game executes, which everybody knows.
    Clauses deeper on the control stack may be secrets of the deciding seat.
    """
    plan, state = asked.plan, asked.state
    places: dict[str, Any] = {}
    unit = next((plan.units[f[0]] for f in state.frames if plan.units[f[0]].code), None)
    if unit is not None and unit.code is not None:
        code = unit.code
        places = {
            "clause": code.name,
            **place_of(plan, code, cites_of(plan, unit.number)),
        }
    if state.s[ACTIVE] == m.NONE:
        return asked.no(say("another_decides", seat=seat, actor=actor), **places)
    active = plan.values.names["player"][state.active_player]
    if active == actor:
        return asked.no(say("another_turn", seat=seat, actor=actor), **places)
    said = say("another_asked", active=active, seat=seat, actor=actor)
    return asked.no(said, **places)


def explain_decision(asked: WhyQuestion, name: str, index: int) -> Explanation:
    """Explain an action of the seat that must decide."""
    state, waiting = asked.state, asked.state.waiting
    assert isinstance(waiting, Decision)
    if state.legal is None:
        state.legal = waiting.legal(state, state.s, state.frames[-1])
    said = asked.plan.actions.fixed_values_in(asked.text)
    if index in state.legal and said in ((), waiting.fixed_values(state, index)):
        return Explanation(True, asked.seat_name, asked.text)
    if index == PASS:
        return asked.no(say("must_choose"))
    if isinstance(waiting, AskStep) and name in waiting.offers:
        return explain_offered(asked, waiting, index)
    if isinstance(waiting, ChooseStep | GatherStep) and waiting.node.choice == name:
        return explain_choice(asked, waiting, index)
    phases = asked.plan.offering.phases(name)
    if phases:
        return asked.no(
            say("not_now", action=name), fix=say("done_in", phases=tuple(phases))
        )
    clauses = asked.plan.offering.clauses(name)
    if running(asked.plan, state).intersection(clauses):
        actions = dict.fromkeys(
            asked.plan.actions.action(asked.actor or 0, index).name
            for index in state.legal
        )
        fix = say("offered_now", actions=tuple(actions))
        return asked.no(say("not_now", action=name), fix=fix)
    if clauses:
        return asked.no(say("only_in", action=name, clauses=list(clauses)))
    return asked.no(say("not_now", action=name))


def running(plan: Plan, state: State) -> frozenset[str]:
    """Return the names of the clauses on the control stack."""
    units = (plan.units[frame[0]] for frame in state.frames)
    return frozenset(unit.code.name for unit in units if unit.code is not None)


def explain_offered(asked: WhyQuestion, waiting: AskStep, index: int) -> Explanation:
    """Explain which requirement of an offered action is not met."""
    plan, state = asked.plan, asked.state
    action, values = plan.actions.decode(index)
    said = plan.actions.fixed_values_in(asked.text)
    for frame in waiting.frames(state, action.name, values):
        if said not in (
            (),
            tuple([frame[place.slot + 2] for place in action.fixed_places]),
        ):
            continue
        failing = action.failing_requirement(state.s, frame)
        if failing is not None:
            return explain_requirement(asked, action, failing, frame)
    return asked.no(say("other_arguments", action=action.name))


def explain_requirement(
    asked: WhyQuestion, action: PlannedAction, failing: m.Requirement, frame: list[Any]
) -> Explanation:
    """Explain that a requirement is not met."""
    plan = asked.plan
    reader = Explainer(plan, asked.state.s, frame)
    part = reader.failing_part(failing.condition)
    cites = failing.cites
    if failing.sort.is_implied:
        cites = cites or action.action.cites
    return asked.no(
        sentences.sentence(reader, action, failing),
        clause=action.name,
        requirement=failing.label,
        values=reader.values(part),
        lines=tuple(deciding_lines(reader, part)),
        fix=reader.fix(part),
        **place_of(plan, failing, cites),
    )


def explain_choice(
    asked: WhyQuestion, waiting: ChooseStep | GatherStep, index: int
) -> Explanation:
    """Explain why a member cannot be chosen or picked."""
    plan, state = asked.plan, asked.state
    node = waiting.node
    frame = list(state.frames[-1])
    member = index - waiting.base
    unit = plan.units[frame[0]]
    frame[node.slot + 2] = member
    reader = Explainer(plan, state.s, frame)
    chosen = m.variable(node.slot, node.name, m.Member("player"))
    whole = m.contains(node.set, chosen, node.set.span)
    for label, condition in conditions(reader, whole, node.where):
        if not reader.value(condition):
            part = reader.failing_part(condition)
            return asked.no(
                sentences.choice_sentence(plan, node, label),
                clause=unit.name,
                requirement=label,
                values={} if part is whole else reader.values(part),
                lines=tuple(deciding_lines(reader, part)),
                fix=None if part is whole else reader.fix(part),
                **place_of(plan, node, cites_of(plan, frame[0])),
            )
    assert isinstance(waiting, GatherStep)
    return asked.no(
        pick_refusal(plan, state, waiting, member),
        clause=unit.name,
        **place_of(plan, node, cites_of(plan, frame[0])),
    )


def picks(asked: WhyQuestion, texts: list[str]) -> Explanation:
    """Explain whether all the given picks can be made, or which one cannot."""
    refusal = why_not_now(asked)
    if refusal is not None:
        return refusal
    space, gathered = asked.plan.actions, gathering(asked.plan.actions, asked.state)
    left = (
        {}
        if gathered is None
        else {pick.text: number for pick, number in gathered.left}
    )
    for text in texts:
        if gathered is None or text not in left:
            index = space.index_of(text)
            assert index is not None
            single = explain_decision(
                attrs.evolve(asked, text=text), split_text(text)[0], index
            )
            return attrs.evolve(single, action=asked.text)
    assert gathered is not None
    if len(texts) > gathered.most:
        return asked.no(say("enough_picked", count=gathered.most))
    for text in texts:
        if texts.count(text) > left[text]:
            return asked.no(say("no_more_of", pick=text, count=left[text]))
    if len(texts) < gathered.fewest:
        return asked.no(say("too_few", count=gathered.fewest))
    return Explanation(True, asked.seat_name, asked.text)


def pick_refusal(plan: Plan, state: State, step: GatherStep, member: int) -> Said:
    """Return the reason why a card that fits cannot be picked next."""
    s, frame = state.s, state.frames[-1]
    picked = frame[step.bag]
    high = step.high(s, frame)
    if sum(picked) >= high:
        return say("enough_picked", count=high)
    if step.hand is not None and picked[member] >= step.hand(s, frame)[member]:
        return say("all_picked")
    domain = step.node.set.type
    assert isinstance(domain, m.SetOf) and domain.domain is not None
    names = plan.values.names[domain.domain]
    last = max((index for index, count in enumerate(picked) if count), default=0)
    if member < last:
        return say("picked_in_order", card=names[member], picked=names[last])
    return say("too_few_left", card=names[member])


def conditions(
    reader: Explainer, whole: m.Expr, tested: m.Expr | None
) -> Iterator[tuple[str, m.Expr]]:
    """Yield the conditions on a chosen member, each with the name of its definition."""
    yield "in_set", whole
    for part in () if tested is None else reader.conjuncts(tested):
        call = m.unnegated(part) or part
        if m.is_call(call):
            yield label_of(reader.plan.model.defines[call.define]), part
        else:
            yield "where", part


def label_of(define: m.Define) -> str:
    """Return the name of a definition without its sort."""
    return rb.Address.parse(define.name).last


def cites_of(plan: Plan, unit: int) -> tuple[rb.Cite, ...]:
    """Return the citations of a unit's clause."""
    name = plan.units[unit].name
    code = plan.model.procedures.get(name) or plan.model.actions.get(name)
    return () if code is None else code.cites
