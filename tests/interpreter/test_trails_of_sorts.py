"""The longest weighted trail over links of several sorts, compared with Eulerian paths.
A trail uses exactly some links if and only if these links have an Eulerian path. A
closed corner is split into one corner for each link; a corner at which a trail may not
change sorts is split into one for each sort.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any
from unittest import mock

import networkx as nx
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter.algorithms import trails as searches
from interpreter.algorithms.trails import (
    TrailQuery,
    Trails,
    heaviest_trail,
    longest_trail,
    merged_links,
)
from interpreter.kernel.search_limits import SearchPlace
from rulebook.check.analysis.trails import trail_steps
from rulebook.check.declare.relation_degrees import RelationDegrees
from rulebook.model import Board, Orientation
from rulebook.tooling import NOWHERE

Ends = list[tuple[int, int]]

SMALL = SearchPlace(NOWHERE, 999)

FIVE = list(combinations(range(5), 2))
"""Five corners, all connected with each other; they have far more trails than states.
"""


@st.composite
def boards(draw: st.DrawFn) -> tuple[Ends, TrailQuery]:
    """Draw a small board with links of one or two sorts, closed corners, joints and
    weights.
    """
    corners = draw(st.integers(2, 5))
    pairs = list(combinations(range(corners), 2))
    ends = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=7, unique=True))
    some = st.sets(st.sampled_from(range(len(ends)))).map(lambda x: tuple(sorted(x)))
    places = st.sets(st.integers(0, corners - 1)).map(lambda x: tuple(sorted(x)))
    sets = tuple(draw(st.lists(some, min_size=1, max_size=2)))
    number = len(merged_links(sets))
    weights = st.lists(st.integers(-2, 6), min_size=number, max_size=number).map(tuple)
    joints = draw(st.none() | places) if len(sets) > 1 else None
    if joints is None:
        sets = (merged_links(sets),)
    return ends, TrailQuery(sets, draw(places), joints, draw(st.none() | weights))


def most_by_euler(ends: Ends, course: TrailQuery) -> int:
    """Return the maximum weight over all subsets of links, each link in all its
    possible sorts.
    """
    links = course.links
    weights = course.weights or (1,) * len(links)
    best = 0
    for size in range(1, len(links) + 1):
        for places in combinations(range(len(links)), size):
            total = sum(weights[place] for place in places)
            chosen = [links[place] for place in places]
            if total > best and is_trail(ends, course, chosen):
                best = total
    return best


def is_trail(ends: Ends, course: TrailQuery, chosen: list[int]) -> bool:
    sorts = [
        [sort for sort, links in enumerate(course.sets) if link in links]
        for link in chosen
    ]
    return any(
        nx.has_eulerian_path(split(ends, course, chosen, picked))
        for picked in product(*sorts)
    )


def split(
    ends: Ends, course: TrailQuery, chosen: list[int], sorts: tuple[int, ...]
) -> "nx.MultiGraph[object]":
    graph: nx.MultiGraph[object] = nx.MultiGraph()
    for link, sort in zip(chosen, sorts, strict=True):
        graph.add_edge(*(corner_of(course, end, link, sort) for end in ends[link]))
    return graph


def corner_of(course: TrailQuery, corner: int, link: int, sort: int) -> object:
    if corner in course.closed:
        return corner, "of link", link
    if course.joints is not None and corner not in course.joints:
        return corner, "of sort", sort
    return corner


@given(boards())
def test_agrees_with_eulerian_paths(searched: tuple[Ends, TrailQuery]) -> None:
    ends, course = searched

    assert heaviest_trail(ends, course)[0] == most_by_euler(ends, course)


@given(boards())
def test_the_displayed_trail_is_valid_and_has_the_reported_length(
    searched: tuple[Ends, TrailQuery],
) -> None:
    ends, course = searched
    weights = course.weights or (1,) * len(course.links)

    most, trail = heaviest_trail(ends, course)

    assert len(set(trail)) == len(trail)
    assert sum(weights[course.links.index(link)] for link in trail) == most
    assert runs(ends, course, trail)


def runs(ends: Ends, course: TrailQuery, trail: tuple[int, ...]) -> bool:
    """Return whether a trail can be followed link by link, in either direction, with
    any sort of each link.
    """
    at = {(end, -1) for end in ends[trail[0]]} if trail else set()
    for number, link in enumerate(trail):
        at = {
            (sum(ends[link]) - corner, sort)
            for corner, before in at
            for sort, links in enumerate(course.sets)
            if corner in ends[link] and link in links
            if not (number and corner in course.closed)
            if before in (-1, sort) or course.joints is None or corner in course.joints
        }
    return bool(at) or not trail


@given(boards())
def test_one_sort_without_numbers_is_the_plain_search(
    searched: tuple[Ends, TrailQuery],
) -> None:
    ends, course = searched
    plain = TrailQuery((course.links,), course.closed)

    assert heaviest_trail(ends, plain)[0] == longest_trail(
        ends, plain.links, plain.closed
    )


@given(boards())
@example((FIVE, TrailQuery((tuple(range(len(FIVE))),))))
def test_the_search_takes_at_most_the_estimated_steps(
    searched: tuple[Ends, TrailQuery],
) -> None:
    ends, course = searched
    board = Board(Orientation.NO_HEXES, None, "corner", "link", (), (), tuple(ends))
    taken, real = 0, searches.extensions

    def counted(*given: Any) -> Iterator[Any]:
        nonlocal taken
        taken += 1
        for step in real(*given):
            taken += 1
            yield step

    with mock.patch.object(searches, "extensions", counted):
        heaviest_trail(ends, course)

    bound = trail_steps(board, RelationDegrees(board), len(course.links))
    sorts = 1 if course.joints is None else len(course.sets)
    begun = len({end for link in course.links for end in ends[link]})
    assert taken <= sorts * bound + begun * (
        1 + RelationDegrees(board).links_per_corner
    )


def test_results_are_cached_by_all_inputs() -> None:
    trails = Trails([(0, 1), (1, 2), (2, 3)])
    roads, ships = (0, 2), (1,)

    def at(*corners: int) -> int:
        return trails.max_weight(
            (roads, ships), never, None, corners.__contains__, SMALL
        )

    assert trails.max_weight((roads, ships), never, None, None, SMALL) == 3
    assert (at(), at(1), at(1, 2), at(3)) == (1, 2, 3, 1)
    assert (
        trails.max_weight((roads, ships), never, (5, 1, 2).__getitem__, None, SMALL)
        == 8
    )
    assert trails.max_weight((roads,), never, (5, 1, 2).__getitem__, None, SMALL) == 5
    closed, joint = [2].__contains__, [1].__contains__
    assert trails.max_weight((roads, ships), closed, None, joint, SMALL) == 2
    assert trails.route((roads, ships), never, None, None, SMALL) == (0, 1, 2)


def never(corner: int) -> bool:
    return False
