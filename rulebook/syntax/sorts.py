"""Enumerations of the words for files, cells, holders and edits."""

from __future__ import annotations

from enum import StrEnum


class FileSort(StrEnum):
    """Sort of a file; `scenarios`, `look` and `words` are companions of a game."""

    RULEBOOK = "rulebook"
    BOARD = "board"
    THEME = "theme"
    SCENARIOS = "scenarios"
    LOOK = "look"
    WORDS = "words"

    @property
    def is_companion(self) -> bool:
        """True if it is a companion of a game."""
        return self in {FileSort.SCENARIOS, FileSort.LOOK, FileSort.WORDS}


class CellForm(StrEnum):
    """Form of a cell of a table, which determines the type of its value."""

    NUMBER = "number"
    """An int."""
    RANGE = "range"
    """The minimum and the maximum, two ints."""
    NAME = "name"
    """A `Name`."""
    TEXT = "text"
    """A str."""
    EMPTY = "empty"
    """A dash: None."""
    BAG = "bag"
    """An `Amounts` node."""
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
    """Line of an award, by the attribute that it sets."""

    MOST = "most"
    AT_LEAST = "at_least"
    ONLY_IF = "only_if"
    TIE = "tie"
    GAINED = "gained"
    LOST = "lost"


class HolderForm(StrEnum):
    """Form of a holder of cards or members."""

    BAG = "bag"
    STACK = "stack"
    SET = "set"


class Beside(StrEnum):
    """Side of a round or of a phase."""

    BEFORE = "before"
    AFTER = "after"

    @property
    def other(self) -> Beside:
        """The other side."""
        return Beside.AFTER if self is Beside.BEFORE else Beside.BEFORE


class EditVerb(StrEnum):
    """Verb of an edit. `at` belongs to the parts `beginning` and `end`."""

    ADD = "add"
    ADD_FIRST = "add_first"
    REPLACE = "replace"
    REMOVE = "remove"
    BEFORE = "before"
    AFTER = "after"
    AT = "at"


class EditPart(StrEnum):
    """Part of a clause that an edit changes; `action` is one in a menu."""

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
