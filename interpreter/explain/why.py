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
from interpreter.arguments import action_index, action_text
from interpreter.core.action_index import PASS_NAME, PlannedAction, split_text
from interpreter.core.layout import ACTIVE
from interpreter.explain import sentences
from interpreter.explain.condition_parts import Explainer
from interpreter.explain.deciding_lines import deciding_lines
from interpreter.explain.gathering import current_gathering, parse_selection
from interpreter.explanation import Explanation
from interpreter.phrases import Message, make_message
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
    """Question whether a seat may take an action; the seat None is the seat to act."""

    plan: Plan
    state: State
    seat: str | None
    text: str

    @property
    def actor(self) -> int | None:
        """Number of the seat that must decide, or None."""
        waiting = self.state.waiting
        return waiting.seat(self.state) if isinstance(waiting, Decision) else None

    @property
    def seat_name(self) -> str | None:
        """Name of the seat that the question is about, or None."""
        if self.seat is not None or self.actor is None:
            return self.seat
        return self.plan.values.names["player"][self.actor]

    def refusal(self, reason: str, **details: Any) -> Explanation:
        """Return an explanation that the action is illegal."""
        return Explanation(False, self.seat_name, self.text, reason=reason, **details)


def explain_action(
    plan: Plan, state: State, seat: str | None, action: Any
) -> Explanation:
    """Explain an action that a caller passes as an action, a text or an index."""
    index, text, size = action_index(action), action_text(action), plan.actions.size
    if index is not None and not 0 <= index < size:
        question = WhyQuestion(plan, state, seat, text)
        return question.refusal(
            make_message("no_index", index=text, last=str(size - 1))
        )
    if index is not None:
        text = plan.actions.action(0, index).text
    return explain(WhyQuestion(plan, state, seat, text))


def explain(question: WhyQuestion) -> Explanation:
    """Return the explanation that answers a question."""
    plan = question.plan
    name, arguments = split_text(question.text)
    action = plan.actions.by_name.get(name)
    picked = parse_selection(plan.actions, question.text)
    if picked is not None:
        return with_place(plan, picked[0].action, explain_picks(question, picked[1]))
    if action is None and name != PASS_NAME:
        near = tooling.nearest(name, [*plan.actions.by_name, PASS_NAME])
        hint = make_message("did_you_mean", name=near) if near else None
        return question.refusal(make_message("unknown_action", action=name), fix=hint)
    if action is not None:
        wrong = sentences.argument_error(plan, action, arguments)
        if wrong is not None:
            reason, fix = wrong
            return with_place(plan, action.action, question.refusal(reason, fix=fix))
    refusal = explain_inactive_seat(question)
    if refusal is None:
        index = plan.actions.index_of(question.text)
        assert index is not None
        refusal = explain_decision(question, name, index)
    return refusal if action is None else with_place(plan, action.action, refusal)


def with_place(plan: Plan, action: m.Action, explanation: Explanation) -> Explanation:
    """Add the clause and place of the action to an explanation that has none."""
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
        if cite.meaning:
            place["citation"]["says"] = cite.meaning
    if part.span.file:
        place["file"] = part.span.file
        place["line"] = part.span.line
        place["column"] = part.span.column
    return place


def explain_inactive_seat(question: WhyQuestion) -> Explanation | None:
    """Explain why the seat cannot do anything now; return None if it can."""
    state = question.state
    if state.is_over:
        return question.refusal(make_message("over"))
    if question.actor is None:
        return question.refusal(make_message("chance_first"))
    actor = question.plan.values.names["player"][question.actor]
    if question.seat is not None and question.seat != actor:
        return explain_other_seat(question, question.seat, actor)
    return None


