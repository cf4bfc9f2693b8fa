"""Analysis of the members whose fields an expression may read.

It uses the rules and the constant data of the board, and is valid for every state. If
the state determines whose field is read, the result includes every member. The result
may include members that no engine reads, but never omits one that is read.
"""

from __future__ import annotations

import itertools
from typing import Any

from interpreter.core.dependencies import children
from interpreter.core.facts import Facts
from interpreter.expressions.constants import Constants
from interpreter.kernel.evaluator import Unknown
from interpreter.plan.deals.substitution import rebuild
from rulebook import model as m
from rulebook import tooling

MAX_COMBINATIONS = 256
"""Maximum number of combinations of values tried for an expression's parts."""

Values = frozenset[int] | None
"""Possible values of an expression, or members of a set; None means any value."""

VariableValues = dict[int, Values]
"""Possible values of variables by slot; a missing variable may have any value."""

SCALARS = (m.Member, m.Whole, m.Truth)


class Scopes:
    """Finder of the members for which an expression may read one field."""

    def __init__(self, facts: Facts, field: str) -> None:
        self.facts = facts
        self.field = field
        self.part = tooling.StatePart.field(field)
        self.everywhere = tuple(range(facts.layout.fields[field].count))
        self.reads_by_id: dict[int, tuple[Any, bool]] = {}
        self.called: dict[Any, Values] = {}
        self.rebuilt_forms: dict[int, tuple[m.Expr, m.Expr]] = {}
        self.constants = Constants(facts)

    def scope_of(self, e: m.Expr, members: dict[int, int]) -> tuple[int, ...]:
        """Return the members whose field *e* may read, given each slot's member."""
        read = self.read_members(
            e, {slot: frozenset({x}) for slot, x in members.items()}
        )
        return self.everywhere if read is None else tuple(sorted(read))

    def reads_field(self, e: Any) -> bool:
        """Return whether an expression reads the field, directly or in a definition."""
        if id(e) not in self.reads_by_id:
            self.reads_by_id[id(e)] = (
                e,
                self.part in self.facts.read_finder.parts_read(e),
            )
        return self.reads_by_id[id(e)][1]

    # ------------------------------------------------------------------- reads

    def read_members(self, e: Any, variables: VariableValues) -> Values:
        """Return the members whose field an expression may read."""
        if not self.reads_field(e):
            return frozenset()
        if isinstance(e, m.CallDefine):
            return self.members_read_by_call(e, variables)
        parts, inside = children(e), variables
        if isinstance(e, m.Binder):
            inside = {**variables, e.slot: self.values(e.set, variables)}
        elif isinstance(e, m.Part) and e.scope:
            return None
        among = getattr(e, "set", None)
        read = [
            self.read_members(x, variables if x is among else inside) for x in parts
        ]
        if m.is_field(e) and e.field == self.field:
            owners = None if e.owner is None else self.values(e.owner, variables)
            read.append(owners and frozenset([x for x in owners if x >= 0]))
        elif not any(map(self.reads_field, parts)):
            return None
        return self.union(read)

    def members_read_by_call(
        self, e: m.CallDefine, variables: VariableValues
    ) -> Values:
        """Return the members whose field a call of a definition may read."""
        read = [self.read_members(argument, variables) for argument in e.arguments]
        return self.union([*read, self.combine_lines(e, variables, self.read_members)])

    def combine_lines(
        self, e: m.CallDefine, variables: VariableValues, evaluate: Any
    ) -> Values:
        """Return the union of the results of *evaluate* for a definition's lines."""
        define = self.facts.model.defines[e.define]
        arguments = [self.values(argument, variables) for argument in e.arguments]
        key = (evaluate.__name__, e.define, *arguments)
        if key not in self.called:
            inside = {
                parameter.slot: argument
                for parameter, argument in zip(
                    define.parameters, arguments, strict=True
                )
            }
            wanted = children(define.lines)
            if evaluate == self.values:
                wanted = [line.value for line in define.lines]
            else:
                wanted = [part for line in wanted for part in children(line)]
            self.called[key] = self.union([evaluate(part, inside) for part in wanted])
        return self.called[key]

    def union(self, sets: list[Values]) -> Values:
        """Return the union of sets of members, or None if any of them is None."""
        joined: frozenset[int] = frozenset()
        for members in sets:
            if members is None:
                return None
            joined |= members
        return joined

    # -------------------------------------------------------------- possible values

    def values(self, e: m.Expr, variables: VariableValues) -> Values:
        """Return the members or numbers that an expression may have as its value."""
        match e:
            case _ if m.is_variable(e):
                return variables.get(e.slot)
            case m.CallDefine():
                return self.call_values(e, variables)
            case m.Binder() | m.OnlyMember() if isinstance(e.type, m.Member | m.SetOf):
                members = self.values(e.set, variables)
                return members and members | {m.NONE}
            case _ if isinstance(e.type, m.Bag) or e.scope:
                return None
            case _:
                return self.evaluate_combinations(e, variables)

    def call_values(self, e: m.CallDefine, variables: VariableValues) -> Values:
        """Return the possible values of a call of a definition."""
        if not isinstance(e.type, m.Member | m.SetOf):
            return None
        values = self.combine_lines(e, variables, self.values)
        return None if values is None else values | {m.NONE}

    def evaluate_combinations(self, e: m.Expr, variables: VariableValues) -> Values:
        """Return an expression's values for all combinations of values of its parts."""
        parts = tuple({id(part): part for part in children(e)}.values())
        if not all(isinstance(part.type, SCALARS) for part in parts):
            return None
        each = [self.values(part, variables) for part in parts]
        known = [sorted(values) for values in each if values is not None]
        combinations = 1
        for values in known:
            combinations *= len(values)
        if len(known) < len(each) or combinations > MAX_COMBINATIONS:
            return None
        rebuilt = self.with_parts_in_variables(e, parts)
        possible: set[int] = set()
        try:
            for combination in itertools.product(*known):
                value = self.constants.value(rebuilt, dict(enumerate(combination)))
                possible.update(value if isinstance(value, tuple) else (value,))
        except Unknown:
            return None
        return frozenset(possible)

    def with_parts_in_variables(self, e: m.Expr, parts: tuple[m.Expr, ...]) -> m.Expr:
        """Return an expression with its parts replaced by variables, from slot 0 on."""
        if id(e) not in self.rebuilt_forms:
            variables = {
                id(part): m.variable(slot, "", part.type)
                for slot, part in enumerate(parts)
            }
            self.rebuilt_forms[id(e)] = e, rebuild(e, lambda x, _: variables[id(x)])
        return self.rebuilt_forms[id(e)][1]
