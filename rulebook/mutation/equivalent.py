"""Changes of which it is known that they change nothing.

Neighbours swapped: neither writes what the other one reads or writes, nobody is asked
and nothing drawn in between, and neither ends anything. A statement doubled: it sets,
and reads nothing of what it writes; or it shuffles, says who starts, or deals what is
all dealt then. What is not known to be so is a change.
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
"""A slot that no variable has: what is asked is asked of no member."""
PLAIN = (
    *(m.SetField, m.MoveCards, m.MoveAll, m.Shuffle, m.Call),
    *(m.PlacePiece, m.RemovePiece, m.MovePiece),
    *(m.If, m.Step, m.Each, m.Repeat),
)
"""Statements of which all is known by what they touch."""
AGAIN = (m.SetField, m.Call, m.If, m.Step, m.Each)
"""Statements that do nothing more when they are done again, if what they read stays."""
Group = tuple[m.Stmt, ...]
"""What was made of one statement of a file."""


class Idle:
    """Which changes of a model's code change nothing."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.touches = Touches(model)
        self.parts = Reads(model)

    def is_swap(self, first: Span) -> bool:
        """Whether the statement at a place and the one after it have no order."""
        pairs = [
            pair
            for row in self.rows
            for pair in pairwise(row)
            if pair[0][0].span == first
        ]
        return bool(pairs) and all(self.share_nothing(*pair) for pair in pairs)

    def is_double(self, place: Span) -> bool:
        """Whether the statement at a place does nothing more when it is done again."""
        groups = [group for row in self.rows for group in row if group[0].span == place]
        return bool(groups) and all(map(self.is_done_at_once, groups))

    @cached_property
    def rows(self) -> list[list[Group]]:
        """What follows one another, in all code that was made of the file."""
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
        """Whether two parts can be carried out in either order."""
        if not all(self.consists_of(PLAIN, group) for group in (first, second)):
            return False
        mine, theirs = (self.touches.writes(g, NOBODY) for g in (first, second))
        seen_here, seen_there = self.reads(first), self.reads(second)
        return not (meet(mine, theirs | seen_there) or meet(theirs, seen_here))

    def is_done_at_once(self, group: Group) -> bool:
        """Whether to carry out a part again changes nothing more."""
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
        """Whether a deal leaves no card to be dealt, or nobody without one.

        Who has a card keeps it, and it is counted as dealt. So it must show, and who
        takes part must not hang on it, nor anything that acts between two cards.
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
        """Whether each card that is dealt can be told from nothing."""
        kind = self.model.fields[spread.field].type
        if isinstance(kind, m.Stack) or spread.column is None:
            return not isinstance(kind, m.Stack)
        nothing = {m.NONE} if isinstance(kind, m.Member) else {m.NONE, 0}
        values = self.model.domains[spread.cards].columns[spread.column].values
        return nothing.isdisjoint(values)

    def is_apart(self, parts: tuple[StatePart, ...], value: m.Expr | None) -> bool:
        """Whether a value reads none of some parts of the state."""
        return not set(parts) & set(self.parts.of(value))

    def consists_of(self, kinds: tuple[type, ...], group: Group) -> bool:
        """Whether statements are of some kinds, with all that they call."""
        bodies = [group, *(body_of(self.model, run.name) for run in self.runs(group))]
        return all(
            not may_settle(body)
            and all(isinstance(node, kinds) for node in statements_in(body))
            for body in bodies
        )

    def runs(self, group: Group) -> list[Run]:
        """Return the procedures that are carried out."""
        first = self.touches.units_in(group, frozenset())
        return list(self.touches.all_runs(first, self.touches.units_of))

    def reads(self, group: Group) -> set[Touch]:
        """Return what statements read, with all that they call."""
        touches = self.touches.reads(group, NOBODY)
        for run in self.runs(group):
            inside = self.touches.reads(body_of(self.model, run.name), NOBODY)
            touches |= {touch for touch in inside if not touch.is_variable}
        return touches


def statements_in(body: Any) -> Iterator[Any]:
    """Yield all statements."""
    for node in walk(body):
        if isinstance(node, m.Stmt.__args__):
            yield node


def rows_of(node: Any) -> Iterator[Group]:
    """Yield the rows of statements that a part has itself."""
    for name in ("body", "otherwise"):
        row = getattr(node, name, None)
        if isinstance(row, tuple) and row:
            yield row


def meet(mine: set[Touch], theirs: set[Touch]) -> bool:
    """Whether two sets have something in common."""
    return any(here.meets(there) for here in mine for there in theirs)


__all__ = ["Idle"]
