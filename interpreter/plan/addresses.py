"""Addresses of the clauses from which the parts of a model come."""

from __future__ import annotations

import rulebook as rb
from rulebook import model as m

RULES = "rules"
"""Address of parts that the checker adds and that belong to no clause."""


class Addresses:
    """Finder of the clause that contains a line of a file."""

    def __init__(self, book: rb.Rulebook) -> None:
        self.places: dict[str, list[tuple[int, int, str]]] = {}
        for address, clause in book.clauses.items():
            span = clause.span
            place = (span.line, span.end_line, address)
            self.places.setdefault(span.file, []).append(place)

    def address_of(self, part: m.Part, default: str = RULES) -> str:
        """Return the address of the clause that contains a part."""
        line = part.span.line
        clauses = [
            (first, address)
            for first, last, address in self.places.get(part.span.file, ())
            if first <= line <= last
        ]
        return max(clauses)[1] if clauses else default
