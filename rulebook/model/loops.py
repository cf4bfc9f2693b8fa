"""Loop that visits members again and again until one is left: builder and reader."""

from __future__ import annotations

from typing import Any

import attrs

from rulebook.model.base_parts import Expr
from rulebook.model.model_statements import EachMember, IfElse, Repeat
from rulebook.model.model_values import Compare
from rulebook.model.set_values import CountMembers
from rulebook.model.simple_expressions import at_most, negated_condition, negation

__all__ = ["read_visits_until_one_is_left", "visits_until_one_is_left"]


def visits_until_one_is_left(
    visit: EachMember, left: tuple[Expr, Expr], times: Expr
) -> Repeat:
    """Return a loop that repeats visits to members, at most *times* times.

    Both parts of *left* count the members that still meet the visit's condition: one
    for the test before each repetition, the other for the test before each visit.
    """
    before_round, before_visit = left
    several = negation(at_most(before_visit, 1, visit.span))
    body = IfElse(condition=several, body=visit.body, span=visit.span)
    return Repeat(
        times=times,
        body=(attrs.evolve(visit, body=(body,)),),
        until=at_most(before_round, 1, visit.span),
        span=visit.span,
    )


def read_visits_until_one_is_left(node: Any) -> tuple[EachMember, Expr] | None:
    """Return the visit (with its own body) and the maximum number of repetitions.

    Return None for anything else than a loop of `visits_until_one_is_left`.
    """
    match node:
        case Repeat(times=times, until=until, body=(EachMember(still=True) as visit,)):
            match visit.body:
                case (IfElse(condition=several, body=body, otherwise=()),):
                    inner = negated_condition(several)
                    if _counts_one(until) and _counts_one(inner):
                        return attrs.evolve(visit, body=body), times
    return None


def _counts_one(condition: Any) -> bool:
    return (
        isinstance(condition, Compare)
        and isinstance(condition.left, CountMembers)
        and condition == at_most(condition.left, 1)
    )
