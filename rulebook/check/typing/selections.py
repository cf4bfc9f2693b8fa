"""Phrases that select one member or a value of one member.

These are `first`, `only`, `next player`, `exactly one` and `highest … of any`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbols import PLAYER, mistake
from rulebook.check.typing.assignability import TRUTH
from rulebook.check.typing.binders import (
    Bound,
    bind,
    bind_over,
    bind_within,
    filtered,
    first_of,
    number_of,
)
from rulebook.check.typing.expressions import check_player
from rulebook.check.typing.sets import never_empty
from rulebook.check.typing.superlatives import measure
from rulebook.model.types import Member, SetOf, Type, Whole
from rulebook.source.spans import Span


def _one_of(bound: Bound, word: str, span: Span) -> Member:
    """Return the type of a selected member; raise `Mistake` for a set of numbers."""
    if isinstance(bound.type, Member):
        return bound.type
    raise mistake(
        "RB120",
        span,
        f"`{word}` cannot select from a set of numbers, which may be empty",
        "write `lowest n of any n in …` or `highest n of any n in …`",
    )


def _first(unit: Unit, node: s.First, expected: Type | None) -> m.Expr:
    bound = bind_within(unit, node.binder)
    kind = _one_of(bound, "first", node.binder.span)
    return _first_of(unit, bound, kind.domain, node.span)


def _first_of(unit: Unit, bound: Bound, domain: str, span: Span) -> m.Expr:
    """Return the first member; its type is optional unless there is always one."""
    surely = bound.where is None and never_empty(unit, bound.set)
    return first_of(bound, Member(domain, optional=not surely), span)


def only_one(unit: Unit, bound: Bound, span: Span) -> m.Expr:
    """Return the only member that matches a binder, or none."""
    kind = _one_of(bound, "only one", span)
    return m.Only(set=filtered(bound), type=Member(kind.domain, True), span=span)


def _only(unit: Unit, node: s.Only, expected: Type | None) -> m.Expr:
    return only_one(unit, bind_within(unit, node.binder), node.span)


def _exactly_one(unit: Unit, node: s.ExactlyOne, expected: Type | None) -> m.Expr:
    number = number_of(unit, bind_within(unit, node.binder), node.span)
    const_1 = m.Const(value=1, type=Whole(1, 1), span=node.span)
    return m.Compare(
        op=m.Comparison.EQUAL, left=number, right=const_1, type=TRUTH, span=node.span
    )


def _next_player(unit: Unit, node: s.NextPlayer, expected: Type | None) -> m.Expr:
    """Return the first matching player after *start*, going once round the table."""
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


def _highest(unit: Unit, node: s.Highest, expected: Type | None) -> m.Expr:
    with unit.block():
        bound = bind(unit, node.binder)
        value = measure(unit, bound.member(node.binder.span), node.value)
    assert isinstance(value.type, Whole)
    low, high = value.type.low, value.type.high
    if bound.where is not None or not never_empty(unit, bound.set):
        low, high = min(0, low), max(0, high)
    return bound.make(
        m.Highest,
        value=value,
        smallest=node.word in s.SMALLEST,
        type=Whole(low, high),
        span=node.span,
    )


SINGLED: dict[type[Any], Callable[..., m.Expr]] = {
    s.First: _first,
    s.Only: _only,
    s.ExactlyOne: _exactly_one,
    s.NextPlayer: _next_player,
    s.Highest: _highest,
}
"""Check functions by class of syntax node."""
