"""Specialisation of expressions for a game with known players and options.

Each expression becomes a simpler expression with the same value. Each rewrite has a
name and can be switched off; without rewrites, expressions are unchanged. Engines
generate code from the result. Text for people, such as explanations, uses the
expressions of the book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from interpreter.core.dependencies import children
from interpreter.core.facts import Facts
from interpreter.expressions.constants import Constants
from interpreter.expressions.plain_values import TrueCount
from interpreter.kernel.evaluator import Unknown
from interpreter.plan.specialise.cost import Costs
from interpreter.plan.specialise.rewrites import (
    ALL,
    Rewrite,
)
from interpreter.plan.specialise.terms import (
    rebuild,
    size,
)
from rulebook import model as m
from rulebook import tooling

MAX_INLINED_SIZE = 40
MAX_UNROLLED_SIZE = 400
MAX_UNROLLED_MEMBERS = 12
MAX_INLINING_DEPTH = 8
MAX_SPECIALISATION_COST = 4_000
FIRST_NEW_SLOT = 1_000
"""First slot of variables that rewrites create; slots of units are smaller."""

UNFOLDED = (m.Const, m.AllOf, m.NumberSet, m.FieldValue)
"""Classes of expressions that are not folded.
A range, for example, is faster than a list of its members.
"""

DUAL: dict[type, Any] = {m.And: m.Or, m.Or: m.And}


@attrs.frozen
class Member:
    """Known member that replaces a variable; its type comes from the variable."""

    value: Any


@attrs.frozen
class RenamedVariable:
    """Variable that replaces another variable."""

    slot: int


Substitutions = dict[int, Member | RenamedVariable | m.Expr]
"""Replacements of variables, by slot."""


class Specialiser:
    """Specialiser of expressions of a book for one game."""

    def __init__(self, facts: Facts, rewrites: Iterable[str] = ALL) -> None:
        self.facts = facts
        self.rewrites = frozenset(rewrites)
        self.constants = Constants(facts)
        self.costs = Costs(facts, self.members)
        self.inlined_calls: dict[Any, m.Expr | None] = {}
        self.constant_calls: dict[Any, m.Expr] = {}
        self.floors: dict[str, int | None] = {}
        self.last = FIRST_NEW_SLOT
        self.deep = 0
        self.tried = MAX_SPECIALISATION_COST

    def specialise(
        self, expression: m.Expr, values: Substitutions | None = None
    ) -> m.Expr:
        """Return the specialised form of an expression of the book.

        `values` are replacements of variables.
        """
        if not self.rewrites:
            return expression
        ready: m.Expr = self.substitute(expression, values or {})
        return ready

    # ------------------------------------------------------------ single expressions

    def substitute(self, e: Any, values: Substitutions) -> Any:
        """Return a simplified expression, with its variables replaced."""
        if isinstance(e, m.Local):
            return self.replace_local(e, values)
        if e.scope:
            return self.specialise_binder(e, values)
        e = rebuild(e, lambda part, _: self.substitute(part, values))
        handler = REWRITERS.get(type(e))
        if handler is not None:
            return handler(self, e)
        return self.fold(e)

    def replace_local(self, e: m.Local, values: Substitutions) -> m.Expr:
        """Return the replacement of a variable, by default the variable itself."""
        match values.get(e.slot):
            case None:
                return e
            case Member(value=value):
                return m.constant(value, e.type, e.span)
            case RenamedVariable(slot=slot):
                return attrs.evolve(e, slot=slot)
            case given:
                return given

    def fold(self, e: Any) -> Any:
        """Return an expression as a constant if its parts are, else unchanged."""
        if Rewrite.FOLD not in self.rewrites or isinstance(e, UNFOLDED):
            return e
        for part in children(e):
            if not isinstance(part, m.Const) and self.members(part) is None:
                return e
        return self.constant(e)

    def constant(self, e: Any, bindings: dict[int, Any] | None = None) -> Any:
        """Return an expression as a constant, or unchanged if its value may vary."""
        try:
            value = self.constants.value(e, bindings)
        except Unknown:
            return e
        return m.constant(value, e.type, e.span)

    def members(self, e: Any) -> tuple[Any, ...] | None:
        """Return the members of a constant set, or None if it is not constant."""
        if not isinstance(getattr(e, "type", None), m.SetOf):
            return None
        constant = all(isinstance(part, m.Const) for part in children(e))
        return self.constants.members(e) if constant else None

    # -------------------------------------------------------------------------- binders

    def specialise_binder(self, e: Any, values: Substitutions) -> Any:
        """Return the specialised form of an expression that binds a variable."""
        known_set = None
        if isinstance(e, m.Binder):
            known_set = self.substitute(e.set, values)
            listed = self.members(known_set)
            if listed is not None:
                done = self.expand(e, listed, values)
                if done is not None:
                    return done
        own: Substitutions = {
            slot: given for slot, given in values.items() if slot != e.slot
        }
        slot = e.slot
        if self.deep:
            self.last += 1
            slot = self.last
            own[e.slot] = RenamedVariable(slot)

        def change(part: Any, field: str) -> Any:
            if field == "set" and known_set is not None:
                return known_set
            return self.substitute(part, own if field in e.scope else values)

        return rebuild(e, change, **({} if slot == e.slot else {"slot": slot}))

    def expand(self, e: Any, members: tuple[Any, ...], values: Substitutions) -> Any:
        """Return an iteration as a constant or written out by member, else None."""
        if Rewrite.FOLD in self.rewrites:
            given = {
                slot: x.value
                for slot, x in values.items()
                if isinstance(x, Member | m.Const)
            }
            done = self.constant(e, given)
            if done is not e:
                return done
        if Rewrite.UNROLL not in self.rewrites or len(members) > MAX_UNROLLED_MEMBERS:
            return None
        unroller = UNROLLERS.get(type(e))
        if unroller is None or self.costs.specialisation_cost(e) > self.tried:
            return None
        return unroller(self, e, members, values)

    def expand_members(
        self, e: Any, body: m.Expr, members: tuple[Any, ...], values: Substitutions
    ) -> tuple[m.Expr, ...] | None:
        """Return *body* for every member, or None if the result is too long."""
        parts: list[m.Expr] = []
        room = MAX_UNROLLED_SIZE
        for member in members:
            parts.append(self.substitute(body, {**values, e.slot: Member(member)}))
            room -= size(parts[-1], room)
            if room < 0:
                return None
        return tuple(parts)

    # --------------------------------------------------------------------- calls

    def specialise_call(self, e: m.CallDefine) -> m.Expr:
        """Return the specialised form of a call of a definition."""
        simple = all(isinstance(given, m.Const | m.Local) for given in e.arguments)
        fixed = [given.value for given in e.arguments if isinstance(given, m.Const)]
        if Rewrite.FOLD in self.rewrites and len(fixed) == len(e.arguments):
            key = (e.define, tuple(fixed))
            if key not in self.constant_calls:
                self.constant_calls[key] = self.constant(e)
            if isinstance(self.constant_calls[key], m.Const):
                return self.constant_calls[key]
        if (
            Rewrite.INLINE in self.rewrites
            and simple
            and self.deep < MAX_INLINING_DEPTH
        ):
            inlined = self.inline(e)
            if inlined is not None:
                return inlined
        return e

    def parameter_values(self, e: m.CallDefine) -> Substitutions:
        """Return the values of a definition's parameters in a call, by slot."""
        parameters = self.facts.model.defines[e.define].parameters
        return {
            parameter.slot: argument
            for parameter, argument in zip(parameters, e.arguments, strict=True)
        }

    def inline(self, e: m.CallDefine) -> m.Expr | None:
        """Return a definition with its arguments inserted, or None to keep the call.

        The call is kept if the definition is too long, or names values that are
        computed once.
        """
        key = (e.define, e.arguments)
        if key not in self.inlined_calls:
            define = self.facts.model.defines[e.define]
            whole = tooling.single_expression(define)
            inlined = None
            if whole is not None:
                self.deep += 1
                try:
                    inlined = self.substitute(whole, self.parameter_values(e))
                finally:
                    self.deep -= 1
                if size(inlined, MAX_INLINED_SIZE) > MAX_INLINED_SIZE or self.is_shared(
                    define, inlined
                ):
                    inlined = None
            self.inlined_calls[key] = inlined
        return self.inlined_calls[key]

    def is_shared(self, define: m.Define, inlined: m.Expr) -> bool:
        """Return whether a definition with body *inlined* must be computed only once.

        It is a named value with a search, or reads a named value.
        """
        if define.within is not None and any(x.scope for x in tooling.walk(inlined)):
            return True
        called = tooling.find(inlined, m.CallDefine)
        return any(self.facts.model.defines[x.define].within for x in called)

    def minimum(self, e: m.Expr) -> int | None:
        """Return the minimum of a called definition, or None if it may be 0 or less."""
        if not isinstance(e, m.CallDefine) or not isinstance(e.type, m.Whole):
            return None
        if e.define not in self.floors:
            define = self.facts.model.defines[e.define]
            lows = [
                tooling.range_of(self.facts.model, self.specialise(x.value))
                for x in define.lines
            ]
            lowest = min((low.low for low in lows), default=0)
            may_be_0 = define.adds or define.lines[-1].condition is not None
            self.floors[e.define] = None if may_be_0 or lowest <= 0 else lowest
        return self.floors[e.define]


