"""Links between spaces by coordinates, as in `links bond between cell by (1, 0)`."""

from __future__ import annotations

import itertools

from rulebook import syntax as s
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.model.value_types import Whole

Pair = tuple[int, int]


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
