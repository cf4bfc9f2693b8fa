"""Fields with parameters, such as `level(kind): 0 to 5` for each player and kind.

Each combination of owner and arguments is a member of a hidden domain with coordinates.
A value is therefore an ordinary field of the member that `SpaceAt` finds, and all
checks of fields apply to it.
"""

from __future__ import annotations

import itertools
import math

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.signatures import parameter_types
from rulebook.check.declare.symbol_table import (
    PLAYER,
    SymbolTable,
    mistake,
    number_text,
)
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Type, Whole
from rulebook.source.spans import Span


def declare_hidden_domain(
    world: SymbolTable, owner: str | None, node: s.FieldLine, type_: Type
) -> str:
    """Declare the hidden domain of a field with parameters; return its name."""
    _check_single_value(world, node, type_)
    axes = tuple(
        _axis(world, name, kind, node) for name, kind in _parameters(world, owner, node)
    )
    count = math.prod(axis.size for axis in axes)
    if count > world.size_limits.spaces:
        raise mistake(
            "RB152",
            node.name.span,
            f"`{node.name.text}` has {number_text(count)} values, but the limit "
            f"is {world.size_limits.spaces:,}",
            "store it for fewer things",
        )
    name = f"{owner or ''}.{node.name.text}"
    words = [_words(world, axis) for axis in axes]
    world.domains[name] = m.Domain(
        name=name,
        plural=name,
        sort=m.DomainSort.PAIR,
        members=tuple(
            f"{node.name.text}({', '.join(combination)})"
            for combination in itertools.product(*words)
        ),
        each_player=owner == PLAYER,
        axes=axes,
        span=node.name.span,
    )
    return name


def _check_single_value(world: SymbolTable, node: s.FieldLine, type_: Type) -> None:
    kind = world.domains[type_.domain] if isinstance(type_, Member) else None
    cards = kind is not None and kind.sort is m.DomainSort.CARDS
    if cards or isinstance(type_, Bag | Stack | SetOf):
        raise mistake(
            "RB110",
            node.span,
            "a field with parameters can store only numbers, yes/no or members, "
            f"not `{type_}`",
            "store cards in a field without parameters, below `each KIND has`",
        )


def _parameters(
    world: SymbolTable, owner: str | None, node: s.FieldLine
) -> tuple[tuple[str, Type], ...]:
    """Return the names and types of the parameters that select a value of a field.

    The owner comes first, unless the field belongs to the game or to players.
    """
    own: tuple[tuple[str, Type], ...] = ()
    if owner not in (None, PLAYER):
        own = ((str(owner), Member(str(owner))),)
    return (*own, *parameter_types(world, node.parameters))


def _axis(world: SymbolTable, name: str, type_: Type, node: s.FieldLine) -> m.Axis:
    if isinstance(type_, Whole):
        size = type_.high - type_.low + 1
        return m.Axis(name, type_, type_.low, size, span=node.name.span)
    if not isinstance(type_, Member) or world.domains[type_.domain].each_player:
        raise mistake(
            "RB110",
            node.name.span,
            f"`{node.name.text}` cannot have a value for each {name}",
            "fields can have a value for each member of a kind, or for each "
            "number of a range",
        )
    size = len(world.domains[type_.domain].members)
    return m.Axis(name, type_, 0, size, span=node.name.span)


def _words(world: SymbolTable, axis: m.Axis) -> tuple[str, ...]:
    """Return the names of the positions on an axis: numbers or members."""
    if isinstance(axis.type, Member):
        return world.domains[axis.type.domain].members
    return tuple(str(axis.low + at) for at in range(axis.size))


# ---------------------------------------------------------------- reading


def parameters_of(world: SymbolTable, field: m.Field) -> tuple[m.Parameter, ...]:
    """Return the parameters that rules write in brackets after a field's name."""
    if not field.is_pair:
        return ()
    axes = world.domains[str(field.owner)].axes
    inner = field.home not in (None, PLAYER)
    return tuple(
        m.Parameter(slot=number, name=axis.name, type=axis.type)
        for number, axis in enumerate(axes[inner:])
    )


def parameterized_value(
    world: SymbolTable,
    field: m.Field,
    owner: m.Expr | None,
    arguments: tuple[m.Expr, ...],
    span: Span,
) -> m.Expr:
    """Return an expression for a field's value; *arguments* may be out of range."""
    domain = world.domains[str(field.owner)]
    where = arguments if owner is None or domain.each_player else (owner, *arguments)
    ends = (*where, owner) if domain.each_player and owner is not None else where
    types = (*(axis.type for axis in domain.axes), Member(PLAYER))
    may_be_absent = not all(map(_is_coordinate, ends, types))
    place = m.SpaceAt(
        domain=domain.name,
        owner=owner if domain.each_player else None,
        coordinates=where,
        type=Member(domain.name, optional=may_be_absent),
        span=span,
    )
    type_ = field.type
    if may_be_absent and isinstance(type_, Member):
        type_ = Member(type_.domain, optional=True)
    return m.field_value(field.key, place, type_, span)


def card_at(domain: m.Domain, coordinates: tuple[m.Expr, ...], span: Span) -> m.Expr:
    """Return the card with these coordinates, as a constant if all are constants."""
    types = [axis.type for axis in domain.axes]
    exists = all(map(_is_coordinate, coordinates, types))
    type_ = Member(domain.name, optional=not exists)
    values = [m.constant_value(coordinate) for coordinate in coordinates]
    if exists and None not in values:
        at = 0
        for value, axis in zip(values, domain.axes, strict=True):
            at = at * axis.size + value - axis.low
        return m.constant(at, type_, span)
    return m.SpaceAt(domain.name, None, coordinates, type=type_, span=span)


def _is_coordinate(value: m.Expr, type_: Type) -> bool:
    """Return whether a value is certainly a coordinate of this type."""
    if isinstance(value.type, Whole) and isinstance(type_, Whole):
        return type_.low <= value.type.low and value.type.high <= type_.high
    return isinstance(value.type, Member) and not value.type.optional
