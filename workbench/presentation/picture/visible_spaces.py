"""Selection of the spaces to draw.

`hint drawn KIND: "attribute"` draws only spaces whose attribute has a value other than
`no`, for a board that is larger than the area in play. Corners and links are drawn only
if they belong to a drawn field.
"""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulebook.model import DomainSort, Look
from workbench.presentation.picture.geometry import (
    Plane,
    Point,
    SpaceShape,
    midpoint,
    point_beyond,
)
from workbench.presentation.picture.hints import Hints
from workbench.presentation.picture.scene_parts import Space

Spot = tuple[float, float]


def visible_spaces(
    spaces: Iterable[Space], plane: Plane | None, hints: Hints
) -> list[Space]:
    """Return the spaces to draw, in their order."""
    drawn_spaces = list(spaces)
    fields = [space for space in drawn_spaces if space.place.outline]
    left = [space for space in fields if _is_drawn(space, hints)]
    if plane is None or len(left) == len(fields):
        return drawn_spaces
    names = {space.name for space in left}
    rim = {_point_key(point) for space in left for point in space.place.outline}
    sides = {side for space in left for side in _outline_sides(space.place.outline)}

    def is_visible(space: Space) -> bool:
        if space.place.outline:
            return space.name in names
        if space.place.ends is None:
            return _point_key(space.place.centre) in rim
        near, far = (plane.places[end].centre for end in space.place.ends)
        return frozenset((_point_key(near), _point_key(far))) in sides

    faces = [space.place for space in left]
    return [
        _turn_away(space, plane, faces) for space in drawn_spaces if is_visible(space)
    ]


def _turn_away(space: Space, plane: Plane, faces: Sequence[SpaceShape]) -> Space:
    """Return a space off the coast, moved to the side away from the drawn field."""
    if space.place.ends is None or space.sort is not DomainSort.SPACE:
        return space
    near, far = (plane.places[end].centre for end in space.place.ends)
    place = attrs.evolve(space.place, centre=point_beyond(midpoint(near, far), faces))
    return attrs.evolve(space, place=place)


def _is_drawn(space: Space, hints: Hints) -> bool:
    attribute = hints.get(Look.DRAWN, space.place.domain)
    return attribute is None or any(
        t.name == attribute and t.value is not False for t in space.traits
    )


def _outline_sides(outline: tuple[Point, ...]) -> Iterator[frozenset[Spot]]:
    for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
        yield frozenset((_point_key(start), _point_key(end)))


def _point_key(point: Point) -> Spot:
    """Return a point as a dictionary key; equal positions have equal keys."""
    return (round(point[0], 3) + 0.0, round(point[1], 3) + 0.0)
