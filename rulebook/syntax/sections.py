"""Sections: which passage of the texts the clauses below a line come from.

They are gone when a file has been composed, and its clauses cite what they said.
"""

from __future__ import annotations

import attrs

from rulebook.syntax.base import Clause, Name


@attrs.frozen
class SectionClause(Clause):
    """`section "TITLE", "TITLE", example`, with a citation where it has its own."""

    titles: tuple[str, ...]
    example: bool = False


@attrs.frozen
class HeadingsClause(Clause):
    """`headings en, de`: the headings of texts that say the same, a row for each.

    A heading that a text does not have is empty.
    """

    sources: tuple[Name, ...]
    rows: tuple[tuple[str, ...], ...]


@attrs.frozen
class AsInLine(Clause):
    """`a, b "what they say"`: paths of clauses; the text is for readers."""

    paths: tuple[tuple[Name, ...], ...]
    text: str | None = None


@attrs.frozen
class AsInClause(Clause):
    """`as in LIBRARY`: what the section says is said by clauses of a library."""

    library: Name
    lines: tuple[AsInLine, ...]
