"""Named things, and occurrences of their names in a text."""

from __future__ import annotations

from enum import StrEnum

import attrs

from rulebook.source.spans import Span


class Sort(StrEnum):
    """Sort of a named thing; each value is a word for people."""

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
    """Named thing: its sort, its owner ("" for the game) and its name.

    The owner of a player's field is `player`, and that of a requirement is its action.
    The owner of a variable is its place of declaration, or all places at which a choice
    of that name declares it.
    """

    sort: Sort
    owner: str
    name: str


def variable_owner(span: Span) -> str:
    """Return the owner of a variable declared at a span: its place as text."""
    return f"{span.file}:{span.line}:{span.column}"


@attrs.frozen
class PossibleMeanings:
    """Sorts that a name may refer to at its place, the most likely first.

    `owner` narrows the choice if it is known. `variable` is the known variable of this
    name, or the variable that it binds if `is_binding`. `enclosing_span` is the span
    for which the checker records a single meaning. `amended_clause` is the clause that
    is amended there, whose variables are in scope too.
    """

    sorts: tuple[Sort, ...]
    owner: str | None = None
    variable: Thing | None = None
    is_binding: bool = False
    enclosing_span: Span | None = None
    amended_clause: str = ""


@attrs.frozen
class Mention:
    """Occurrence of a name that is declared elsewhere."""

    text: str
    span: Span
    wanted: PossibleMeanings
    clause: Span


@attrs.frozen
class NameDeclaration:
    """Occurrence of a name that declares a thing, and the span of the declaration."""

    text: str
    span: Span
    thing: Thing
    declaration_span: Span


@attrs.frozen
class NamesOfFile:
    """All names in a file, and its variables, each with the name of its clause."""

    declarations: tuple[NameDeclaration, ...]
    mentions: tuple[Mention, ...]
    variables: tuple[tuple[str, Thing], ...]
