"""Printed rules of a game for the page of a table, and the clauses decided now."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from rulebook import Rulebook
from workbench.presentation.printing.clause_sections import unit_address
from workbench.presentation.printing.formats.html import HtmlWriter
from workbench.presentation.printing.pages import PrintedPage, anchor
from workbench.presentation.printing.rules import rules_page
from workbench.web.views.symbols import localizer_of

ID_PREFIX = "rules-"
"""Prefix of the ids in the printed rules, which differ from all others of the page."""


@lru_cache(maxsize=32)
def printed_rules(book: Rulebook, language: str) -> Mapping[str, Any]:
    """Return the printed rules as HTML, with their title, notes and chapters; cached.

    A chapter is the id of its section, its number and its title.
    """
    page = rules_page(book, localizer_of(book, language))
    writer = HtmlWriter(page.section_numbers(), ID_PREFIX)
    return {
        "title": writer.text(page.title),
        "notes": [writer.text(note) for note in page.notes],
        "chapters": _chapters(page, writer),
        "sections": "\n".join(
            writer.section(number, part, 2) for number, part in enumerate(page.parts, 1)
        ),
    }


def _chapters(page: PrintedPage, writer: HtmlWriter) -> list[tuple[str, int, str]]:
    return [
        (f"{ID_PREFIX}s{number}", number, writer.text(part.title))
        for number, part in enumerate(page.parts, 1)
    ]


def pending_clauses(book: Rulebook, view: Mapping[str, Any]) -> list[str]:
    """Return the anchors of the clauses that wait in a view, the innermost first.

    The page marks the first one that the printed rules describe.
    """
    frames = [frame["clause"] for frame in view.get("pending") or ()]
    return [
        anchor(address)
        for name in reversed(frames)
        for address in _addresses(book, name)
    ]


def _addresses(book: Rulebook, name: str) -> Iterator[str]:
    """Yield the addresses that a clause of a view may have."""
    if name in book.model.actions:
        yield f"action.{name}"
    yield unit_address(name)
