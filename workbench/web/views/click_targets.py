"""Click targets on the board: an element over each space that can be chosen now.

A space without a title is described by the fields around it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.picture.geometry import Point
from workbench.web.views.board_view import BoardView, SpacePosition

TOLERANCE = 1e-6
FULL_SIZE_UNIT = 66.0
"""Pixels per board unit from which click targets have their full size."""
LINK_MARGIN = 0.3
"""Fraction of a link left uncovered at each of its ends."""


def click_targets(
    board: BoardView, choices: Mapping[str, Any], localizer: Localizer
) -> list[dict[str, Any]]:
    """Return the click targets of all spaces in legal actions."""
    named = dict.fromkeys(
        argument
        for action in choices["actions"]
        for arguments in action["options"]
        for argument in arguments
        if argument in board.positions
    )
    fields = [spot for spot in board.positions.values() if spot.is_area]
    return [
        _click_target(board.positions[name], board.unit)
        | {"where": _location(board.positions[name], fields, localizer)}
        for name in named
    ]


def _click_target(position: SpacePosition, unit: float) -> dict[str, Any]:
    """Return the shape of a click target: a ring, or a line along a link."""
    x, y = position.centre
    place: dict[str, Any] = {"name": position.name, "title": position.title}
    place |= {"x": round(x, 1), "y": round(y, 1)}
    place["scale"] = round(min(max(unit / FULL_SIZE_UNIT, 0.6), 1.0), 2)
    place["reach"] = round(unit * (0.5 if position.is_area else 0.37), 1)
    place["ring"] = round(unit * (0.36 if position.is_area else 0.24), 1)
    if position.ends is not None and not position.is_area:
        (ax, ay), (bx, by) = position.ends
        dx, dy = (bx - ax) * LINK_MARGIN, (by - ay) * LINK_MARGIN
        ends = (ax + dx, ay + dy, bx - dx, by - dy)
        place["line"] = [round(value, 1) for value in ends]
    return place


def _location(
    position: SpacePosition, fields: list[SpacePosition], localizer: Localizer
) -> str:
    """Describe the location of a space by the fields next to it, for screen readers."""
    if position.is_area:
        return ""
    beside = [field.title for field in _adjacent_fields(position, fields)]
    return localizer.list_text(beside)


def _adjacent_fields(
    position: SpacePosition, fields: list[SpacePosition]
) -> Iterator[SpacePosition]:
    """Yield the fields whose outline touches a space."""
    points = [position.place.centre]
    for field in fields:
        rim = field.place.outline
        sides = [*rim, *map(_midpoint, rim, (*rim[1:], rim[0]))]
        if any(_is_same_point(point, side) for point in points for side in sides):
            yield field


def _midpoint(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _is_same_point(first: Point, other: Point) -> bool:
    pairs = zip(first, other, strict=True)
    return all(abs(a - b) < TOLERANCE for a, b in pairs)
