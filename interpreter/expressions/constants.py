"""Evaluation of expressions that read no state, as kernel operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.expressions.definitions import Definitions
from interpreter.expressions.lowerer import Lowerer, NotLowerable
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Unknown, evaluate
from rulebook import model as m


@attrs.define
class Constants:
    """Evaluator of the constant expressions of one game."""

    facts: Facts
    definitions: Definitions = attrs.field(init=False)
    low: Lowerer = attrs.field(init=False)
    lowered: dict[int, tuple[m.Expr, k.Operation | None]] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.definitions = Definitions(self.facts)
        self.low = Lowerer(self.facts, EXPRESSIONS)

    def operation(self, e: m.Expr) -> k.Operation | None:
        """Return the kernel operation of an expression, or None if it has none."""
        if id(e) not in self.lowered:
            try:
                self.lowered[id(e)] = e, self.low.argument(e)
            except NotLowerable:
                self.lowered[id(e)] = e, None
        return self.lowered[id(e)][1]

    def value(self, e: m.Expr, bindings: Mapping[int, Any] | None = None) -> Any:
        """Return the value of an expression, given the values of some variables.

        Raise `Unknown` if it depends on anything else.
        """
        if isinstance(e, m.Const):
            return e.value
        operation = self.operation(e)
        if operation is None:
            raise Unknown(e)
        value = evaluate(operation, bindings or {}, self.definitions.function)
        return bool(value) if isinstance(e.type, m.Truth) else value

    def members(
        self, e: m.Expr, bindings: Mapping[int, Any] | None = None
    ) -> tuple[int, ...] | None:
        """Return the members of a set, or None if they are not constant."""
        try:
            return tuple(self.value(e, bindings))
        except Unknown:
            return None


def constant(facts: Facts, expression: m.Expr) -> Any:
    """Return the value of an expression that reads only options."""
    return Constants(facts).value(expression)
