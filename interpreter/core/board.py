"""The board as a frozen graph, and the neighbour tables that engines read.

A node is (domain, index). Faces are joined to their corners and links, links to their
ends, linked corners to each other, and faces with a common side to each other. Every
relation of the board is therefore the set of a node's neighbours in one domain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from rulebook.model import Board, Model, Relation

if TYPE_CHECKING:  # imported only when a graph is created, which is rare
    import networkx as nx

Node = tuple[str, int]
Pair = tuple[int, int]


def board_for(model: Model, players: int) -> Board | None:
    """Return the board with the links between the spaces of every player in play."""
    board = model.board
    if board is None or not model.domains[board.corner].each_player:
        return board
    size = len(model.domains[board.corner].members)
    links = tuple(
        (start + seat * size, end + seat * size)
        for seat in range(players)
        for start, end in board.link_ends
    )
    return attrs.evolve(board, link_ends=links)


def sides(corners: tuple[int, ...]) -> list[Pair]:
    """Return the pairs of consecutive corners around a face."""
    around = zip(corners, corners[1:] + corners[:1], strict=True)
    return [(min(pair), max(pair)) for pair in around]


def make_graph(board: Board) -> nx.Graph[Node]:
    """Create the frozen graph of a board."""
    import networkx as nx

    graph: nx.Graph[Node] = nx.Graph()
    links = {(min(p), max(p)): n for n, p in enumerate(board.link_ends)}
    for index, ends in enumerate(board.link_ends):
        join(graph, ((board.corner, a) for a in ends), "between", clique=True)
        if board.link is not None:
            for end in ends:
                graph.add_edge((board.link, index), (board.corner, end), kind="end")
    if board.face is not None:
        join_faces(graph, board, board.face, links)
    nx.freeze(graph)
    return graph


def join(
    graph: nx.Graph[Node], nodes: Iterable[Node], kind: str, *, clique: bool
) -> None:
    """Join all nodes with each other if *clique*, else the first with the others."""
    listed = list(nodes)
    for place, node in enumerate(listed[:-1]):
        for other in listed[place + 1 :]:
            graph.add_edge(node, other, kind=kind)
        if not clique:
            return


def join_faces(
    graph: nx.Graph[Node], board: Board, face: str, links: dict[Pair, int]
) -> None:
    """Join faces with their corners and links, and with neighbouring faces."""
    beside: dict[Pair, list[int]] = {}
    for index, corners in enumerate(board.face_corners):
        node = (face, index)
        graph.add_node(node)
        for corner in corners:
            graph.add_edge(node, (board.corner, corner), kind="corner")
        for side in sides(corners):
            beside.setdefault(side, []).append(index)
            if board.link is not None and side in links:
                graph.add_edge(node, (board.link, links[side]), kind="side")
    for faces in beside.values():
        join(graph, ((face, index) for index in faces), "beside", clique=True)


def neighbour_table(
    graph: nx.Graph[Node], relation: Relation, size: int
) -> tuple[tuple[int, ...], ...]:
    """Return, for each member of the source domain, its related members.

    The last row, for `none` (-1), is empty.
    """
    rows = []
    for index in range(size):
        node = (relation.source, index)
        touching = graph.adj.get(node, ())
        rows.append(
            tuple(sorted(to for where, to in touching if where == relation.target))
        )
    return (*rows, ())
