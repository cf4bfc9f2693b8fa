"""Spaces, cards and links declared by coordinates.

Examples are `spaces square by column 1 to 8, row 1 to 8`, `cards card by suit, rank`
and `links bond between cell by (1, 0)`.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from operator import itemgetter

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.symbol_table import SymbolTable, mistake, number_text
from rulebook.model.value_types import Member, Whole

Pair = tuple[int, int]
CoordinateLayout = tuple[tuple[m.Axis, ...], dict[str, m.Column], tuple[str, ...]]


def expand_coordinates(
    world: SymbolTable, clause: s.SpacesClause | s.CardsClause
) -> CoordinateLayout:
    """Return the axes, a column for each axis, and the names of all spaces or cards.

    The name of a space consists of its kind and its coordinates: `square_3_4`. A
    negative number is written with an `m`. The name of a card consists of its
    coordinates alone, such as `hearts_queen`, if the first one is a name.
    """
    axes = tuple(_axis(world, axis) for axis in clause.axes)
    count = math.prod(axis.size for axis in axes)
    what = "cards" if isinstance(clause, s.CardsClause) else "spaces"
    if count > world.size_limits.spaces:
        raise mistake(
            "RB152",
            clause.name.span,
            f"{number_text(count)} {what} exceed the limit of "
            f"{world.size_limits.spaces:,}",
            "make the board smaller" if what == "spaces" else "declare fewer of them",
        )
    places = list(itertools.product(*(range(axis.size) for axis in axes)))
    columns = {
        axis.name: m.Column(
            name=axis.name,
            type=axis.type,
            values=tuple(axis.low + place[number] for place in places),
            span=axis.span,
        )
        for number, axis in enumerate(axes)
    }
    on_sides = isinstance(clause, s.SpacesClause) and clause.on_sides
    alone = what == "cards" and isinstance(axes[0].type, Member)
    names = tuple(
        "_".join(
            [clause.name.text] * (not alone)
            + [
                _coordinate_name(world, axis, at, is_home=on_sides and axis is axes[0])
                for axis, at in zip(axes, place, strict=True)
            ]
        )
        for place in places
    )
    repeated_name, occurrences = max(Counter(names).items(), key=itemgetter(1))
    if occurrences > 1:
        raise mistake(
            "RB102",
            clause.name.span,
            f"`{repeated_name}` would be the name of two combinations",
            "give a member another name, without a `_` where the parts meet",
        )
    return axes, columns, names


def _axis(world: SymbolTable, node: s.AxisPhrase) -> m.Axis:
    if node.range is not None:
        type_ = world.range_type(node.range)
        size = type_.high - type_.low + 1
        return m.Axis(node.name.text, type_, type_.low, size, span=node.span)
    domain = world.domain_named(node.kind or node.name)
    size = len(domain.members)
    return m.Axis(node.name.text, Member(domain.name), 0, size, span=node.span)


def _coordinate_name(
    world: SymbolTable, axis: m.Axis, index: int, *, is_home: bool
) -> str:
    """Return a coordinate as part of a name; a home's own coordinates are enough."""
    if isinstance(axis.type, Member):
        domain = world.domains[axis.type.domain]
        prefix = f"{domain.name}_" if is_home and domain.axes else ""
        return domain.members[index].removeprefix(prefix)
    assert isinstance(axis.type, Whole)
    number = axis.low + index
    return str(number) if number >= 0 else f"m{-number}"


# ---------------------------------------------------------------- links


def links_between(
    world: SymbolTable, space: s.Name, strides: tuple[s.Stride, ...]
) -> tuple[str, tuple[Pair, ...]]:
    """Return the kind of space, and the index pairs of its spaces that strides join."""
    spaces = world.domain_named(space)
    axes = spaces.axes
    named = [axis.name for axis in axes if not isinstance(axis.type, Whole)]
    if named or not axes:
        message = f"a {spaces.name} has no coordinates that are numbers"
        if named:
            axis = " and ".join(f"`{name}`" for name in named)
            message = (
                f"strides need numbers, but {axis} of a {spaces.name} is not a number"
            )
        raise mistake(
            "RB106",
            space.span,
            message,
            "strides need spaces declared `by` coordinates such as `column 1 to 8`",
        )
    places = list(itertools.product(*(range(axis.size) for axis in axes)))
    index = {place: number for number, place in enumerate(places)}
    pairs: dict[Pair, None] = {}
    for stride in strides:
        _check_stride(stride, axes)
        for place, number in index.items():
            beyond = tuple(a + b for a, b in zip(place, stride.steps, strict=True))
            if beyond in index:
                other = index[beyond]
                pairs[min(number, other), max(number, other)] = None
        if len(pairs) > world.size_limits.spaces:
            raise mistake(
                "RB152",
                stride.span,
                f"there are more than {world.size_limits.spaces:,} links",
                "make the board smaller, or let fewer strides join its spaces",
            )
    return spaces.name, tuple(sorted(pairs))


def _check_stride(stride: s.Stride, axes: tuple[object, ...]) -> None:
    if len(stride.steps) != len(axes):
        raise mistake(
            "RB116",
            stride.span,
            f"a stride needs one number for each coordinate, {len(axes)} here",
        )
    if not any(stride.steps):
        raise mistake("RB106", stride.span, "this stride leads back to the same space")
