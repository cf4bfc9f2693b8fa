"""Sentences for people about unmet requirements and invalid action texts."""

from __future__ import annotations

import rulebook as rb
from interpreter.core.action_index import PlannedAction
from interpreter.explain.evaluator import Reader
from interpreter.phrases import say
from interpreter.plan.plan import Plan
from rulebook import model as m
from rulebook import tooling


def sentence(reader: Reader, action: PlannedAction, failing: m.Requirement) -> str:
    """Return a sentence that says why a requirement is not met."""
    if failing.sort is m.RequirementSort.STOCK:
        piece = reader.plan.model.pieces.get(failing.reason)
        plural = failing.reason if piece is None else piece.plural or piece.name
        return say("none_left", pieces=plural)
    if failing.holder is not None and failing.bag is not None and not failing.reason:
        wanted = reader.cards(failing.bag)
        if failing.sort is m.RequirementSort.PAYS:
            held = reader.cards(failing.holder)
            return say("costs", action=action.name, wanted=wanted, held=held)
        return say("must_be_there", wanted=wanted)
    return failing.reason or say("it_needs", label=failing.label)


def choice_sentence(plan: Plan, node: m.Binder, label: str) -> str:
    """Return a sentence that says why a member cannot be chosen."""
    if label == "in_set":
        rule = plan.book.text_at(node.set.span) or node.name
        return say("not_among", rule=rule)
    if label == "where":
        assert node.where is not None
        return say("not_so", rule=plan.book.text_at(node.where.span))
    for define in plan.model.defines.values():
        if rb.Address.parse(define.name).last == label:
            return say("not_so", rule=define.sentence)
    return say("does_not_hold", label=label)


def wrong_arguments(
    plan: Plan, action: PlannedAction, arguments: list[str]
) -> tuple[str, str | None] | None:
    """Return what is wrong with the arguments of an action, and a suggested fix.

    Return None if the arguments are valid.
    """
    short = len(arguments) == len(action.open_places)
    places = action.open_places if short else action.places
    if len(arguments) != len(places):
        names = ", ".join(place.name for place in action.places)
        usage = f"{action.name}({names})" if names else action.name
        count = len(action.places)
        key = "one_argument" if count == 1 else "how_many_arguments"
        reason = say(key, action=action.name, count=count)
        return reason, say("write", usage=usage)
    for place, argument in zip(places, arguments, strict=True):
        value = plan.values.from_text(place.type, argument)
        if value is None:
            near = None
            if isinstance(place.type, m.Member):
                near = tooling.nearest(argument, plan.values.names[place.type.domain])
            hint = say("did_you_mean", name=near) if near else None
            parts = {"argument": argument, "name": place.name, "type": str(place.type)}
            key = "no_such" if isinstance(place.type, m.Member) else "wrong_argument"
            return say(key, **parts), hint
        if not 0 <= value - place.low < place.size:
            high = place.low + place.size - 1
            return say("out_of_range", name=place.name, low=place.low, high=high), None
    return None