def explain_other_seat(question: WhyQuestion, seat: str, actor: str) -> Explanation:
    """Explain that another seat must decide, and in which clause the game is.

    The clause is the one that the order of play is executing, which is public.
    Clauses deeper on the control stack may be secrets of the deciding seat.
    """
    plan, state = question.plan, question.state
    places: dict[str, Any] = {}
    unit = next((plan.units[f[0]] for f in state.frames if plan.units[f[0]].code), None)
    if unit is not None and unit.code is not None:
        code = unit.code
        places = {
            "clause": code.name,
            **place_of(plan, code, cites_of(plan, unit.number)),
        }
    if state.s[ACTIVE] == m.NONE or plan.model.phases_each_round:
        return question.refusal(
            make_message("another_decides", seat=seat, actor=actor), **places
        )
    active = plan.values.names["player"][state.active_player]
    if active == actor:
        return question.refusal(
            make_message("another_turn", seat=seat, actor=actor), **places
        )
    reason = make_message("another_asked", active=active, seat=seat, actor=actor)
    return question.refusal(reason, **places)


def explain_decision(question: WhyQuestion, name: str, index: int) -> Explanation:
    """Explain an action of the seat that must decide."""
    state, waiting = question.state, question.state.waiting
    assert isinstance(waiting, Decision)
    if state.legal is None:
        state.legal = waiting.legal(state, state.s, state.frames[-1])
    fixed_values = question.plan.actions.fixed_values_in(question.text)
    if index in state.legal and fixed_values in (
        (),
        waiting.fixed_values(state, index),
    ):
        return Explanation(True, question.seat_name, question.text)
    if index == PASS:
        return question.refusal(make_message("must_choose"))
    if isinstance(waiting, AskStep) and name in waiting.offers:
        return explain_offered(question, waiting, index)
    if isinstance(waiting, ChooseStep | GatherStep) and waiting.node.choice == name:
        return explain_choice(question, waiting, index)
    phases = question.plan.offer_index.phases(name)
    if phases:
        return question.refusal(
            make_message("not_now", action=name),
            fix=make_message("done_in", phases=tuple(phases)),
        )
    clauses = question.plan.offer_index.clauses(name)
    if running_clauses(question.plan, state).intersection(clauses):
        actions = dict.fromkeys(
            question.plan.actions.action(question.actor or 0, index).name
            for index in state.legal
        )
        fix = make_message("offered_now", actions=tuple(actions))
        return question.refusal(make_message("not_now", action=name), fix=fix)
    if clauses:
        return question.refusal(
            make_message("only_in", action=name, clauses=list(clauses))
        )
    return question.refusal(make_message("not_now", action=name))


def running_clauses(plan: Plan, state: State) -> frozenset[str]:
    """Return the names of the clauses on the control stack."""
    units = (plan.units[frame[0]] for frame in state.frames)
    return frozenset(unit.code.name for unit in units if unit.code is not None)


def explain_offered(question: WhyQuestion, step: AskStep, index: int) -> Explanation:
    """Explain which requirement of an offered action is not met."""
    plan, state = question.plan, question.state
    action, values = plan.actions.decode(index)
    fixed_values = plan.actions.fixed_values_in(question.text)
    for frame in step.frames(state, action.name, values):
        if fixed_values not in (
            (),
            tuple([frame[place.slot + 2] for place in action.fixed_parameters]),
        ):
            continue
        failing = action.failing_requirement(state.s, frame)
        if failing is not None:
            return explain_requirement(question, action, failing, frame)
    return question.refusal(make_message("other_arguments", action=action.name))


def explain_requirement(
    question: WhyQuestion,
    action: PlannedAction,
    requirement: m.Requirement,
    frame: list[Any],
) -> Explanation:
    """Explain that a requirement is not met."""
    plan = question.plan
    reader = Explainer(plan, question.state.s, frame)
    part = reader.failing_part(requirement.condition)
    cites = requirement.cites
    if requirement.sort.is_implied:
        cites = cites or action.action.cites
    return question.refusal(
        sentences.sentence(reader, action, requirement),
        clause=action.name,
        requirement=requirement.label,
        values=reader.values(part),
        lines=tuple(deciding_lines(reader, part)),
        fix=reader.suggested_fix(part),
        **place_of(plan, requirement, cites),
    )


