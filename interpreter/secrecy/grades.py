"""Grades of code: whether it reads information hidden from the seat that runs it.

An action that reads nothing hidden has the same effect in every game that agrees with
what the seat knows. One sample of the game then suffices to find its effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulebook import model as m
from rulebook.secrecy import HIDDEN_FROM_ACTOR, KNOWN_TO_ACTOR, PUBLIC, HiddenReadFinder
from rulebook.signatures import Effects, Pause, effects_of, is_statement
from rulebook.tooling import children


def may_depend_on_hidden(effects: Effects) -> bool:
    """Return whether the effect of a statement may depend on any hidden information."""
    is_open = effects.dice or any(binding.members for binding in effects.bindings)
    return (
        effects.pause is Pause.SIMULTANEOUS
        or (effects.pause is Pause.CHANCE and not is_open)
        or any(run.code is None for run in effects.runs)
    )


class Secrecy:
    """Grader of code by the hidden information that it reads.

    The grades are: nothing hidden, secrets of the acting seat, secrets of other seats.
    """

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.reader = HiddenReadFinder(model)
        self.called: dict[str, int] = {}

    def grade(self, nodes: Iterable[Any], own_slot: int = m.YOU) -> int:
        """Return the highest grade of some code.

        `own_slot` is the slot of the seat whose secrets are graded
        `KNOWN_TO_ACTOR`.
        """
        grades = (grade for node in nodes for grade in self.grades(node, own_slot))
        return max(grades, default=PUBLIC)

    def grades(self, node: Any, own_slot: int) -> Iterator[int]:
        """Yield the grades of the parts of a statement or expression.

        The conditions of offered actions are not included.
        """
        if isinstance(node, m.Typed):
            for secret in self.reader.hidden_reads(node):
                yield (
                    KNOWN_TO_ACTOR
                    if m.is_variable(secret.owner, own_slot)
                    else HIDDEN_FROM_ACTOR
                )
        elif not is_statement(node):
            yield self.grade(children(node), own_slot)
        else:
            yield from self.statement_grades(node, effects_of(node), own_slot)

    def statement_grades(
        self, node: Any, effects: Effects, own_slot: int
    ) -> Iterator[int]:
        """Yield the grades of a statement, and of what it contains."""
        if may_depend_on_hidden(effects):
            yield HIDDEN_FROM_ACTOR
            return
        for run in effects.calls:
            yield self.procedure_grade(str(run.code))
        cards = effects.cards
        if cards is None or cards.bag is None:
            yield self.grade(children(node), own_slot)
        else:
            taken = (cards.bag, cards.source)
            yield self.grade(
                self.locating_expressions(*taken) if cards.is_exact else taken, own_slot
            )
            yield self.grade(self.locating_expressions(cards.destination), own_slot)

    def locating_expressions(self, *holders: Any) -> Iterator[Any]:
        """Yield the expressions that locate holders, without reading their contents."""
        for holder in holders:
            if not m.is_field(holder):
                yield from () if holder is None else (holder,)
            elif holder.owner is not None:
                yield holder.owner

    def may_skip_secretly(self, ask: Effects) -> bool:
        """Return whether a choice may be skipped for a reason that only its seat knows.

        A choice without legal actions is skipped. Other seats cannot predict this if
        the conditions of its actions read hidden information.
        """
        needs = [
            need.condition
            for offer in ask.offers
            for need in self.model.actions[offer.action].requirements
        ]
        return ask.until is None and self.grade(needs) > PUBLIC

    def procedure_grade(self, name: str) -> int:
        """Return the grade of a procedure."""
        if name not in self.called:
            self.called[name] = self.grade(self.model.procedures[name].body)
        return self.called[name]

    def trigger_grade(self) -> int:
        """Return the grade of the conditions of awards and rules."""
        awards = self.grade(self.model.awards.values())
        return max(
            self.grade(self.model.rules.values()), HIDDEN_FROM_ACTOR * (awards > PUBLIC)
        )

    def value_grade(self) -> int:
        """Return the grade of the lines for a player's points and hint values."""
        lines = (*self.model.points.lines, *self.model.values.lines)
        return self.grade(lines, own_slot=1)
