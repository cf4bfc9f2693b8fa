"""Shortest paths over a board, called by the generated Python code of a plan.

A way leads from space to space, over neighbouring spaces or links that meet one
condition. The spaces between its ends meet another condition.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence

Condition = Callable[[int], bool]
StepCondition = Callable[[int, int], bool]
Price = Callable[[int], int]
Successors = Callable[[int], Iterable[int]]
Pair = tuple[int, int]

# ---------------------------------------------------------------- searches


def reach(
    start: Sequence[int], neighbours: Sequence[tuple[int, ...]], condition: Condition
) -> tuple[int, ...]:
    """Return the spaces reachable over spaces that meet *condition*, in index order."""
    waiting = [space for space in start if space >= 0 and condition(space)]
    meets_condition = dict.fromkeys(waiting, True)
    while waiting:
        for space in neighbours[waiting.pop()]:
            if space not in meets_condition:
                meets_condition[space] = condition(space)
                if meets_condition[space]:
                    waiting.append(space)
    return tuple(sorted([space for space, meets in meets_condition.items() if meets]))


def steps_over(
    start: Sequence[int],
    neighbours: Sequence[tuple[int, ...]],
    condition: Condition,
    through: Condition | None = None,
    max_steps: int | None = None,
    step_condition: StepCondition | None = None,
) -> dict[int, int]:
    """Return the number of steps to each space reachable over neighbouring spaces.

    All spaces of a way meet *condition*, and those between its ends meet *through*. All
    steps from a space to the next meet *step_condition*. A way has at most *max_steps*
    steps.
    """

    def successors(space: int) -> list[int]:
        return next_spaces(space, neighbours[space], condition, step_condition)

    return breadth_first_steps(
        [space for space in start if space >= 0 and condition(space)],
        successors,
        through,
        max_steps,
    )


def next_spaces(
    space: int,
    neighbours: Sequence[int],
    condition: Condition,
    step_condition: StepCondition | None,
) -> list[int]:
    """Return the neighbours of a space to which a way over spaces can continue."""
    fitting = [to for to in neighbours if condition(to)]
    if step_condition is None:
        return fitting
    return [to for to in fitting if step_condition(space, to)]


def steps_along(
    start: Sequence[int],
    adjacent_links: Sequence[tuple[Pair, ...]],
    condition: Condition,
    through: Condition | None = None,
    max_steps: int | None = None,
) -> dict[int, int]:
    """Return the number of steps to each space reachable over links.

    All links of a way meet *condition*. `adjacent_links` contains the links at each
    space, each with the space at its other end.
    """

    def successors(space: int) -> list[int]:
        return [
            next_space for link, next_space in adjacent_links[space] if condition(link)
        ]

    return breadth_first_steps(
        [space for space in start if space >= 0], successors, through, max_steps
    )


def breadth_first_steps(
    start: Sequence[int],
    successors: Successors,
    through: Condition | None,
    max_steps: int | None,
) -> dict[int, int]:
    """Return the spaces reached by breadth-first search, with the steps to each."""
    reached = dict.fromkeys(start, 0)
    frontier, step = list(reached), 0
    while frontier and (max_steps is None or step < max_steps):
        if step and through is not None:
            frontier = [space for space in frontier if through(space)]
        step += 1
        candidates = dict.fromkeys(
            [next_space for space in frontier for next_space in successors(space)]
        )
        frontier = [space for space in candidates if space not in reached]
        reached.update(dict.fromkeys(frontier, step))
    return reached


def costs_over(
    start: Sequence[int],
    neighbours: Sequence[tuple[int, ...]],
    condition: Condition,
    through: Condition | None,
    price: Price,
    step_condition: StepCondition | None = None,
) -> dict[int, int]:
    """Return the lowest cost of a way to each space, as `steps_over` does for steps.

    The cost of a way is the sum of the prices of its spaces, except the first.
    """

    def successors(space: int) -> list[Pair]:
        following = next_spaces(space, neighbours[space], condition, step_condition)
        return [(price(to), to) for to in following]

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

    The cost of a way is the sum of the prices of its links.
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
    start_spaces = dict.fromkeys(start, 0)
    reached: dict[int, int] = {}
    waiting = [(0, space) for space in start_spaces]
    while waiting:
        cost, space = heapq.heappop(waiting)
        if space in reached:
            continue
        reached[space] = cost
        if space in start_spaces or through is None or through(space):
            for price, next_space in successors(space):
                if next_space not in reached:
                    heapq.heappush(waiting, (cost + price, next_space))
    return reached


def distance_to_nearest(
    reached: dict[int, int], goals: Sequence[int], default: int
) -> int:
    """Return the fewest steps to any of the goals, or `default` if none is reached."""
    return min([reached.get(goal, default) for goal in goals], default=default)


def links_by_space(ends: Sequence[Pair], spaces: int) -> tuple[tuple[Pair, ...], ...]:
    """Return, for each space, its links and the space at the other end of each.

    The last row, for `none`, is empty.

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
