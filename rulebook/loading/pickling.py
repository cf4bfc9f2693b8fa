"""Pickling of rulebooks; all games of a rulebook share one pickled copy.

The checked rules are pickled as they are, so unpickling needs no files, limits or
resolver. If the process already has the same rulebook, unpickling returns that object,
with everything derived from it.
"""

from __future__ import annotations

import hashlib
import pickle
import zlib
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import attrs

PickledBook = tuple[str, bytes]

BOOKS_BY_NAME: WeakValueDictionary[str, Any] = WeakValueDictionary()
PICKLED_BOOKS: WeakKeyDictionary[Any, PickledBook] = WeakKeyDictionary()


def pack_book(book: Any) -> PickledBook:
    """Return a unique name for this rulebook, and its pickled bytes."""
    if book not in PICKLED_BOOKS:
        fields = [field for field in attrs.fields(type(book)) if field.init]
        values = tuple(getattr(book, field.name) for field in fields)
        pickled = pickle.dumps((type(book), values))
        name = hashlib.sha256(pickled).hexdigest()
        PICKLED_BOOKS[book] = name, zlib.compress(pickled)
        BOOKS_BY_NAME.setdefault(name, book)
    return PICKLED_BOOKS[book]


def unpack_book(name: str, pickled: bytes) -> Any:
    """Return the rulebook with this name if the process has it, or unpickle it."""
    book = BOOKS_BY_NAME.get(name)
    if book is None:
        book = BOOKS_BY_NAME.setdefault(name, unpickle_new(pickled))
        PICKLED_BOOKS[book] = name, pickled
    return book


def unpickle_new(pickled: bytes) -> Any:
    """Unpickle a new rulebook, equal to the pickled one."""
    kind, values = pickle.loads(zlib.decompress(pickled))  # noqa: S301
    return kind(*values)
