"""Books that are kept: rules that were read and checked before, of the same texts.

A book is made of texts and of nothing else: the one that is loaded, and those that it
and they ask for by name. So a book is kept under the digest of its first text, together
with every question that was asked and what was answered; it is the book still while all
of them are answered as they were. The digest is of this program too: where a line of it
changes, every book is read and checked anew. Only a book of which there is nothing to
say is kept.
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
"""The folder of all that reads and checks rules."""

MADE_WITH = ("attrs", "lark")
"""Libraries on which it rests what a book is."""

KEPT_BYTES = 32 << 20
"""How much the books may take together; those not used the longest leave."""

BOOK_BYTES = 16 << 20
"""The size of the largest book that is kept."""

Text = tuple[str, str, Path | None]
"""A text, what its file is called, and the folder that it is in."""

Said = tuple[str, str] | None
"""The name of the file that was found, and the digest of its text."""

Asked = tuple[str, str | None, Said]
"""For what name was asked, seen from which folder, and what was said."""

Ask = Callable[[str, Path | None], Said]

STRANGE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, ImportError),
    *(pickle.PickleError, zlib.error, EOFError, RecursionError),
)
"""What reading or writing may raise where a book cannot be kept, or is none."""


def books() -> Shelf | None:
    """Return where books are kept; None where that cannot be."""
    folder = own_folder("books") if program() else None
    return Shelf(folder, ".book", KEPT_BYTES, BOOK_BYTES) if folder else None


def answer_of(text: str, file: str) -> Said:
    """Return what is noted of a text that was asked for."""
    return file, _digest(text)


def asked_of(name: str, folder: Path | None, said: Said) -> Asked:
    """Return what is noted of a question."""
    return name, str(folder) if folder else None, said


def key_of(first: Text, limits: Limits | None) -> str:
    """Return the key of the books that begin with a text."""
    text, file, folder = first
    return _digest(repr((program(), text, file, str(folder), limits)))


def cached(shelf: Shelf, key: str, ask: Ask) -> Rulebook | None:
    """Return the book that was kept under a key, if all is answered as it was."""
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
    """Put a book on the shelf with all that was asked while it was made."""
    with suppress(*STRANGE):
        _, whole = packed(book)
        head = json.dumps(list(asked)).encode()
        if len(head) + len(whole) < BOOK_BYTES:
            shelf.keep(key, head + b"\n" + whole)


@lru_cache(maxsize=1)
def program() -> str | None:
    """Return the digest of what reads and checks rules; None where it is not here."""
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
    """Whether a question is answered as it was."""
    now = ask(name, None if folder is None else Path(folder))
    return said == (None if now is None else list(now))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
