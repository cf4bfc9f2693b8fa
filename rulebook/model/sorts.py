"""The sorts of what rules are made of: enumerations, so that none can be forgotten."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never


class DomainSort(StrEnum):
    """What the members of a domain are."""

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
        """Whether something can stand on the members."""
        match self:
            case self.SPACE | self.FACE | self.CORNER | self.LINK:
                return True
            case self.KIND | self.CARDS | self.PLAYER | self.TEAM | self.PAIR:
                return False
        assert_never(self)


class Audience(StrEnum):
    """Who sees a field."""

    ALL = "all"
    OWNER = "owner"
    NOBODY = "nobody"


class RelationSort(StrEnum):
    """To what a relation of the board leads."""

    CORNERS = "corners"
    LINKS = "links"
    FACES = "faces"
    ENDS = "ends"
    NEIGHBOURS = "neighbours"


class RequirementSort(StrEnum):
    """Where a condition of an action comes from."""

    NEEDS = "needs"
    PAYS = "pays"
    STOCK = "stock"
    ENOUGH = "enough"
    LIMIT = "limit"
    VALUE = "value"

    @property
    def is_implied(self) -> bool:
        """Whether the effects of the action imply it: its text says it too."""
        match self:
            case self.STOCK | self.ENOUGH:
                return True
            case self.NEEDS | self.PAYS | self.LIMIT | self.VALUE:
                return False
        assert_never(self)
