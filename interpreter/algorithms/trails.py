"""Longest trails over links of the board.

A trail uses each link at most once. It may start or end at a closed corner, but never
passes through one. Trails that have reached the same corner over the same links have
the same continuations, so they share one state. A search for which `max_states` is
above a limit fails; the checker warns of such searches
(`rulebook.check.analysis.trails`). If a trail may change between sorts of links only at
some corners, the state includes the sort of its last link. The cache key of a result
contains all inputs that determine it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from interpreter.kernel.search_limits import SearchPlace

CACHE_SIZE = 20_000

Ends = Sequence[tuple[int, int]]
Links = tuple[int, ...]
Condition = Callable[[int], bool]
Weight = Callable[[int], int]


@attrs.frozen
class TrailQuery:
    """Links of several sorts, and the conditions on trails through them.

    `joints` are the corners at which a trail may change from one sort of link to
    another, or None for all corners. `weights` contains the weight of each of the
    `links`, or is None if each link counts 1.
    """

    sets: tuple[Links, ...]
    closed: tuple[int, ...] = ()
    joints: tuple[int, ...] | None = None
    weights: tuple[int, ...] | None = None

    @property
    def links(self) -> Links:
        """Links of all sets, without duplicates."""
        return merged_links(self.sets)


class Trails:
    """Cached trail lengths on one board, given by the two ends of each link."""

    def __init__(self, ends: Ends) -> None:
        self.ends = ends
        self.results: dict[Any, int] = {}

    def __call__(self, links: Links, closed: Condition, place: SearchPlace) -> int:
        """Return the maximum number of links in a trail; `closed` tests a corner.

        Raise `RulesError` if the search may be too long, like the methods below.
        """
        if len(links) < 2:
            return len(links)
        key = (links, self.matching_corners(links, closed))
        known = self.results.get(key)
        if known is None:
            self.check(links, place)
            return self.store(key, longest_trail(self.ends, *key))
        return known

    def max_weight(
        self,
        sets: tuple[Links, ...],
        closed: Condition,
        weight: Weight | None,
        joint: Condition | None,
        place: SearchPlace,
    ) -> int:
        """Return the maximum total weight of a trail over links of several sorts."""
        if weight is None and joint is None:
            return self(merged_links(sets), closed, place)
        trail_query = self.query(sets, closed, weight, joint)
        known = self.results.get(trail_query)
        if known is None:
            self.check(trail_query.links, place)
            return self.store(trail_query, heaviest_trail(self.ends, trail_query)[0])
        return known

    def route(
        self,
        sets: tuple[Links, ...],
        closed: Condition,
        weight: Weight | None,
        joint: Condition | None,
        place: SearchPlace,
    ) -> Links:
        """Return the links of a trail with the maximum total weight, in order."""
        trail_query = self.query(sets, closed, weight, joint)
        self.check(trail_query.links, place)
        return heaviest_trail(self.ends, trail_query)[1]

    def check(self, links: Links, place: SearchPlace) -> None:
        """Raise `RulesError` if a search among *links* may be too long."""
        if len(links) ** 2 << len(links) > place.limit:
            place.check_trail(max_states(self.ends, links))

    def query(
        self,
        sets: tuple[Links, ...],
        closed: Condition,
        weight: Weight | None,
        joint: Condition | None,
    ) -> TrailQuery:
        """Return the inputs that determine a trail, for use as a cache key."""
        links = merged_links(sets)
        return TrailQuery(
            sets if joint is not None else (links,),
            self.matching_corners(links, closed),
            None if joint is None else self.matching_corners(links, joint),
            None if weight is None else tuple(map(weight, links)),
        )

    def matching_corners(self, links: Links, condition: Condition) -> tuple[int, ...]:
        """Return the corners at the ends of *links* that meet a condition."""
        corners = sorted({end for link in links for end in self.ends[link]})
        return tuple([corner for corner in corners if condition(corner)])

    def store(self, key: Any, length: int) -> int:
        """Cache the length of a trail, and return it."""
        if len(self.results) >= CACHE_SIZE:
            self.results.clear()
        self.results[key] = length
        return length


def merged_links(sets: tuple[Links, ...]) -> Links:
    """Return the links of all sets, each once, in ascending order."""
    if len(sets) == 1:
        return sets[0]
    return tuple(sorted({link for links in sets for link in links}))


def max_states(ends: Ends, links: Links) -> int:
    """Return an upper bound on the states of trails, not counting sorts of links.

    Trails between two corners differ in the rings that they go round. In a connected
    part with v corners and c rings there are at most v x v x 2^c states. Parts without
    rings count as 0.
    """
    parts: dict[int, int] = {}
    """Map from each corner to another one of its part, or to itself."""

    def part(corner: int) -> int:
        while parts.setdefault(corner, corner) != corner:
            parts[corner] = corner = parts[parts[corner]]
        return corner

    for near, far in map(ends.__getitem__, links):
        parts[part(near)] = part(far)
    corners = Counter(map(part, [*parts]))
    sizes = Counter(part(ends[link][0]) for link in links)
    rings = {root: sizes[root] - count + 1 for root, count in corners.items()}
    return sum(
        count**2 << rings[root] for root, count in corners.items() if rings[root]
    )


def longest_trail(ends: Ends, links: Links, closed: tuple[int, ...]) -> int:
    """Return the number of links in the longest trail."""
    outgoing: dict[int, list[tuple[int, int]]] = {}
    for place, link in enumerate(links):
        near, far = ends[link]
        outgoing.setdefault(near, []).append((1 << place, far))
        outgoing.setdefault(far, []).append((1 << place, near))
    closed_corners = frozenset(closed)
    length, states = 0, [(corner, 0) for corner in outgoing]
    while True:
        extended = {
            (next_corner, used | bit): None
            for corner, used in states
            if not used or corner not in closed_corners
            for bit, next_corner in outgoing[corner]
            if not used & bit
        }
        if not extended:
            return length
        length, states = length + 1, list(extended)


# ---------------------------------------------------------------- sorts and weights

State = tuple[int, int, int]
"""State of a trail: current corner, used links as bits, and sort of the last link."""

NO_SORT = -1
"""Sort recorded for a trail that has no last link."""


def heaviest_trail(ends: Ends, query: TrailQuery) -> tuple[int, Links]:
    """Return the maximum total weight of a trail, and the links of such a trail.

    The weight of a trail does not depend on the order of its links, so each state has
    one total. A trail without links has the total 0.
    """
    links = query.links
    weights = query.weights or (1,) * len(links)
    steps = _outgoing_links(ends, query)
    predecessors: dict[State, tuple[State, int] | None] = {
        (corner, 0, NO_SORT): None for corner in sorted(steps)
    }
    totals = dict.fromkeys(predecessors, 0)
    best, last = 0, None
    frontier = list(predecessors)
    while frontier:
        extended = []
        for state in frontier:
            for place, next_state in extensions(state, steps, query):
                if next_state not in predecessors:
                    predecessors[next_state] = (state, links[place])
                    totals[next_state] = totals[state] + weights[place]
                    extended.append(next_state)
                    if totals[next_state] > best:
                        best, last = totals[next_state], next_state
        frontier = extended
    return best, tuple(_links_to(predecessors, last))


def _outgoing_links(
    ends: Ends, query: TrailQuery
) -> dict[int, list[tuple[int, int, int]]]:
    """Map each corner to its links as (number of link, next corner, sort)."""
    steps: dict[int, list[tuple[int, int, int]]] = {}
    for place, link in enumerate(query.links):
        for sort, links in enumerate(query.sets):
            if link in links:
                near, far = ends[link]
                steps.setdefault(near, []).append((place, far, sort))
                steps.setdefault(far, []).append((place, near, sort))
    return steps


def extensions(
    state: State, steps: dict[int, list[tuple[int, int, int]]], query: TrailQuery
) -> Iterator[tuple[int, State]]:
    """Yield the number of each link that can extend a trail, and the state after it."""
    corner, used, sort = state
    if used and corner in query.closed:
        return
    joints = query.joints
    is_sort_fixed = sort != NO_SORT and joints is not None and corner not in joints
    for place, next_corner, link_sort in steps[corner]:
        if not used >> place & 1 and (link_sort == sort or not is_sort_fixed):
            yield place, (next_corner, used | 1 << place, link_sort)


def _links_to(
    predecessors: dict[State, tuple[State, int] | None], state: State | None
) -> list[int]:
    """Return the links that led to a state, in order."""
    trail: list[int] = []
    while state is not None and (step := predecessors[state]) is not None:
        state, link = step
        trail.append(link)
    return trail[::-1]
