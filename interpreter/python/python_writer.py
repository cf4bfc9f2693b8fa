"""Writer of expressions of the rules as Python: lowered, optimised and printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.expressions.lowerer import Lowerer
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel import operations as k
from interpreter.kernel.passes.pipeline import Optimiser
from interpreter.python.python_expressions import Printer, trail_inputs
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.source import Source
from rulebook import model as m


@attrs.define
class Writer(Printer):
    """Writer of the expressions in one unit as Python.

    `optimiser` runs the passes over each operation.
    """

    facts: Facts = attrs.field(kw_only=True)
    low: Lowerer = attrs.field(kw_only=True)
    optimiser: Optimiser = attrs.field(kw_only=True)

    def with_variables(self) -> Writer:
        """Return a writer that treats every slot as a Python variable."""
        return attrs.evolve(self, variables=True, bound=set())

    def plain(self) -> Writer:
        """Return a writer whose generated code contains no counters."""
        return attrs.evolve(
            self, low=Lowerer(self.facts, EXPRESSIONS), folds_constants=True
        )

    def optimise(self, e: Any) -> Any:
        """Return an operation, optimised by the passes."""
        return self.optimiser.optimise(e)

    # ------------------------------------------------------------ expressions

    def lowered(self, lower: Callable[[Any], Any], e: m.Expr) -> Any:
        """Return an expression, lowered and optimised."""
        return self.optimiser.narrow(self.optimiser.rewrite_once(lower, e))

    def code(self, e: m.Expr) -> Code:
        """Return the Python code of an expression; sets and bags are tuples."""
        self.low.tallies = self.facts.tallies
        match e.type:
            case m.SetOf():
                return self.stored(self.lowered(self.low.sequence, e))
            case m.Bag():
                return self.row_tuple(self.lowered(self.low.row, e))
            case m.Stack():
                return self.stack(self.lowered(self.low.stack, e))
            case m.Tally() if m.is_variable(e):
                return self.slot(e.slot)
            case _:
                return self.value(self.lowered(self.low.value, e))

    def text(self, e: m.Expr) -> str:
        """Return the Python text of an expression, safe as an operand."""
        return str(self.code(e))

    def function_of(self, e: m.Expr) -> str:
        """Return the name of a new function of (s, f) that evaluates an expression."""
        return self.source.add_expression_function("s, f", self.code(e).text)

    def iterable(self, e: m.Expr) -> Code:
        """Return the code of the members of a set that is iterated over once."""
        self.low.tallies = self.facts.tallies
        return self.members(self.lowered(self.low.sequence, e))

    def trail_links(self, e: m.LongestTrail) -> Code:
        """Return the code of the links of a longest trail, in order."""
        trail = self.low.value(e)
        if not isinstance(trail, k.TrailLength):
            return Code("()")
        return code.call("trail.route", *trail_inputs(self, trail))


def writer(source: Source, facts: Facts, optimiser: Optimiser) -> Writer:
    """Return a writer for the expressions of one game."""
    low = Lowerer(facts, EXPRESSIONS)
    return Writer(
        source,
        facts.players,
        facts=facts,
        low=low,
        optimiser=optimiser,
    )
