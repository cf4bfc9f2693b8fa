"""Geometry of hex layouts: the corners and sides that hexes share.

Coordinates are axial (q, r): r grows southward (pointy top), q grows eastward (flat
top). A corner is identified by the three hex places that meet there, a link by the two
corners at its ends. Thus hexes share equal corners and links. Source of coordinates:
https://www.redblobgames.com/grids/hexagons/ (axial, both orientations).
"""

from __future__ import annotations

import attrs

from rulebook.shared_enums import Orientation

Place = tuple[int, int]
CornerKey = tuple[Place, ...]

#: Steps to the two neighbours that share each corner, by its compass point.
CORNERS: dict[Orientation, dict[str, tuple[Place, Place]]] = {
    Orientation.POINTY_TOP: {
        "N": ((0, -1), (1, -1)),
        "NE": ((1, -1), (1, 0)),
        "SE": ((1, 0), (0, 1)),
        "S": ((0, 1), (-1, 1)),
        "SW": ((-1, 1), (-1, 0)),
        "NW": ((-1, 0), (0, -1)),
    },
    Orientation.FLAT_TOP: {
        "NE": ((0, -1), (1, -1)),
        "E": ((1, -1), (1, 0)),
        "SE": ((1, 0), (0, 1)),
        "SW": ((0, 1), (-1, 1)),
        "W": ((-1, 1), (-1, 0)),
        "NW": ((-1, 0), (0, -1)),
    },
}

#: Step across each side, by its compass point.
SIDES: dict[Orientation, dict[str, Place]] = {
    Orientation.POINTY_TOP: {
        "NE": (1, -1),
        "E": (1, 0),
        "SE": (0, 1),
        "SW": (-1, 1),
        "W": (-1, 0),
        "NW": (0, -1),
    },
    Orientation.FLAT_TOP: {
        "N": (0, -1),
        "NE": (1, -1),
        "SE": (1, 0),
        "S": (0, 1),
        "SW": (-1, 1),
        "NW": (-1, 0),
    },
}


def corner_key(place: Place, point: str, orientation: Orientation) -> CornerKey:
    """Return the key of the corner at a compass point (such as `SE`) of a hex."""
    q, r = place
    steps = CORNERS[orientation][point]
    return tuple(sorted([place, *((q + dq, r + dr) for dq, dr in steps)]))


def side_corners(
    place: Place, side: str, orientation: Orientation
) -> tuple[CornerKey, ...]:
    """Return the keys of the two corners of a hex side, clockwise from the north."""
    q, r = place
    dq, dr = SIDES[orientation][side]
    across = (q + dq, r + dr)
    keys = (corner_key(place, point, orientation) for point in CORNERS[orientation])
    return tuple(key for key in keys if across in key)


def center(places: tuple[Place, ...], orientation: Orientation) -> tuple[float, float]:
    """Return the center (y, x) of several hexes, in side lengths, with y southward."""
    q = sum(place[0] for place in places) / len(places)
    r = sum(place[1] for place in places) / len(places)
    root = 3**0.5
    if orientation is Orientation.POINTY_TOP:
        return 1.5 * r, root * (q + r / 2)
    return root * (r + q / 2), 1.5 * q


@attrs.frozen
class Corners:
    """Keys of the corners of a set of hexes.

    `keys` are ordered by rows from the north-west. `by_face` has the keys of each hex,
    clockwise from the north.
    """

    keys: tuple[CornerKey, ...]
    by_face: tuple[tuple[CornerKey, ...], ...]


def corners_of(places: tuple[Place, ...], orientation: Orientation) -> Corners:
    """Return the corner keys of the hexes at these places."""
    of_face = tuple(
        tuple(corner_key(place, point, orientation) for point in CORNERS[orientation])
        for place in places
    )
    corners = dict.fromkeys(key for keys in of_face for key in keys)

    def position(key: CornerKey) -> tuple[float, float]:
        y, x = center(key, orientation)
        return round(y, 3), round(x, 3)

    return Corners(tuple(sorted(corners, key=position)), of_face)


def links_of(
    corners_by_face: tuple[tuple[int, ...], ...],
) -> tuple[tuple[int, int], ...]:
    """Return the sorted pairs of corner indices that are joined by a side of a hex."""
    pairs = {
        (min(start, end), max(start, end))
        for corners in corners_by_face
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True)
    }
    return tuple(sorted(pairs))
