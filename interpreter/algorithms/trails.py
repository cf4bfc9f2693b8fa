"""The longest trail through links, a primitive of the language.

A trail runs through each link at most once and never through a closed corner, which
it may only begin or end at. Trails that have come to the same corner over the same
links go on alike: they are one state, and there are few enough of them for the checker
to have counted (`rulebook.check.analysis.trails`). Where links are of several sorts and
a trail changes from one to another at some corners only, the sort of its last link is
part of the state. Results are kept by all that decides them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

KEPT = 20_000

Ends = Sequence[tuple[int, int]]
Links = tuple[int, ...]
Holds = Callable[[int], bool]
Number = Callable[[int], int]


@attrs.frozen
class TrailCourse:
    """Links of several sorts with all that decides how a trail may run over them.

    `joints` are the corners at which it may change from one sort to another, None: all.
    `weights` are the numbers of the links that are added up, one for each link of all
    sets in order, None: each counts one.
    """

    sets: tuple[Links, ...]
    closed: tuple[int, ...] = ()
    joints: tuple[int, ...] | None = None
    weights: tuple[int, ...] | None = None

    @property
    def links(self) -> Links:
        """All links, each once."""
        return merged(self.sets)


class Trails:
    """Answers for one board, given the two ends of each of its links."""

    def __init__(self, ends: Ends) -> None:
        self.ends = ends
        self.kept: dict[Any, int] = {}

    def __call__(self, links: Links, closed: Holds) -> int:
        """Return the most links in one trail; `closed` tests a corner."""
        if len(links) < 2:
            return len(links)
        key = (links, self.corners(links, closed))
        known = self.kept.get(key)
        return (
            self.keep(key, longest_trail(self.ends, *key)) if known is None else known
        )

    def of_sets(
        self,
        sets: tuple[Links, ...],
        closed: Holds,
        weight: Number | None,
        joint: Holds | None,
    ) -> int:
        """Return the most that a trail over links of several sorts comes to."""
        if weight is None and joint is None:
            return self(merged(sets), closed)
        course = self.course(sets, closed, weight, joint)
        known = self.kept.get(course)
        if known is None:
            return self.keep(course, longest_course(self.ends, course)[0])
        return known

    def route(
        self,
        sets: tuple[Links, ...],
        closed: Holds,
        weight: Number | None,
        joint: Holds | None,
    ) -> Links:
        """Return the links of a longest trail, in the order in which it runs."""
        return longest_course(self.ends, self.course(sets, closed, weight, joint))[1]

    def course(
        self,
        sets: tuple[Links, ...],
        closed: Holds,
        weight: Number | None,
        joint: Holds | None,
    ) -> TrailCourse:
        """Return the links, corners and numbers that decide a trail."""
        links = merged(sets)
        return TrailCourse(
            sets if joint is not None else (links,),
            self.corners(links, closed),
            None if joint is None else self.corners(links, joint),
            None if weight is None else tuple(map(weight, links)),
        )

    def corners(self, links: Links, holds: Holds) -> tuple[int, ...]:
        """Return the corners at the ends of some links that meet a condition."""
        corners = sorted({end for link in links for end in self.ends[link]})
        return tuple([corner for corner in corners if holds(corner)])

    def keep(self, key: Any, answer: int) -> int:
        """Keep an answer and return it."""
        if len(self.kept) >= KEPT:
            self.kept.clear()
        self.kept[key] = answer
        return answer


def merged(sets: tuple[Links, ...]) -> Links:
    """Return the links of all sets, each once, in the order of the board."""
    if len(sets) == 1:
        return sets[0]
    return tuple(sorted({link for links in sets for link in links}))


def longest_trail(ends: Ends, links: Links, closed: tuple[int, ...]) -> int:
    """Search for the longest trail, by all states of trails of one link more."""
    ways: dict[int, list[tuple[int, int]]] = {}
    for place, link in enumerate(links):
        near, far = ends[link]
        ways.setdefault(near, []).append((1 << place, far))
        ways.setdefault(far, []).append((1 << place, near))
    stop = frozenset(closed)
    length, states = 0, [(corner, 0) for corner in ways]
    while True:
        longer = {
            (beyond, used | bit): None
            for corner, used in states
            if not used or corner not in stop
            for bit, beyond in ways[corner]
            if not used & bit
        }
        if not longer:
            return length
        length, states = length + 1, list(longer)


# ---------------------------------------------------------------- sorts and weights

State = tuple[int, int, int]
"""Where a trail has come to, the links it has used, the sort of the last one."""

BEGUN = -1
"""The sort of a trail that has no link yet."""


def longest_course(ends: Ends, course: TrailCourse) -> tuple[int, Links]:
    """Return the most that a trail comes to, and the links of one that does.

    A trail comes to what its links do, in whatever order it runs over them, so a state
    has one sum. A trail without a link comes to 0.
    """
    links = course.links
    weights = course.weights or (1,) * len(links)
    steps = _steps(ends, course)
    came: dict[State, tuple[State, int] | None] = {
        (corner, 0, BEGUN): None for corner in sorted(steps)
    }
    sums = dict.fromkeys(came, 0)
    best, last = 0, None
    edge = list(came)
    while edge:
        longer = []
        for state in edge:
            for place, after in onwards(state, steps, course):
                if after not in came:
                    came[after] = (state, links[place])
                    sums[after] = sums[state] + weights[place]
                    longer.append(after)
                    if sums[after] > best:
                        best, last = sums[after], after
        edge = longer
    return best, tuple(_traced(came, last))


def _steps(ends: Ends, course: TrailCourse) -> dict[int, list[tuple[int, int, int]]]:
    """Return for each corner where links lead to: link, corner beyond, sort."""
    steps: dict[int, list[tuple[int, int, int]]] = {}
    for place, link in enumerate(course.links):
        for sort, links in enumerate(course.sets):
            if link in links:
                near, far = ends[link]
                steps.setdefault(near, []).append((place, far, sort))
                steps.setdefault(far, []).append((place, near, sort))
    return steps


def onwards(
    state: State, steps: dict[int, list[tuple[int, int, int]]], course: TrailCourse
) -> Iterator[tuple[int, State]]:
    """Yield the links with which a trail may go on, and the states after them."""
    corner, used, sort = state
    if used and corner in course.closed:
        return
    joints = course.joints
    fixed = sort != BEGUN and joints is not None and corner not in joints
    for place, beyond, of_sort in steps[corner]:
        if not used >> place & 1 and (of_sort == sort or not fixed):
            yield place, (beyond, used | 1 << place, of_sort)


def _traced(
    came: dict[State, tuple[State, int] | None], state: State | None
) -> list[int]:
    """Return the links that led to a state, the first first."""
    trail: list[int] = []
    while state is not None and (step := came[state]) is not None:
        state, link = step
        trail.append(link)
    return trail[::-1]
