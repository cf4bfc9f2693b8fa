"""Books with amendments in a separate text, merged like a file above the game."""

from __future__ import annotations

from collections.abc import Container

import attrs

from rulebook.compose.merge import amend
from rulebook.loading.book import Rulebook
from rulebook.loading.load import recheck
from rulebook.parse import parse
from rulebook.source.diagnostics import Diagnostic, has_errors


def amended_book(
    book: Rulebook, text: str, file: str, tests: Container[str] | None = None
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return a book with the clauses and amendments of a text, and the diagnostics.

    The book is None if there are errors, and keeps its own header. `text` is a whole
    file, and `file` is its name in diagnostics. If `tests` are given, the book has only
    those tests, by address.
    """
    parsed = parse(text, file)
    if parsed.file is None or has_errors(parsed.diagnostics):
        return None, parsed.diagnostics
    merged = amend(book.merged, parsed.file)
    if has_errors(merged.diagnostics):
        return None, tuple(merged.diagnostics)
    clauses = {
        address: clause
        for address, clause in merged.clauses.items()
        if tests is None or not address.is_test or str(address) in tests
    }
    files = {**book.files, file: text}
    return recheck(attrs.evolve(book, merged=merged, files=files), clauses)
