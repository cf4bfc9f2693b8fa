"""Places in files: spans and citations.

Lines and columns count from 1, columns in code points; the end of a span is exclusive.
Spans never take part in equality, so two trees with the same content are equal.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Span:
    """Part of one file: from (line, column) up to (end_line, end_column)."""

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
    """Citation: the source, its heading, and the numbers of the cited sentences.

    Sentences below the heading are counted from 1; no numbers mean all sentences.
    `meaning` is what a game claims the passage says (`as in`), for its readers.
    """

    source: str
    heading: str
    example: bool = False
    sentences: tuple[int, ...] = ()
    meaning: str = attrs.field(default="", eq=False, kw_only=True)


@attrs.frozen
class Passage(Cite):
    """Citation that is incomplete until its file is merged.

    Without a source it applies to all texts that have the heading; without a heading,
    to that of the section. Without a heading and sentences, it cites nothing. If
    `is_additional`, it is added to the citation that would otherwise apply.
    """

    is_additional: bool = False
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)
