"""What it costs to find the value of an expression: roughly, to test cheap ones first.

It counts what is read; what runs through a set counts for each member.
"""

from __future__ import annotations

import rulebook as rb
from interpreter.plan.terms import SCOPES, parts_of
from interpreter.tables.facts import Facts

OWN: dict[type, int] = {
    rb.Const: 0,
    rb.Local: 0,
    rb.Points: 200,
    rb.LongestTrail: 2000,
    rb.Reach: 500,
    rb.Distance: 500,
    rb.PieceCount: 5,
    rb.PieceLeft: 5,
    rb.PieceSpaces: 10,
    rb.PieceSpace: 10,
    rb.Covers: 4,
    rb.CallDefine: 3,
}
MEMBERS = 8
"""How many members a set is taken to have of which that is not known."""

MOST = 1_000_000


class Costs:
    """The costs of the expressions of one game."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.called: dict[str, int] = {}

    def of(self, e: rb.Part) -> int:
        """Return what an expression costs."""
        inside = SCOPES.get(type(e), ())
        times = 1
        if inside and hasattr(e, "set"):
            times = self.members(e.set)
        total = OWN.get(type(e), 1)
        for part in parts_of(e):
            own = self.of(part)
            total += own if hasattr(e, "set") and part is e.set else own * times
        if isinstance(e, rb.CallDefine):
            total += self.define(e.define)
        return min(total, MOST)

    def members(self, e: rb.Expr) -> int:
        """Return how many members a set may have."""
        match e:
            case rb.Const(value=tuple() as value):
                return len(value)
            case rb.AllOf(domain=domain):
                return self.facts.sizes[domain]
            case _:
                return MEMBERS

    def define(self, name: str) -> int:
        """Return what the lines of a definition cost."""
        if name not in self.called:
            self.called[name] = 0
            lines = self.facts.model.defines[name].lines
            self.called[name] = sum(map(self.of, lines))
        return self.called[name]
