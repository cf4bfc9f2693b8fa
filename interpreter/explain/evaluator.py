"""Evaluation of expressions of the book in a frame, for explanations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel.passes.pipeline import Optimiser
from interpreter.plan.plan import Plan
from interpreter.python.python_writer import Writer, writer
from interpreter.source.code import Code
from rulebook import model as m

PROGRAM_HEADING = "expressions in explanations"
"""Heading of functions used only by explanations, in a program listing."""

Written = Callable[[Writer, Any], Code]
VALUE: Written = Writer.code
ROUTE: Written = Writer.trail_links


class ExpressionEvaluator:
    """Evaluator of expressions of the rules in a frame, without passes."""

    def __init__(self, plan: Plan, s: list[Any], f: list[Any]) -> None:
        self.plan = plan
        self.s = s
        self.f = f

    def value(self, expression: m.Expr) -> Any:
        """Return the value of an expression."""
        return self.function(expression, VALUE)(self.s, self.f)

    def route(self, trail: m.Expr) -> Any:
        """Return the links of a longest trail, in order."""
        return self.function(trail, ROUTE)(self.s, self.f)

    def function(self, expression: m.Expr, write: Written) -> Callable[..., Any]:
        """Return the function compiled from the code that *write* makes, from a cache.

        Units number their tallies separately, so the cache also distinguishes units.
        """
        plan, unit = self.plan, self.f[0]
        key = (unit, write, expression)
        compiled = plan.evaluators.get(key)
        if compiled is None:
            source = plan.source
            if unit:
                plan.facts.tallies = plan.units[unit].tallies
            with source.for_clause(PROGRAM_HEADING):
                code = write(
                    writer(source, plan.facts, Optimiser(frozenset())), expression
                )
                name = source.add_expression_function("s, f", code.text)
            source.compile()
            compiled = plan.evaluators[key] = source.names[name]
        return compiled

    def plain(self, expression: m.Expr) -> Any:
        """Return the value of an expression as plain data."""
        return self.plan.values.to_plain(expression.type, self.value(expression))

    def cards(self, holder: m.Expr) -> dict[str, int]:
        """Return the cards in a bag or stack, by name."""
        return self.plan.values.cards(holder.type, self.value(holder))

    def is_bound(self, expression: object) -> bool:
        """Return whether all local variables in an expression have a value."""
        places = [slot + FIRST_LOCAL for slot in m.variables_read(expression)]
        return all(at < len(self.f) and self.f[at] is not None for at in places)
