"""Syntax nodes of sections, which cite the source of the clauses below them.

Merging removes them and adds their citations to the clauses.
"""

from __future__ import annotations

import attrs

from rulebook.syntax.base_nodes import Clause, Name


@attrs.frozen
class SectionClause(Clause):
    """`section "TITLE", "TITLE", example`, with a citation if it has its own."""

    titles: tuple[str, ...]
    example: bool = False


@attrs.frozen
class HeadingsClause(Clause):
    """`headings en, de`: equivalent headings of several texts, one row for each.

    A heading that a text lacks is empty.
    """

    sources: tuple[Name, ...]
    rows: tuple[tuple[str, ...], ...]


@attrs.frozen
class AsInLine(Clause):
    """`a, b "what they say"`: paths of clauses, with a text for readers."""

    paths: tuple[tuple[Name, ...], ...]
    text: str | None = None


@attrs.frozen
class AsInClause(Clause):
    """`as in LIBRARY`: library clauses that implement the content of the section."""

    library: Name
    lines: tuple[AsInLine, ...]
