"""Tests of a deal: its condition, split into parts that are evaluated separately.

The work counted by the search for a deal depends on the number of tests and on the
cards already known. Both are derived from the rules, so they do not depend on passes
or on the engine. A condition is split at `and`, at conditions forbidden for every
member of a set, and inside definitions that consist of one condition. Each test is
about some members and may read the cards of some spaces. A test can be evaluated as
soon as these cards are dealt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs

from interpreter.algorithms.constrained_deal import Deal, DealTest
from interpreter.core.dependencies import walk
from interpreter.core.facts import Facts
from interpreter.expressions.constants import Constants
from interpreter.plan.deals.scopes import Scopes
from interpreter.plan.deals.substitution import Substitution
from interpreter.plan.deals.value_classes import representatives
from rulebook import model as m
from rulebook import tooling

FIRST_TEST_SLOT = 1_000_000
"""First slot of the variables in tests; all other slots are smaller."""

MAX_ALTERNATIVES = 64
"""Maximum number of tests into which a condition is split at `or` within `and`."""

MAX_READS = 100_000
"""Maximum number of spaces that tests read; with more, a condition is not split."""

Members = tuple[int, ...]


class TestSubject(NamedTuple):
    """Members for the slots of a test, and the members whose cards decide it."""

    members: Members
    scope: Members


@attrs.frozen
class ForbiddenCondition(m.Part):
    """Condition on variables that must be false for each subject in `each`."""

    slots: Members
    each: tuple[TestSubject, ...]
    never: m.Expr


def forms_of(facts: Facts, spread: m.Spread) -> tuple[ForbiddenCondition, ...]:
    """Return the tests of a deal, from its condition."""
    field, condition = spread.field, spread.condition
    if condition is None:
        return ()
    taken = list(ConditionSplitter(facts, field).split(condition))
    scopes = Scopes(facts, field)

    def subject(slots: Members, row: Members, never: m.Expr) -> TestSubject:
        return TestSubject(
            row, scopes.scope_of(never, dict(zip(slots, row, strict=True)))
        )

    forms = [
        ForbiddenCondition(
            slots, tuple([subject(slots, row, never) for row in rows]), never
        )
        for slots, rows, never in taken
    ]
    if sum([len(of.scope) for form in forms for of in form.each]) > MAX_READS:
        forms = [
            ForbiddenCondition(
                (), (TestSubject((), scopes.everywhere),), m.negation(condition)
            )
        ]
    return tuple(forms)


def make_deal(facts: Facts, spread: m.Spread, values: tuple[Any, ...]) -> Deal:
    """Return the fixed data of a deal, as the book specifies it."""
    forms = forms_of(facts, spread)
    tests = [
        DealTest(number, of.members, of.scope)
        for number, form in enumerate(forms)
        for of in form.each
    ]
    kinds = representatives(facts, spread.field, [form.never for form in forms], values)
    return Deal(values, kinds, tuple(tests))


Alternative = tuple[int | None, tuple[Members, ...], tuple[m.Expr, ...]]
"""Replacement for a part of a condition: a new slot or None, rows, and conditions.
The rows contain the members of all slots, including the new slot.
"""


class ConditionSplitter:
    """Splitter of a forbidden condition into tests."""

    def __init__(self, facts: Facts, field: str) -> None:
        self.facts = facts
        self.part = tooling.StatePart.field(field)
        self.renamed = Substitution(FIRST_TEST_SLOT)
        self.constants = Constants(facts)
        self.remaining_alternatives = MAX_ALTERNATIVES

    def split(self, condition: m.Expr) -> Iterator[tuple[Members, Any, m.Expr]]:
        """Yield the tests of a condition: slots, rows of members, forbidden part."""
        whole = self.renamed.substitute(m.negation(condition), {})
        yield from self.split_parts((), ((),), (whole,))

    def split_parts(
        self, slots: Members, rows: tuple[Members, ...], parts: tuple[m.Expr, ...]
    ) -> Iterator[tuple[Members, Any, m.Expr]]:
        """Yield the tests of a forbidden conjunction of parts."""
        for place, part in enumerate(parts):
            opened = self.alternatives(part, slots, rows, alone=len(parts) == 1)
            if opened is None:
                continue
            for slot, further, instead in opened:
                more = slots if slot is None else (*slots, slot)
                left = (*parts[:place], *instead, *parts[place + 1 :])
                yield from self.split_parts(more, further, left)
            return
        yield slots, rows, m.conjunction(parts)

    def alternatives(
        self, e: m.Expr, slots: Members, rows: tuple[Members, ...], *, alone: bool
    ) -> list[Alternative] | None:
        """Return the alternatives into which a part is split, or None if it is not."""
        match e:
            case m.And(parts=parts):
                return [(None, rows, parts)]
            case m.Not(value=m.Not(value=value)):
                return [(None, rows, (value,))]
            case m.Not(value=m.Or(parts=parts)):
                return [(None, rows, tuple([m.negation(part) for part in parts]))]
            case m.Or(parts=parts) if self.is_worth_splitting(e, alone=alone):
                return [(None, rows, (part,)) for part in parts]
            case m.Not(value=m.And(parts=parts)) if self.is_worth_splitting(
                e, alone=alone
            ):
                return [(None, rows, (m.negation(part),)) for part in parts]
            case m.Exists():
                return self.member_alternatives(e, slots, rows)
            case m.CallDefine() if (whole := self.definition_body(e)) is not None:
                return [(None, rows, (whole,))]
            case m.Not(value=m.CallDefine() as call) if (
                whole := self.definition_body(call)
            ) is not None:
                return [(None, rows, (m.negation(whole),))]
            case _:
                return None

    def is_worth_splitting(self, e: Any, *, alone: bool) -> bool:
        """Return whether it pays to test the parts of an `or` separately.

        It always does if *alone*: the condition has no other parts.
        """
        if alone:
            return True
        parts = e.parts if isinstance(e, m.Or) else e.value.parts
        if len(parts) > self.remaining_alternatives or not self.has_iteration(e):
            return False
        self.remaining_alternatives //= len(parts)
        return True

    def has_iteration(self, e: m.Expr) -> bool:
        """Return whether an expression or a called definition iterates over a set."""
        met: set[str] = set()
        waiting: list[Any] = [e]
        while waiting:
            for part in walk(waiting.pop()):
                if isinstance(part, m.Exists):
                    return True
                if isinstance(part, m.CallDefine) and part.define not in met:
                    met.add(part.define)
                    waiting.extend(self.facts.model.defines[part.define].lines)
        return False

    def definition_body(self, e: m.CallDefine) -> m.Expr | None:
        """Return a definition's only expression if it reads the cards, else None."""
        define = self.facts.model.defines[e.define]
        if self.part not in self.facts.read_finder.parts_read(*define.lines):
            return None
        body = tooling.single_expression(define)
        if body is None:
            return None
        slots = [parameter.slot for parameter in define.parameters]
        given = dict(zip(slots, e.arguments, strict=True))
        whole: m.Expr = self.renamed.substitute(body, given)
        return whole

    def member_alternatives(
        self, e: m.Exists, slots: Members, rows: tuple[Members, ...]
    ) -> list[Alternative] | None:
        """Return the alternatives for the members of a set, or None if not possible."""
        where = () if e.where is None else (e.where,)
        among = e.set
        assert isinstance(among.type, m.SetOf)
        if isinstance(among, m.Filter):
            moved = self.renamed.substitute(among.where, {among.slot: e.slot})
            both = m.conjunction((moved, *where))
            return [(None, rows, (attrs.evolve(e, set=among.set, where=both),))]
        further = self.rows_with(among, slots, rows)
        if further is not None or among.type.domain is None:
            return None if further is None else [(e.slot, further, where)]
        domain = among.type.domain
        further = self.rows_with(m.all_of(domain), slots, rows)
        member = m.variable(e.slot, e.name, m.Member(domain))
        is_in = m.contains(among, member)
        return None if further is None else [(e.slot, further, (is_in, *where))]

    def rows_with(
        self, members: m.Expr, slots: Members, rows: tuple[Members, ...]
    ) -> tuple[Members, ...] | None:
        """Return the rows extended by each member, or None if the set varies."""
        further: list[Members] = []
        for row in rows:
            listed = self.constants.members(members, dict(zip(slots, row, strict=True)))
            if listed is None or len(further) + len(listed) > MAX_READS:
                return None
            further += [(*row, member) for member in listed]
        return tuple(further)
