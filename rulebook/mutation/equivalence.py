"""Detection of mutants that are known to behave like the original rules.

Swapping two neighbours has no effect if neither writes what the other reads or writes,
no choice or draw comes in between, and neither ends anything. Doubling a
statement has no effect if it sets values and reads nothing that it writes. The same is
true if it shuffles, sets the starting player, or deals all cards that can be dealt. All
other changes may have an effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

from rulebook import model as m
from rulebook.queries.accesses import Access, AccessAnalysis, CodeRun
from rulebook.queries.calls import body_of
from rulebook.queries.reads import ReadFinder
from rulebook.queries.state_parts import ACTIVE, TURN, StatePart
from rulebook.signatures import (
    Effects,
    Ending,
    Failure,
    TurnState,
    VariablePlace,
    effects_of,
    effects_within,
)
from rulebook.source.spans import Span
from rulebook.traversal import walk

NO_SLOT = -1
"""Slot that no variable has; with it, accesses are not limited to one member."""
StatementGroup = tuple[m.Stmt, ...]
"""Model statements made from one statement of a rule file."""


class EquivalenceDetector:
    """Detector of changes to a model's code that have no effect."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.access_analysis = AccessAnalysis(model)
        self.read_finder = ReadFinder(model)

    def is_ineffective_swap(self, first: Span) -> bool:
        """True if swapping the statement at a span with the next one has no effect."""
        pairs = [
            pair
            for row in self.sequences
            for pair in pairwise(row)
            if pair[0][0].span == first
        ]
        return bool(pairs) and all(self.are_independent(*pair) for pair in pairs)

    def is_ineffective_double(self, place: Span) -> bool:
        """Return whether doubling the statement at a span has no effect."""
        groups = [
            group for row in self.sequences for group in row if group[0].span == place
        ]
        return bool(groups) and all(map(self.is_idempotent, groups))

    @cached_property
    def sequences(self) -> list[list[StatementGroup]]:
        """Sequences of adjacent statement groups in all procedures and actions."""
        rows: list[StatementGroup] = []
        codes: list[m.Procedure | m.Action] = [
            *self.model.procedures.values(),
            *self.model.actions.values(),
        ]
        for code in codes:
            nodes: list[Any] = [code, *walk(code.body)]
            rows += [row for node in nodes for row in statement_sequences(node)]
        return [
            [tuple(group) for _, group in groupby(row, key=lambda part: part.span)]
            for row in rows
        ]

    def are_independent(self, first: StatementGroup, second: StatementGroup) -> bool:
        """Return whether two groups can run in either order."""
        if not all(
            self.all_effects_match(only_reads_and_writes, group)
            for group in (first, second)
        ):
            return False
        mine, theirs = (
            self.access_analysis.writes(g, NO_SLOT) for g in (first, second)
        )
        seen_here, seen_there = self.reads(first), self.reads(second)
        return not (
            have_conflicting_accesses(mine, theirs | seen_there)
            or have_conflicting_accesses(theirs, seen_here)
        )

    def is_idempotent(self, group: StatementGroup) -> bool:
        """Return whether running a group a second time has no effect."""
        if len(group) == 1:
            effects, node = effects_of(group[0]), group[0]
            if effects.label is not None and len(effects.blocks[0].body) == 1:
                return self.is_idempotent(effects.blocks[0].body)
            if effects.dealt_domain is not None:
                return self.is_complete_deal(node)
            if m.is_field(effects.shuffled_stack):
                stack = effects.shuffled_stack
                part = StatePart.field(stack.field)
                return self.reads_none_of((part,), stack.owner)
            for write in effects.writes:
                if write.place is TurnState.FIRST_PLAYER:
                    return self.reads_none_of((ACTIVE, TURN), write.value)
        if not self.all_effects_match(is_repeatable, group):
            return False
        return not have_conflicting_accesses(
            self.access_analysis.writes(group, NO_SLOT), self.reads(group)
        )

    def is_complete_deal(self, spread: Any) -> bool:
        """Return whether a deal leaves no card undealt, or no member without a card.

        A member with a card keeps it, and the card counts as dealt. So each card must
        differ from an empty field. Neither the members of the deal nor any trigger that
        runs during the deal may depend on the dealt cards.
        """
        field = StatePart.field(spread.field)
        others = {Access(field)} | self.access_analysis.reads(spread.set, NO_SLOT)
        return (
            spread.condition is None
            and self.is_distinguishable_deal(spread)
            and self.reads_none_of((field,), spread.set)
            and not have_conflicting_accesses(
                self.access_analysis.trigger_writes, others
            )
        )

    def is_distinguishable_deal(self, spread: Any) -> bool:
        """Return whether each dealt value can be distinguished from an empty field."""
        kind = self.model.fields[spread.field].type
        if isinstance(kind, m.Stack) or spread.column is None:
            return not isinstance(kind, m.Stack)
        nothing = {m.NONE} if isinstance(kind, m.Member) else {m.NONE, 0}
        values = self.model.domains[spread.cards].columns[spread.column].values
        return nothing.isdisjoint(values)

    def reads_none_of(self, parts: tuple[StatePart, ...], value: m.Expr | None) -> bool:
        """Return whether a value reads none of the given parts of the state."""
        return not set(parts) & set(self.read_finder.parts_read(value))

    def all_effects_match(
        self, predicate: Callable[[Effects], bool], group: StatementGroup
    ) -> bool:
        """Return whether all effects of a group and its calls match the predicate."""
        bodies = [
            group,
            *(body_of(self.model, run.name) for run in self.called_procedures(group)),
        ]
        return all(map(predicate, effects_within(*bodies)))

    def called_procedures(self, group: StatementGroup) -> list[CodeRun]:
        """Return the procedures that a group of statements runs."""
        first = self.access_analysis.units_in(group, frozenset())
        return list(
            self.access_analysis.reachable_runs(first, self.access_analysis.units_of)
        )

    def reads(self, group: StatementGroup) -> set[Access]:
        """Return the reads of a group of statements, including all that they call."""
        accesses = self.access_analysis.reads(group, NO_SLOT)
        for run in self.called_procedures(group):
            inside = self.access_analysis.reads(body_of(self.model, run.name), NO_SLOT)
            accesses |= {access for access in inside if not access.is_variable}
        return accesses


def only_reads_and_writes(effects: Effects) -> bool:
    """Return whether a statement only reads state and writes fields or pieces."""
    return not (
        effects.may_wait
        or effects.ends is not Ending.NOTHING
        or Failure.UNTRUE in effects.failures
        or any(run.code is None for run in effects.runs)
        or any(
            isinstance(write.place, VariablePlace | TurnState)
            for write in effects.writes
        )
    )


def is_repeatable(effects: Effects) -> bool:
    """Return whether a statement has no effect when repeated with unchanged inputs."""
    return only_reads_and_writes(effects) and all(
        write.value is not None for write in effects.writes
    )


def statement_sequences(node: Any) -> Iterator[StatementGroup]:
    """Yield the sequences of statements directly inside a node."""
    for name in ("body", "otherwise"):
        row = getattr(node, name, None)
        if isinstance(row, tuple) and row:
            yield row


def have_conflicting_accesses(
    first_accesses: set[Access], second_accesses: set[Access]
) -> bool:
    """Return whether any access in one set conflicts with one in the other."""
    return any(
        here.conflicts_with(there)
        for here in first_accesses
        for there in second_accesses
    )


__all__ = ["EquivalenceDetector"]
