"""Cache of checked rulebooks: rules that are loaded again from the same texts.

A book depends only on texts: the loaded one, and those that the texts ask for by name.
A cached book is stored under the digest of its first text, with every name that was
asked for and the digest of the answer. It is valid as long as all answers are the same.
The key includes a digest of this program, so a changed line of it invalidates all
books. Only a book without diagnostics is cached.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from rulebook.disk_cache import Shelf, own_folder
from rulebook.loading.book import Rulebook
from rulebook.loading.pickling import another, packed
from rulebook.model.limits import Limits

PROGRAM = Path(__file__).parents[1]
"""Folder of the source code that parses and checks rules."""

MADE_WITH = ("attrs", "lark")
"""Libraries whose versions affect the result of loading."""

KEPT_BYTES = 32 << 20
"""Maximum total size of the cached books, in bytes."""

BOOK_BYTES = 16 << 20
"""Maximum size of one cached book, in bytes."""

Text = tuple[str, str, Path | None]
"""Rule text, the name of its file, and the folder of the file."""

Said = tuple[str, str] | None
"""Name of the file that was found, and the digest of its text; or None."""

Asked = tuple[str, str | None, Said]
"""Requested name, the folder it was requested from, and the file found."""

Ask = Callable[[str, Path | None], Said]

STRANGE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, ImportError),
    *(pickle.PickleError, zlib.error, EOFError, RecursionError),
)
"""Exceptions raised if a book cannot be cached, or a cached file is no book."""


def books() -> Shelf | None:
    """Return the cache of books, or None if there is no cache folder."""
    folder = own_folder("books") if program() else None
    return Shelf(folder, ".book", KEPT_BYTES, BOOK_BYTES) if folder else None


def answer_of(text: str, file: str) -> Said:
    """Return the name of a found file with the digest of its text."""
    return file, _digest(text)


def asked_of(name: str, folder: Path | None, said: Said) -> Asked:
    """Return a requested name with its folder and the file that was found."""
    return name, str(folder) if folder else None, said


def key_of(first: Text, limits: Limits | None) -> str:
    """Return the cache key for books whose first text is *first*."""
    text, file, folder = first
    return _digest(repr((program(), text, file, str(folder), limits)))


def cached(shelf: Shelf, key: str, ask: Ask) -> Rulebook | None:
    """Return the cached book of a key if all its texts are unchanged, else None."""
    for path in shelf.of(key):
        with suppress(*STRANGE):
            head, _, whole = path.read_bytes().partition(b"\n")
            asked = json.loads(head)
            if all(_still(ask, *question) for question in asked):
                book = another(whole)
                if isinstance(book, Rulebook):
                    return book
    return None


def keep(shelf: Shelf, key: str, book: Rulebook, asked: Iterable[Asked]) -> None:
    """Store a book in the cache, with the file requests made while it was loaded."""
    with suppress(*STRANGE):
        _, whole = packed(book)
        head = json.dumps(list(asked)).encode()
        if len(head) + len(whole) < BOOK_BYTES:
            shelf.keep(key, head + b"\n" + whole)


@lru_cache(maxsize=1)
def program() -> str | None:
    """Return the digest of the parser's and checker's source; None if unavailable."""
    files = sorted((*PROGRAM.rglob("*.py"), *PROGRAM.rglob("*.lark")))
    if not files:
        return None
    whole = hashlib.sha256(sys.version.encode())
    for name in MADE_WITH:
        whole.update(version(name).encode())
    for path in files:
        whole.update(path.read_bytes())
    return whole.hexdigest()


def _still(ask: Ask, name: str, folder: str | None, said: list[str] | None) -> bool:
    """Return whether a file request still finds the same file and text."""
    now = ask(name, None if folder is None else Path(folder))
    return said == (None if now is None else list(now))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
