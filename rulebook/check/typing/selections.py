"""Checks of phrases that select one member, or the best value of any member.

The phrases are `first`, `only`, `next player`, `exactly one` and `highest … of any`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import PLAYER, mistake
from rulebook.check.typing.binders import (
    CheckedBinder,
    bind,
    bind_over,
    bind_within,
    first_member,
    matching_members,
    member_count,
)
from rulebook.check.typing.expression_checks import check_player
from rulebook.check.typing.set_types import is_never_empty
from rulebook.check.typing.superlatives import check_measure
from rulebook.model.value_types import Member, SetOf, Type, Whole
from rulebook.source.spans import Span


def _selected_type(binder: CheckedBinder, word: str, span: Span) -> Member:
    """Return the type of a selected member; raise `Mistake` for a set of numbers."""
    if isinstance(binder.type, Member):
        return binder.type
    raise mistake(
        "RB120",
        span,
        f"`{word}` cannot select from a set of numbers, which may be empty",
        "write `lowest n of any n in …` or `highest n of any n in …`",
    )


def _first(unit: Unit, node: s.First, expected: Type | None) -> m.Expr:
    bound = bind_within(unit, node.binder)
    kind = _selected_type(bound, "first", node.binder.span)
    return _first_of(unit, bound, kind.domain, node.span)


def _first_of(unit: Unit, binder: CheckedBinder, domain: str, span: Span) -> m.Expr:
    """Return the first member; its type is optional unless a member always exists."""
    surely = binder.where is None and is_never_empty(unit, binder.set)
    return first_member(binder, Member(domain, optional=not surely), span)


def only_matching_member(unit: Unit, binder: CheckedBinder, span: Span) -> m.Expr:
    """Return the only member that matches a binder, or none."""
    kind = _selected_type(binder, "only one", span)
    return m.OnlyMember(
        set=matching_members(binder), type=Member(kind.domain, True), span=span
    )


def _only(unit: Unit, node: s.OnlyExpression, expected: Type | None) -> m.Expr:
    return only_matching_member(unit, bind_within(unit, node.binder), node.span)


def _exactly_one(unit: Unit, node: s.ExactlyOne, expected: Type | None) -> m.Expr:
    number = member_count(unit, bind_within(unit, node.binder), node.span)
    return m.equal(number, 1, node.span)


def _next_player(unit: Unit, node: s.NextPlayer, expected: Type | None) -> m.Expr:
    """Return the first matching player after a given player, in turn order."""
    start = check_player(unit, node.after or s.You(span=node.span))
    round_ = m.Clockwise(
        start=start,
        reverse=False,
        after=True,
        turning=True,
        type=SetOf(PLAYER),
        span=node.span,
    )
    with unit.block():
        bound = bind_over(unit, PLAYER, round_, node.where)
    return _first_of(unit, bound, PLAYER, node.span)


def _highest(unit: Unit, node: s.HighestExpression, expected: Type | None) -> m.Expr:
    with unit.block():
        bound = bind(unit, node.binder)
        value = check_measure(unit, bound.variable(node.binder.span), node.value)
    assert isinstance(value.type, Whole)
    low, high = value.type.low, value.type.high
    if bound.where is not None or not is_never_empty(unit, bound.set):
        low, high = min(0, low), max(0, high)
    return bound.make_node(
        m.Highest,
        value=value,
        smallest=node.word in s.SMALLEST,
        type=Whole(low, high),
        span=node.span,
    )


SELECTION_CHECKS: dict[type[Any], Callable[..., m.Expr]] = {
    s.First: _first,
    s.OnlyExpression: _only,
    s.ExactlyOne: _exactly_one,
    s.NextPlayer: _next_player,
    s.HighestExpression: _highest,
}
"""Functions that check selections, by class of syntax node."""
