"""Checks of superlatives and sorting, which select and order a binder's members.

A bare name after `most`, `highest` or `in order of` is an attribute of the member
(`most points`). Any other value is written in full. A bag, stack or set counts as its
size: `most towers`.
"""

from __future__ import annotations

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import mistake
from rulebook.check.typing.assignability import DEFAULT_MAXIMUM, describe_type
from rulebook.check.typing.expression_checks import check_expr, check_possession
from rulebook.check.typing.set_types import size_expression
from rulebook.check.typing.visible_names import parts_of
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Whole


def check_measure(unit: Unit, member: m.Expr, node: s.Expr) -> m.Expr:
    """Return the checked number by which a binder compares or sorts its members."""
    value = _own_attribute(unit, member, node)
    if value is None:
        value = check_expr(unit, node, Whole(0, DEFAULT_MAXIMUM))
    if isinstance(value.type, Bag | Stack | SetOf):
        value = size_expression(unit, value, node.span)
    if not isinstance(value.type, Whole):
        raise mistake(
            "RB110",
            node.span,
            "only numbers can be compared here, but this is "
            f"{describe_type(value.type)}",
            "name the number to compare, for example `most points`",
        )
    return value


def _own_attribute(unit: Unit, member: m.Expr, node: s.Expr) -> m.Expr | None:
    """Return the member's attribute to which a bare name refers, or None."""
    if not isinstance(member.type, Member):
        return None
    if isinstance(node, s.NumberOf):
        return _own_pieces(unit, member, node)
    if not isinstance(node, s.NameRef | s.Apply):
        return None
    domain, name = member.type.domain, node.name
    arguments = node.arguments if isinstance(node, s.Apply) else ()
    if name.text not in parts_of(unit, domain):
        return None
    piece = unit.world.owned_piece(domain, name.text)
    if piece is not None:
        return m.piece_count(piece.name, member, None, node.span)
    return check_possession(unit, member, name, arguments, node.span)


def _own_pieces(unit: Unit, member: m.Expr, node: s.NumberOf) -> m.Expr | None:
    """Return the number of *member*'s pieces, as in `most workers on spot`, or None."""
    match node:
        case s.NumberOf(
            what=s.NameRef(name=name), where=None, best=(), another=None, range=None
        ):
            assert isinstance(member.type, Member)
            if unit.world.owned_piece(member.type.domain, name.text) is not None:
                assert m.is_variable(member)
                who = s.NameRef(s.Name(member.name, span=name.span), span=name.span)
                own = s.Of(who, name, span=node.what.span)
                return check_expr(unit, attrs.evolve(node, what=own))
    return None


def check_measures(
    unit: Unit, member: m.Expr, nodes: tuple[s.Most, ...]
) -> tuple[m.RankMeasure, ...]:
    """Return the checked measures of a superlative, in order of priority."""
    return tuple(
        m.RankMeasure(
            value=check_measure(unit, member, node.value),
            smallest=node.word in s.SMALLEST,
            span=node.span,
        )
        for node in nodes
    )


def narrow_set(
    unit: Unit,
    node: s.BinderPhrase,
    member: m.Expr,
    set_: m.Expr,
    where: m.Expr | None,
    limit: m.Expr | None,
) -> tuple[m.Expr, m.Expr | None]:
    """Return the set and remaining condition of a binder that sorts or compares.

    Members that meet `where` are compared. The best of them are sorted, and at most
    `limit` of these remain.
    """
    assert m.is_variable(member)
    slot, name, type_ = member.slot, member.name, set_.type
    if node.best:
        by = check_measures(unit, member, node.best)
        set_ = m.BestMembers(slot, name, set_, where, by, type=type_, span=node.span)
        where = None
    if node.order is not None:
        falling = node.order.falling
        for value in reversed(node.order.values):  # the last order decides least
            key = check_measure(unit, member, value)
            count = limit if value is node.order.values[0] else None
            set_ = m.SortedMembers(
                slot, name, set_, where, key, falling, count, type=type_, span=node.span
            )
            where = None
    return set_, where
