"""Checks of binders, as in `each`, `some`, `no`, `every` and `sum over`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    PLAYER,
    Mistake,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.assignability import TRUTH, describe_type
from rulebook.check.typing.expression_checks import (
    CHECKS,
    check_condition,
    check_expr,
    check_number,
    check_owner,
    check_player,
)
from rulebook.check.typing.set_types import element_type, max_size
from rulebook.check.typing.superlatives import narrow_set
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Type, Whole
from rulebook.source.spans import Span
from rulebook.source.spelling import nearest

Made = TypeVar("Made", bound=m.Binder)


@attrs.frozen
class CheckedBinder(m.Binder):
    """Checked binder: its variable, set and condition.

    Its name is visible in the unit until the caller's block ends. `visit_condition` is
    tested for each member just before it is visited.
    """

    type: Type
    visit_condition: m.Expr | None = None

    def make_node(self, kind: Callable[..., Made], **fields: Any) -> Made:
        """Return a model node of class *kind* with this binder and other fields."""
        return kind(
            slot=self.slot, name=self.name, set=self.set, where=self.where, **fields
        )

    def variable(self, span: Span) -> m.Expr:
        """Return the variable of the binder as an expression."""
        return m.variable(self.slot, self.name, self.type, span)


def bind(unit: Unit, node: s.BinderPhrase, *, in_turn: bool = False) -> CheckedBinder:
    """Declare the variable of a binder; return it with its set and condition.

    If members are sorted or compared, the condition is part of the set. Only loops that
    visit members in turn (`in_turn`) may use `still`.
    """
    if node.still and not in_turn:
        raise still_not_allowed_error(node)
    set_, name = _binder_set(unit, node)
    order = node.order
    most = (
        None
        if order is None or order.count is None
        else check_number(unit, order.count)
    )
    bound = bind_over(unit, name, set_, node.where)
    if node.still:
        bound = attrs.evolve(bound, where=None, visit_condition=bound.where)
    if node.order is not None or node.best:
        set_, where = narrow_set(
            unit, node, bound.variable(node.span), set_, bound.where, most
        )
        bound = attrs.evolve(bound, set=set_, where=where)
    return bound


def bind_within(unit: Unit, node: s.BinderPhrase) -> CheckedBinder:
    """Return a binder whose variable is visible only in the binder's own condition."""
    with unit.block():
        return bind(unit, node)


def bind_over(
    unit: Unit, name: str, set_: m.Expr, where: s.Expr | None
) -> CheckedBinder:
    """Declare a variable for the members of a set, and check its condition."""
    type_ = element_type(set_)
    slot = unit.declare(name, type_)
    condition = None if where is None else check_condition(unit, where)
    return CheckedBinder(slot, name, set_, condition, type_)


def still_not_allowed_error(node: s.BinderPhrase) -> Mistake:
    """Return the error for `still` in a binder that does not visit members in turn."""
    return mistake(
        "RB130",
        node.span,
        "`still` tests each member in its turn, but here all are tested at once",
        "remove `still`, which is only for the statement `each …:`",
    )


def _binder_set(unit: Unit, node: s.BinderPhrase) -> tuple[m.Expr, str]:
    world, kind = unit.world, node.kind
    name = (node.name or kind).text
    if kind.text in world.words:
        domain = world.words[kind.text]
        if node.name is None:
            name = domain
        if node.domain is None:
            return m.all_of(domain, node.span), name
        set_ = check_binder_set(unit, node.domain, domain)
        if set_.type != SetOf(domain):
            raise mistake(
                "RB120",
                set_.span,
                f"this is {describe_type(set_.type)}, not a set of {domain}",
            )
        return set_, name
    if node.domain is None or node.name is not None:
        alone = node.name is not None and node.name.text in world.words
        article = kind.text in ("a", "an", "of", "one", "any", "all") and alone
        help = "write the kind alone, without this word" if article else None
        raise unknown_name_error(
            "kind", kind, world.words, help=help or piece_loop_help(world, kind)
        )
    set_ = check_binder_set(unit, node.domain, None)
    if _is_misspelt_kind(world, kind.text, element_type(set_)):
        raise unknown_name_error("kind", kind, world.words)
    return set_, name


def piece_loop_help(world: SymbolTable, kind: s.Name) -> str | None:
    """Return help if *kind* is a piece: rules loop over its spaces instead."""
    if kind.text not in world.piece_words:
        return None
    piece = world.pieces[world.piece_words[kind.text]]
    spaces = " or ".join(piece.stands_on)
    return (
        f"`{piece.name}` is a piece: loop over its spaces, as in `{spaces} where "
        f"{spaces} has a {piece.name}`"
    )


