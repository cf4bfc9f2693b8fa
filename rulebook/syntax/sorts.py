"""What an edit does, and to which part of a clause: enumerations of their words."""

from __future__ import annotations

from enum import StrEnum


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
