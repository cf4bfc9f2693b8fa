"""The rules that tables play: each read and checked once, for all that play them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from threading import Lock

import variants
from rulebook import Rulebook, RulesError
from workbench.errors import Refused
from workbench.files.library.loading import load
from workbench.web.sandbox.rule_texts import book_of, texts_of

BOOKS_MAX = 64
"""So many rules are ready at once."""

Key = tuple[tuple[str, str], ...] | str


class Books:
    """Rules by their texts; those of shipped games by their names, too."""

    def __init__(self) -> None:
        self._books: dict[Key, Rulebook] = {}
        self._lock = Lock()

    def of_variant(self, variant: str) -> Rulebook:
        """The rules of a variant; a file is read again, as it may have changed.

        Raises `Refused` and `RulesError`.
        """
        if is_shipped(variant):
            book = self._books.get(variant)
            return self._remember(variant, load(variant)) if book is None else book
        book = load(variant)
        key = tuple(texts_of(book).items())
        return self._books.get(key) or self._remember(key, book)

    def of_texts(self, texts: Mapping[str, str], variant: str = "") -> Rulebook:
        """The rules of texts: those of the variant, if it has these texts today.

        Raises `RulesError`.
        """
        own = self.of_own(texts, variant, ())
        if own is not None:
            return own
        key = tuple(texts.items())
        return self._books.get(key) or self._remember(key, book_of("", texts))

    def of_own(
        self, texts: Mapping[str, str], variant: str, named: Collection[str]
    ) -> Rulebook | None:
        """The rules of texts if a shipped or `named` variant has them today.

        Nothing in any other texts is read: None for those.
        """
        if is_shipped(variant) or variant in named:
            with suppress(Refused, RulesError):
                book = self.of_variant(variant)
                if texts_of(book) == texts:
                    return book
        return None

    def _remember(self, key: Key, book: Rulebook) -> Rulebook:
        with self._lock:
            while len(self._books) >= BOOKS_MAX:
                del self._books[next(iter(self._books))]
            return self._books.setdefault(key, book)


def is_shipped(variant: str) -> bool:
    """Whether a variant is made of what this program brings: it opens no other file."""
    known = {*variants.names(), *variants.house_rules()}
    return set(variant.split("+")) <= known


BOOKS = Books()
"""Those of this process."""
