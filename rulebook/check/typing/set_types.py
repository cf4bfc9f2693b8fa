"""Sets: the type of their members, their maximum size, and tests for emptiness."""

from __future__ import annotations

from rulebook import model as m
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import mistake
from rulebook.check.typing.assignability import DEFAULT_MAXIMUM, describe_type
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Type, Whole
from rulebook.source.spans import Span


def element_type(set_: m.Expr) -> Type:
    """Return the type of the members of a set."""
    if isinstance(set_, m.Subset):
        return element_type(set_.set)
    if isinstance(set_, m.NumberSet):
        assert isinstance(set_.low.type, Whole)
        assert isinstance(set_.high.type, Whole)
        return Whole(set_.low.type.low, max(set_.low.type.low, set_.high.type.high))
    assert isinstance(set_.type, SetOf)
    assert set_.type.domain is not None
    return Member(set_.type.domain)


def max_size(unit: Unit, set_: m.Expr) -> int:
    """Return the maximum number of members of a set."""
    if isinstance(set_, m.NumberSet):
        type_ = element_type(set_)
        assert isinstance(type_, Whole)
        return type_.high - type_.low + 1
    if isinstance(set_, m.SortedMembers) and set_.count is not None:
        return min(max_size(unit, set_.set), max(0, _bounds(set_.count).high))
    assert isinstance(set_.type, SetOf)
    if set_.type.domain is None:
        return DEFAULT_MAXIMUM
    return unit.world.member_count(set_.type.domain)


def _bounds(number: m.Expr) -> Whole:
    assert isinstance(number.type, Whole)
    return number.type


def is_never_empty(unit: Unit, set_: m.Expr) -> bool:
    """Return whether a set has at least one member in every game."""
    match set_:
        case _ if m.is_all_of(set_):
            return unit.world.member_count(set_.domain) > 0
        case m.Clockwise(after=after):
            return not after or unit.world.players[0] > 1
        case m.SortedMembers(count=m.Typed() as most) if _bounds(most).low < 1:
            return False
        case m.Subset(where=None, set=inner):
            return is_never_empty(unit, inner)
    return False


def size_expression(unit: Unit, value: m.Expr, span: Span) -> m.Expr:
    """Return an expression for the size of a bag, stack or set."""
    if not isinstance(value.type, Bag | Stack | SetOf):
        holds_one = isinstance(value.type, Member) and value.type.optional
        raise mistake(
            "RB121",
            value.span,
            f"`number of` cannot count {describe_type(value.type)}",
            "it is one thing or none: write `is none` or `is not none`"
            if holds_one
            else None,
        )
    most = max_size(unit, value) if isinstance(value.type, SetOf) else DEFAULT_MAXIMUM
    return m.SizeOf(holder=value, type=Whole(0, most), span=span)
