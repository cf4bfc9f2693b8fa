"""Lines of rule text: text, depth, citations and span."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulebook import syntax
from rulebook.source.spans import NOWHERE, Cite, Passage, Span

INDENT = "  "
CITES_COLUMN = 64
"""Column, from 0, where citations start after a shorter line."""


@attrs.frozen
class Line:
    """Line of rule text: its text, its depth in levels, its citations and its span.

    A line without text is a blank line.
    """

    text: str
    depth: int = 0
    cites: tuple[Cite, ...] = ()
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)

    def __str__(self) -> str:
        if not self.text:
            return ""
        code = INDENT * self.depth + self.text
        if not self.cites:
            return code
        return f"{code}  ".ljust(CITES_COLUMN) + " ".join(
            map(citation_text, self.cites)
        )


def citation_text(citation: Cite) -> str:
    """Return a citation as text, in its brackets."""
    also = "also" if isinstance(citation, Passage) and citation.is_additional else ""
    heading = f'"{citation.heading}"' if citation.heading else ""
    sentences = ", ".join(map(str, citation.sentences))
    words = " ".join(filter(None, (also, citation.source, heading, sentences)))
    return f"[{words or 'ours'}{', example' * citation.example}]"


def indent(lines: Iterable[Line]) -> list[Line]:
    """Return the lines indented by one more level."""
    return [attrs.evolve(line, depth=line.depth + 1) for line in lines]


def clause_line(node: syntax.Clause, text: str) -> Line:
    """Return a line with a text, and the citations and span of a clause."""
    return Line(text, 0, node.cites, node.span)


def quote(text: str | None) -> str:
    """Return a string in quotes after a space, or "" if it is None."""
    return "" if text is None else f' "{text}"'
