"""Limit on the work between two decisions: a budget for each run (ADR 17).

A run lasts from a decision, or a given chance outcome, until the game waits again. The
budget limits the clauses that start automatically, and the executed statements. When a
block starts, all its statements are counted at once. The statements are those of the
checked model, so the count is the same for every engine and every pass over the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import rulebook as rb
from rulebook import model as m
from rulebook.signatures import effects_of, is_statement

MAX_NAMED_CLAUSES = 100
"""Maximum number of recent clauses that an error message names."""

SORTS = {m.Rule: "rule", m.Award: "award", m.Action: "action"}
WORDS = {"turn": "phase"}

Clause = m.Rule | m.Award | m.Action | m.Procedure


def count_statements(block: Iterable[Any]) -> int:
    """Return the number of statements in a block, including those in each `step`."""
    return sum(
        1 + (count_statements(node.body) if is_step(node) else 0) for node in block
    )


def is_step(node: Any) -> bool:
    """Return whether a node is a `step`, whose statements belong to its block."""
    return is_statement(node) and effects_of(node).label is not None


def clause_name(clause: Clause) -> str:
    """Return the name of a clause, for messages."""
    if not isinstance(clause, m.Procedure):
        return f"{SORTS[type(clause)]} `{clause.name}`"
    address = rb.Address.parse(clause.name)
    if not address.name:
        return f"`{address.sort}`"
    sort = f"{address.sort}.{address.name}" if address.path else address.sort
    return f"{WORDS.get(sort, sort)} `{address.last_word}`"


def raise_budget_exceeded(
    ran: Sequence[Clause], executed: int, limits: rb.Limits
) -> NoReturn:
    """Raise `RulesError` for rules that exceed the budget without asking a player."""
    clauses = {clause_name(clause): clause for clause in ran[-MAX_NAMED_CLAUSES:]}
    if len(ran) > limits.firings:
        work = f"{len(ran):,} clauses were started"
    else:
        work = f"{executed:,} statements were executed"
    message = (
        f"{work} without any decision in between; the last were {' and '.join(clauses)}"
    )
    help_ = "add a condition that ends this, or let a player decide in between"
    related = tuple((clause.span, f"{name} ran") for name, clause in clauses.items())
    raise rb.RulesError([rb.Diagnostic("RB156", message, ran[-1].span, help_, related)])
