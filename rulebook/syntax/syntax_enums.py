"""Enumerations of words in the syntax: of files, cells, holders and edits."""

from __future__ import annotations

from enum import StrEnum


class FileSort(StrEnum):
    """Sort of a rule file; `scenarios`, `look` and `words` are companions of a game."""

    RULEBOOK = "rulebook"
    BOARD = "board"
    THEME = "theme"
    SCENARIOS = "scenarios"
    LOOK = "look"
    WORDS = "words"

    @property
    def is_companion(self) -> bool:
        """True if files of this sort are companions of a game."""
        return self in {FileSort.SCENARIOS, FileSort.LOOK, FileSort.WORDS}


class TextSort(StrEnum):
    """Sort of texts for players: titles, questions of decisions, reports of events."""

    WORDS = "words"
    QUESTIONS = "questions"
    REPORTS = "reports"


class CellForm(StrEnum):
    """Form of a table cell, which determines the type of its value."""

    NUMBER = "number"
    """Cell with a number, an int."""
    RANGE = "range"
    """Cell with a range: minimum and maximum, two ints."""
    NAME = "name"
    """Cell with a `Name`."""
    TEXT = "text"
    """Cell with a quoted text, a str."""
    EMPTY = "empty"
    """Cell with a dash; its value is None."""
    BAG = "bag"
    """Cell with a bag, a node `Amounts`."""
    NOTHING = "nothing"
    """Cell with the empty bag; its value is None."""
    CORNER = "corner"
    """Cell such as `SE of north`: the compass point and the `Name` of the face."""
    SIDE = "side"
    """Cell with a compass point such as `NW`, a str."""
    YES_NO = "yes_no"
    """Cell with yes or no, a bool."""
    LINK = "link"
    """Cell with a `LinkRef`."""


class AwardLine(StrEnum):
    """Line of an award, by the attribute that it sets."""

    MOST = "most"
    AT_LEAST = "at_least"
    ONLY_IF = "only_if"
    TIE = "tie"
    GAINED = "gained"
    LOST = "lost"


class HolderForm(StrEnum):
    """Form of a type that holds several cards or members."""

    BAG = "bag"
    STACK = "stack"
    SET = "set"


class Side(StrEnum):
    """Side of a round or of a phase: before or after."""

    BEFORE = "before"
    AFTER = "after"

    @property
    def other(self) -> Side:
        """Opposite side."""
        return Side.AFTER if self is Side.BEFORE else Side.BEFORE


class EditVerb(StrEnum):
    """Verb of an edit; `at` is only used with the parts `beginning` and `end`."""

    ADD = "add"
    ADD_FIRST = "add_first"
    REPLACE = "replace"
    REMOVE = "remove"
    BEFORE = "before"
    AFTER = "after"
    AT = "at"


class EditPart(StrEnum):
    """Part of a clause that an edit changes.

    `action` is an action in a menu, `players` are those who act in a phase.
    """

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
    PLAYERS = "players"
