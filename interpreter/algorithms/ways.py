"""Shortest paths over a board, called by the generated Python code of a plan.

A way leads from space to space, over neighbouring spaces or links that meet one
condition. The spaces between its ends meet another condition.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence

Condition = Callable[[int], bool]
Price = Callable[[int], int]
Successors = Callable[[int], Iterable[int]]
Pair = tuple[int, int]

# ---------------------------------------------------------------- searches


def reach(
    start: Sequence[int], neighbours: Sequence[tuple[int, ...]], condition: Condition
) -> tuple[int, ...]:
    """Return the spaces reachable over neighbours that meet *condition*, in index
    order.
    """
    waiting = [space for space in start if space >= 0 and condition(space)]
    met = dict.fromkeys(waiting, True)
    while waiting:
        for space in neighbours[waiting.pop()]:
            if space not in met:
                met[space] = condition(space)
                if met[space]:
                    waiting.append(space)
    return tuple(sorted([space for space, good in met.items() if good]))


def steps_over(
    start: Sequence[int],
    neighbours: Sequence[tuple[int, ...]],
    condition: Condition,
    through: Condition | None = None,
    max_steps: int | None = None,
) -> dict[int, int]:
    """Return the number of steps to each space that can be reached over neighbours that
    meet *condition*.

    Ways continue only from spaces that meet *through*, and have at most *max_steps*
    steps.
    """

    def successors(space: int) -> list[int]:
        return [beyond for beyond in neighbours[space] if condition(beyond)]

    return breadth_first_steps(
        [space for space in start if space >= 0 and condition(space)],
        successors,
        through,
        max_steps,
    )


def steps_along(
    start: Sequence[int],
    adjacent_links: Sequence[tuple[Pair, ...]],
    condition: Condition,
    through: Condition | None = None,
    max_steps: int | None = None,
) -> dict[int, int]:
    """Return the number of steps to each space that can be reached over links that meet
    *condition*.

    `adjacent_links` contains the links at each space, each with the space at its other
    end.
    """

    def successors(space: int) -> list[int]:
        return [beyond for link, beyond in adjacent_links[space] if condition(link)]

    return breadth_first_steps(
        [space for space in start if space >= 0], successors, through, max_steps
    )


def breadth_first_steps(
    start: Sequence[int],
    successors: Successors,
    through: Condition | None,
    max_steps: int | None,
) -> dict[int, int]:
    """Return the spaces reached by breadth-first search, with the number of steps to
    each.
    """
    reached = dict.fromkeys(start, 0)
    edge, step = list(reached), 0
    while edge and (max_steps is None or step < max_steps):
        if step and through is not None:
            edge = [space for space in edge if through(space)]
        step += 1
        further = dict.fromkeys(
            [beyond for space in edge for beyond in successors(space)]
        )
        edge = [space for space in further if space not in reached]
        reached.update(dict.fromkeys(edge, step))
    return reached


def costs_over(
    start: Sequence[int],
    neighbours: Sequence[tuple[int, ...]],
    condition: Condition,
    through: Condition | None,
    price: Price,
) -> dict[int, int]:
    """Return the lowest cost of a way to each space, as `steps_over` does for steps.

    A way costs the prices of its spaces except the first.
    """

    def successors(space: int) -> list[Pair]:
        return [(price(to), to) for to in neighbours[space] if condition(to)]

    return costs(
        [space for space in start if space >= 0 and condition(space)],
        successors,
        through,
    )


def costs_along(
    start: Sequence[int],
    adjacent_links: Sequence[tuple[Pair, ...]],
    condition: Condition,
    through: Condition | None,
    price: Price,
) -> dict[int, int]:
    """Return the lowest cost of a way to each space, as `steps_along` does for steps.

    A way costs the prices of its links.
    """

    def successors(space: int) -> list[Pair]:
        return [
            (price(link), to) for link, to in adjacent_links[space] if condition(link)
        ]

    return costs([space for space in start if space >= 0], successors, through)


def costs(
    start: Sequence[int],
    successors: Callable[[int], Iterable[Pair]],
    through: Condition | None,
) -> dict[int, int]:
    """Return the spaces reached by Dijkstra's algorithm, with the lowest cost to each.

    `successors` returns a (cost, space) pair for each next space.
    """
    begun = dict.fromkeys(start, 0)
    reached: dict[int, int] = {}
    waiting = [(0, space) for space in begun]
    while waiting:
        cost, space = heapq.heappop(waiting)
        if space in reached:
            continue
        reached[space] = cost
        if space in begun or through is None or through(space):
            for more, beyond in successors(space):
                if beyond not in reached:
                    heapq.heappush(waiting, (cost + more, beyond))
    return reached


def distance_to_nearest(
    reached: dict[int, int], goals: Sequence[int], default: int
) -> int:
    """Return the fewest steps to any of the goals, or `default` if none is reached."""
    return min([reached.get(goal, default) for goal in goals], default=default)


def links_by_space(ends: Sequence[Pair], spaces: int) -> tuple[tuple[Pair, ...], ...]:
    """Return, for each space, its links and the space at the other end of each.

    An empty last row belongs to `none`.

    >>> links_by_space([(0, 1), (1, 2)], 3)
    (((0, 1),), ((0, 0), (1, 2)), ((1, 1),), ())
    """
    rows: list[list[Pair]] = [[] for _ in range(spaces + 1)]
    for link, (near, far) in enumerate(ends):
        rows[near].append((link, far))
        rows[far].append((link, near))
    return tuple(map(tuple, rows))


SEARCHES = {
    "costs_along": costs_along,
    "costs_over": costs_over,
    "nearest": distance_to_nearest,
    "reach": reach,
    "steps_along": steps_along,
    "steps_over": steps_over,
}
"""Search functions that generated code calls by name."""

__all__ = ["SEARCHES", "links_by_space", "reach", "steps_along", "steps_over"]
