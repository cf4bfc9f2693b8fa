"""Grades of code: whether it reads information hidden from the seat that runs it.

An action that reads nothing hidden has the same effect in every game that agrees with
what the seat knows. One sample of the game then suffices to find its effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulebook import model as m
from rulebook import tooling
from rulebook.tooling import children

NOTHING, OWN, OTHERS = range(3)
UNSURE = (
    m.DrawCard,
    m.Reveal,
    m.Sees,
    m.Spread,
    m.CarryOut,
    m.Together,
)


class Secrecy:
    """Grades of code: it reads nothing hidden, its own seat's secrets, or those of
    others.
    """

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.reader = tooling.SecretReader(model)
        self.called: dict[str, int] = {}

    def grade(self, nodes: Iterable[Any], own: int = m.YOU) -> int:
        """Return the highest grade of some code.

        `own` is the slot of the seat whose own secrets are graded `OWN`.
        """
        grades = (grade for node in nodes for grade in self.grades(node, own))
        return max(grades, default=NOTHING)

    def grades(self, node: Any, own: int) -> Iterator[int]:
        """Yield the grades of the parts of a statement or expression."""
        match node:
            case m.CallProcedure(procedure=name):
                yield self.procedure(name)
                yield self.grade(node.arguments, own)
            case m.Ask():
                yield from self.ask_grades(node, own)
            case m.MoveCards(up_to=False):
                yield self.grade(self.places(node.bag, node.source), own)
                yield self.grade(self.places(node.destination), own)
            case m.MoveCards():
                yield self.grade([node.bag, node.source], own)
                yield self.grade(self.places(node.destination), own)
            case m.Typed():
                for secret in self.reader.secrets(node):
                    match secret.owner:
                        case m.Local(slot=slot) if slot == own:
                            yield OWN
                        case _:
                            yield OTHERS
            case _ if isinstance(node, UNSURE):
                yield OTHERS
            case _:
                yield self.grade(children(node), own)

    def places(self, *holders: Any) -> Iterator[Any]:
        """Yield the expressions that locate holders, without reading their contents."""
        for holder in holders:
            if not isinstance(holder, m.FieldValue):
                yield from () if holder is None else (holder,)
            elif holder.owner is not None:
                yield holder.owner

    def ask_grades(self, node: m.Ask, own: int) -> Iterator[int]:
        """Yield the grades of what an `Ask` reads, except the conditions of its
        actions.
        """
        for offer in node.offers:
            yield self.grade(offer.arguments, own)
        yield self.grade([node.who, *node.body, *node.otherwise], own)

    def may_skip_secretly(self, node: m.Ask) -> bool:
        """Return whether a choice may be skipped for a reason that only its seat knows.

        A choice without legal actions is skipped; this happens secretly if the
        conditions of its actions read something hidden.
        """
        needs = [
            need.condition
            for offer in node.offers
            for need in self.model.actions[offer.action].requirements
        ]
        return node.until is None and self.grade(needs) > NOTHING

    def procedure(self, name: str) -> int:
        """Return the grade of a procedure."""
        if name not in self.called:
            self.called[name] = self.grade(self.model.procedures[name].body)
        return self.called[name]

    def triggers(self) -> int:
        """Return the grade of the conditions of awards and rules."""
        rules = [
            part for rule in self.model.rules.values() for part in conditions(rule)
        ]
        awards = [
            part
            for award in self.model.awards.values()
            for part in (award.measure, award.at_least, award.only_if)
            if part is not None
        ]
        return max(self.grade(rules), OTHERS * (self.grade(awards) > NOTHING))

    def values(self) -> int:
        """Return the grade of the lines for points and hints of a player."""
        lines = (*self.model.points.lines, *self.model.values.lines)
        return self.grade(lines, own=1)


def conditions(rule: m.Rule) -> Iterator[m.Expr]:
    """Yield the conditions that a rule evaluates."""
    yield rule.condition
    if rule.set is not None:
        yield rule.set
