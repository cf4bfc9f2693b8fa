"""The board graph and the tables derived from it."""

import networkx as nx
import pytest

from interpreter.core.board import make_graph, neighbour_table
from rulebook.model import Board, Orientation, Relation, RelationSort

# Two hexes side by side: 0 has the corners 0 to 5, 1 shares the side 1-2 with it.
CORNERS = ((0, 1, 2, 3, 4, 5), (6, 7, 8, 9, 2, 1))


def two_hexes() -> Board:
    links: list[tuple[int, int]] = []
    for corners in CORNERS:
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            if (a, b) not in links and (b, a) not in links:
                links.append((min(a, b), max(a, b)))
    return Board(
        orientation=Orientation.POINTY_TOP,
        face="hex",
        corner="corner",
        link="path",
        face_places=((0, 0), (1, 0)),
        face_corners=CORNERS,
        link_ends=tuple(links),
    )


def table(source: str, target: str, size: int) -> tuple[tuple[int, ...], ...]:
    relation = Relation(
        name="r", source=source, target=target, sort=RelationSort.NEIGHBOURS
    )
    return neighbour_table(make_graph(two_hexes()), relation, size)


def test_the_graph_is_frozen() -> None:
    graph = make_graph(two_hexes())

    with pytest.raises(nx.NetworkXError):
        graph.add_edge(("hex", 0), ("hex", 9))


def test_relations_are_neighbours_in_a_domain() -> None:
    assert table("hex", "corner", 2) == ((0, 1, 2, 3, 4, 5), (1, 2, 6, 7, 8, 9), ())
    assert table("hex", "hex", 2) == ((1,), (0,), ())
    assert table("corner", "hex", 10)[1:3] == ((0, 1), (0, 1))
    assert table("corner", "corner", 10)[1] == (0, 2, 6)
    assert table("path", "corner", 11)[:2] == ((0, 1), (1, 2))
    assert table("corner", "path", 10)[0] == (0, 5)
    assert table("path", "hex", 11)[1] == (0, 1)


def test_none_has_no_neighbours() -> None:
    assert table("corner", "path", 10)[-1] == ()
