"""A rulebook as pickle has it: once for all its games, and once in a process.

The checked rules are packed as they are, so that neither files nor limits nor a way to
find texts are needed where they are unpacked. That is done when such a rulebook is not
there yet: one that is known is used again, with all that was worked out for its games.
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


def packed(book: Any) -> Packed:
    """Return a name for exactly this rulebook, and all that is in it."""
    if book not in PACKED:
        fields = [field for field in attrs.fields(type(book)) if field.init]
        values = tuple(getattr(book, field.name) for field in fields)
        whole = pickle.dumps((type(book), values))
        name = hashlib.sha256(whole).hexdigest()
        PACKED[book] = name, zlib.compress(whole)
        KNOWN.setdefault(name, book)
    return PACKED[book]


def unpacked(name: str, whole: bytes) -> Any:
    """Return the rulebook of that name: the one that is there, or else a new one."""
    book = KNOWN.get(name)
    if book is None:
        book = KNOWN.setdefault(name, another(whole))
        PACKED[book] = name, whole
    return book


def another(whole: bytes) -> Any:
    """Return a rulebook like the one that was packed, and not the same."""
    kind, values = pickle.loads(zlib.decompress(whole))  # noqa: S301
    return kind(*values)
