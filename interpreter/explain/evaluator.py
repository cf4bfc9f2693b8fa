"""Evaluation of expressions in a frame for explanations, and their text for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.core.dependencies import walk
from interpreter.core.slots import FIRST_LOCAL
from interpreter.explain.condition_parts import compared_expressions, free_locals
from interpreter.phrases import say
from interpreter.plan.plan import Plan
from interpreter.python.python_writer import Writer, writer
from interpreter.source.code import Code
from rulebook import model as m
from rulebook.tooling import limit_of

MEMBERS_SHOWN = 12
"""Maximum number of members whose numbers an explanation of a superlative lists."""

PROGRAM_HEADING = "what is explained"
"""Heading, in a program listing, of the functions that only explanations use."""

Written = Callable[[Writer, Any], Code]
VALUE: Written = Writer.code
ROUTE: Written = Writer.route


class Reader:
    """Evaluator of expressions of the book in a frame, without specialisation."""

    def __init__(self, plan: Plan, s: list[Any], f: list[Any]) -> None:
        self.plan = plan
        self.s = s
        self.f = f

    def value(self, expression: m.Expr) -> Any:
        """Return the value of an expression."""
        return self.function(expression, VALUE)(self.s, self.f)

    def route(self, trail: m.LongestTrail) -> Any:
        """Return the links of a longest trail, in order."""
        return self.function(trail, ROUTE)(self.s, self.f)

    def function(self, expression: m.Expr, write: Written) -> Callable[..., Any]:
        """Return the compiled function of an expression, from a cache.

        Units number their tallies separately, so the cache also distinguishes units.
        """
        plan, unit = self.plan, self.f[0]
        key = (unit, write, expression)
        known = plan.readings.get(key)
        if known is None:
            source = plan.source
            if unit:
                plan.facts.tallies = plan.units[unit].tallies
            with source.for_clause(PROGRAM_HEADING):
                code = write(writer(source, plan.facts, frozenset()), expression)
                name = source.lines_of("s, f", code.text)
            source.compile()
            known = plan.readings[key] = source.names[name]
        return known

    def plain(self, expression: m.Expr) -> Any:
        """Return the value of an expression as plain data."""
        return self.plan.values.to_plain(expression.type, self.value(expression))

    def text(self, expression: m.Expr) -> str:
        """Return an expression as the rule file writes it."""
        match expression:
            case m.PieceLeft(piece=piece):
                described = self.plan.model.pieces[piece]
                return f"{described.plural or described.name} left"
            case m.PieceCount(spaces=m.Typed(type=m.Member())):
                return self.count_text(expression)
            case m.Arith(left=m.PieceCount() as there, right=more) if (
                expression.span == there.span  # `has room for` shows no number
            ):
                return f"{self.text(there)} + {self.value(more)}"
            case m.CountIn(holder=holder, member=member):
                return f"number of {self.text(member)} in {self.text(holder)}"
            case _ if limit := self.counted_limit(expression):
                return f"times of {limit}"
            case m.Typed(type=m.Member()) if m.is_constant(expression):
                return str(self.plain(expression))
            case _:
                written = self.plan.book.text_at(expression.span)
                return written or getattr(expression, "name", type(expression).__name__)

    def counted_limit(self, value: m.Expr) -> str | None:
        """Return the limit of an action that a generated field counts, or None for
        other values.
        """
        if not m.is_field(value):
            return None
        facts = self.plan.facts
        return limit_of(
            facts.layout.fields[facts.key(value.field, value.owner)].field.name
        )

    def count_text(self, count: m.PieceCount) -> str:
        """Return the text of an expression for the number of pieces on one space."""
        piece = self.plan.model.pieces[count.piece]
        whose = ""
        if count.owner is not None:
            own = m.is_you(count.owner)
            whose = "your " if own else f"{self.text(count.owner)}'s "
        if count.another:
            whose = "another player's "
        assert count.spaces is not None
        plural = piece.plural or piece.name
        return f"number of {whose}{plural} on {self.text(count.spaces)}"

    def failing_part(self, condition: m.Expr) -> m.Expr:
        """Return the first part of a conjunction that is false, or the whole
        condition.
        """
        failing = (it for it in m.conjuncts(condition) if not self.value(it))
        return next(failing, condition)

    def values(self, part: m.Expr) -> dict[str, Any]:
        """Return the values that a part of a requirement compares, by their text."""
        by_text = {
            self.text(compared): self.plain(compared)
            for compared in compared_expressions(part, self.is_bound)
            if not m.is_constant(compared)
        }
        return by_text | dict(self.superlatives_in(part)) | dict(self.ways(part))

    def ways(self, part: m.Expr) -> Iterator[tuple[str, Any]]:
        """Yield the trails that a part measures, as lists of links, and its reached
        spaces.
        """
        nodes = list(walk(part))
        measured = [node.way for node in nodes if isinstance(node, m.Distance)]
        for node in nodes:
            if not isinstance(node, m.LongestTrail | m.Reach) or not self.is_evaluable(
                node
            ):
                continue
            if any(node is reach for reach in measured):
                continue
            if isinstance(node, m.LongestTrail):
                links = self.plan.values.to_plain(node.links.type, self.route(node))
                yield f"a {self.text(node)}", links
            else:
                yield self.text(node), self.plain(node)[:MEMBERS_SHOWN]

    def is_evaluable(self, expression: m.Expr) -> bool:
        """Return whether all free variables of an expression have a value."""
        return all(map(self.is_bound, free_locals(expression)))

    def superlatives_in(self, part: m.Expr) -> Iterator[tuple[str, Any]]:
        """Yield the numbers that the superlatives in a part compare, by member."""
        for node in walk(part):
            match node:
                case m.BestMembers(by=by):
                    values = [measure.value for measure in by]
                case m.Highest(value=value):
                    values = [value]
                case _:
                    continue
            if self.is_bound(node.set):
                yield from self.members(node, values)

    def members(
        self, node: m.BestMembers | m.Highest, values: list[m.Expr]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the numbers that a superlative compares, by member."""
        place = node.slot + FIRST_LOCAL
        assert isinstance(node.set.type, m.SetOf)
        names = self.plan.values.names.get(node.set.type.domain or "")
        f = [*self.f, *[None] * (place + 1 - len(self.f))]
        for member in self.value(node.set)[:MEMBERS_SHOWN]:
            f[place] = member
            inner = Reader(self.plan, self.s, f)
            if node.where is not None and not inner.value(node.where):
                continue
            name = str(member) if names is None else names[member]
            for value in values:
                if inner.is_bound(value):
                    yield f"{self.text(value)} ({name})", inner.plain(value)

    def is_bound(self, expression: m.Typed) -> bool:
        """Return whether all local variables in an expression have a value."""
        for node in walk(expression):
            if m.is_variable(node):
                place = node.slot + FIRST_LOCAL
                if place >= len(self.f) or self.f[place] is None:
                    return False
        return True

    def fix(self, part: m.Expr) -> str | None:
        """Return a change that would satisfy a part, if it compares cards or
        numbers.
        """
        if isinstance(part, m.Covers):
            return self.missing(part.holder, part.bag)
        if m.is_comparison(part):
            return self.difference(part.op, part.left, part.right)
        return None

    def missing(self, holder: m.Expr, bag: m.Expr) -> str | None:
        """Return a phrase that lists the cards a holder lacks, or None if it lacks
        none.
        """
        held = self.cards(holder)
        lacks = {
            name: wanted - held.get(name, 0)
            for name, wanted in self.cards(bag).items()
            if wanted > held.get(name, 0)
        }
        return say("lacks", lacks=lacks) if lacks else None

    def cards(self, holder: m.Expr) -> dict[str, int]:
        """Return the cards in a bag or stack, by name."""
        return self.plan.values.cards(holder.type, self.value(holder))

    def difference(self, op: m.Comparison, left: m.Expr, right: m.Expr) -> str | None:
        """Return a phrase that says how much more or less a comparison needs,
        or None.
        """
        first, second = self.value(left), self.value(right)
        if not (isinstance(left.type, m.Whole) and isinstance(right.type, m.Whole)):
            return None
        strict = 1 if op in {m.Comparison.LESS, m.Comparison.MORE} else 0
        match op:
            case m.Comparison.MORE | m.Comparison.AT_LEAST:
                return say("more", count=second - first + strict, rule=self.text(left))
            case m.Comparison.LESS | m.Comparison.AT_MOST:
                count = first - second + strict
                return say("fewer", count=count, rule=self.text(left))
            case _:
                return None
