"""Lines of rule text before they are joined: how deep, what, cited how, from where."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulebook import syntax
from rulebook.source.spans import NOWHERE, Cite, Passage, Span

INDENT = "  "
CITES_COLUMN = 64
"""Where citations begin when the line before them is short, from 0."""


@attrs.frozen
class Line:
    """One line: its text, its depth in levels, its citations and where it is from.

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
        return f"{code}  ".ljust(CITES_COLUMN) + " ".join(map(cite, self.cites))


def cite(citation: Cite) -> str:
    """Return a citation in its brackets."""
    also = "also" if isinstance(citation, Passage) and citation.also else ""
    heading = f'"{citation.heading}"' if citation.heading else ""
    sentences = ", ".join(map(str, citation.sentences))
    said = " ".join(filter(None, (also, citation.source, heading, sentences)))
    return f"[{said or 'ours'}{', example' * citation.example}]"


def deeper(lines: Iterable[Line]) -> list[Line]:
    """Return lines moved to the right by one level."""
    return [attrs.evolve(line, depth=line.depth + 1) for line in lines]


def line_of(node: syntax.Clause, text: str) -> Line:
    """Return a line with the citations and the place of what it says."""
    return Line(text, 0, node.cites, node.span)


def quoted(text: str | None) -> str:
    """Return a text in its quotes, after a space; nothing where there is none."""
    return "" if text is None else f' "{text}"'
