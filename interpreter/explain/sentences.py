"""Sentences for people about unmet requirements and invalid action texts."""

from __future__ import annotations

import rulebook as rb
from interpreter.core.action_index import PlannedAction
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.phrases import make_message
from interpreter.plan.plan import Plan
from rulebook import model as m
from rulebook import tooling


def sentence(
    reader: ExpressionEvaluator, action: PlannedAction, requirement: m.Requirement
) -> str:
    """Return a sentence that says why a requirement is not met."""
    if requirement.sort is m.RequirementSort.STOCK:
        piece = reader.plan.model.pieces.get(requirement.reason)
        plural = requirement.reason if piece is None else piece.plural or piece.name
        return make_message("none_left", pieces=plural)
    if (
        requirement.holder is not None
        and requirement.bag is not None
        and not requirement.reason
    ):
        wanted = reader.cards(requirement.bag)
        if requirement.sort is m.RequirementSort.PAYS:
            held = reader.cards(requirement.holder)
            return make_message("costs", action=action.name, wanted=wanted, held=held)
        return make_message("must_be_there", wanted=wanted)
    return requirement.reason or make_message("it_needs", label=requirement.label)


def choice_sentence(plan: Plan, node: m.Binder, label: str) -> str:
    """Return a sentence that names the condition (*label*) that excludes a member."""
    if label == "in_set":
        rule = plan.book.text_at(node.set.span) or node.name
        return make_message("not_among", rule=rule)
    if label == "where":
        assert node.where is not None
        return make_message("not_so", rule=plan.book.text_at(node.where.span))
    for define in plan.model.defines.values():
        if rb.Address.parse(define.name).last_word == label:
            return make_message("not_so", rule=define.sentence)
    return make_message("does_not_hold", label=label)


def argument_error(
    plan: Plan, action: PlannedAction, arguments: list[str]
) -> tuple[str, str | None] | None:
    """Return what is wrong with the arguments of an action, and a suggested fix.

    Return None if the arguments are valid.
    """
    short = len(arguments) == len(action.open_parameters)
    places = action.open_parameters if short else action.places
    if len(arguments) != len(places):
        names = ", ".join(place.name for place in action.places)
        usage = f"{action.name}({names})" if names else action.name
        count = len(action.places)
        key = "one_argument" if count == 1 else "how_many_arguments"
        reason = make_message(key, action=action.name, count=count)
        return reason, make_message("write", usage=usage)
    for place, argument in zip(places, arguments, strict=True):
        value = plan.values.from_text(place.type, argument)
        if value is None:
            near = None
            if isinstance(place.type, m.Member):
                near = tooling.nearest(argument, plan.values.names[place.type.domain])
            hint = make_message("did_you_mean", name=near) if near else None
            parts = {"argument": argument, "name": place.name, "type": str(place.type)}
            key = "no_such" if isinstance(place.type, m.Member) else "wrong_argument"
            return make_message(key, **parts), hint
        if not 0 <= value - place.low < place.size:
            high = place.low + place.size - 1
            return make_message(
                "out_of_range", name=place.name, low=place.low, high=high
            ), None
    return None
