"""Enumerations of the sorts of model parts."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never


class DomainSort(StrEnum):
    """Sort of the members of a domain."""

    KIND = "kind"
    CARDS = "cards"
    SPACE = "space"
    FACE = "face"
    CORNER = "corner"
    LINK = "link"
    PLAYER = "player"
    TEAM = "team"
    PAIR = "pair"

    @property
    def is_place(self) -> bool:
        """True if the members are spaces, on which pieces can stand."""
        match self:
            case self.SPACE | self.FACE | self.CORNER | self.LINK:
                return True
            case self.KIND | self.CARDS | self.PLAYER | self.TEAM | self.PAIR:
                return False
        assert_never(self)


class Audience(StrEnum):
    """Seats that can see a field."""

    ALL = "all"
    OWNER = "owner"
    NOBODY = "nobody"


class Viewers(StrEnum):
    """Readers of a game whom a scenario names together."""

    ALL = "all"
    SPECTATORS = "spectators"


class RelationSort(StrEnum):
    """Sort of a relation of the board, named after the members that it leads to."""

    CORNERS = "corners"
    LINKS = "links"
    FACES = "faces"
    ENDS = "ends"
    NEIGHBOURS = "neighbours"
    SIDES = "sides"


class RequirementSort(StrEnum):
    """Origin of a requirement of an action."""

    NEEDS = "needs"
    PAYS = "pays"
    STOCK = "stock"
    ENOUGH = "enough"
    LIMIT = "limit"
    VALUE = "value"

    @property
    def is_implied(self) -> bool:
        """True if an effect of the action implies it, so rules need not write it."""
        match self:
            case self.STOCK | self.ENOUGH:
                return True
            case self.NEEDS | self.PAYS | self.LIMIT | self.VALUE:
                return False
        assert_never(self)
