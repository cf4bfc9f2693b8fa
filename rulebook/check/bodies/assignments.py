"""Checks of statements that declare variables or assign values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.bodies.predicates import check_holder
from rulebook.check.declare.scope import Unit, UnitSort
from rulebook.check.declare.symbol_table import mistake
from rulebook.check.facts.wording import may_be_none, missing_value_error, rule_text
from rulebook.check.typing.arithmetic_checks import cap_change
from rulebook.check.typing.assignability import expect_type
from rulebook.check.typing.expression_checks import (
    check_expr,
    check_number,
    check_tally_value,
    empty_bag,
)
from rulebook.check.typing.piece_fields import if_present
from rulebook.model.value_types import Bag, Member, Stack, Tally, Whole


def _let(unit: Unit, node: s.Let) -> list[m.Stmt]:
    if isinstance(node.value, s.CardAt) and node.value.place is None:
        stack = check_holder(unit, node.value.stack)
        assert isinstance(stack.type, Stack)
        slot = unit.declare(node.name.text, Member(stack.type.domain, optional=True))
        name = node.name.text
        return [
            m.Reveal(
                event=unit.event_name, stack=stack, slot=slot, name=name, span=node.span
            )
        ]
    find = Member("") if isinstance(node.value, s.Some) else None
    value = check_expr(unit, node.value, find)
    type_ = Whole(-10_000, 10_000) if isinstance(value.type, Whole) else value.type
    slot = unit.declare(node.name.text, type_)
    return [m.SetLocal(slot=slot, name=node.name.text, value=value, span=node.span)]


def _let_tally(unit: Unit, node: s.LetTally) -> list[m.Stmt]:
    domains = tuple(unit.world.domain_named(kind).name for kind in node.kinds)
    slot = unit.declare(node.name.text, Tally(domains))
    return [
        m.SetTally(
            slot=slot,
            name=node.name.text,
            domains=domains,
            indices=(),
            value=None,
            span=node.span,
        )
    ]


def _let_bag(unit: Unit, node: s.LetBag) -> list[m.Stmt]:
    type_ = Bag(unit.world.domain_named(node.kind).name)
    slot = unit.declare(node.name.text, type_)
    empty = empty_bag(unit, type_, node.span)
    return [m.SetLocal(slot=slot, name=node.name.text, value=empty, span=node.span)]


def _set(unit: Unit, node: s.SetTo) -> list[m.Stmt]:
    return [_guarded(unit, node.target, _assign(unit, node.target, node.value, None))]


def _change(unit: Unit, node: s.Change) -> list[m.Stmt]:
    op = m.ArithmeticOperator.PLUS if node.increase else m.ArithmeticOperator.MINUS
    changed = _assign(unit, node.target, node.value, op)
    capped = cap_change(changed, node) if node.up_to else changed
    return [_guarded(unit, node.target, capped)]


def _guarded(unit: Unit, target: s.Expr, change: m.Stmt) -> m.Stmt:
    """Return *change*; for a field of a piece, it runs only if the piece is present."""
    if isinstance(target, s.PieceFieldValue):
        return if_present(unit, target, change)
    return change


def _assign(
    unit: Unit, target: s.Expr, value: s.Expr, op: m.ArithmeticOperator | None
) -> m.Stmt:
    """Return the assignment of *value* to *target*, or with *op* a change by it."""
    if isinstance(target, s.Apply) and target.name.text in unit.names:
        return _assign_tally(unit, target, value, op)
    place = check_expr(unit, target)
    local = None if m.is_you(place) else place
    if not (m.is_variable(local) or m.is_field(place)):
        raise mistake(
            "RB131",
            place.span,
            "only fields and variables can be given a new value",
            "a value that changes must be a field: declare it below `game has`",
        )
    if op is not None:
        right = check_number(unit, value)
        expect_type(place, Whole(0, 0))
        new: m.Expr = m.arithmetic(op, place, right, place.type, value.span)
    else:
        new = expect_type(check_expr(unit, value, place.type), place.type)
        _require_value(unit, new, place)
    span = target.span.to(value.span)
    if m.is_variable(place):
        return m.SetLocal(slot=place.slot, name=place.name, value=new, span=span)
    assert m.is_field(place)
    return m.SetField(field=place.field, owner=place.owner, value=new, span=span)


def _require_value(unit: Unit, value: m.Expr, place: m.Expr) -> None:
    """Raise `Mistake` if *value* may be none but the variable *place* may not.

    Fields are checked later, with known facts, which may exclude `none`.
    """
    if m.is_field(place) and unit.sort is not UnitSort.TEST:
        return
    if may_be_none(value) and not may_be_none(place):
        raise missing_value_error(unit.world, value, rule_text(unit.world, place))


def _assign_tally(
    unit: Unit, target: s.Apply, value: s.Expr, op: m.ArithmeticOperator | None
) -> m.Stmt:
    tally = unit.names[target.name.text]
    if not (m.is_variable(tally) and isinstance(tally.type, Tally)):
        raise mistake("RB131", target.span, "this is not a tally")
    old = check_tally_value(unit, tally.slot, tally.type, target)
    new = check_number(unit, value)
    if op is not None:
        new = m.arithmetic(op, old, new, old.type, new.span)
    return m.SetTally(
        slot=tally.slot,
        name=target.name.text,
        domains=tally.type.domains,
        indices=old.indices,
        value=new,
        span=target.span.to(value.span),
    )


def _forget(unit: Unit, node: s.Forget) -> list[m.Stmt]:
    place = check_expr(unit, node.target)
    if not m.is_field(place) or not isinstance(place.type, Bag):
        raise mistake("RB131", place.span, "`forget` needs a bag")
    empty = empty_bag(unit, place.type, node.span)
    return [
        m.SetField(field=place.field, owner=place.owner, value=empty, span=node.span)
    ]


ASSIGNMENTS: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.Let: _let,
    s.LetTally: _let_tally,
    s.LetBag: _let_bag,
    s.SetTo: _set,
    s.Change: _change,
    s.Forget: _forget,
}
