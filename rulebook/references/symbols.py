"""Things that names mean, and names where they stand in a text."""

from __future__ import annotations

from enum import StrEnum

import attrs

from rulebook.source.spans import Span

CHOOSE = "choose_"
"""What the language puts before the name of what is chosen, for the action of that."""


class Sort(StrEnum):
    """What a thing is, as people would say."""

    FILE = "file"
    KIND = "kind"
    MEMBER = "member"
    COLUMN = "column"
    OPTION = "option"
    COST = "cost"
    DICE = "dice"
    PIECE = "piece"
    FIELD = "field"
    DEFINE = "define"
    ACTION = "action"
    PROCEDURE = "to"
    PHASE = "phase"
    AWARD = "award"
    RULE = "rule"
    LIMIT = "limit"
    MEASURE = "measure"
    STEP = "step"
    NEED = "requirement"
    LINE = "line"
    SOURCE = "source"
    TEAM = "team"
    COLOUR = "colour"
    DRAWING = "drawing"
    LOCAL = "variable"


@attrs.frozen
class Thing:
    """Something with a name: a sort, whose it is ("" for the game's) and its name.

    The kind of a player's field is `player`; a requirement is its action's; a variable
    is of the place where it is declared, or of all those where it is chosen.
    """

    sort: Sort
    owner: str
    name: str


def place_of(span: Span) -> str:
    """Return a variable's own place, which no other has: its owner."""
    return f"{span.file}:{span.line}:{span.column}"


@attrs.frozen
class Wanted:
    """What a name may mean where it stands, the likeliest first.

    `owner` narrows the choice where it is known; `own` is the variable of this name, if
    one is known there, or the one that it `binds`. `around` is what the checker gives a
    meaning as a whole, and `amends` the clause that is amended there: its variables are
    known too.
    """

    sorts: tuple[Sort, ...]
    owner: str | None = None
    own: Thing | None = None
    binds: bool = False
    around: Span | None = None
    amends: str = ""


@attrs.frozen
class Mention:
    """A name in a text that means something that is declared elsewhere."""

    text: str
    span: Span
    wanted: Wanted
    clause: Span


@attrs.frozen
class Declared:
    """A name in a text that declares a thing; `whole` is the clause or line of it."""

    text: str
    span: Span
    thing: Thing
    whole: Span


@attrs.frozen
class Named:
    """All names of a text that mean something; the variables of clauses by name."""

    declared: tuple[Declared, ...]
    mentions: tuple[Mention, ...]
    variables: tuple[tuple[str, Thing], ...]
