"""Holders of cards: bags, stacks, and slots, which hold one card or none.

A slot is a field of the type `CARD or none`. A space with a single slot may be written
in place of the slot: `move card from your pack to space`. A computed bag (`bag over
KIND of NUMBER`) is not a holder.
"""

from __future__ import annotations

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.check.typing.assignability import describe_type
from rulebook.check.typing.binders import bind
from rulebook.check.typing.expression_checks import CHECKS, check_expr, check_number
from rulebook.model.value_types import Bag, Member, Stack, Type


def check_card_holder(unit: Unit, node: s.Expr) -> m.Expr:
    """Check a bag, stack or slot; raise `Mistake` for anything else."""
    value = check_expr(unit, node)
    if isinstance(value.type, Bag | Stack):
        return _require_stored_holder(value)
    if is_slot(unit.world, value):
        return value
    slots = _slot_fields(unit.world, value.type)
    if len(slots) == 1:
        field = slots[0]
        return m.field_value(field.key, value, field.type, value.span)
    message = f"expected a place for cards, but this is {describe_type(value.type)}"
    if slots:
        names = " or ".join(f"`{field.name}`" for field in slots)
        raise mistake("RB110", value.span, message, f"name one of its slots: {names}")
    raise mistake("RB110", value.span, message)


def _require_stored_holder(holder: m.Expr) -> m.Expr:
    if m.is_field(holder):
        return holder
    raise mistake(
        "RB110",
        holder.span,
        "these cards are only counted; they are not in any place",
        "move cards from one field to another",
    )


def is_slot(world: SymbolTable, value: m.Expr | None) -> bool:
    """Return whether a value is a field that holds one card or none."""
    return m.is_field(value) and is_slot_type(world, value.type)


def is_slot_type(world: SymbolTable, type_: Type) -> bool:
    """Return whether fields of this type are slots."""
    optional = isinstance(type_, Member) and type_.optional
    return optional and m.is_card(world.domains, type_)


def _slot_fields(world: SymbolTable, type_: Type) -> list[m.Field]:
    if not isinstance(type_, Member):
        return []
    fields = (field for field in world.fields.values() if field.owner == type_.domain)
    return [field for field in fields if is_slot_type(world, field.type)]


def _bag_over(unit: Unit, node: s.BagOverExpression, expected: Type | None) -> m.Expr:
    with unit.block():
        bound = bind(unit, node.binder)
        value = check_number(unit, node.count)
    if not isinstance(bound.type, Member):
        raise mistake("RB120", node.binder.span, "a bag holds cards, not numbers")
    type_ = Bag(bound.type.domain)
    return bound.make_node(m.BagOver, value=value, type=type_, span=node.span)


CHECKS[s.BagOverExpression] = _bag_over
