"""Degrees of relations: the maximum number of members related to one member."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cached_property

from rulebook import model as m

_SIX = (m.RelationSort.CORNERS, m.RelationSort.LINKS, m.RelationSort.NEIGHBOURS)
HEX_DEGREES = dict.fromkeys(_SIX, 6)
"""Number of corners, links or neighbours of one hex, by sort of relation."""


class RelationDegrees:
    """Degrees of the relations of a board, computed from its links and hexes."""

    def __init__(self, board: m.Board) -> None:
        self.board = board

    @cached_property
    def links_per_corner(self) -> int:
        """Maximum number of links that meet at a corner."""
        ends = Counter(itertools.chain.from_iterable(self.board.link_ends))
        return max(ends.values(), default=0)

    @cached_property
    def faces_per_corner(self) -> int:
        """Maximum number of hexes that meet at a corner."""
        corners = Counter(itertools.chain.from_iterable(self.board.face_corners))
        return max(corners.values(), default=0)

    def degree_of(self, relation: m.Relation) -> int:
        """Return the maximum number of members that a relation links to one member."""
        if relation.source == self.board.face:
            return HEX_DEGREES[relation.sort]
        if relation.source == self.board.corner:
            faces = relation.sort is m.RelationSort.FACES
            return self.faces_per_corner if faces else self.links_per_corner
        return 2  # a link has two ends and two faces
