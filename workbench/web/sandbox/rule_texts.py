"""The rules of a table as texts, in the shape in which a record brings them.

Each file by its name without the ending; the first is the game, the others are what it
rests on. What is named and not among them is a shipped file, or is not there: no name
in a text opens another file.
"""

from collections.abc import Mapping
from pathlib import PurePath

import rulebook
from rulebook import Diagnostic, Rulebook, RulesError
from workbench.files.library.loading import ENDING, load, shipped_text

Texts = Mapping[str, str]


class Given:
    """Finds the text of a name among those that are given, then among the shipped."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.known = (*texts, *shipped_text.known)
        self.themes = shipped_text.themes

    def __call__(self, name: str) -> str | None:
        """The text of `NAME.rules`, None where there is none."""
        given = self._texts.get(name)
        return shipped_text(name) if given is None else given


def texts_of(book: Rulebook) -> dict[str, str]:
    """The texts of a book, the first of them the game itself."""
    return {PurePath(file).stem: text for file, text in book.files.items()}


def examined(
    texts: Texts, read: dict[str, str] | None = None
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """The book of texts, None where they have errors, and all that was noticed.

    Into `read` goes what was read, by the names of files in the diagnostics.
    """
    name, top = next(iter(texts.items()))
    return rulebook.examine_text(top, f"{name}{ENDING}", Given(texts), texts=read)


def book_of(variant: str, texts: Texts | None = None) -> Rulebook:
    """The book of a table: of its own texts if it has some, else of a variant.

    Raises `rulebook.RulesError` with every diagnostic.
    """
    if not texts:
        return load(variant)
    read: dict[str, str] = {}
    book, diagnostics = examined(texts, read)
    if book is None:
        raise RulesError(diagnostics, read)
    return book
