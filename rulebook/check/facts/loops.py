"""Simplification of loops whose members are found before the first round.

Such a loop runs over a `Filter` set that uses the loop's own variable. If no round can
change the condition for a later member, the set is omitted. Each member is then tested
in its turn, as with `still`, and no list is stored.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.typing.ranges import Facts
from rulebook.queries.accesses import NO_SLOTS, Access, AccessAnalysis
from rulebook.signatures import Block, effects_of, is_statement
from rulebook.traversal import find, rewrite


def simplify_loops(model: m.Model) -> m.Model:
    """Return the model with `LoopAnalysis.simplify` applied to each loop."""
    loops = LoopAnalysis(model)
    return attrs.evolve(
        model,
        procedures=rewrite(model.procedures, loops.simplify),
        actions=rewrite(model.actions, loops.simplify),
        scenarios=rewrite(model.scenarios, loops.simplify),
        invariants=rewrite(model.invariants, loops.simplify),
    )


def search_condition(slot: int, members: m.Expr) -> m.Expr | None:
    """Return the condition that selects a loop's members beforehand, or None.

    If sets are nested, the outermost condition counts.
    """
    while isinstance(members, m.Subset) and members.slot == slot:
        if members.where is not None:
            return members.where
        members = members.set
    return None


def searched_set(loop: m.Binder) -> m.Expr:
    """Return the set from which a loop selects its members, without its filter."""
    if isinstance(loop.set, m.Filter) and loop.set.slot == loop.slot:
        return loop.set.set
    return loop.set


class LoopAnalysis:
    """Analysis of how the rounds of a loop affect each other."""

    def __init__(self, model: m.Model) -> None:
        self.accesses = AccessAnalysis(model)

    def simplify(self, node: Any) -> Any:
        """Return an equivalent loop that stores no list of members, or else *node*."""
        loop = effects_of(node).member_loop if is_statement(node) else None
        if loop is None or not isinstance(filtered := node.set, m.Filter):
            return node
        if filtered.slot != node.slot or node.where is not None:
            return node
        if self.changed_conditions(loop, tuple(m.conjuncts(filtered.where))):
            return node
        return attrs.evolve(node, set=filtered.set, where=filtered.where)

    def changed_conditions(
        self, loop: Block, conditions: tuple[m.Expr, ...]
    ) -> tuple[m.Expr, ...]:
        """Return the conditions that a round may change for other members."""
        assert loop.binder is not None
        slot = loop.binder.slot
        written = self.accesses.writes(loop.body, slot)
        return tuple(
            condition
            for condition in conditions
            if self.reads_written_part(condition, slot, written)
        )

    def unchanged_facts(self, node: m.Stmt, facts: Facts) -> Facts:
        """Return the facts whose definitions read nothing that a statement writes."""
        with_calls = [
            fact for fact in facts if any(find(fact, (m.CallDefine, m.PlayerPoints)))
        ]
        if not with_calls:
            return facts
        written = set(self.accesses.node_writes((node,), NO_SLOTS))
        changed = [
            fact for fact in with_calls if self.reads_written_part(fact, m.YOU, written)
        ]
        return tuple(fact for fact in facts if fact not in changed)

    def reads_written_part(
        self, condition: m.Expr, slot: int, written: set[Access]
    ) -> bool:
        """Return whether a condition depends on *written* state of other members."""
        read = self.accesses.reads(condition, slot)
        return any(access.conflicts_with(other) for access in read for other in written)
