"""Specialised rules of one game, with cached facts about their parts.

The facts are what a part reads and writes in the state, its variables, and its cost.
Questions about meaning, such as which trigger a change wakes or which seat learns a
choice, are answered from the rules of the book.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.plan.specialise.cost import Costs
from interpreter.plan.specialise.expressions import Specialiser
from interpreter.plan.specialise.rewrites import ALL, Rewrite
from interpreter.plan.specialise.statements import StatementSpecialiser
from interpreter.plan.specialise.terms import rebuild
from rulebook import model as m
from rulebook import tooling

Clause = m.Procedure | m.Action


@attrs.frozen(slots=False, eq=False)
class PartFacts:
    """Facts about a part of a model, computed when first used."""

    part: m.Part
    model: m.Model
    reader: tooling.ReadFinder
    costs: Costs

    @cached_property
    def reads(self) -> tuple[tooling.StatePart, ...]:
        """Parts of the state that are read, directly or in called definitions."""
        return self.reader.parts_read(self.part)

    @cached_property
    def writes(self) -> tuple[tooling.StatePart, ...]:
        """Parts of the state that are changed, directly or in calls."""
        return tuple(tooling.Writes(self.model, self.part).parts)

    @cached_property
    def slots(self) -> frozenset[int]:
        """Slots of the variables that are read, including variables bound inside."""
        return m.variables_read(self.part)

    @cached_property
    def cost(self) -> int:
        """Estimated cost of evaluating the part."""
        return self.costs.cost_of(self.part)


@attrs.frozen
class ActionCondition:
    """Condition of an action, with its facts.

    `pays` marks a condition about payment, which is ignored if the action is free.
    """

    condition: m.Expr
    pays: bool
    facts: PartFacts


class Rules:
    """Specialised model of one game, with facts about its parts.

    `statements` finds the original of a specialised statement in the book.
    """

    def __init__(self, facts: Facts, rewrites: Iterable[str] = ALL) -> None:
        self.specialiser = Specialiser(facts, rewrites)
        self.statements = StatementSpecialiser(self.specialiser)
        self.model = self.specialise_model(facts.model)
        self.reads = tooling.ReadFinder(self.model)
        self.notes: dict[int, PartFacts] = {}
        self.listed: dict[str, list[ActionCondition]] = {}

    # ------------------------------------------------------------ the model

    def specialise_model(self, book: m.Model) -> m.Model:
        """Return the model with all expressions and statements specialised."""
        return attrs.evolve(
            book,
            defines={
                name: self.specialise_part(define)
                for name, define in book.defines.items()
            },
            procedures={
                n: self.specialise_clause(procedure)
                for n, procedure in book.procedures.items()
            },
            actions={
                name: self.specialise_clause(action)
                for name, action in book.actions.items()
            },
            awards={
                name: self.specialise_part(award) for name, award in book.awards.items()
            },
            rules={
                name: self.specialise_part(rule) for name, rule in book.rules.items()
            },
            points=self.specialise_part(book.points),
            values=self.specialise_part(book.values),
            measures={
                name: self.specialise_part(each) for name, each in book.measures.items()
            },
        )

    def specialise_part(self, part: Any) -> Any:
        """Return a part of the book with its expressions specialised."""
        if isinstance(part, m.Typed):
            return self.specialiser.specialise(part)
        return rebuild(part, lambda inner, _: self.specialise_part(inner))

    def specialise_clause(self, clause: Clause) -> Any:
        """Return a procedure or action with specialised statements and requirements."""
        body = self.statements.specialise_body(clause.body)
        changes: dict[str, Any] = {} if body is clause.body else {"body": body}
        if isinstance(clause, m.Action):
            needs = tuple(
                [
                    self.specialise_part(requirement)
                    for requirement in clause.requirements
                ]
            )
            if any(a is not b for a, b in zip(needs, clause.requirements, strict=True)):
                changes["requirements"] = needs
        return attrs.evolve(clause, **changes) if changes else clause

    def specialise_body(self, clause: Clause) -> tuple[Any, ...]:
        """Return the specialised statements of a clause of the book, or of a test."""
        name, book = clause.name, self.specialiser.facts.model
        if book.procedures.get(name) is clause:
            return self.model.procedures[name].body
        if book.actions.get(name) is clause:
            return self.model.actions[name].body
        return self.statements.specialise_body(clause.body)

    # -------------------------------------------------------------------- facts

    def facts_about(self, part: m.Part) -> PartFacts:
        """Return the facts about an expression or a statement of this model."""
        facts = self.notes.get(id(part))
        if facts is None:
            facts = PartFacts(part, self.model, self.reads, self.specialiser.costs)
            self.notes[id(part)] = facts
        return facts

    def conjuncts(self, action: str) -> list[ActionCondition]:
        """Return the conditions of an action, cheapest first if `ORDER` is on."""
        if action not in self.listed:
            listed = [
                ActionCondition(
                    part,
                    requirement.sort is m.RequirementSort.PAYS,
                    self.facts_about(part),
                )
                for requirement in self.model.actions[action].requirements
                for part in m.and_parts(requirement.condition)
            ]
            if Rewrite.ORDER in self.specialiser.rewrites:
                listed.sort(key=lambda conjunct: conjunct.facts.cost)
            self.listed[action] = listed
        return self.listed[action]
