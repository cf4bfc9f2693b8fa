"""Recomputation of local variables from redrawn hidden information.

A variable computed from real hidden information would reveal it. A sample therefore
recomputes each `let` from the redrawn information, and also the remaining members of
each loop. Choices are kept, because pending picks and answers are redrawn elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.core.slots import FIRST_LOCAL
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.knowledge.pending_picks import PendingPick
from interpreter.plan.units import HiddenLoop, Unit
from interpreter.state.state import Frame, State
from rulebook import model as m
from rulebook.secrecy import KNOWN_TO_ACTOR, PUBLIC
from rulebook.signatures import VariablePlace, effects_within


def recompute_variables(g: State, seat: int, picks: Sequence[PendingPick]) -> None:
    """Recompute the variables hidden from a seat, except those already redrawn."""
    redrawn = {(id(pick.frame), pick.place) for pick in picks}
    for frame in g.frames:
        unit = g.plan.units[frame[0]]
        for slot, grade in unit.grades.items():
            place = slot + FIRST_LOCAL
            is_own = grade == KNOWN_TO_ACTOR and frame[2] == seat
            if grade == PUBLIC or is_own or frame[place] is None:
                continue
            if (id(frame), place) not in redrawn:
                recompute_variable(g, frame, unit, slot)
        for loop in unit.hidden_loops:
            is_own = loop.grade == KNOWN_TO_ACTOR and frame[2] == seat
            if not is_own and frame[loop.rest] is not None:
                recompute_loop(g, frame, loop)


def recompute_variable(g: State, frame: Frame, unit: Unit, slot: int) -> None:
    """Recompute one variable of a frame from its `let`."""
    assert unit.code is not None
    reader = ExpressionEvaluator(g.plan, g.s, frame)
    for effects in effects_within(unit.code.body):
        for write in effects.writes:
            if write.place == VariablePlace(slot) and write.value is not None:
                frame[slot + FIRST_LOCAL] = reader.value(write.value)
                return


def recompute_loop(g: State, frame: Frame, loop: HiddenLoop) -> None:
    """Recompute the remaining members of a loop, after the current one.

    If the order itself is hidden, the members are left unchanged.
    """
    reader, order_expression = (
        ExpressionEvaluator(g.plan, g.s, frame),
        iteration_order(loop.members),
    )
    order = () if order_expression is None else reader.value(order_expression)
    current = frame[loop.member]
    if current in order:
        members = reader.value(loop.members)
        later = order[order.index(current) + 1 :]
        frame[loop.rest] = tuple([member for member in later if member in members])


def iteration_order(members: m.Expr) -> m.Expr | None:
    """Return the set that gives the order of *members*, or None if it is unknown."""
    match members:
        case m.SortedMembers():
            return None
        case m.Binder(set=inner):
            return iteration_order(inner)
        case m.KindsIn(type=m.SetOf(domain=str(domain))):
            return m.all_of(domain)
    return members
