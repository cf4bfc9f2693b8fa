"""A rulebook as pickle has it: once for all its games, and once in a process.

The checked rules are packed as they are, so that neither files nor limits nor a way to
find texts are needed where they are unpacked. That is done when such a rulebook is not
there yet: one that is known is used again, with all that was worked out for its games.
"""

from __future__ import annotations

import hashlib
import pickle
import zlib
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakValueDictionary

import attrs

if TYPE_CHECKING:
    from rulebook.book import Rulebook

Packed = tuple[str, bytes]

KNOWN: WeakValueDictionary[str, Rulebook] = WeakValueDictionary()
PACKED: WeakKeyDictionary[Rulebook, Packed] = WeakKeyDictionary()


def packed(book: Rulebook) -> Packed:
    """Return a name for exactly this rulebook, and all that is in it."""
    if book not in PACKED:
        values = tuple(getattr(book, one.name) for one in attrs.fields(type(book)))
        whole = pickle.dumps((type(book), values))
        name = hashlib.sha256(whole).hexdigest()
        PACKED[book] = name, zlib.compress(whole)
        KNOWN.setdefault(name, book)
    return PACKED[book]


def unpacked(name: str, whole: bytes) -> Rulebook:
    """Return the rulebook of that name: the one that is there, or else a new one."""
    book = KNOWN.get(name)
    if book is None:
        kind, values = pickle.loads(zlib.decompress(whole))  # noqa: S301
        book = KNOWN.setdefault(name, kind(*values))
        PACKED[book] = name, whole
    return book
