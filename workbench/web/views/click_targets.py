"""Click targets on the board: an element over each space that can be chosen now.

A space without a title is described by the fields around it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.presentation.localization.localizer import Wording
from workbench.presentation.picture.geometry import Point
from workbench.web.views.board import BoardView, SpacePosition

NEAR = 1e-6
FULL = 66.0
"""Pixels per board unit from which click targets have their full size."""
SHORT = 0.3
"""Fraction of a link left uncovered at each of its ends."""


def places(
    board: BoardView, chosen: Mapping[str, Any], words: Wording
) -> list[dict[str, Any]]:
    """Return the click targets of all spaces in legal actions."""
    named = dict.fromkeys(
        argument
        for action in chosen["actions"]
        for arguments in action["options"]
        for argument in arguments
        if argument in board.spots
    )
    fields = [spot for spot in board.spots.values() if spot.is_area]
    return [
        _place(board.spots[name], board.unit)
        | {"where": _where(board.spots[name], fields, words)}
        for name in named
    ]


def _place(spot: SpacePosition, unit: float) -> dict[str, Any]:
    """Return the shape of a click target: a ring, or a line along a link."""
    x, y = spot.middle
    place: dict[str, Any] = {"name": spot.name, "title": spot.title}
    place |= {"x": round(x, 1), "y": round(y, 1)}
    place["scale"] = round(min(max(unit / FULL, 0.6), 1.0), 2)
    place["reach"] = round(unit * (0.5 if spot.is_area else 0.37), 1)
    place["ring"] = round(unit * (0.36 if spot.is_area else 0.24), 1)
    if spot.ends is not None and not spot.is_area:
        (ax, ay), (bx, by) = spot.ends
        dx, dy = (bx - ax) * SHORT, (by - ay) * SHORT
        ends = (ax + dx, ay + dy, bx - dx, by - dy)
        place["line"] = [round(value, 1) for value in ends]
    return place


def _where(spot: SpacePosition, fields: list[SpacePosition], words: Wording) -> str:
    """Describe the location of a space by the fields next to it, for screen readers."""
    if spot.is_area:
        return ""
    beside = [field.title for field in _beside(spot, fields)]
    return words.joined(beside)


def _beside(
    spot: SpacePosition, fields: list[SpacePosition]
) -> Iterator[SpacePosition]:
    """Yield the fields whose outline touches a space."""
    points = [spot.place.middle]
    for field in fields:
        rim = field.place.outline
        sides = [*rim, *map(_middle, rim, (*rim[1:], rim[0]))]
        if any(_same(point, side) for point in points for side in sides):
            yield field


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _same(first: Point, other: Point) -> bool:
    pairs = zip(first, other, strict=True)
    return all(abs(a - b) < NEAR for a, b in pairs)
