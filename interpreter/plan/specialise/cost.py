"""Estimated cost of evaluating an expression, so that cheap tests come first.

The cost is the number of reads; an iteration over a set counts for each member.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.core.dependencies import children
from interpreter.core.facts import Facts
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import PiecePlace, VariablePlace, callees_of, inputs_of

SEARCH_COST = 500
"""Assumed cost of a search over the board, or over combinations of cards."""

SCAN_COST = 5
"""Assumed cost of counting pieces, or of comparing all cards of a holder."""

CALL_COST = 3
"""Cost of calling a definition, in addition to the cost of its lines."""

ASSUMED_MEMBERS = 8
"""Assumed number of members of a set whose size is unknown."""

MAX_COST = 1_000_000

Members = Callable[[m.Expr], tuple[Any, ...] | None]
"""Function that returns the members of a set, or None if the set is not constant."""


class Costs:
    """Estimates of the costs of a game's expressions."""

    def __init__(self, facts: Facts, members: Members) -> None:
        self.facts = facts
        self.members_of = members
        self.called: dict[str, int] = {}
        self.known: dict[int, tuple[m.Part, int]] = {}

    def cost_of(self, e: m.Part) -> int:
        """Return the cost of an expression."""
        known = self.known.get(id(e))
        if known is None:
            known = self.known[id(e)] = e, self.compute_cost(e)
        return known[1]

    def compute_cost(self, e: m.Part) -> int:
        """Compute the cost of an expression that is not in the cache."""
        members = e.set if isinstance(e, m.Binder) else None
        times = 1 if members is None else self.member_count(members)
        total = own_cost(e)
        for part in children(e):
            own = self.cost_of(part)
            total += own if part is members else own * times
        for run in callees_of(e):
            total += CALL_COST + self.code_cost(run.code or "")
        return min(total, MAX_COST)

    def member_count(self, e: m.Expr) -> int:
        """Return the number of members of a set, or a guess if it is not constant."""
        known = self.members_of(e)
        return ASSUMED_MEMBERS if known is None else len(known)

    def specialisation_cost(self, e: Any) -> int:
        """Return the number of parts visited when an expression is specialised.

        An iteration over a set counts once for each member, plus two.
        """
        members = e.set if isinstance(e, m.Binder) else None
        times = 1 if members is None else self.member_count(members) + 2
        total = 1
        for part in children(e):
            own = self.specialisation_cost(part)
            total += own if part is members else own * times
        return min(total, MAX_COST)

    def code_cost(self, name: str) -> int:
        """Return the cost of the lines of a definition, or of the points."""
        if name not in self.called:
            self.called[name] = 0
            lines = tooling.definition_lines(self.facts.model, name)
            self.called[name] = sum(map(self.cost_of, lines))
        return self.called[name]


def own_cost(e: m.Part) -> int:
    """Return the cost of an expression without the cost of its parts."""
    if e.scope and not isinstance(e, m.Binder):
        return SEARCH_COST
    places = inputs_of(e).places
    scans = any(isinstance(x, PiecePlace) and x.space is None for x in places)
    if scans or isinstance(e, m.Covers):
        return SCAN_COST
    is_free = all(isinstance(place, VariablePlace) for place in places)
    return 0 if is_free and not children(e) else 1
