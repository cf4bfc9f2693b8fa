"""Scenarios in a separate text, checked as if they were part of a game's file."""

from __future__ import annotations

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.loading.book import Rulebook
from rulebook.loading.load import recheck
from rulebook.model import Scenario
from rulebook.parse import parse
from rulebook.source.diagnostics import Diagnostic, has_errors


def parse_scenarios(
    book: Rulebook, text: str, file: str
) -> tuple[tuple[Scenario, ...], tuple[Diagnostic, ...]]:
    """Return the scenarios of a text and its diagnostics, checked against a book.

    The text is parsed like a companion file; the game's own tests are left out.
    """
    parsed = parse(text, file)
    if parsed.file is None or has_errors(parsed.diagnostics):
        return (), parsed.diagnostics
    clauses = {
        address: clause
        for address, clause in book.merged.clauses.items()
        if not address.is_test
    }
    for clause in parsed.file.clauses:
        if isinstance(clause, s.ScenarioClause):
            clauses[Address("scenario", clause.title)] = clause
    made, diagnostics = recheck(book, clauses)
    return () if made is None else made.model.scenarios, diagnostics
