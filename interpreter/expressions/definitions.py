"""Definitions of the rules as kernel functions, for passes that evaluate them."""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.expressions.lowerer import Lowerer
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel.evaluator import Function
from rulebook import model as m


@attrs.define
class Definitions:
    """Definitions of one game, each lowered on first use."""

    facts: Facts
    names: dict[str, str] = attrs.field(init=False)
    bodies: dict[str, Function] = attrs.field(factory=dict)

    @names.default
    def _names(self) -> dict[str, str]:
        return {
            name: define for define, name in self.facts.definition_functions.items()
        }

    def function(self, name: str) -> Function | None:
        """Return the kernel function with a name, or None if no definition has it."""
        if name not in self.names:
            return None
        if name not in self.bodies:
            define = self.facts.model.defines[self.names[name]]
            self.bodies[name] = lowered_function(self.facts, define)
        return self.bodies[name]


def lowered_function(facts: Facts, define: m.Define) -> Function:
    """Return the kernel function of a definition."""
    low = Lowerer(facts, EXPRESSIONS)
    return Function(
        tuple([parameter.slot for parameter in define.parameters]),
        tuple(
            [(low.condition(x.condition), low.argument(x.value)) for x in define.lines]
        ),
        default_value(facts, define.type),
        define.adds,
    )


def default_value(facts: Facts, kind: m.Type) -> Any:
    """Return the value of a definition when no line applies."""
    match kind:
        case m.Truth():
            return False
        case m.Member():
            return m.NONE
        case m.Bag(domain=domain):
            return (0,) * facts.sizes[domain]
        case m.SetOf():
            return ()
        case _:
            return 0
