"""Which values a condition cannot tell apart, by how the rules read a field.

A condition that reads a field only to compare it with constants, or to look up columns
of what it holds, is the same for values that compare and look up alike. Where cards are
dealt under such a condition, one of them stands for all that are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.tables.facts import Facts
from rulebook import children
from rulebook import model as m

Question = Callable[[Any], Any]


def alike(
    facts: Facts, field: str, condition: m.Expr | None, values: Sequence[Any]
) -> tuple[int, ...]:
    """Return for each value the first one that the condition cannot tell from it."""
    asked = [*Asked(facts, field).by(condition)]
    answers = [tuple([question(value) for question in asked]) for value in values]
    return tuple([answers.index(answer) for answer in answers])


def itself(value: Any) -> Any:
    """Ask for the value: all that differ are told apart."""
    return value


class Asked:
    """What rules ask about the values of a field."""

    def __init__(self, facts: Facts, field: str) -> None:
        self.facts = facts
        self.field = field
        self.seen: set[str] = set()

    def by(self, node: Any, question: Question = itself) -> Iterator[Question]:
        """Yield what a part of the rules asks; of the part itself it is `question`."""
        match node:
            case None:
                return
            case m.FieldValue(field=field, owner=owner):
                if self.facts.key(field, owner) == self.field:
                    yield question
            case m.CallDefine(define=define) if define not in self.seen:
                self.seen.add(define)
                yield from self.by_lines(self.facts.model.defines[define].lines)
            case m.Points() if "points" not in self.seen:
                self.seen.add("points")
                yield from self.by_lines(self.facts.model.points.lines)
        for part in children(node):
            yield from self.by(part, self.about(node, part))

    def by_lines(self, lines: tuple[m.Part, ...]) -> Iterator[Question]:
        """Yield what some lines ask."""
        for line in lines:
            yield from self.by(line)

    def about(self, node: Any, part: m.Part) -> Question:
        """Return what a part of the rules asks about a part of it."""
        match node:
            case m.Compare(op=op, left=left, right=m.Const(value=value)) if (
                part is left
            ):
                meaning = op.meaning
                return lambda number: meaning(number, value)
            case m.ColumnValue(domain=domain, column=column):
                return self.facts.column(domain, column).__getitem__
        return itself
