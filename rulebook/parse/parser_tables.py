"""Stored tables of the parser, so that they need not be computed at every start.

The build of the package stores them next to this module; otherwise they are in the
user's cache folder. A file of tables names its grammar, Lark and Python versions, and
the digest of its content. A file that does not match in every respect is ignored. It is
JSON, so reading it executes nothing, whoever wrote it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulebook.disk_cache import (
    cache_folder,
    create_private_folder,
    is_owned_by_user,
    list_newest_first,
    write_atomically,
)

FORMAT_VERSION = 1
"""Version of the file format: a line of metadata, then a line with the tables."""

SHIPPED_TABLES = Path(__file__).with_name("tables.json")
"""Path where the package build stores the tables."""

CACHED_FILES_MAX = 8
"""Maximum number of cached table files, one for each grammar, Lark and Python."""

READ_ERRORS = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError),
    *(AssertionError, RecursionError),
)
"""Exceptions that reading a file may raise if it does not contain valid tables."""


def tables_file_name(grammar: str, options: Mapping[str, Any]) -> str:
    """Return the file name of the tables for a grammar, this Lark and this Python."""
    python = list(sys.version_info[:2])
    identity = [FORMAT_VERSION, lark.__version__, python, dict(options), grammar]
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def tables_text(parser: Lark, name: str, options: Mapping[str, Any]) -> str:
    """Return the text of the file that stores a parser's tables."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = dict(options)
    tables = json.dumps({"data": data, "memo": memo}, separators=(",", ":"))
    return f"{name} {digest_of(tables)}\n{tables}\n"


def parser_from_text(text: str, name: str, options: Mapping[str, Any]) -> Lark | None:
    """Return the parser stored in the text of a tables file, with additional options.

    Return None if the tables have another name, or are damaged.
    """
    head, _, tables = text.removesuffix("\n").partition("\n")
    if head != f"{name} {digest_of(tables)}":
        return None
    data = json.loads(tables)
    states = data["data"]["parser"]["parser"]
    states["states"] = _with_integer_keys(states["states"])
    data["data"]["options"] |= options
    data["memo"] = _with_integer_keys(data["memo"])
    return Lark.load(data)


def _with_integer_keys(table: Mapping[str, Any]) -> dict[int, Any]:
    """Return a table with integer keys, which JSON stores as strings."""
    return {int(key): value for key, value in table.items()}


def digest_of(tables: str) -> str:
    """Return the digest of the tables, for the first line of their file."""
    return hashlib.sha256(tables.encode()).hexdigest()


# ---------------------------------------------------------------- files


def stored_parser(name: str, options: Mapping[str, Any]) -> Lark | None:
    """Return the parser from the package's or cached tables, or None."""
    for path in _candidate_files(name):
        with suppress(*READ_ERRORS):
            ready = parser_from_text(path.read_text(encoding="utf-8"), name, options)
            if ready is not None:
                return ready
    return None


def store_tables(text: str, name: str) -> None:
    """Store tables in the cache folder if possible, and evict the oldest."""
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError):
        create_private_folder(folder)
        write_atomically(_cached_path(folder, name), text.encode())
        for path, _ in list_newest_first(folder, "tables-*.json")[CACHED_FILES_MAX:]:
            path.unlink(missing_ok=True)


def _candidate_files(name: str) -> Iterator[Path]:
    """Yield the files that may contain tables: the package's, and the user's own."""
    yield SHIPPED_TABLES
    folder = cache_folder()
    if (
        folder is not None
        and is_owned_by_user(folder)
        and is_owned_by_user(_cached_path(folder, name))
    ):
        yield _cached_path(folder, name)


def _cached_path(folder: Path, name: str) -> Path:
    return folder / f"tables-{name[:16]}.json"
