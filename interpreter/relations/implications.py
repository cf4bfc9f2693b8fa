"""Implications from public facts to hidden values, tested in trial games.

For example, a hidden value is none if and only if a space has no piece, or a hidden
value equals a public value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from interpreter.core.facts import PLAYER, Facts
from interpreter.core.layout import PieceCells
from interpreter.relations.indexed_fields import (
    MEMBER_SLOT,
    PLAYER_SLOT,
    THE_PLAYER,
    Cells,
    IndexedField,
    Shape,
    variable,
)
from rulebook import model as m
from rulebook.tooling import StatePart

MIN_CASES = 10
"""Minimum number of cases in which an implication must have been tested."""


@attrs.frozen(eq=False)
class Fact:
    """Condition with a value for each index of a shape.

    `reader` evaluates the condition from cells. `parts` are the fields and pieces that
    the condition reads.
    """

    condition: m.Expr
    reader: Callable[[Cells], list[bool]]
    parts: frozenset[StatePart]

    @property
    def negation(self) -> Fact:
        """Fact that the condition is false."""
        return Fact(
            m.negation(self.condition),
            lambda s: [not holds for holds in self.reader(s)],
            self.parts,
        )


@attrs.define(eq=False)
class Implication:
    """Implication for each index of a shape: all premises imply the conclusion.

    `tested_cases` counts the cases in which the premises were true, and
    `refutable_cases` the cases in which the conclusion was false.
    """

    shape: Shape
    premises: tuple[Fact, ...]
    conclusion: Fact
    holds: bool = True
    tested_cases: int = 0
    refutable_cases: int = 0

    @property
    def parts(self) -> frozenset[StatePart]:
        """Fields and pieces that the implication reads."""
        facts = (*self.premises, self.conclusion)
        return frozenset[StatePart]().union(*[fact.parts for fact in facts])

    @property
    def is_supported(self) -> bool:
        """Whether enough cases tested the implication and none refuted it."""
        return self.holds and min(self.tested_cases, self.refutable_cases) >= MIN_CASES

    def implies(self, other: Implication) -> bool:
        """Return whether *other* follows because it only has additional premises."""
        fewer = set(self.premises) < set(other.premises)
        return fewer and self.conclusion is other.conclusion

    def observe(self, s: Cells) -> None:
        """Test the implication in a position."""
        premises_hold = [
            all(row)
            for row in zip(*[fact.reader(s) for fact in self.premises], strict=True)
        ]
        conclusions = self.conclusion.reader(s)
        self.tested_cases += sum(premises_hold)
        self.refutable_cases += conclusions.count(False)
        self.holds = not any(
            premise and not conclusion
            for premise, conclusion in zip(premises_hold, conclusions, strict=True)
        )

    def statement(self) -> m.Stmt:
        """Return a `require` statement for the implication."""
        failing = [fact.negation.condition for fact in self.premises]
        either = m.disjunction((*failing, self.conclusion.condition))
        required: m.Stmt = m.Require(either)
        each_player, kind = self.shape
        if kind is not None:
            required = m.EachMember(
                MEMBER_SLOT, kind, m.all_of(kind), None, (required,)
            )
        if each_player:
            required = m.EachMember(
                PLAYER_SLOT, PLAYER, m.all_of(PLAYER), None, (required,)
            )
        return required


def implications(
    facts: Facts, hidden: list[IndexedField], public: list[IndexedField]
) -> Iterator[Implication]:
    """Yield the implications to test: from public facts to *hidden* fields."""
    for field in hidden:
        premises = [*piece_facts(facts, field), *presence_facts(field, public)]
        presence = presence_fact(field, field)
        if presence is not None:
            for premise in premises:
                yield Implication(field.shape, (premise,), presence)
                yield Implication(field.shape, (premise.negation,), presence.negation)
        for other in public:
            if not is_comparable(field, other):
                continue
            same, presence_of_other = (
                equality_fact(field, other),
                presence_fact(field, other),
            )
            for premise in premises:
                yield Implication(field.shape, (premise,), same)
            if presence_of_other is None:
                continue
            for premise in piece_facts(facts, field):
                yield Implication(field.shape, (presence_of_other, premise), same)


def has_value_for_each(field: IndexedField, other: IndexedField) -> bool:
    """Return whether *other* has one value for each value of *field*."""
    each_player, kind = field.shape
    also_each, other_kind = other.shape
    return other_kind == kind and (each_player or not also_each)


def is_comparable(field: IndexedField, other: IndexedField) -> bool:
    """Return whether *other* has a value of the same type for each value of *field*."""
    match field.type, other.type:
        case m.Member(domain=domain), m.Member(domain=other_domain):
            return domain == other_domain and has_value_for_each(field, other)
        case m.Whole(), m.Whole():
            return has_value_for_each(field, other)
        case _:
            return False


def value_of(field: IndexedField) -> m.Expr:
    """Return the expression for a field's value at the variables of a relation."""
    return field.value_expression(
        THE_PLAYER, variable(MEMBER_SLOT, field.shape[1] or PLAYER)
    )


