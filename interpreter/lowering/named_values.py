"""Values that a definition names (`let`), computed at most once per evaluation.

Such a value is a definition with the parameters of its enclosing definition. If it
is not short, calls with these parameters become a local in the function of the
enclosing definition. The local is bound before the first line that uses it.
"""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.core.facts import Facts
from rulebook import model as m
from rulebook import tooling

FIRST_NAMED_VALUE_SLOT = 3_000_000
"""First slot of the locals for named values; all other slots are smaller."""


@attrs.frozen
class NamedValue:
    """Local for a named value, and the expression to which it is bound."""

    slot: int
    value: m.Expr


@attrs.frozen
class BoundLine:
    """Line of a definition, and the named values to bind before it."""

    named: tuple[NamedValue, ...]
    line: m.DefineLine


def bound_lines(
    facts: Facts, define: m.Define, *, calls: bool = False
) -> list[BoundLine]:
    """Return the lines of a definition, with locals instead of named values.

    If `calls`, a local is bound to a call of the value's own function.
    """
    names = _Names(facts, define, calls)
    if not any(map(names.is_own, tooling.find(define.lines, m.CallDefine))):
        return [BoundLine((), line) for line in define.lines]
    lines = []
    for line in define.lines:
        changed = names.with_locals(line)
        lines.append(BoundLine(tuple(names.new), changed))
        names.new.clear()
    return lines


@attrs.define
class _Names:
    """Replacer of named values with locals; the locals in `new` are not yet bound."""

    facts: Facts
    define: m.Define
    calls: bool
    bound: dict[str, m.Local] = attrs.field(factory=dict)
    new: list[NamedValue] = attrs.field(factory=list)

    def with_locals(self, node: Any) -> Any:
        """Return a node with each call of a named value replaced by its local."""
        return tooling.rewrite(node, self.replaced)

    def replaced(self, node: Any) -> Any:
        """Return the local for a call of a named value, or else the node."""
        if not (m.is_call(node) and self.is_own(node)):
            return node
        if node.define not in self.bound:
            value: m.Expr = node
            if not self.calls:
                named = self.facts.model.defines[node.define]
                whole = tooling.single_expression(named)
                if whole is None:
                    return node
                value = self.with_locals(whole)
            local = m.variable(
                FIRST_NAMED_VALUE_SLOT + len(self.bound), node.define, node.type
            )
            self.bound[node.define] = local
            self.new.append(NamedValue(local.slot, value))
        return self.bound[node.define]

    def is_own(self, call: m.CallDefine) -> bool:
        """Return whether a call is a long named value with the same parameters."""
        define = self.facts.model.defines[call.define]
        within = define.within
        given = [part.slot for part in call.arguments if m.is_variable(part)]
        return (
            within is not None
            and call.define in self.facts.stored_names
            and within in (self.define.name, self.define.within)
            and len(given) == len(call.arguments)
            and given == [parameter.slot for parameter in self.define.parameters]
        )
