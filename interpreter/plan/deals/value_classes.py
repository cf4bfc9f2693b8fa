"""Value classes: values of a card that no test of a deal can distinguish.

A test may read a field only in conditions on that field alone (for example, the value
is 6 or 8, or is marked in a column). Values with equal results in all these conditions
are interchangeable, so one card can represent all equivalent ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from interpreter.core.dependencies import children, walk
from interpreter.core.facts import Facts
from interpreter.expressions.constants import Constants
from interpreter.kernel.evaluator import Unknown
from interpreter.plan.deals.substitution import rebuild
from rulebook import model as m

Results = tuple[Any, ...]
VALUE = -1
"""Slot of the variable that replaces the field."""


def representatives(
    facts: Facts, field: str, tests: Iterable[m.Expr], values: Sequence[Any]
) -> tuple[int, ...]:
    """Return, for each value, the first value that no test can distinguish from it."""
    conditions = FieldConditions(facts, field, values)
    answers = [
        *zip(
            values,
            *[x for test in tests for x in conditions.results_in(test)],
            strict=True,
        )
    ]
    results = [answer[1:] for answer in answers]
    return tuple([results.index(answer) for answer in results])


class FieldConditions:
    """Evaluator of the conditions that rules set on the value of a field."""

    def __init__(self, facts: Facts, field: str, values: Sequence[Any]) -> None:
        self.facts = facts
        self.field = field
        self.values = tuple(values)
        self.constants = Constants(facts)
        self.seen: set[str] = set()

    def results_in(self, node: Any) -> Iterator[Results]:
        """Yield the results of each condition in a node, by value of the field."""
        answers = self.results(node)
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

    def results(self, node: Any) -> Results | None:
        """Return the result of an expression for each value of the field.

        Return None if the expression also reads other parts of the state.
        """
        if not isinstance(node, m.Typed) or any(part.scope for part in walk(node)):
            return None
        read = {part for part in walk(node) if self.is_field(part)}
        if len(read) != 1:
            return None
        expression = self.with_variable(node)
        try:
            return tuple(
                [self.constants.value(expression, {VALUE: x}) for x in self.values]
            )
        except Unknown:
            return None

    def is_field(self, part: Any) -> bool:
        """Return whether a part is a read of the field."""
        return m.is_field(part) and part.field == self.field

    def with_variable(self, part: Any) -> Any:
        """Return an expression with the field replaced by a variable."""
        if self.is_field(part):
            return m.variable(VALUE, self.field, part.type)
        return rebuild(part, lambda inner, _: self.with_variable(inner))
