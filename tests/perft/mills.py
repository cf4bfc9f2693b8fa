"""Independent implementation of nine men's morris in plain Python, for perft.

It uses neither the rule file nor the engine. A point is a ring (0 is the outer one) and
a position on it, clockwise from the south-west corner.
"""

from collections.abc import Iterator, Mapping

import attrs

Point = tuple[int, int]
POINTS = [(ring, spot) for ring in range(3) for spot in range(8)]
SIDES = [
    [(ring, (at + n) % 8) for n in range(3)] for ring in range(3) for at in (0, 2, 4, 6)
]
SPOKES = [[(ring, spot) for ring in range(3)] for spot in (1, 3, 5, 7)]
MILLS = [frozenset(line) for line in (*SIDES, *SPOKES)]
NEXT = {
    point: {
        line[(line.index(point) + step)]
        for line in (*SIDES, *SPOKES)
        if point in line
        for step in (-1, 1)
        if 0 <= line.index(point) + step < 3
    }
    for point in POINTS
}


@attrs.frozen
class Mills:
    """Men on the board and in hand, for the side to move first."""

    own: frozenset[Point]
    other: frozenset[Point]
    in_hand: tuple[int, int] = (0, 0)


def point_called(name: str) -> Point:
    """Return the point with a name such as `d2`: column and row of the board."""
    x, y = "abcdefg".index(name[0]) - 3, int(name[1]) - 4
    ring = 3 - max(abs(x), abs(y))
    signs = ((x > 0) - (x < 0), (y > 0) - (y < 0))
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    return ring, around.index(signs)


def in_mill(point: Point, men: frozenset[Point]) -> bool:
    """Return whether a point is part of a mill of these men."""
    return any(point in mill and mill <= men for mill in MILLS)


def mill_successors(position: Mills) -> Iterator[Mills]:
    """Yield every position one whole turn later, from the other side's view."""
    own, other, (mine, theirs) = position.own, position.other, position.in_hand
    if len(own) + mine < 3 or len(other) + theirs < 3:
        return
    for men, goal in moved(own, other, mine):
        left = (theirs, max(mine - 1, 0))
        if not in_mill(goal, men):
            yield Mills(other, men, left)
            continue
        free = {place for place in other if not in_mill(place, other)} or other
        for taken in free:
            yield Mills(other - {taken}, men, left)
        if not free:
            yield Mills(other, men, left)


def moved(
    own: frozenset[Point], other: frozenset[Point], in_hand: int
) -> Iterator[tuple[frozenset[Point], Point]]:
    """Yield the own men after each way to place or move one, and its new point."""
    empty = set(POINTS) - own - other
    if in_hand:
        for goal in empty:
            yield own | {goal}, goal
        return
    for start in own:
        for goal in empty if len(own) == 3 else empty & NEXT[start]:
            yield (own - {start}) | {goal}, goal


def mills_of(own: str, other: str, in_hand: tuple[int, int] = (0, 0)) -> Mills:
    """Return a position, given the names of the points, such as `a1 d1`."""
    men = [frozenset(map(point_called, side.split())) for side in (own, other)]
    return Mills(men[0], men[1], in_hand)


#: White is to play: white's men, black's men, men in their hands.
POSITIONS: Mapping[str, tuple[str, str, tuple[int, int]]] = {
    "mill": ("a1 d1 g4 b4 d5 e3", "b2 d2 f4 c5 d7 e5", (0, 0)),
    "protected mill": ("a1 d1 g4 b4 d5", "a7 d7 g7 c3 e4", (0, 0)),
    "only mills": ("a1 d1 g4 b4 d5", "a7 d7 g7 b6 d6 f6", (0, 0)),
    "double mill": ("a1 d1 g4 g7 b4", "b2 d2 f2 f4 c5", (4, 4)),
    "flying": ("a1 d1 f6", "b2 d3 g4 c5", (0, 0)),
    "blocked": ("d1 b4 g7 d5 f2", "a1 a4 a7 d7", (0, 0)),
}
