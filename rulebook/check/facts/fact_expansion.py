"""Expansion of facts: calls of definitions are replaced by their conditions.

`corner is free` becomes the condition of its definition. It is expanded where the fact
becomes true, so that later changes to anything it reads can invalidate it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.facts.holdings import implied_minimums
from rulebook.check.typing.ranges import Facts
from rulebook.queries.calls import condition_of, single_expression
from rulebook.traversal import rewrite

EXPANSION_DEPTH_MAX = 6
"""Maximum depth to which nested definitions are expanded."""

SLOT_OFFSET = 1_000_000
"""Offset added to the slots of an expanded definition, to keep them distinct."""


def expand_facts(defines: Mapping[str, m.Define], facts: Facts) -> Facts:
    """Return facts with definitions expanded, and the minimum card counts implied."""
    parts = [
        part for fact in facts for part in _expand(defines, fact, EXPANSION_DEPTH_MAX)
    ]
    least = [least for part in parts for least in implied_minimums(part)]
    return tuple(dict.fromkeys((*parts, *least)))


def with_remaining_alternatives(defines: Mapping[str, m.Define], facts: Facts) -> Facts:
    """Return facts with the remaining part of each `or` whose other parts are false.

    `A or B` and `not A` give `B`. The facts must be expanded.
    """
    known = set(facts) if any(isinstance(fact, m.Or) for fact in facts) else set()
    new: list[m.Expr] = []
    for fact in facts:
        if not isinstance(fact, m.Or):
            continue
        left = [
            part
            for part in fact.parts
            if not known.issuperset(expand_facts(defines, (m.negation(part),)))
        ]
        if len(left) == 1 < len(fact.parts):
            new += expand_facts(defines, tuple(left))
    return tuple(dict.fromkeys((*facts, *new)))


def _expand(
    defines: Mapping[str, m.Define], fact: m.Expr, depth: int
) -> Iterator[m.Expr]:
    for part in m.conjuncts(fact):
        yield from _expand_part(defines, part, depth)


def _expand_part(
    defines: Mapping[str, m.Define], fact: m.Expr, depth: int
) -> Iterator[m.Expr]:
    match fact:
        case m.Or(parts=(only,)):
            yield from _expand(defines, only, depth)
        case m.Not(value=inner):
            yield from _expand_negated(defines, inner, depth)
        case m.CallDefine():
            condition = None if depth == 0 else _call_condition(defines, fact)
            if condition is None:
                yield fact
            else:
                yield from _expand(defines, condition, depth - 1)
        case m.Contains(set=m.PieceSpaces(piece=piece, owner=owner), member=space):
            yield fact
            yield m.piece_on(piece, owner, space, fact.span)
        case _:
            yield fact


def _expand_negated(
    defines: Mapping[str, m.Define], fact: m.Expr, depth: int
) -> Iterator[m.Expr]:
    """Yield the facts that are true if a condition is false."""
    match fact:
        case m.Not(value=inner):
            yield from _expand(defines, inner, depth)
        case m.Or(parts=parts):
            for part in parts:
                yield from _expand_negated(defines, part, depth)
        case m.CallDefine() if (
            depth and (called := _call_condition(defines, fact)) is not None
        ):
            yield from _expand_negated(defines, called, depth - 1)
        case _:
            yield m.simplified_negation(fact)


def _call_condition(
    defines: Mapping[str, m.Define], call: m.CallDefine
) -> m.Expr | None:
    """Return the condition that is equivalent to a call of a definition, or None."""
    define = defines.get(call.define)
    condition = None if define is None else condition_of(define)
    if condition is None:
        return None
    condition = expand_named_values(defines, condition)
    return _insert_arguments(condition, dict(enumerate(call.arguments, 1)))


def expand_named_values(defines: Mapping[str, m.Define], node: Any) -> Any:
    """Return a node with named values (`let` in definitions) replaced by the values.

    A condition on a name is then a condition on the value. Names inside values are
    replaced up to a depth; deeper ones remain calls.
    """
    return _without_names(defines, node, EXPANSION_DEPTH_MAX)


def _without_names(defines: Mapping[str, m.Define], node: Any, depth: int) -> Any:
    def change(part: object) -> object:
        define = defines.get(part.define) if m.is_call(part) else None
        if not m.is_call(part) or define is None or define.within is None:
            return part
        value = single_expression(define)
        if value is None:
            return part
        inserted = _insert_arguments(value, dict(enumerate(part.arguments, 1)))
        return _without_names(defines, inserted, depth - 1)

    return rewrite(node, change) if depth else node


def _insert_arguments(
    expression: m.Expr, arguments_by_slot: Mapping[int, m.Expr]
) -> m.Expr:
    """Return a definition's expression with its parameters replaced by arguments."""

    def change(node: object) -> object:
        if m.is_variable(node) and node.slot != m.YOU:
            shifted = attrs.evolve(node, slot=node.slot + SLOT_OFFSET)
            return arguments_by_slot.get(node.slot, shifted)
        return node

    new: m.Expr = rewrite(expression, change)
    return new


def found_value_facts(defines: Mapping[str, m.Define], value: m.Expr) -> Facts:
    """Return the facts about the member that a definition finds: its search condition.

    An example is `landing(column)`, defined as `some square where square has no disc`.
    """
    define = defines.get(value.define) if isinstance(value, m.CallDefine) else None
    if define is None or not isinstance(value, m.CallDefine):
        return ()
    match expand_named_values(defines, define.lines):
        case (m.DefineLine(value=m.FindMember() as search, condition=None),):
            pass
        case _:
            return ()
    if search.where is None:
        return ()
    given = {**dict(enumerate(value.arguments, 1)), search.slot: value}
    return expand_facts(defines, (_insert_arguments(search.where, given),))