def reader(field: IndexedField, other: IndexedField) -> Callable[[Cells], list[object]]:
    """Return a function that reads a value of *other* for each value of *field*."""
    times = field.players // other.players
    return lambda s: other.values(s) * times


def presence_facts(field: IndexedField, public: list[IndexedField]) -> Iterator[Fact]:
    """Yield the facts that public fields are not none, or are true."""
    for other in public:
        if has_value_for_each(field, other):
            fact = presence_fact(field, other)
            if fact is not None:
                yield fact


def presence_fact(field: IndexedField, other: IndexedField) -> Fact | None:
    """Return the fact that *other* is true or not none; None for other types."""
    read, value = reader(field, other), value_of(other)
    match other.type:
        case m.Truth():
            return Fact(
                value,
                lambda s: [bool(x) for x in read(s)],
                frozenset({StatePart.field(other.key)}),
            )
        case m.Member(optional=True):
            return Fact(
                m.presence(value),
                lambda s: [x != m.NONE for x in read(s)],
                frozenset({StatePart.field(other.key)}),
            )
        case _:
            return None


def equality_fact(field: IndexedField, other: IndexedField) -> Fact:
    """Return the fact that the values of two fields are equal."""
    left, right = reader(field, field), reader(field, other)
    return Fact(
        m.equal(value_of(field), value_of(other)),
        lambda s: [x == y for x, y in zip(left(s), right(s), strict=True)],
        frozenset({StatePart.field(field.key), StatePart.field(other.key)}),
    )


def piece_facts(facts: Facts, field: IndexedField) -> Iterator[Fact]:
    """Yield the facts that a space has a piece, or, if owned, the player's piece."""
    each_player, kind = field.shape
    for name, cells in facts.layout.pieces.items():
        if kind is None or kind not in cells.bases:
            continue
        own = each_player and facts.model.pieces[name].each_player
        owner, space = THE_PLAYER if own else None, variable(MEMBER_SLOT, kind)
        yield Fact(
            m.piece_on(name, owner, space),
            piece_reader(cells, kind, field, own=own),
            frozenset({StatePart.piece(name)}),
        )


def piece_reader(
    cells: PieceCells, kind: str, field: IndexedField, *, own: bool
) -> Callable[[Cells], list[bool]]:
    """Return a function that reads whether spaces have a piece; *own*: the player's."""
    base, owners, size = cells.bases[kind], cells.owners, field.size

    def read(s: Cells) -> list[bool]:
        present: list[bool] = []
        for player in range(field.players):
            for space in range(size):
                if not owners:
                    owner = s[base + space]
                    present.append(owner == player if own else owner >= 0)
                else:
                    row = s[base + space * owners : base + (space + 1) * owners]
                    present.append(row[player] > 0 if own else any(row))
        return present

    return read