# ---------------------------------------------------------------- rewrites by class

Handler = Callable[[Specialiser, Any], Any]


def _chain(t: Specialiser, e: m.And | m.Or) -> m.Expr:
    """Return a conjunction or disjunction without redundancy, cheapest part first."""
    kind, neutral = type(e), isinstance(e, m.And)
    parts = list(e.parts)
    if Rewrite.SPLIT in t.rewrites:
        parts = [
            x
            for part in parts
            for x in (part.parts if isinstance(part, kind) else (part,))
        ]
    if Rewrite.FOLD in t.rewrites:
        parts = [
            part
            for part in parts
            if not (isinstance(part, m.Const) and part.value is neutral)
        ]
        if any(isinstance(part, m.Const) for part in parts):
            return m.truth(not neutral)
        if not parts:
            return m.truth(neutral)
        if len(parts) == 1:
            return parts[0]
    if Rewrite.ORDER in t.rewrites:
        parts.sort(key=t.costs.cost_of)
    same = len(parts) == len(e.parts) and all(
        new is old for new, old in zip(parts, e.parts, strict=True)
    )
    return e if same else kind(tuple(parts), type=e.type, span=e.span)


def _not(t: Specialiser, e: m.Not) -> m.Expr:
    """Return the negation of a condition, pushed into chains and comparisons."""
    if Rewrite.SPLIT in t.rewrites:
        match e.value:
            case m.Not(value=value):
                return value
            case m.And(parts=parts) | m.Or(parts=parts):
                kind = DUAL[type(e.value)]
                contrary = [_not(t, attrs.evolve(e, value=part)) for part in parts]
                return _chain(t, kind(tuple(contrary), type=e.type, span=e.span))
            case m.Compare(op=op) as value:
                opposite: m.Expr = _compare(t, attrs.evolve(value, op=op.negation))
                return opposite
            case _:
                pass
    folded: m.Expr = t.fold(e)
    return folded


