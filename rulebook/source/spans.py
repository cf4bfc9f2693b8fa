"""Where something was written: positions, spans and citations.

Lines and columns count from 1, columns in code points; a span's end is exclusive.
A span never takes part in equality, so two trees that say the same are equal.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Span:
    """A piece of one file: from (line, column) up to (end_line, end_column)."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of another."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 1, 1, 1, 1)


@attrs.frozen
class Cite:
    """A passage of a source text: its source, the heading it stands under, and which
    sentences below the heading are meant, counted from 1 (none: all of it).

    `says` is what a game says that the passage says (`as in`), for its readers.
    """

    source: str
    heading: str
    example: bool = False
    sentences: tuple[int, ...] = ()
    says: str = attrs.field(default="", eq=False, kw_only=True)


@attrs.frozen
class Passage(Cite):
    """A citation that its section and the headings complete when a file is composed.

    Without a source it is of all texts that have the heading, without a heading of the
    section; without sentences too it is of none. `also`: besides what would be cited
    without it.
    """

    also: bool = False
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)
