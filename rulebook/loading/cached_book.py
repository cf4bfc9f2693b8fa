"""Disk cache of checked rulebooks, for loading the same texts again.

A book depends only on its first text and the files that its texts request by name. A
cached book is stored under a digest of its first text, together with each request and
the digest of the file found. The book is valid while these files are unchanged.
The key includes a digest of this program, so any change of its code invalidates all
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

from rulebook.disk_cache import DiskCache, private_cache_folder
from rulebook.loading.book import Rulebook
from rulebook.loading.pickling import pack_book, unpickle_new
from rulebook.model.limits import Limits

SOURCE_FOLDER = Path(__file__).parents[1]
"""Folder of the source code that parses and checks rules."""

LIBRARIES = ("attrs", "lark")
"""Libraries whose versions affect the result of loading."""

TOTAL_BYTES_MAX = 32 << 20
"""Maximum total size of the cached books, in bytes."""

BOOK_BYTES_MAX = 16 << 20
"""Maximum size of one cached book, in bytes."""

LoadedText = tuple[str, str, Path | None]
"""Rule text, the name of its file, and the folder of the file."""

FoundFile = tuple[str, str] | None
"""Name of a file and the digest of its text, or None if no file was found."""

FileRequest = tuple[str, str | None, FoundFile]
"""Requested name, the folder it was requested from, and the file found."""

FindFile = Callable[[str, Path | None], FoundFile]
"""Function from a requested name and a folder to the file found."""

CACHE_ERRORS = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, ImportError),
    *(pickle.PickleError, zlib.error, EOFError, RecursionError),
)
"""Exceptions raised if a book cannot be cached, or a cached file is invalid."""


def book_cache() -> DiskCache | None:
    """Return the cache of books, or None if there is no cache folder."""
    folder = private_cache_folder("books") if program_digest() else None
    return (
        DiskCache(folder, ".book", TOTAL_BYTES_MAX, BOOK_BYTES_MAX) if folder else None
    )


def file_with_digest(text: str, file: str) -> FoundFile:
    """Return the name of a file, together with the digest of its text."""
    return file, _digest(text)


def file_request(name: str, folder: Path | None, file: FoundFile) -> FileRequest:
    """Return the request for a name from a folder, with the file found."""
    return name, str(folder) if folder else None, file


def cache_key(first_text: LoadedText, limits: Limits | None) -> str:
    """Return the cache key for books whose first text is *first_text*."""
    text, file, folder = first_text
    return _digest(repr((program_digest(), text, file, str(folder), limits)))


def cached_book(cache: DiskCache, key: str, find_file: FindFile) -> Rulebook | None:
    """Return the cached book of a key if all its texts are unchanged, else None."""
    for path in cache.files_of(key):
        with suppress(*CACHE_ERRORS):
            head, _, pickled = path.read_bytes().partition(b"\n")
            requests = json.loads(head)
            if all(_is_unchanged(find_file, *request) for request in requests):
                book = unpickle_new(pickled)
                if isinstance(book, Rulebook):
                    return book
    return None


def store_book(
    cache: DiskCache, key: str, book: Rulebook, requests: Iterable[FileRequest]
) -> None:
    """Store a book in the cache, with the file requests made while it was loaded."""
    with suppress(*CACHE_ERRORS):
        _, pickled = pack_book(book)
        head = json.dumps(list(requests)).encode()
        if len(head) + len(pickled) < BOOK_BYTES_MAX:
            cache.store(key, head + b"\n" + pickled)


@lru_cache(maxsize=1)
def program_digest() -> str | None:
    """Return the digest of the source of parser and checker; None if unavailable."""
    files = sorted((*SOURCE_FOLDER.rglob("*.py"), *SOURCE_FOLDER.rglob("*.lark")))
    if not files:
        return None
    hashed = hashlib.sha256(sys.version.encode())
    for name in LIBRARIES:
        hashed.update(version(name).encode())
    for path in files:
        hashed.update(path.read_bytes())
    return hashed.hexdigest()


def _is_unchanged(
    find_file: FindFile, name: str, folder: str | None, expected: list[str] | None
) -> bool:
    """Return whether a request still finds the same file with the same text."""
    file = find_file(name, None if folder is None else Path(folder))
    return expected == (None if file is None else list(file))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
