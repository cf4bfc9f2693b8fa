"""Upper bound on the steps of a search for the longest trail.

A state of the search consists of the end of the trail and the links used. Two trails
between the same corners differ only in the rings that they go round. With c independent
rings, there are at most 2^c trails for each pair of corners, and v x v x 2^c states for
v corners.
"""

from __future__ import annotations

from rulebook import model as m
from rulebook.check.declare.relation_degrees import RelationDegrees
from rulebook.model.limits import NUMBER_MAX

RINGS_MAX = 60
"""Maximum number of independent rings considered; more would exceed any limit."""


def trail_steps(board: m.Board, degrees: RelationDegrees, links: int) -> int:
    """Return an upper bound on the steps of a trail search among *links* links."""
    if links == 0:
        return 1
    most = min(_max_rings(board, degrees, links), RINGS_MAX)
    corners = len({end for ends in board.link_ends for end in ends})
    states = max(min(links + 1 - c, corners) ** 2 << c for c in range(most + 1))
    return min(states * (1 + degrees.links_per_corner), NUMBER_MAX)


def _max_rings(board: m.Board, degrees: RelationDegrees, links: int) -> int:
    """Return the maximum number of independent rings among *links* connected links.

    Such links have at least 2 x links / degree corners. On a hex layout a ring has six
    links. Each link is in at most two rings, counting the one around all links.
    """
    corners = max(2, -(-2 * links // degrees.links_per_corner))
    bounds = [links - corners + 1, _count_board_rings(board)]
    if board.face is not None:
        bounds.append(links // 3 - 1)
    return max(0, min(bounds))


def _count_board_rings(board: m.Board) -> int:
    """Return the number of independent cycles in the graph of links.

    It is the number of links that join two already connected corners if the links are
    added one by one.
    """
    rings = 0
    roots: dict[int, int] = {}

    def root(corner: int) -> int:
        while roots.setdefault(corner, corner) != corner:
            roots[corner] = corner = roots[roots[corner]]
        return corner

    for start, end in board.link_ends:
        first, second = root(start), root(end)
        rings += first == second
        roots[first] = second
    return rings
