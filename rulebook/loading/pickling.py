"""Pickling of rulebooks, once for all games; unpickling once per process.

The checked rules are pickled as they are, so unpickling needs no files, limits or
resolver. If the process already has the same rulebook, unpickling returns that one,
with everything derived for its games.
"""

from __future__ import annotations

import hashlib
import pickle
import zlib
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import attrs

Packed = tuple[str, bytes]

KNOWN: WeakValueDictionary[str, Any] = WeakValueDictionary()
PACKED: WeakKeyDictionary[Any, Packed] = WeakKeyDictionary()


def pack_book(book: Any) -> Packed:
    """Return a unique name for this rulebook, and its pickled bytes."""
    if book not in PACKED:
        fields = [field for field in attrs.fields(type(book)) if field.init]
        values = tuple(getattr(book, field.name) for field in fields)
        whole = pickle.dumps((type(book), values))
        name = hashlib.sha256(whole).hexdigest()
        PACKED[book] = name, zlib.compress(whole)
        KNOWN.setdefault(name, book)
    return PACKED[book]


def unpack_book(name: str, pickled: bytes) -> Any:
    """Return the rulebook with this name in this process, or unpickle it."""
    book = KNOWN.get(name)
    if book is None:
        book = KNOWN.setdefault(name, unpickle_new(pickled))
        PACKED[book] = name, pickled
    return book


def unpickle_new(pickled: bytes) -> Any:
    """Unpickle a new rulebook, equal to the pickled one."""
    kind, values = pickle.loads(zlib.decompress(pickled))  # noqa: S301
    return kind(*values)