def _is_misspelt_kind(world: SymbolTable, name: str, type_: Type) -> bool:
    """Return whether a variable's name looks like a misspelt name of its kind."""
    if not isinstance(type_, Member):
        return False
    kind = world.domains[type_.domain]
    return nearest(name, world.words) in (kind.name, kind.plural)


def check_binder_set(
    unit: Unit,
    node: s.Expr | s.ClockwiseExpression | s.NumberRange,
    expected_domain: str | None,
) -> m.Expr:
    """Check the set of a binder; a bag or stack becomes the set of cards in it."""
    match node:
        case s.ClockwiseExpression(start=start, reverse=reverse, after=after):
            return m.Clockwise(
                start=check_player(unit, start),
                reverse=reverse,
                after=after,
                type=SetOf(PLAYER),
                span=node.span,
            )
        case s.NumberRange(low=low, high=high):
            ends = check_number(unit, low), check_number(unit, high)
            return m.number_set(*ends, node.span)
        case s.Of(owner=owner, name=name) if name.text in unit.world.piece_words:
            spaces = spaces_of_pieces(unit, owner, name, expected_domain, node.span)
            if spaces is not None:
                return spaces
    value = check_expr(unit, node)
    if isinstance(value.type, Bag | Stack):
        domain = value.type.domain
        return m.KindsIn(holder=value, type=SetOf(domain), span=value.span)
    if not isinstance(value.type, SetOf):
        raise mistake(
            "RB120",
            value.span,
            f"this is {describe_type(value.type)}, not a set of things",
        )
    if value.type.domain is None and not isinstance(value, m.Subset):
        raise mistake(
            "RB120",
            value.span,
            "a loop cannot go through a set of numbers that a variable stores",
            "write the range in the loop, as in `n in 1 to 3 where …`",
        )
    return value


def spaces_of_pieces(
    unit: Unit, owner: s.Expr, name: s.Name, expected_domain: str | None, span: Span
) -> m.Expr | None:
    """Return the spaces with an owner's pieces, or None for spaces of another kind."""
    piece = unit.world.pieces[unit.world.piece_words[name.text]]
    if expected_domain is None or expected_domain not in piece.stands_on:
        return None
    whose = check_owner(unit, owner, piece, span)
    return m.piece_spaces(piece.name, whose, expected_domain, span)


def _some(unit: Unit, node: s.Some, expected: Type | None) -> m.Expr:
    bound = bind_within(unit, node.binder)
    if isinstance(expected, Member) and isinstance(bound.type, Member):
        return first_member(bound, Member(bound.type.domain, optional=True), node.span)
    return some_member_exists(bound, node.span)


def first_member(binder: CheckedBinder, type_: Type, span: Span) -> m.Expr:
    """Return an expression for the first member that matches a binder."""
    return binder.make_node(m.FindMember, type=type_, span=span)


def some_member_exists(binder: CheckedBinder, span: Span) -> m.Expr:
    """Return the condition that some member matches a binder."""
    return binder.make_node(m.Exists, type=TRUTH, span=span)


def member_count(unit: Unit, binder: CheckedBinder, span: Span) -> m.Expr:
    """Return an expression for the number of members that match a binder."""
    return binder.make_node(
        m.CountMembers, type=Whole(0, max_size(unit, binder.set)), span=span
    )


def _none_of(unit: Unit, node: s.NoneOf, expected: Type | None) -> m.Expr:
    exists = some_member_exists(bind_within(unit, node.binder), node.span)
    return m.negation(exists)


def _every(unit: Unit, node: s.Every, expected: Type | None) -> m.Expr:
    return matching_members(bind_within(unit, node.binder))


def visited_members(binder: CheckedBinder) -> CheckedBinder:
    """Return the binder of a loop, whose condition is tested at each visit."""
    return attrs.evolve(
        binder, set=matching_members(binder), where=binder.visit_condition
    )


def matching_members(binder: CheckedBinder) -> m.Expr:
    """Return an expression for the set of members that match a binder."""
    if binder.where is None:
        return binder.set
    return binder.make_node(m.Filter, type=binder.set.type, span=binder.set.span)


def _sum(unit: Unit, node: s.SumOver, expected: Type | None) -> m.Expr:
    with unit.block():
        bound = bind(unit, node.binder)
        value = check_number(unit, node.value)
    assert isinstance(value.type, Whole)
    most = max_size(unit, bound.set)
    low, high = value.type.low, value.type.high
    type_ = Whole(min(0, low * most), max(0, high * most))
    return bound.make_node(m.SumOver, value=value, type=type_, span=node.span)


CHECKS.update(
    {
        s.Some: _some,
        s.NoneOf: _none_of,
        s.Every: _every,
        s.SumOver: _sum,
    }
)
