"""Constant totals: how often each member of a domain occurs in certain fields.

For example, one counter counts how often a hidden field contains each member. Counters
of bags and of fields with a number for each member are added until the sum never
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import attrs

from interpreter.core.facts import PLAYER, Facts
from interpreter.core.layout import Block
from interpreter.relations.indexed_fields import (
    COUNTED_SLOT,
    Cells,
    IndexedField,
    variable,
)
from rulebook import model as m
from rulebook.tooling import StatePart

MAX_COUNTERS = 3
"""Maximum number of counters in a total."""

MIN_CHANGES = 3
"""Minimum number of changes of the hidden fields before a total is accepted."""

NUMBER = m.Whole(0, 1_000_000)

Counts = tuple[int, ...]
"""Counts for each member of a domain, or for each player and member."""


@attrs.frozen(eq=False)
class Counter:
    """Counter of the members in a field, from cells or as an expression.

    `part` is the key of the field. `count` returns the expression for a player (ignored
    for a field of the game) and a member. `hidden` is the field if it is hidden and not
    a bag.
    """

    part: str
    each_player: bool
    reader: Callable[[Cells], Counts]
    count: Callable[[m.Expr, m.Expr], m.Expr]
    hidden: IndexedField | None = None


@attrs.define(eq=False)
class Total:
    """Sum of counters; `first` is its first value.

    `changed` counts how often a hidden field changed; `last` contains the last values
    of the hidden fields.
    """

    kind: str
    counters: tuple[Counter, ...]
    players: int
    size: int
    holds: bool = True
    first: Counts = ()
    last: list[list[Any]] = attrs.field(factory=list)
    changed: int = 0

    @property
    def parts(self) -> frozenset[StatePart]:
        """Fields that the total reads."""
        return frozenset(StatePart.field(counter.part) for counter in self.counters)

    @property
    def is_supported(self) -> bool:
        """Whether the total stayed constant while its hidden fields changed enough."""
        return self.holds and self.changed >= MIN_CHANGES

    def implies(self, other: Total) -> bool:
        """Return whether *other* follows because it only has additional counters."""
        return set(self.counters) < set(other.counters)

    def begin(self) -> None:
        """Start a game, so that new values of the fields do not count as changes."""
        self.last = []

    def observe(self, s: Cells) -> None:
        """Add up the counters in a position and compare the total."""
        rows = [counter.reader(s) for counter in self.counters]
        total = tuple(map(sum, zip(*rows, strict=True)))
        hidden = [c.hidden.values(s) for c in self.counters if c.hidden is not None]
        self.changed += bool(self.last) and hidden != self.last
        self.last, self.first = hidden, self.first or total
        self.holds = total == self.first

    def statements(self) -> Iterator[m.Stmt]:
        """Yield `require` statements for the total, for each player and member."""
        for number, total in enumerate(self.first):
            player, member = divmod(number, self.size)
            whose = m.constant(player, m.Member(PLAYER))
            which = m.constant(member, m.Member(self.kind))
            added, *more = [counter.count(whose, which) for counter in self.counters]
            for count in more:
                added = m.add(added, count, NUMBER)
            yield m.Require(m.equal(added, total))


def totals(
    facts: Facts, hidden: list[IndexedField], public: list[IndexedField]
) -> Iterator[Total]:
    """Yield the totals to test, those with fewer counters first."""
    kinds = dict.fromkeys(
        field.type.domain for field in hidden if isinstance(field.type, m.Member)
    )
    for kind in kinds:
        counters = [
            *value_counters(facts, kind, hidden, public),
            *bag_counters(facts, kind),
        ]
        for each_player in (True, False):
            group = [x for x in counters if x.each_player is each_player]
            players = facts.players if each_player else 1
            for number in range(1, MAX_COUNTERS + 1):
                for subset in combinations(group, number):
                    if any(counter.hidden is not None for counter in subset):
                        yield Total(kind, subset, players, facts.sizes[kind])


def value_counters(
    facts: Facts, kind: str, hidden: list[IndexedField], public: list[IndexedField]
) -> Iterator[Counter]:
    """Yield counters of fields that contain members of *kind*, or a number for each."""
    for field in (*hidden, *public):
        secret = field if field in hidden else None
        match field.type:
            case m.Member(domain=domain) if domain == kind:
                yield Counter(
                    field.key,
                    field.shape[0],
                    member_reader(facts, field),
                    count_expression(field),
                    secret,
                )
            case m.Whole() if field.shape[1] == kind:
                yield Counter(
                    field.key,
                    field.shape[0],
                    number_reader(field),
                    field.value_expression,
                    secret,
                )
            case _:
                pass


def member_reader(facts: Facts, field: IndexedField) -> Callable[[Cells], Counts]:
    """Return a function that reads how often a field contains each member."""
    assert isinstance(field.type, m.Member)
    kinds = range(facts.sizes[field.type.domain])

    def read(s: Cells) -> Counts:
        values = field.values(s)
        rows = [
            values[at : at + field.size] for at in range(0, len(values), field.size)
        ]
        return tuple([row.count(kind) for row in rows for kind in kinds])

    return read


def number_reader(field: IndexedField) -> Callable[[Cells], Counts]:
    """Return a function that reads the numbers in a field."""
    return lambda s: tuple(field.values(s))


def count_expression(field: IndexedField) -> Callable[[m.Expr, m.Expr], m.Expr]:
    """Return a builder of the expression that counts a member in a field."""
    kind = field.shape[1]

    def count(player: m.Expr, member: m.Expr) -> m.Expr:
        index = variable(COUNTED_SLOT, kind or PLAYER)
        value = field.value_expression(player, index)
        same = m.equal(value, member)
        if kind is None:
            once, never = m.constant(1, NUMBER), m.constant(0, NUMBER)
            return m.Conditional(same, once, never, type=NUMBER)
        return m.CountMembers(COUNTED_SLOT, kind, m.all_of(kind), same, type=NUMBER)

    return count


def bag_counters(facts: Facts, kind: str) -> Iterator[Counter]:
    """Yield the counters of the bags with cards of a domain."""
    for block in facts.layout.fields.values():
        field = block.field
        if not isinstance(field.type, m.Bag) or field.type.domain != kind:
            continue
        if not field.endless and (field.owner is None or field.each_player):
            yield Counter(
                field.key,
                field.each_player,
                card_reader(block),
                bag_count_expression(block),
            )


def card_reader(block: Block) -> Callable[[Cells], Counts]:
    """Return a function that reads the cards in bags."""

    def read(s: Cells) -> Counts:
        rows = [block.row(owner) for owner in range(block.count)]
        return tuple([n for row in rows for n in s[row : row + block.size]])

    return read


def bag_count_expression(block: Block) -> Callable[[m.Expr, m.Expr], m.Expr]:
    """Return a builder of the expression that counts a member in a bag."""
    field = block.field

    def count(player: m.Expr, member: m.Expr) -> m.Expr:
        owner = player if field.each_player else None
        holder = m.field_value(field.key, owner, field.type)
        return m.CountIn(holder, member, type=NUMBER)

    return count
