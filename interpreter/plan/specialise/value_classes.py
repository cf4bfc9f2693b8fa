"""Which cards no test of a deal can tell apart, by how the rules read what is dealt.

A test that reads a field only in conditions on it alone (it is 6 or 8, its column says
so) is the same for values of which these say the same. Where cards are dealt under such
tests, one of them stands for all that are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from interpreter.core.dependencies import children, walk
from interpreter.core.facts import Facts
from interpreter.plan.specialise.expressions import Specialiser
from interpreter.plan.specialise.rewrites import Rewrite
from interpreter.plan.specialise.terms import SCOPES, rebuilt
from rulebook import model as m
from rulebook import tooling

Answers = tuple[Any, ...]
SCOPED = tuple(SCOPES)


def alike(
    facts: Facts, field: str, tests: Iterable[m.Expr], values: Sequence[Any]
) -> tuple[int, ...]:
    """Return for each value the first one that no test can tell from it."""
    asked = ValueQuestions(facts, field, values)
    answers = [
        *zip(values, *[x for test in tests for x in asked.by(test)], strict=True)
    ]
    told = [answer[1:] for answer in answers]
    return tuple([told.index(answer) for answer in told])


class ValueQuestions:
    """What rules ask about the values of a field."""

    def __init__(self, facts: Facts, field: str, values: Sequence[Any]) -> None:
        self.facts = facts
        self.field = field
        self.values = tuple(values)
        self.folded = Specialiser(facts, {Rewrite.FOLD})
        self.seen: set[str] = set()

    def by(self, node: Any) -> Iterator[Answers]:
        """Yield what each thing that is asked comes to, for all values."""
        answers = self.answers(node)
        if answers is not None:
            yield answers
            return
        if self.is_field(node):
            yield self.values
        for part in children(node):
            yield from self.by(part)
        match node:
            case m.CallDefine(define=define) if define not in self.seen:
                self.seen.add(define)
                yield from self.by(self.facts.model.defines[define].lines)
            case m.Points() if "points" not in self.seen:
                self.seen.add("points")
                yield from self.by(self.facts.model.points.lines)

    def answers(self, node: Any) -> Answers | None:
        """Return what an expression comes to for each value; None: it reads more.

        What runs through a set may read the field of each member.
        """
        if not isinstance(node, m.Typed) or any(tooling.find(node, SCOPED)):
            return None
        read = {part for part in walk(node) if self.is_field(part)}
        if len(read) != 1:
            return None
        fixed = [self.with_value(node, value) for value in self.values]
        answers = [x for x in map(self.folded.of, fixed) if isinstance(x, m.Const)]
        if len(answers) < len(fixed):
            return None
        return tuple([answer.value for answer in answers])

    def is_field(self, part: Any) -> bool:
        """Whether an expression is what a field holds."""
        return isinstance(part, m.FieldValue) and (
            self.facts.key(part.field, part.owner) == self.field
        )

    def with_value(self, part: Any, value: Any) -> Any:
        """Return an expression with a value in the place of the field."""
        if self.is_field(part):
            return m.Const(value=value, type=part.type, span=part.span)
        return rebuilt(part, lambda inner, _: self.with_value(inner, value))
