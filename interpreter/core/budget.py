"""How much may happen before somebody is asked again: a budget for each run (ADR 17).

A run goes from one decision, or one chance outcome that was given, to the next time the
game stops. It counts the clauses that begin by themselves and the statements of the
checked model, by the block: when a block begins, all that stand in it count. So no
rewriting of the rules, and no other engine, comes to another number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import rulebook as rb
from rulebook import model as m

TRACE = 100
"""So many of the clauses that ran last are looked at for the names that are told."""

SORTS = {m.Rule: "rule", m.Award: "award", m.Action: "action"}
WORDS = {"turn": "phase"}

Clause = m.Rule | m.Award | m.Action | m.Procedure


def statements_in(block: Iterable[Any]) -> int:
    """Return how many statements count when a block begins; those of a `step` too."""
    return sum(
        1 + (statements_in(node.body) if isinstance(node, m.Step) else 0)
        for node in block
    )


def name_of(clause: Clause) -> str:
    """Return how a clause that ran is called."""
    if not isinstance(clause, m.Procedure):
        return f"{SORTS[type(clause)]} `{clause.name}`"
    address = rb.Address.parse(clause.name)
    if not address.name:
        return f"`{address.sort}`"
    sort = f"{address.sort}.{address.name}" if address.path else address.sort
    return f"{WORDS.get(sort, sort)} `{address.last}`"


def overspent(ran: Sequence[Clause], executed: int, limits: rb.Limits) -> NoReturn:
    """Raise the mistake of rules that go on without asking anybody."""
    clauses = {name_of(clause): clause for clause in ran[-TRACE:]}
    if len(ran) > limits.firings:
        much = f"{len(ran):,} clauses were started"
    else:
        much = f"{executed:,} statements were executed"
    message = (
        f"{much} without any decision in between; the last were {' and '.join(clauses)}"
    )
    help_ = "add a condition that ends this, or let a player decide in between"
    related = tuple((clause.span, f"{name} ran") for name, clause in clauses.items())
    raise rb.RulesError([rb.Diagnostic("RB156", message, ran[-1].span, help_, related)])
