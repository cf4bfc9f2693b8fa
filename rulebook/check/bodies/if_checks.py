"""Checks of `if` statements, including those that bind the member they search for.

`if exactly one player guest …` and `if some player guest …` bind `guest` in the block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.typing.binders import (
    CheckedBinder,
    bind,
    first_member,
    some_member_exists,
)
from rulebook.check.typing.expression_checks import check_condition
from rulebook.check.typing.selections import only_matching_member
from rulebook.model.value_types import Member
from rulebook.traversal import find, rewrite, walk

Block = tuple[m.Stmt, ...]
CheckBlock = Callable[[Unit, tuple[Any, ...]], Block]


def check_if(unit: Unit, node: s.IfStatement, block: CheckBlock) -> list[m.Stmt]:
    """Return the model statements for an `if`; *block* checks the blocks inside it."""
    match node.condition:
        case s.ExactlyOne():
            return _check_exactly_one(unit, node, node.condition, block)
        case s.Some():
            return _check_some(unit, node, node.condition, block)
    condition = check_condition(unit, node.condition)
    with unit.mark_condition_names(_names_bound_by_condition(node)):
        body = block(unit, node.body)
        otherwise = block(unit, node.otherwise)
    return [
        m.IfElse(condition=condition, body=body, otherwise=otherwise, span=node.span)
    ]


def _names_bound_by_condition(node: s.IfStatement) -> set[str]:
    """Return the names that a condition binds; they are undefined outside it."""
    return {
        (binder.name or binder.kind).text
        for binder in find(node.condition, s.BinderPhrase)
    }


def _otherwise(unit: Unit, node: s.IfStatement, block: CheckBlock) -> Block:
    with unit.mark_condition_names(_names_bound_by_condition(node)):
        return block(unit, node.otherwise)


def _check_exactly_one(
    unit: Unit, node: s.IfStatement, only: s.ExactlyOne, block: CheckBlock
) -> list[m.Stmt]:
    """Check `if exactly one …`: bind the only matching member in the block."""
    with unit.block():
        bound = bind(unit, only.binder)
        only_member = only_matching_member(unit, bound, only.span)
        assert isinstance(only_member.type, Member)
        slot = unit.declare(bound.name, Member(only_member.type.domain))
        body = block(unit, node.body)
    return _search_and_branch(
        node, slot, bound.name, only_member, body, _otherwise(unit, node, block)
    )


def _check_some(
    unit: Unit, node: s.IfStatement, some: s.Some, block: CheckBlock
) -> list[m.Stmt]:
    """Check `if some …`: bind the first matching member in the block.

    If the block does not use the name, it is checked like any other condition.
    """
    with unit.block():
        bound = bind(unit, some.binder)
        if isinstance(bound.type, Member):
            member_type = Member(bound.type.domain)
            unit.names[bound.name] = m.variable(bound.slot, bound.name, member_type)
        body = block(unit, node.body)
    if not any(getattr(inner, "slot", None) == bound.slot for inner in walk(body)):
        otherwise = _otherwise(unit, node, block)
        exists = some_member_exists(bound, some.span)
        return [
            m.IfElse(condition=exists, body=body, otherwise=otherwise, span=node.span)
        ]
    return _bound_if(unit, node, bound, body, _otherwise(unit, node, block))


def _bound_if(
    unit: Unit,
    node: s.IfStatement,
    binder: CheckedBinder,
    body: Block,
    otherwise: Block,
) -> list[m.Stmt]:
    """Return an `if` that binds the member that a search in a separate slot returns."""
    search, span = (
        _with_slot(binder, unit.new_unnamed_slot(binder.name)),
        node.condition.span,
    )
    if isinstance(binder.type, Member):
        first = first_member(search, Member(binder.type.domain, optional=True), span)
        return _search_and_branch(
            node, binder.slot, binder.name, first, body, otherwise
        )
    first = first_member(search, binder.type, span)  # a number is never none
    named = m.SetLocal(slot=binder.slot, name=binder.name, value=first, span=span)
    exists = some_member_exists(search, span)
    return [
        m.IfElse(
            condition=exists, body=(named, *body), otherwise=otherwise, span=node.span
        )
    ]


def _with_slot(binder: CheckedBinder, slot: int) -> CheckedBinder:
    """Return a binder whose variable is moved to another slot."""

    def change(part: Any) -> Any:
        uses_old_slot = getattr(part, "slot", None) == binder.slot
        return attrs.evolve(part, slot=slot) if uses_old_slot else part

    return attrs.evolve(
        binder,
        slot=slot,
        set=rewrite(binder.set, change),
        where=None if binder.where is None else rewrite(binder.where, change),
    )


def _search_and_branch(
    node: s.IfStatement,
    slot: int,
    name: str,
    search: m.Expr,
    body: Block,
    otherwise: Block,
) -> list[m.Stmt]:
    """Return statements that search for a member and run a block if one is found."""
    result = m.variable(slot, name, search.type, search.span)
    exists = m.presence(result)
    return [
        m.SetLocal(slot=slot, name=name, value=search, span=search.span),
        m.IfElse(condition=exists, body=body, otherwise=otherwise, span=node.span),
    ]
