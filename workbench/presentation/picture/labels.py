"""Placement of corner names where they cover as little as possible.

Each name tries eight positions around its corner. Boxes represent what is already
drawn. The width of a letter is estimated as 0.62 of its size.
"""

from collections.abc import Callable, Iterator, Sequence

import attrs

from rulebook.model import DomainSort, Look
from workbench.presentation.picture.geometry import Point
from workbench.presentation.picture.scene import Scene
from workbench.presentation.picture.scene_parts import Space
from workbench.presentation.picture.tags import Mark, text_tag, wrap_words

SIZE = 0.145
PIECE = 0.24
PointMap = Callable[[Point], Point]


@attrs.frozen
class Box:
    """Rectangle that a drawn mark covers."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def centred_on(
        cls, x: float, y: float, half_width: float, half_height: float
    ) -> "Box":
        """Return the box around a point with the given half width and half height."""
        return cls(x - half_width, y - half_height, x + half_width, y + half_height)

    def shared_area(self, other: "Box") -> float:
        """Return the area of the intersection with another box."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)


def draw_names(scene: Scene, unit: float, to_picture: PointMap, area: Box) -> Mark:
    """Draw the names of all named corners, within *area* if possible."""
    return "".join(
        text_tag(x, y, name, unit * SIZE, weight="bold", anchor=anchor, halo=True)
        for name, _, x, y, anchor in name_placements(scene, unit, to_picture, area)
    )


def name_placements(
    scene: Scene, unit: float, to_picture: PointMap, area: Box
) -> Iterator[tuple[str, Box, float, float, str]]:
    """Yield each name with its box, the x and y of its text, and the text anchor."""
    taken = list(covered_boxes(scene, unit, to_picture))
    for space in scene.spaces:
        if _is_named(scene, space):
            places = list(_candidates(scene, space, unit, to_picture))
            near = list(_nearby_boxes(places, taken))
            best = min(
                places, key=lambda place: place[0] + _penalty(place[1], near, area)
            )
            taken.append(best[1])
            yield (space.title, *best[1:])


def _nearby_boxes(
    places: Sequence[tuple[float, Box, float, float, str]], occupied: Sequence[Box]
) -> Iterator[Box]:
    """Yield the occupied boxes near any candidate position of a name."""
    boxes = [box for _, box, _, _, _ in places]
    bounds = Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
    return (box for box in occupied if box.shared_area(bounds))


def _penalty(box: Box, taken: Sequence[Box], area: Box) -> float:
    """Return the penalty of a position for covering marks and leaving the area."""
    beyond = box.shared_area(box) - box.shared_area(area)
    return 4 * (sum(box.shared_area(occupied) for occupied in taken) + beyond)


def _is_named(scene: Scene, space: Space) -> bool:
    """Return whether a corner's name is shown; on hexes, only if it has a mark."""
    if space.place.outline or space.place.ends or not space.is_named:
        return False
    shaped = (
        t.is_member and scene.hints.get(Look.SHAPE, t.value) for t in space.traits
    )
    return space.sort is DomainSort.SPACE or any(shaped)


def _candidates(
    scene: Scene, space: Space, unit: float, to_picture: PointMap
) -> Iterator[tuple[float, Box, float, float, str]]:
    """Yield each possible position of a name: penalty, box, x, y and text anchor."""
    x, y = to_picture(space.place.centre)
    size = unit * SIZE
    wide, rise = len(space.title) * size * 0.62, size * 0.75
    distance = unit * (PIECE if space.pieces else 0.15) + size * 0.5
    below = -1 if _has_link_above(scene, space) else 1
    spots = (
        *((0.0, -1 * below, 0.0), (0.0, 1 * below, 0.02)),
        *((1.0, 0.0, 0.05), (-1.0, 0.0, 0.05)),
        *((0.7, -0.8, 0.06), (-0.7, -0.8, 0.06), (0.7, 0.8, 0.06), (-0.7, 0.8, 0.06)),
    )
    for across, down, penalty in spots:
        px = x + across * distance
        middle = y + down * (distance + rise / 2)
        left = px - wide / 2 + (wide / 2 if across > 0 else -wide / 2 if across else 0)
        box = Box(left, middle - rise * 0.7, left + wide, middle + rise * 0.7)
        anchor = "start" if across > 0 else "end" if across else "middle"
        yield penalty * unit * unit, box, px, middle + rise / 2, anchor


def _has_link_above(scene: Scene, space: Space) -> bool:
    """Return whether a link leads straight up from a corner."""
    if scene.plane is None:
        return False
    x, y = space.place.centre
    for link in scene.spaces:
        ends = link.place.ends
        if link.sort is DomainSort.LINK and ends is not None and space.name in ends:
            ox, oy = scene.plane.places[ends[1 - ends.index(space.name)]].centre
            if oy < y and abs(ox - x) < 0.1:
                return True
    return False


# ---------------------------------------------------------------- covered areas


def covered_boxes(scene: Scene, unit: float, to_picture: PointMap) -> Iterator[Box]:
    """Yield the boxes that fields, links and corners cover."""
    for space in scene.spaces:
        x, y = to_picture(space.place.centre)
        if space.sort is DomainSort.LINK:
            yield from _link_boxes(scene, space, unit, to_picture)
        elif space.place.outline:
            yield from _field_boxes(scene, space, unit, x, y)
        elif space.pieces:
            yield Box.centred_on(x, y, unit * PIECE, unit * PIECE)
        elif _is_named(scene, space):
            yield Box.centred_on(x, y, unit * 0.13, unit * 0.13)


def _link_boxes(
    scene: Scene, space: Space, unit: float, to_picture: PointMap
) -> Iterator[Box]:
    """Yield boxes along a link that has pieces."""
    if not space.pieces or space.place.ends is None or scene.plane is None:
        return
    (ax, ay), (bx, by) = (
        to_picture(scene.plane.places[e].centre) for e in space.place.ends
    )
    for part in (0.25, 0.375, 0.5, 0.625, 0.75):
        x, y = ax + (bx - ax) * part, ay + (by - ay) * part
        yield Box.centred_on(x, y, unit * 0.09, unit * 0.09)


def _field_boxes(
    scene: Scene, space: Space, unit: float, x: float, y: float
) -> Iterator[Box]:
    """Yield the boxes of a field's number, pieces and name."""
    if space.sort is not DomainSort.FACE:
        return
    if scene.number(space) is not None:
        yield Box.centred_on(x, y - unit * 0.12, unit * 0.3, unit * 0.3)
    if space.pieces:
        yield Box.centred_on(
            x - unit * 0.52, y - unit * 0.1, unit * PIECE, unit * PIECE
        )
    size = unit * 0.127
    for n, line in enumerate(wrap_words(space.title, unit * 1.62, size)):
        middle = y + unit * 0.32 + (n * 1.1 - 0.36) * size
        yield Box.centred_on(x, middle, len(line) * size * 0.28, size * 0.5)
