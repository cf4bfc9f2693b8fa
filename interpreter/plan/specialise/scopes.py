"""Analysis of the members whose fields an expression may read.

It uses the rules and the constant data of the board, and is valid for every state. If
the state determines whose field is read, the result includes every member. The result
can be larger than what an engine reads, but never smaller.
"""

from __future__ import annotations

import itertools
from typing import Any

from interpreter.core.dependencies import children
from interpreter.core.facts import Facts
from interpreter.plan.specialise.constants import OVER_SETS, VALUES
from interpreter.plan.specialise.terms import rebuilt
from rulebook import model as m
from rulebook import tooling

TOGETHER = 256
"""Maximum number of combinations of values that are tried for an expression's parts."""

Values = frozenset[int] | None
"""Possible values of an expression (for a set: its possible members); None is any
value.
"""

Given = dict[int, Values]
"""Possible values of variables, by slot; variables that are missing may have
any value.
"""

SCALARS = (m.Member, m.Whole, m.Truth)
PLAIN = (m.And, m.Or, m.FieldValue, m.AllOf, m.Numbers, m.Measure, *VALUES)
"""Expressions that bind no variable and only evaluate their parts."""

OF_MEMBERS = (m.Filter, m.Find, m.Best, m.Sorted)
"""Expressions whose value is a member, or members, of a set."""


class Scopes:
    """Finder of the members whose value in one field an expression may read."""

    def __init__(self, facts: Facts, field: str) -> None:
        self.facts = facts
        self.field = field
        self.part = tooling.StatePart.field(field)
        self.everywhere = tuple(range(facts.layout.fields[field].count))
        self.asks: dict[int, tuple[Any, bool]] = {}
        self.called: dict[Any, Values] = {}

    def of(self, e: m.Expr, members: dict[int, int]) -> tuple[int, ...]:
        """Return the members whose field may decide an expression, in order."""
        read = self.read(e, {slot: frozenset({x}) for slot, x in members.items()})
        return self.everywhere if read is None else tuple(sorted(read))

    def reads(self, e: Any) -> bool:
        """Return whether an expression reads the field, directly or in a definition."""
        if id(e) not in self.asks:
            self.asks[id(e)] = (e, self.part in self.facts.reads.of(e))
        return self.asks[id(e)][1]

    # ------------------------------------------------------------------- reads

    def read(self, e: Any, given: Given) -> Values:
        """Return the members whose field an expression may read."""
        if not self.reads(e):
            return frozenset()
        match e:
            case m.CallDefine():
                return self.calls(e, given)
            case _ if type(e) in OVER_SETS:
                inside = {**given, e.slot: self.values(e.set, given)}
                return self.joined(
                    [self.read(x, given if x is e.set else inside) for x in children(e)]
                )
            case _ if not isinstance(e, PLAIN):
                return None
        read = [self.read(part, given) for part in children(e)]
        if isinstance(e, m.FieldValue) and self.facts.key(e.field, e.owner) == (
            self.field
        ):
            owners = None if e.owner is None else self.values(e.owner, given)
            read.append(owners and frozenset([x for x in owners if x >= 0]))
        return self.joined(read)

    def calls(self, e: m.CallDefine, given: Given) -> Values:
        """Return the members whose field a call of a definition may read."""
        read = [self.read(argument, given) for argument in e.arguments]
        return self.joined([*read, self.by_define(e, given, self.read)])

    def by_define(self, e: m.CallDefine, given: Given, asked: Any) -> Values:
        """Return the union of the results of *asked* for the lines of a definition."""
        define = self.facts.model.defines[e.define]
        arguments = [self.values(argument, given) for argument in e.arguments]
        key = (asked.__name__, e.define, *arguments)
        if key not in self.called:
            inside = {
                parameter.slot: argument
                for parameter, argument in zip(
                    define.parameters, arguments, strict=True
                )
            }
            wanted = children(define.lines)
            if asked == self.values:
                wanted = [line.value for line in define.lines]
            else:
                wanted = [part for line in wanted for part in children(line)]
            self.called[key] = self.joined([asked(part, inside) for part in wanted])
        return self.called[key]

    def joined(self, read: list[Values]) -> Values:
        """Return the union of sets of members; None if one of them is None."""
        joined: frozenset[int] = frozenset()
        for members in read:
            if members is None:
                return None
            joined |= members
        return joined

    # -------------------------------------------------------------- possible values

    def values(self, e: m.Expr, given: Given) -> Values:
        """Return the members or numbers that an expression may have as its value."""
        match e:
            case m.Const(value=tuple() as value) if not isinstance(e.type, m.Bag):
                return frozenset(value)
            case m.Const(value=int() as value):
                return frozenset({value})
            case m.Local(slot=slot):
                return given.get(slot)
            case m.AllOf(domain=domain):
                return frozenset(range(self.facts.sizes[domain]))
            case m.CallDefine():
                return self.of_define(e, given)
            case (
                m.Related() | m.ColumnValue() | m.OwnSpaces() | m.SpaceAt() | m.Arith()
            ):
                return self.worked_out(e, given)
            case _ if isinstance(e, OF_MEMBERS):
                members = self.values(e.set, given)
                return members and members | {m.NONE}
            case m.Only():
                members = self.values(e.set, given)
                return members and members | {m.NONE}
            case _:
                return None

    def of_define(self, e: m.CallDefine, given: Given) -> Values:
        """Return the possible values of a call of a definition."""
        if not isinstance(e.type, m.Member | m.SetOf):
            return None
        values = self.by_define(e, given, self.values)
        return None if values is None else values | {m.NONE}

    def worked_out(self, e: m.Expr, given: Given) -> Values:
        """Return the values of an expression for all combinations of values of its
        parts.
        """
        parts = children(e)
        if not all(isinstance(part.type, SCALARS) for part in parts):
            return None
        each = [self.values(part, given) for part in parts]
        known = [sorted(values) for values in each if values is not None]
        combinations = 1
        for values in known:
            combinations *= len(values)
        if len(known) < len(each) or combinations > TOGETHER:
            return None
        may_be: set[int] = set()
        for combination in itertools.product(*known):
            fixed: dict[int, m.Expr] = {
                id(part): m.Const(value=value, type=part.type)
                for part, value in zip(parts, combination, strict=True)
            }
            value = VALUES[type(e)](self.facts, with_parts(e, fixed))
            may_be.update(value if isinstance(value, tuple) else (value,))
        return frozenset(may_be)


def with_parts(e: m.Expr, parts: dict[int, m.Expr]) -> Any:
    """Return an expression with its parts replaced, by their identities."""
    return rebuilt(e, lambda part, _: parts[id(part)])