def _compare(t: Specialiser, e: m.Compare) -> Any:
    """Return a comparison, preceded by a cheaper one with a definition's minimum."""
    if (
        Rewrite.BOUND in t.rewrites
        and e.op is m.Comparison.AT_LEAST
        and isinstance(e.left, CHEAP)
    ):
        floor = t.minimum(e.right)
        if floor is not None:
            least = m.Const(value=floor, type=m.Whole(floor, floor))
            first = attrs.evolve(e, right=least)
            return m.And((first, e), type=e.type, span=e.span)
    return t.fold(e)


CHEAP = (m.CountIn, m.FieldValue, m.SizeOf)

REWRITERS: dict[type, Handler] = {
    m.And: _chain,
    m.Or: _chain,
    m.Not: _not,
    m.Compare: _compare,
    m.CallDefine: Specialiser.specialise_call,
}
"""Rewriting functions by class of expression; constants are folded separately."""


def _exists(
    t: Specialiser, e: Any, listed: tuple[Any, ...], values: Substitutions
) -> Any:
    if e.where is None:
        return None
    parts = t.expand_members(e, e.where, listed, values)
    if parts is None:
        return None
    return _chain(t, m.Or(parts, type=e.type, span=e.span))


def _count(
    t: Specialiser, e: Any, listed: tuple[Any, ...], values: Substitutions
) -> Any:
    if e.where is None:
        return None
    parts = t.expand_members(e, e.where, listed, values)
    if parts is None:
        return None
    if Rewrite.FOLD in t.rewrites:
        parts = tuple([x for x in parts if not m.is_truth(x, False)])
    return TrueCount(parts, type=e.type, span=e.span)


def _sum(t: Specialiser, e: Any, listed: tuple[Any, ...], values: Substitutions) -> Any:
    if e.where is not None or not listed:
        return None
    parts = t.expand_members(e, e.value, listed, values)
    if parts is None:
        return None
    total = parts[0]
    if not isinstance(total.type, m.Whole):  # none counts as 0 in a sum
        return None
    for part in parts[1:]:
        total = m.add(total, part, e.type, e.span)
    return total


UNROLLERS: dict[type, Callable[..., Any]] = {
    m.Exists: _exists,
    m.CountMembers: _count,
    m.SumOver: _sum,
}
"""Functions that expand iterations over small sets, by class."""
