"""Spans of the members of a kind: rows of a table, or names in a list."""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import syntax as s
from rulebook.loading.book import Rulebook
from rulebook.source.spans import Span

MEMBER_CLAUSES = (
    *(s.KindClause, s.CardsClause, s.SpacesClause),
    *(s.HexesClause, s.CornersClause, s.LinksClause),
)
"""Classes of clauses that declare members of kinds."""


def member_spans(book: Rulebook, domain: str) -> dict[str, Span]:
    """Return the spans of the members of a kind, by member name.

    Members that a rule generates, such as all combinations of coordinates, have the
    span of that rule.
    """
    places: dict[str, Span] = {}
    for clause in book.merged.clauses.values():
        if isinstance(clause, MEMBER_CLAUSES) and clause.name.text == domain:
            places |= dict(_named_members(clause))
            for member in book.model.domains[domain].members:
                places.setdefault(member, clause.span)
    return places


def _named_members(clause: s.Clause) -> Iterator[tuple[str, Span]]:
    """Yield the members that a clause names, each with its span."""
    for name in getattr(clause, "members", ()):
        yield name.text, name.span
    table = getattr(clause, "table", None)
    for row in () if table is None else table.rows:
        first = row.cells[0].value
        if isinstance(first, s.Name):
            yield first.text, row.span