def explain_choice(
    question: WhyQuestion, step: ChooseStep | GatherStep, index: int
) -> Explanation:
    """Explain why a member cannot be chosen or picked."""
    plan, state = question.plan, question.state
    node = step.node
    frame = list(state.frames[-1])
    member = index - step.base
    unit = plan.units[frame[0]]
    frame[node.slot + 2] = member
    reader = Explainer(plan, state.s, frame)
    chosen = m.variable(node.slot, node.name, m.Member("player"))
    membership = m.contains(node.set, chosen, node.set.span)
    for label, condition in conditions(reader, membership, node.where):
        if not reader.value(condition):
            part = reader.failing_part(condition)
            return question.refusal(
                sentences.choice_sentence(plan, node, label),
                clause=unit.name,
                requirement=label,
                values={} if part is membership else reader.values(part),
                lines=tuple(deciding_lines(reader, part)),
                fix=None if part is membership else reader.suggested_fix(part),
                **place_of(plan, node, cites_of(plan, frame[0])),
            )
    assert isinstance(step, GatherStep)
    return question.refusal(
        pick_refusal(plan, state, step, member),
        clause=unit.name,
        **place_of(plan, node, cites_of(plan, frame[0])),
    )


def explain_picks(question: WhyQuestion, texts: list[str]) -> Explanation:
    """Explain whether all the given picks can be made, or which one cannot."""
    refusal = explain_inactive_seat(question)
    if refusal is not None:
        return refusal
    space, gathered = (
        question.plan.actions,
        current_gathering(question.plan.actions, question.state),
    )
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
                attrs.evolve(question, text=text), split_text(text)[0], index
            )
            return attrs.evolve(single, action=question.text)
    assert gathered is not None
    if len(texts) > gathered.most:
        return question.refusal(make_message("enough_picked", count=gathered.most))
    for text in texts:
        if texts.count(text) > left[text]:
            return question.refusal(
                make_message("no_more_of", pick=text, count=left[text])
            )
    if len(texts) < gathered.fewest:
        return question.refusal(make_message("too_few", count=gathered.fewest))
    return Explanation(True, question.seat_name, question.text)


def pick_refusal(plan: Plan, state: State, step: GatherStep, member: int) -> Message:
    """Return why a card that meets all conditions cannot be picked next."""
    s, frame = state.s, state.frames[-1]
    picked = frame[step.bag]
    high = step.high(s, frame)
    if sum(picked) >= high:
        return make_message("enough_picked", count=high)
    if step.hand is not None and picked[member] >= step.hand(s, frame)[member]:
        return make_message("all_picked")
    domain = step.node.set.type
    assert isinstance(domain, m.SetOf) and domain.domain is not None
    names = plan.values.names[domain.domain]
    last = max((index for index, count in enumerate(picked) if count), default=0)
    if member < last:
        return make_message("picked_in_order", card=names[member], picked=names[last])
    return make_message("too_few_left", card=names[member])


def conditions(
    reader: Explainer, membership: m.Expr, tested: m.Expr | None
) -> Iterator[tuple[str, m.Expr]]:
    """Yield the conditions on a chosen member, each with its label."""
    yield "in_set", membership
    for part in () if tested is None else reader.conjuncts(tested):
        call = m.negated_condition(part) or part
        if m.is_call(call):
            yield label_of(reader.plan.model.defines[call.define]), part
        else:
            yield "where", part


def label_of(define: m.Define) -> str:
    """Return the name of a definition without its sort."""
    return rb.Address.parse(define.name).last_word


def cites_of(plan: Plan, unit: int) -> tuple[rb.Cite, ...]:
    """Return the citations of a unit's clause."""
    name = plan.units[unit].name
    code = plan.model.procedures.get(name) or plan.model.actions.get(name)
    return () if code is None else code.cites
