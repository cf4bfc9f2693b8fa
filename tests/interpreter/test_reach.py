"""What is reached over neighbours against paths of a graph."""

import random

import networkx as nx
import pytest

from interpreter.runtime import reach


@pytest.mark.parametrize("seed", range(20))
def test_reach_agrees_with_connected_components(seed: int) -> None:
    spread = random.Random(seed)
    graph = nx.gnp_random_graph(12, 0.2, seed=seed)
    neighbours = (*(tuple(graph.adj[space]) for space in range(12)), ())
    open_spaces = {space for space in range(12) if spread.random() < 0.7}
    start = spread.sample(range(12), 2)

    found = reach(start, neighbours, open_spaces.__contains__)

    inner = graph.subgraph(open_spaces)
    expected = {
        space
        for begun in open_spaces & {*start}
        for space in nx.node_connected_component(inner, begun)
    }
    assert found == tuple(sorted(expected))


def test_none_reaches_nothing() -> None:
    assert reach((-1,), ((1,), (0,), ()), lambda space: True) == ()
