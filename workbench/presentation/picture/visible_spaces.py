"""Selection of the spaces to draw.

`hint drawn KIND: "attribute"` draws only spaces whose attribute has a value other than
`no`, for a board that is larger than the area in play. Corners and links are drawn only
if they belong to a drawn field. With `hint shows KIND: "definition"`, a space on a side
is drawn only if it has a value or a piece, and of a large board only the part in use
and one space around it.
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

PointKey = tuple[float, float]
COMPLETE_LINES_MAX = 9
"""Maximum number of rows and columns of a board that is always drawn completely."""

REACH = 1.8
"""Distance from the part of the board in use, in sides of a space; it is a bit more
than the distance between the centres of two hexes."""


def visible_spaces(
    spaces: Iterable[Space], plane: Plane | None, hints: Hints
) -> list[Space]:
    """Return the spaces to draw, in their original order."""
    drawn_spaces = list(spaces)
    fields = [space for space in drawn_spaces if space.place.outline]
    drawn = [space for space in fields if _is_drawn(space, hints)]
    if plane is None or len(drawn) == len(fields):
        return drawn_spaces
    names = {space.name for space in drawn}
    rim = {_point_key(point) for space in drawn for point in space.place.outline}
    sides = {side for space in drawn for side in _outline_sides(space.place.outline)}

    def is_visible(space: Space) -> bool:
        if space.place.outline:
            return space.name in names
        if space.place.ends is None:
            return _point_key(space.place.centre) in rim
        near, far = (plane.places[end].centre for end in space.place.ends)
        return frozenset((_point_key(near), _point_key(far))) in sides

    faces = [space.place for space in drawn]
    return [
        _turn_away(space, plane, faces) for space in drawn_spaces if is_visible(space)
    ]


def spaces_in_use(spaces: Sequence[Space], hints: Hints) -> list[Space]:
    """Return the spaces in use and those next to them, if sides show their values.

    The sides of spaces that are not drawn are left out.
    """
    drawn = _spaces_near_use(spaces, hints)
    names = {space.name for space in drawn}
    return [s for s in drawn if s.place.home is None or s.place.home in names]


def _spaces_near_use(spaces: Sequence[Space], hints: Hints) -> list[Space]:
    sides = [
        space
        for space in spaces
        if space.place.home is not None
        and hints.get(Look.SHOWS, space.place.domain) is not None
    ]
    if not sides:
        return list(spaces)
    homes = {side.place.home for side in sides}
    whole = [space.place.centre for space in spaces if space.name in homes]
    unused = {side.name for side in sides if not (side.traits or side.pieces)}
    filled = {side.place.home for side in sides if side.name not in unused}
    used = [
        space.place.centre
        for space in spaces
        if space.name in filled or (space.name in homes and space.pieces)
    ]
    if not used or all(
        len({point[axis] for point in whole}) <= COMPLETE_LINES_MAX for axis in (0, 1)
    ):
        return [space for space in spaces if space.name not in unused]

    def is_near(point: Point) -> bool:
        return all(
            min(other[axis] for other in used) - REACH
            <= point[axis]
            <= max(other[axis] for other in used) + REACH
            for axis in (0, 1)
        )

    return [
        space
        for space in spaces
        if space.name not in unused and is_near(space.place.centre)
    ]


def _turn_away(space: Space, plane: Plane, faces: Sequence[SpaceShape]) -> Space:
    """Move a space off the coast away from drawn fields; return others unchanged."""
    if space.place.ends is None or space.sort is not DomainSort.SPACE:
        return space
    near, far = (plane.places[end].centre for end in space.place.ends)
    behind = [face for face in faces if face is plane.places.get(space.place.hex or "")]
    centre = point_beyond(midpoint(near, far), behind or faces)
    place = attrs.evolve(space.place, centre=centre)
    return attrs.evolve(space, place=place)


def _is_drawn(space: Space, hints: Hints) -> bool:
    attribute = hints.get(Look.DRAWN, space.place.domain)
    return attribute is None or any(
        t.name == attribute and t.value is not False for t in space.traits
    )


def _outline_sides(outline: tuple[Point, ...]) -> Iterator[frozenset[PointKey]]:
    for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
        yield frozenset((_point_key(start), _point_key(end)))


def _point_key(point: Point) -> PointKey:
    """Return a point as a dictionary key; equal positions have equal keys."""
    return (round(point[0], 3) + 0.0, round(point[1], 3) + 0.0)
