"""Edges of a grid that a seat must connect: `hint goal SEAT: "COORDINATE"`.

An edge consists of the boundary sides of the first or last fields in that coordinate. A
side that is also at an edge of the other coordinate is left out.
"""

from collections.abc import Iterator

from rulebook.model import Look
from workbench.presentation.picture.geometry import ROOT, Point
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import Seat


def goal_sides(scene: Scene) -> Iterator[tuple[Seat, Point, Point]]:
    """Yield each field side on an edge to connect: the seat and the side's two ends."""
    if scene.plane is None or scene.plane.grid is None:
        return
    axes = [axis.name for axis in scene.book.model.domains[scene.plane.grid].axes]
    wanted = [(seat, scene.hints.get(Look.GOAL, seat.name)) for seat in scene.seats]
    fields = [space.place for space in scene.spaces if space.place.outline]
    spots = [grid_coordinates(field.centre, len(field.outline)) for field in fields]
    most = [max((spot[n] for spot in spots), default=0) for n in (0, 1)]
    for place in fields:
        outline = place.outline
        for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
            beyond = tuple(
                a + b - c for a, b, c in zip(start, end, place.centre, strict=True)
            )
            spot = grid_coordinates((beyond[0], beyond[1]), len(outline))
            out = [not 0 <= spot[n] <= most[n] for n in (0, 1)]
            for seat, axis in wanted:
                if axis in axes[:2] and out[axes.index(axis)] and sum(out) == 1:
                    yield seat, start, end


def grid_coordinates(point: Point, sides: int) -> tuple[int, int]:
    """Return a grid field's coordinates, from 0, by its centre and side count."""
    x, y = point
    if sides == 6:
        return round(x / ROOT - y / 3), round(y / 1.5)
    return round(x), round(-y)
