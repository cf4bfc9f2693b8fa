"""Detection of mutants that are known to behave like the original rules.

Swapping two neighbours has no effect if neither writes what the other reads or writes,
nobody is asked and nothing drawn in between, and neither ends anything. Doubling a
statement has no effect if it sets values and reads nothing that it writes. The same is
true if it shuffles, sets the starting player, or deals all cards that can be dealt. All
other changes may have an effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

from rulebook import model as m
from rulebook.queries.accesses import Run, Touch, Touches, may_settle
from rulebook.queries.calls import body_of
from rulebook.queries.reads import Reads
from rulebook.queries.state_parts import ACTIVE, TURN, StatePart, field_part
from rulebook.source.spans import Span
from rulebook.traversal import walk

NOBODY = -1
"""Slot that no variable has; with it, accesses are not limited to one member."""
PLAIN = (
    *(m.SetField, m.MoveCards, m.MoveAll, m.Shuffle, m.Call),
    *(m.PlacePiece, m.RemovePiece, m.MovePiece),
    *(m.If, m.Step, m.Each, m.Repeat),
)
"""Statements whose only effect is what they read and write."""
AGAIN = (m.SetField, m.Call, m.If, m.Step, m.Each)
"""Statements that have no effect when repeated with unchanged inputs."""
Group = tuple[m.Stmt, ...]
"""Model statements made from one statement of a rule file."""


class Idle:
    """Detector of changes to a model's code that have no effect."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.touches = Touches(model)
        self.parts = Reads(model)

    def is_swap(self, first: Span) -> bool:
        """Return whether swapping a statement with the next one has no effect."""
        pairs = [
            pair
            for row in self.rows
            for pair in pairwise(row)
            if pair[0][0].span == first
        ]
        return bool(pairs) and all(self.share_nothing(*pair) for pair in pairs)

    def is_double(self, place: Span) -> bool:
        """Return whether doubling the statement at a span has no effect."""
        groups = [group for row in self.rows for group in row if group[0].span == place]
        return bool(groups) and all(map(self.is_done_at_once, groups))

    @cached_property
    def rows(self) -> list[list[Group]]:
        """Sequences of adjacent statements in all code that comes from the file."""
        rows: list[Group] = []
        codes: list[m.Procedure | m.Action] = [
            *self.model.procedures.values(),
            *self.model.actions.values(),
        ]
        for code in codes:
            nodes: list[Any] = [code, *walk(code.body)]
            rows += [row for node in nodes for row in rows_of(node)]
        return [
            [tuple(group) for _, group in groupby(row, key=lambda part: part.span)]
            for row in rows
        ]

    def share_nothing(self, first: Group, second: Group) -> bool:
        """Return whether two groups can run in either order."""
        if not all(self.consists_of(PLAIN, group) for group in (first, second)):
            return False
        mine, theirs = (self.touches.writes(g, NOBODY) for g in (first, second))
        seen_here, seen_there = self.reads(first), self.reads(second)
        return not (meet(mine, theirs | seen_there) or meet(theirs, seen_here))

    def is_done_at_once(self, group: Group) -> bool:
        """Return whether running a group a second time has no effect."""
        match group:
            case (m.Step(body=(only,)),):
                return self.is_done_at_once((only,))
            case (m.Shuffle(stack=m.FieldValue(field=field, owner=owner)),):
                return self.is_apart((field_part(self.model, field, owner),), owner)
            case (m.Starts(who=who),):
                return self.is_apart((ACTIVE, TURN), who)
            case (m.Spread() as spread,):
                return self.deals_all(spread)
        if not self.consists_of(AGAIN, group):
            return False
        return not meet(self.touches.writes(group, NOBODY), self.reads(group))

    def deals_all(self, spread: m.Spread) -> bool:
        """Return whether a deal leaves no card, or no member without a card.

        A member with a card keeps it, and it is counted as dealt. So each card must be
        distinguishable from none. Neither the members of the deal nor any trigger that
        acts between two cards may depend on it.
        """
        field = StatePart.field(spread.field)
        others = {Touch(field)} | self.touches.reads(spread.set, NOBODY)
        return (
            spread.condition is None
            and self.shows(spread)
            and self.is_apart((field,), spread.set)
            and not meet(self.touches.awake, others)
        )

    def shows(self, spread: m.Spread) -> bool:
        """Return whether each dealt value can be distinguished from an empty field."""
        kind = self.model.fields[spread.field].type
        if isinstance(kind, m.Stack) or spread.column is None:
            return not isinstance(kind, m.Stack)
        nothing = {m.NONE} if isinstance(kind, m.Member) else {m.NONE, 0}
        values = self.model.domains[spread.cards].columns[spread.column].values
        return nothing.isdisjoint(values)

    def is_apart(self, parts: tuple[StatePart, ...], value: m.Expr | None) -> bool:
        """Return whether a value reads none of the given parts of the state."""
        return not set(parts) & set(self.parts.of(value))

    def consists_of(self, kinds: tuple[type, ...], group: Group) -> bool:
        """Return whether statements and all that they call are of the given classes."""
        bodies = [group, *(body_of(self.model, run.name) for run in self.runs(group))]
        return all(
            not may_settle(body)
            and all(isinstance(node, kinds) for node in statements_in(body))
            for body in bodies
        )

    def runs(self, group: Group) -> list[Run]:
        """Return the procedures that a group of statements runs."""
        first = self.touches.units_in(group, frozenset())
        return list(self.touches.all_runs(first, self.touches.units_of))

    def reads(self, group: Group) -> set[Touch]:
        """Return the reads of a group of statements, including all that they call."""
        touches = self.touches.reads(group, NOBODY)
        for run in self.runs(group):
            inside = self.touches.reads(body_of(self.model, run.name), NOBODY)
            touches |= {touch for touch in inside if not touch.is_variable}
        return touches


def statements_in(body: Any) -> Iterator[Any]:
    """Yield all statements inside a body."""
    for node in walk(body):
        if isinstance(node, m.Stmt.__args__):
            yield node


def rows_of(node: Any) -> Iterator[Group]:
    """Yield the sequences of statements directly inside a node."""
    for name in ("body", "otherwise"):
        row = getattr(node, name, None)
        if isinstance(row, tuple) and row:
            yield row


def meet(mine: set[Touch], theirs: set[Touch]) -> bool:
    """Return whether some access of one set conflicts with some of the other."""
    return any(here.meets(there) for here in mine for there in theirs)


__all__ = ["Idle"]
