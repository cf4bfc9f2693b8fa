"""Click targets on the board: an element over each space that can be chosen now.

A corner or link is described by the fields next to it. A number can mean a space.
"""

from collections.abc import Iterator, Mapping
from math import hypot
from typing import Any

from interpreter import Game
from rulebook.model import Look, Whole
from rulebook.tooling import look_definition
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.picture.geometry import Point
from workbench.web.views.board_view import BoardView, SpacePosition

TOLERANCE = 1e-6
FULL_SIZE_UNIT = 66.0
"""Minimum number of pixels per board unit for full-size click targets."""
LINK_MARGIN = 0.3
"""Fraction of a link left uncovered at each of its ends."""


def click_targets(
    game: Game,
    seat: str | None,
    board: BoardView,
    choices: Mapping[str, Any],
    localizer: Localizer,
) -> list[dict[str, Any]]:
    """Return the click targets of all spaces in legal actions, as plain data.

    A target's name is the argument that a click on it chooses.
    """
    fields = [position for position in board.positions.values() if position.is_area]
    return [
        click_target(board.positions[space], board.unit)
        | {"name": argument}
        | {"where": _location(board.positions[space], fields, localizer)}
        for argument, space in argument_spaces(game, seat, choices).items()
        if space in board.positions
    ]


def argument_spaces(
    game: Game, seat: str | None, choices: Mapping[str, Any]
) -> dict[str, str]:
    """Return the space of each argument in legal actions that is, or means, a space.

    `hint at PARAMETER` names the definition of the space that a number means.
    """
    model, spaces = game.book.model, dict[str, str]()
    for action in choices["actions"]:
        if action["name"] not in model.actions:
            continue
        for at, parameter in enumerate(model.actions[action["name"]].parameters):
            is_number = isinstance(parameter.type, Whole)
            definition = is_number and look_definition(model, Look.AT, parameter.name)
            for argument in {arguments[at]: None for arguments in action["options"]}:
                if not definition:
                    spaces[argument] = argument
                else:
                    own = model.defines[definition].parameters[:-1] and (seat or "",)
                    space = game.visible_value(seat, definition, *own, int(argument))
                    if space is not None:
                        spaces[argument] = str(space)
    return spaces


def click_target(position: SpacePosition, unit: float) -> dict[str, Any]:
    """Return the mark of a space: a ring, or a line along a link; *unit* scales it."""
    x, y = position.centre
    target: dict[str, Any] = {"name": position.name, "title": position.title}
    target |= {"x": round(x, 1), "y": round(y, 1)}
    target["scale"] = round(min(max(unit / FULL_SIZE_UNIT, 0.6), 1.0), 2)
    reach = min(0.5, _inner_radius(position)) if position.is_area else 0.37
    target["reach"] = round(unit * reach, 1)
    target["ring"] = round(unit * (0.72 * reach if position.is_area else 0.24), 1)
    if position.ends is not None and not position.is_area:
        (ax, ay), (bx, by) = position.ends
        dx, dy = (bx - ax) * LINK_MARGIN, (by - ay) * LINK_MARGIN
        ends = (ax + dx, ay + dy, bx - dx, by - dy)
        target["line"] = [round(value, 1) for value in ends]
    return target


def _inner_radius(position: SpacePosition) -> float:
    """Return the distance from the centre of an area to its outline, in board units."""
    (x, y), outline = position.place.centre, position.place.outline
    return min(
        abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / hypot(bx - ax, by - ay)
        for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True)
    )


def _location(
    position: SpacePosition, fields: list[SpacePosition], localizer: Localizer
) -> str:
    """Describe the location of a space by the fields next to it, for screen readers."""
    if position.is_area:
        return ""
    titles = [field.title for field in _adjacent_fields(position, fields)]
    return localizer.list_text(titles)


def _adjacent_fields(
    position: SpacePosition, fields: list[SpacePosition]
) -> Iterator[SpacePosition]:
    """Yield the fields with a corner or an edge midpoint at a space's centre."""
    points = [position.place.centre]
    for field in fields:
        corners = field.place.outline
        outline = [*corners, *map(_midpoint, corners, (*corners[1:], corners[0]))]
        if any(_is_same_point(point, side) for point in points for side in outline):
            yield field


def _midpoint(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _is_same_point(first: Point, other: Point) -> bool:
    pairs = zip(first, other, strict=True)
    return all(abs(a - b) < TOLERANCE for a, b in pairs)
