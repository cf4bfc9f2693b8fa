"""Assignability of values to expected types, and type names for messages."""

from __future__ import annotations

from rulebook import model as m
from rulebook.check.declare.symbol_table import (
    PLAYER,
    is_assignable,
    mistake,
)
from rulebook.model.value_types import (
    Member,
    NoneType,
    SetOf,
    Truth,
    Type,
    Whole,
)

TRUTH = Truth()


DEFAULT_MAXIMUM = 10_000


def expect_type(value: m.Expr, expected: Type) -> m.Expr:
    """Return the value if its type fits, else raise `Mistake`."""
    takes_none = isinstance(expected, Member) or getattr(expected, "optional", False)
    if isinstance(value.type, NoneType) and takes_none:
        return m.no_value(expected, value.span)
    if not is_assignable(value.type, expected):
        raise mistake(
            "RB110",
            value.span,
            f"expected {describe_type(expected)}, but this is "
            f"{describe_type(value.type)}",
            kind_as_member_help(value)
            if isinstance(expected, Member)
            else _set_as_condition_help(value, expected),
        )
    return value


def _set_as_condition_help(value: m.Expr, expected: Type) -> str | None:
    """Return help if a set stands where a condition is expected, else None."""
    if expected != TRUTH or not isinstance(value.type, SetOf):
        return None
    return (
        "`every … where …` is a set; for a condition write `some … where …` or "
        "`no … where not (…)`"
    )


def kind_as_member_help(value: m.Expr) -> str | None:
    """Return help if a kind is named where one member is expected, else None."""
    if not m.is_all_of(value):
        return None
    who = "; the player who acts is `you`" if value.domain == PLAYER else ""
    return (
        f"no {value.domain} is bound to this name here: bind one with a "
        f"parameter, `each {value.domain}` or `some {value.domain} where …`{who}"
    )


def describe_type(type_: Type) -> str:
    """Return a type in words, for a message."""
    match type_:
        case Truth():
            return "a condition (yes/no)"
        case Whole():
            return "a number"
        case NoneType():
            return "none"
        case Member(domain=domain):
            return f"one {domain}"
        case SetOf(domain=domain):
            return f"a set of {domain or 'numbers'}"
        case _:
            return f"a {type_}"


def attribute_type(type_: Type, owner: Member) -> Type:
    """Return the type of an attribute, optional if its owner may be none."""
    if owner.optional and isinstance(type_, Member):
        return Member(type_.domain, optional=True)
    return type_
