"""Force-directed layout of a graph in the plane.

The algorithm is that of Fruchterman and Reingold, "Graph drawing by force-directed
placement" (1991). It uses no random numbers, so a board always looks the same.
"""

from collections.abc import Sequence
from math import cos, hypot, pi, sin, sqrt

Point = tuple[float, float]
ROUNDS = 300


def layout_points(count: int, links: Sequence[tuple[int, int]]) -> list[Point]:
    """Return a point for each of *count* spaces; linked ones are about a unit apart."""
    if count < 2:
        return [(0.0, 0.0)] * count
    reach = sqrt(count) / 2
    points = [
        (reach * cos(2 * pi * n / count), reach * sin(2 * pi * n / count) * 0.9)
        for n in range(count)
    ]
    for turn in range(ROUNDS):
        heat = reach * 0.2 * (1 - turn / ROUNDS)
        points = _move_points(points, links, heat)
    return points


def _move_points(
    points: list[Point], links: Sequence[tuple[int, int]], max_move: float
) -> list[Point]:
    """Move the points for one round, each by at most *max_move*; return them."""
    pushes = [[0.0, 0.0] for _ in points]
    for first in range(len(points)):
        for second in range(first):
            _push_apart(points, pushes, first, second, linked=False)
    for first, second in links:
        _push_apart(points, pushes, first, second, linked=True)
    moved = []
    for (x, y), (dx, dy) in zip(points, pushes, strict=True):
        force = hypot(dx, dy) or 1.0
        step = min(force, max_move) / force
        moved.append((x + dx * step, y + dy * step))
    return moved


def _push_apart(
    points: list[Point],
    pushes: list[list[float]],
    first: int,
    second: int,
    *,
    linked: bool,
) -> None:
    """Add to *pushes* the repulsion of two points or, if *linked*, their attraction."""
    dx, dy = (points[first][n] - points[second][n] for n in (0, 1))
    far = max(hypot(dx, dy), 0.01)
    force = -far if linked else 1 / far**2
    for n, part in enumerate((dx, dy)):
        pushes[first][n] += part * force
        pushes[second][n] -= part * force
