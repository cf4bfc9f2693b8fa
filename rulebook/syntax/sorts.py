"""What files, cells, holders and edits are as written: enumerations of their words."""

from __future__ import annotations

from enum import StrEnum


class FileSort(StrEnum):
    """What a file is; `scenarios`, `look` and `words` stand beside a game."""

    RULEBOOK = "rulebook"
    BOARD = "board"
    THEME = "theme"
    SCENARIOS = "scenarios"
    LOOK = "look"
    WORDS = "words"

    @property
    def is_companion(self) -> bool:
        """Whether such a file stands beside a game."""
        return self in {FileSort.SCENARIOS, FileSort.LOOK, FileSort.WORDS}


class CellForm(StrEnum):
    """What stands in a cell of a table, and which value it is."""

    NUMBER = "number"
    """An int."""
    RANGE = "range"
    """The lowest and the highest, two ints."""
    NAME = "name"
    """A `Name`."""
    TEXT = "text"
    """A str."""
    EMPTY = "empty"
    """A dash: None."""
    BAG = "bag"
    """`Amounts`."""
    NOTHING = "nothing"
    """The bag without cards: None."""
    CORNER = "corner"
    """`SE of north`: the point, and the `Name` of the face."""
    SIDE = "side"
    """`NW`, a str."""
    YES_NO = "yes_no"
    """A bool."""
    LINK = "link"
    """A `LinkRef`."""


class AwardLine(StrEnum):
    """A line of an award, by the attribute that it sets."""

    MOST = "most"
    AT_LEAST = "at_least"
    ONLY_IF = "only_if"
    TIE = "tie"
    GAINED = "gained"
    LOST = "lost"


class HolderForm(StrEnum):
    """What holds cards, or members."""

    BAG = "bag"
    STACK = "stack"
    SET = "set"


class Beside(StrEnum):
    """On which side of a round, or of a phase."""

    BEFORE = "before"
    AFTER = "after"

    @property
    def other(self) -> Beside:
        """The other side."""
        return Beside.AFTER if self is Beside.BEFORE else Beside.BEFORE


class EditVerb(StrEnum):
    """What an edit does. `at` goes with the parts `beginning` and `end`."""

    ADD = "add"
    ADD_FIRST = "add_first"
    REPLACE = "replace"
    REMOVE = "remove"
    BEFORE = "before"
    AFTER = "after"
    AT = "at"


class EditPart(StrEnum):
    """What of a clause an edit is about; `action` is one in a menu."""

    BEGINNING = "beginning"
    END = "end"
    NEEDS = "needs"
    PAYS = "pays"
    ROW = "row"
    LINE = "line"
    POINTS = "points"
    AWARD = "award"
    STEP = "step"
    ACTION = "action"
    FIELD = "field"
    PHASE = "phase"
