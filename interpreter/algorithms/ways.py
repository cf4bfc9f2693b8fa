"""Searches for ways over a board, called by the generated Python of a plan.

A way leads from space to space, over neighbours or over links, each of which meets a
condition. It passes only through spaces that meet another condition; its first and last
space are exempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Holds = Callable[[int], bool]
Leads = Callable[[int], Iterable[int]]
Pair = tuple[int, int]

# ---------------------------------------------------------------- searches


def reach(
    start: Sequence[int], neighbours: Sequence[tuple[int, ...]], holds: Holds
) -> tuple[int, ...]:
    """Return the spaces reachable from some spaces over suitable neighbours."""
    waiting = [space for space in start if space >= 0 and holds(space)]
    met = dict.fromkeys(waiting, True)
    while waiting:
        for space in neighbours[waiting.pop()]:
            if space not in met:
                met[space] = holds(space)
                if met[space]:
                    waiting.append(space)
    return tuple(sorted([space for space, good in met.items() if good]))


def steps_over(
    start: Sequence[int],
    neighbours: Sequence[tuple[int, ...]],
    holds: Holds,
    through: Holds | None = None,
    most: int | None = None,
) -> dict[int, int]:
    """Return the number of steps to each space over suitable neighbours."""

    def leads(space: int) -> list[int]:
        return [beyond for beyond in neighbours[space] if holds(beyond)]

    return steps(
        [space for space in start if space >= 0 and holds(space)], leads, through, most
    )


def steps_along(
    start: Sequence[int],
    around: Sequence[tuple[Pair, ...]],
    holds: Holds,
    through: Holds | None = None,
    most: int | None = None,
) -> dict[int, int]:
    """Return the number of steps to each space over links that meet a condition.

    `around` contains the links at each space, each with the space at its other end.
    """

    def leads(space: int) -> list[int]:
        return [beyond for link, beyond in around[space] if holds(link)]

    return steps([space for space in start if space >= 0], leads, through, most)


def steps(
    start: Sequence[int], leads: Leads, through: Holds | None, most: int | None
) -> dict[int, int]:
    """Return the reached spaces, each with the steps of a shortest way to it."""
    reached = dict.fromkeys(start, 0)
    edge, step = list(reached), 0
    while edge and (most is None or step < most):
        if step and through is not None:
            edge = [space for space in edge if through(space)]
        step += 1
        further = dict.fromkeys([beyond for space in edge for beyond in leads(space)])
        edge = [space for space in further if space not in reached]
        reached.update(dict.fromkeys(edge, step))
    return reached


def nearest(reached: dict[int, int], goals: Sequence[int], beyond: int) -> int:
    """Return the fewest steps to one of some spaces, or `beyond` if none is reached."""
    return min([reached.get(goal, beyond) for goal in goals], default=beyond)


def links_around(ends: Sequence[Pair], spaces: int) -> tuple[tuple[Pair, ...], ...]:
    """Return for each space its links with their other ends, and a last row for none.

    >>> links_around([(0, 1), (1, 2)], 3)
    (((0, 1),), ((0, 0), (1, 2)), ((1, 1),), ())
    """
    rows: list[list[Pair]] = [[] for _ in range(spaces + 1)]
    for link, (near, far) in enumerate(ends):
        rows[near].append((link, far))
        rows[far].append((link, near))
    return tuple(map(tuple, rows))


SEARCHES = {
    "nearest": nearest,
    "reach": reach,
    "steps_along": steps_along,
    "steps_over": steps_over,
}
"""Search functions that generated code calls by name."""

__all__ = ["SEARCHES", "links_around", "reach", "steps_along", "steps_over"]
