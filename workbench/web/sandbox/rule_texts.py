"""Rules of a table as texts, in the form that records use.

Each file has its name without the ending. The first is the game; the others are files
that it extends or uses. Any other name means a shipped file, or is unknown: no name in
a text opens another file.
"""

from collections.abc import Mapping
from pathlib import PurePath

import rulebook
from rulebook import Diagnostic, Rulebook, RulesError
from workbench.files.library.loading import ENDING, load, shipped_text

Texts = Mapping[str, str]


class Given:
    """Loader of rule texts: from the given texts, then from the shipped files."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.known = (*texts, *shipped_text.known)
        self.themes = shipped_text.themes

    def __call__(self, name: str) -> str | None:
        """Return the text of `NAME.rules`, or None if there is none."""
        given = self._texts.get(name)
        return shipped_text(name) if given is None else given


def texts_of(book: Rulebook) -> dict[str, str]:
    """Return the texts of a book; the first is the game itself."""
    return {PurePath(file).stem: text for file, text in book.files.items()}


def examined(
    texts: Texts, read: dict[str, str] | None = None
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Return the book of texts (None if they have errors) and all diagnostics.

    `read` receives the texts that were read, by the file names in the diagnostics.
    """
    name, top = next(iter(texts.items()))
    return rulebook.examine_text(top, f"{name}{ENDING}", Given(texts), texts=read)


def book_of(variant: str, texts: Texts | None = None) -> Rulebook:
    """Return the book of a table: of its own texts if it has some, else of a variant.

    Raises `rulebook.RulesError` with every diagnostic.
    """
    if not texts:
        return load(variant)
    read: dict[str, str] = {}
    book, diagnostics = examined(texts, read)
    if book is None:
        raise RulesError(diagnostics, read)
    return book
