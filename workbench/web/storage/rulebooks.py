"""Cache of rulebooks, so that tables with the same rules share one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from threading import Lock

import variants
from rulebook import Rulebook, RulesError
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.web.sandbox.rule_texts import load_book, texts_of

MAX_BOOKS = 64
"""Maximum number of cached rulebooks."""

Key = tuple[tuple[str, str], ...] | str


class RulebookCache:
    """Cache of rulebooks by their texts, and of shipped games also by name."""

    def __init__(self) -> None:
        self._books: dict[Key, Rulebook] = {}
        self._lock = Lock()

    def of_variant(self, variant: str) -> Rulebook:
        """Return the rulebook of a variant; files that are not shipped are read again.

        May raise `RequestError` or `RulesError`.
        """
        if is_shipped(variant):
            book = self._books.get(variant)
            return self._store(variant, load(variant)) if book is None else book
        book = load(variant)
        key = tuple(texts_of(book).items())
        return self._books.get(key) or self._store(key, book)

    def from_texts(self, texts: Mapping[str, str], variant: str = "") -> Rulebook:
        """Return the rulebook for texts; reuse the variant's if its texts are the same.

        May raise `RulesError`.
        """
        own = self.matching_book(texts, variant, ())
        if own is not None:
            return own
        key = tuple(texts.items())
        return self._books.get(key) or self._store(key, load_book("", texts))

    def matching_book(
        self, texts: Mapping[str, str], variant: str, allowed: Collection[str]
    ) -> Rulebook | None:
        """Return the rulebook of a shipped or allowed variant if it has these texts.

        Return None if the texts differ. The texts are not parsed.
        """
        if is_shipped(variant) or variant in allowed:
            with suppress(RequestError, RulesError):
                book = self.of_variant(variant)
                if texts_of(book) == texts:
                    return book
        return None

    def _store(self, key: Key, book: Rulebook) -> Rulebook:
        with self._lock:
            while len(self._books) >= MAX_BOOKS:
                del self._books[next(iter(self._books))]
            return self._books.setdefault(key, book)


def is_shipped(variant: str) -> bool:
    """Return whether a variant consists of shipped files only."""
    known = {*variants.names(), *variants.house_rules()}
    return set(variant.split("+")) <= known


BOOK_CACHE = RulebookCache()
"""Rulebook cache shared by all tables of this process."""
