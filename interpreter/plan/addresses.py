"""Which clause of a book a part of its model comes from."""

from __future__ import annotations

import rulebook as rb
from rulebook import model as m

RULES = "rules"
"""Stands for no clause in particular: what the checker itself adds."""


class Addresses:
    """The addresses of the clauses of a book, by where they stand."""

    def __init__(self, book: rb.Rulebook) -> None:
        self.places: dict[str, list[tuple[int, int, str]]] = {}
        for address, clause in book.clauses.items():
            span = clause.span
            place = (span.line, span.end_line, address)
            self.places.setdefault(span.file, []).append(place)

    def of(self, part: m.Part, otherwise: str = RULES) -> str:
        """Return the address of the clause in which a part stands."""
        line = part.span.line
        clauses = [
            (first, address)
            for first, last, address in self.places.get(part.span.file, ())
            if first <= line <= last
        ]
        return max(clauses)[1] if clauses else otherwise
