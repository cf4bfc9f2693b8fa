"""Rule texts of a table, by file name without the ending, as in records.

The first text is the game; the others are files that it extends or uses. Any other name
refers to a shipped file or is unknown, so a text can open no other file.
"""

from collections.abc import Mapping
from pathlib import PurePath

import rulebook
from rulebook import Diagnostic, Rulebook, RulesError
from workbench.files.library.loading import ENDING, load, shipped_text

Texts = Mapping[str, str]


class TextLoader:
    """Loader of rule texts by name: from the given texts, or else shipped files."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.known_names = (*texts, *shipped_text.known_names)
        self.themes = shipped_text.themes

    def __call__(self, name: str) -> str | None:
        """Return the text of `NAME.rules`, or None if it does not exist."""
        given = self._texts.get(name)
        return shipped_text(name) if given is None else given


def texts_of(book: Rulebook) -> dict[str, str]:
    """Return the source texts of a rulebook, by name; the game itself is first."""
    return {PurePath(file).stem: text for file, text in book.files.items()}


def check_texts(
    texts: Texts, read_texts: dict[str, str] | None = None
) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    """Check texts; return their rulebook (None if they have errors) and diagnostics.

    The texts that were read are added to `read_texts`, by the file names in the
    diagnostics.
    """
    name, top = next(iter(texts.items()))
    return rulebook.examine_text(
        top, f"{name}{ENDING}", TextLoader(texts), texts=read_texts
    )


def load_book(variant: str, texts: Texts | None = None) -> Rulebook:
    """Return the rulebook of `texts` or, if there are none, of a variant.

    Raises `rulebook.RulesError` with all diagnostics.
    """
    if not texts:
        return load(variant)
    read: dict[str, str] = {}
    book, diagnostics = check_texts(texts, read)
    if book is None:
        raise RulesError(diagnostics, read)
    return book
