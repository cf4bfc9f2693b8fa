"""Value classes: values of a card that no test of a deal can distinguish.

A test may read a field only in conditions on that field alone (it is 6 or 8, its column
says so). Values with equal results in all these conditions are interchangeable, so one
card can represent all equivalent ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from interpreter.core.dependencies import children, walk
from interpreter.core.facts import Facts
from interpreter.plan.specialise.expressions import Specialiser
from interpreter.plan.specialise.rewrites import Rewrite
from interpreter.plan.specialise.terms import BINDERS, rebuild
from rulebook import model as m
from rulebook import tooling

Answers = tuple[Any, ...]
SCOPED = tuple(BINDERS)


def representatives(
    facts: Facts, field: str, tests: Iterable[m.Expr], values: Sequence[Any]
) -> tuple[int, ...]:
    """Return, for each value, the first value that no test can distinguish from it."""
    asked = FieldConditions(facts, field, values)
    answers = [
        *zip(
            values, *[x for test in tests for x in asked.results_in(test)], strict=True
        )
    ]
    told = [answer[1:] for answer in answers]
    return tuple([told.index(answer) for answer in told])


class FieldConditions:
    """Evaluator of the conditions that rules set on the value of a field."""

    def __init__(self, facts: Facts, field: str, values: Sequence[Any]) -> None:
        self.facts = facts
        self.field = field
        self.values = tuple(values)
        self.folded = Specialiser(facts, {Rewrite.FOLD})
        self.seen: set[str] = set()

    def results_in(self, node: Any) -> Iterator[Answers]:
        """Yield the results of each condition in a node, for all values."""
        answers = self.answers(node)
        if answers is not None:
            yield answers
            return
        if self.is_field(node):
            yield self.values
        for part in children(node):
            yield from self.results_in(part)
        match node:
            case m.CallDefine(define=define) if define not in self.seen:
                self.seen.add(define)
                yield from self.results_in(self.facts.model.defines[define].lines)
            case m.PlayerPoints() if "points" not in self.seen:
                self.seen.add("points")
                yield from self.results_in(self.facts.model.points.lines)

    def answers(self, node: Any) -> Answers | None:
        """Return the result of an expression for each value, or None if it reads
        anything else.
        """
        if not isinstance(node, m.Typed) or any(tooling.find(node, SCOPED)):
            return None
        read = {part for part in walk(node) if self.is_field(part)}
        if len(read) != 1:
            return None
        fixed = [self.with_value(node, value) for value in self.values]
        answers = [
            x for x in map(self.folded.specialise, fixed) if isinstance(x, m.Const)
        ]
        if len(answers) < len(fixed):
            return None
        return tuple([answer.value for answer in answers])

    def is_field(self, part: Any) -> bool:
        """Return whether an expression reads the field."""
        return isinstance(part, m.FieldValue) and (
            self.facts.key(part.field, part.owner) == self.field
        )

    def with_value(self, part: Any, value: Any) -> Any:
        """Return an expression with the field replaced by a value."""
        if self.is_field(part):
            return m.Const(value=value, type=part.type, span=part.span)
        return rebuild(part, lambda inner, _: self.with_value(inner, value))
