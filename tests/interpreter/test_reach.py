"""Reached spaces and numbers of steps over spaces and links, compared with networkx."""

import random
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.algorithms.shortest_paths import (
    distance_to_nearest,
    links_by_space,
    reach,
    steps_along,
    steps_over,
)

SPACES = 7


@pytest.mark.parametrize("seed", range(20))
def test_reach_agrees_with_connected_components(seed: int) -> None:
    spread = random.Random(seed)
    graph = nx.gnp_random_graph(12, 0.2, seed=seed)
    neighbours = (*(tuple(graph.adj[space]) for space in range(12)), ())
    open_spaces = {space for space in range(12) if spread.random() < 0.7}
    start = spread.sample(range(12), 2)

    reached = reach(start, neighbours, open_spaces.__contains__)

    inner = graph.subgraph(open_spaces)
    expected = {
        space
        for begun in open_spaces & {*start}
        for space in nx.node_connected_component(inner, begun)
    }
    assert reached == tuple(sorted(expected))


def test_none_reaches_nothing() -> None:
    assert reach((-1,), ((1,), (0,), ()), lambda space: True) == ()
    assert steps_over((-1,), ((1,), (0,), ()), lambda space: True) == {}
    assert steps_along((-1,), links_by_space([(0, 1)], 2), lambda link: True) == {}


# ---------------------------------------------------------------- steps

links = st.lists(
    st.sampled_from(list(combinations(range(SPACES), 2))), max_size=12, unique=True
)
some = st.sets(st.integers(0, SPACES - 1))
starts = st.lists(st.integers(-1, SPACES - 1), max_size=3)


def shortest(
    graph: "nx.Graph[int]", start: list[int], between: set[int]
) -> dict[int, int]:
    """Return the steps from the nearest start to each space, computed pair by pair."""
    steps_to: dict[int, int] = {}
    for space in graph:
        for begun in {*start} & {*graph}:
            inner = graph.subgraph(between | {space, begun})
            if nx.has_path(inner, begun, space):
                steps = len(nx.shortest_path(inner, begun, space)) - 1
                steps_to[space] = min(steps_to.get(space, SPACES), steps)
    return steps_to


def board(ends: list[tuple[int, int]]) -> "nx.Graph[int]":
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(SPACES))
    graph.add_edges_from(ends)
    return graph


@given(links, some, some, starts, st.none() | st.integers(0, 4))
def test_steps_over_spaces_agree_with_shortest_paths(
    ends: list[tuple[int, int]],
    fit: set[int],
    between: set[int],
    start: list[int],
    most: int | None,
) -> None:
    graph = board(ends)
    neighbours = (*(tuple(graph.adj[space]) for space in range(SPACES)), ())

    reached = steps_over(
        start, neighbours, fit.__contains__, between.__contains__, most
    )

    expected = shortest(graph.subgraph(fit), start, between)
    assert reached == within(expected, most)


@given(links, st.data(), some, starts, st.none() | st.integers(0, 4))
def test_steps_along_links_agree_with_shortest_paths(
    ends: list[tuple[int, int]],
    data: st.DataObject,
    between: set[int],
    start: list[int],
    most: int | None,
) -> None:
    fit = data.draw(st.sets(st.sampled_from(range(len(ends))))) if ends else set()

    reached = steps_along(
        start,
        links_by_space(ends, SPACES),
        fit.__contains__,
        between.__contains__,
        most,
    )

    graph = board([ends[link] for link in sorted(fit)])
    assert reached == within(shortest(graph, start, between), most)


def within(steps: dict[int, int], most: int | None) -> dict[int, int]:
    return {space: n for space, n in steps.items() if most is None or n <= most}


@given(links, some, starts)
def test_steps_without_further_conditions_reach_the_same_spaces_as_reach(
    ends: list[tuple[int, int]], fit: set[int], start: list[int]
) -> None:
    graph = board(ends)
    neighbours = (*(tuple(graph.adj[space]) for space in range(SPACES)), ())

    reached = steps_over(start, neighbours, fit.__contains__)

    assert tuple(sorted(reached)) == reach(start, neighbours, fit.__contains__)


def test_the_distance_is_to_the_nearest_goal_or_the_default_without_goals() -> None:
    reached = {0: 0, 3: 2, 4: 1}

    assert distance_to_nearest(reached, (3, 4), 9) == 1
    assert distance_to_nearest(reached, (2, -1), 9) == 9
    assert distance_to_nearest(reached, (), 9) == 9
