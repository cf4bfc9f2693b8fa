"""Definitions of the rules as kernel functions, for passes that evaluate them."""

from __future__ import annotations

import attrs

from interpreter.core.facts import Facts
from interpreter.kernel import operations as k
from interpreter.lowering.lowerer import Lowerer
from interpreter.lowering.rule_tables import EXPRESSIONS
from interpreter.plan.specialise.expressions import default
from rulebook import model as m

MANY = (m.Bag, m.SetOf, m.Stack, m.Tally)

Body = tuple[tuple[int, ...], k.Value]
"""Slots of the parameters of a definition, and its value."""


@attrs.define
class Definitions:
    """Definitions of one game, each lowered when it is first asked for."""

    facts: Facts
    bodies: dict[str, Body | None] = attrs.field(factory=dict)

    def function(self, name: str) -> Body | None:
        """Return a definition that is one value, by the name of its function."""
        if name not in self.bodies:
            self.bodies[name] = None
            for define in self.facts.model.defines.values():
                if self.facts.defines.get(define.name) == name:
                    self.bodies[name] = self.body(define)
        return self.bodies[name]

    def body(self, define: m.Define) -> Body | None:
        """Return the body of a definition, or None if it is not one value."""
        if define.adds or isinstance(define.type, MANY):
            return None
        if any(isinstance(parameter.type, MANY) for parameter in define.parameters):
            return None
        low = Lowerer(self.facts, EXPRESSIONS)
        value: k.Value = k.Int(int(default(self.facts, define.type)))
        for line in reversed(define.lines):
            here = low.value(line.value)
            if line.condition is not None:
                here = k.Select(low.value(line.condition), here, value)
            value = here
        return tuple([parameter.slot for parameter in define.parameters]), value
