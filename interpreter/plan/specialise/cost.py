"""Estimated cost of evaluating an expression, so that cheap tests come first.

The cost is the number of reads; an iteration over a set counts for each member.
"""

from __future__ import annotations

from typing import Any

from interpreter.core.dependencies import children
from interpreter.core.facts import Facts
from rulebook import model as m

OWN: dict[type, int] = {
    m.Const: 0,
    m.Local: 0,
    m.PlayerPoints: 200,
    m.LongestTrail: 2000,
    m.Reach: 500,
    m.Distance: 500,
    m.PieceCount: 5,
    m.PieceLeft: 5,
    m.PieceSpaces: 10,
    m.PieceSpace: 10,
    m.Covers: 4,
    m.CallDefine: 3,
}
MEMBERS = 8
"""Assumed number of members of a set whose size is unknown."""

MOST = 1_000_000


class Costs:
    """Estimates of the costs of a game's expressions."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.called: dict[str, int] = {}

    def cost_of(self, e: m.Part) -> int:
        """Return the cost of an expression."""
        members = e.set if isinstance(e, m.Binder) else None
        times = 1 if members is None else self.members(members)
        total = OWN.get(type(e), 1)
        for part in children(e):
            own = self.cost_of(part)
            total += own if part is members else own * times
        if isinstance(e, m.CallDefine):
            total += self.define(e.define)
        return min(total, MOST)

    def members(self, e: m.Expr) -> int:
        """Return the maximum number of members of a set."""
        match e:
            case m.Const(value=tuple() as value):
                return len(value)
            case m.AllOf(domain=domain):
                return self.facts.sizes[domain]
            case _:
                return MEMBERS

    def specialisation_cost(self, e: Any) -> int:
        """Return the number of parts visited when an expression is specialised.

        An iteration over a set is visited once for each member, and twice more.
        """
        members = e.set if isinstance(e, m.Binder) else None
        times = 1 if members is None else self.members(members) + 2
        total = 1
        for part in children(e):
            own = self.specialisation_cost(part)
            total += own if part is members else own * times
        return min(total, MOST)

    def define(self, name: str) -> int:
        """Return the cost of the lines of a definition."""
        if name not in self.called:
            self.called[name] = 0
            lines = self.facts.model.defines[name].lines
            self.called[name] = sum(map(self.cost_of, lines))
        return self.called[name]
