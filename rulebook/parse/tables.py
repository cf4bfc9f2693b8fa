"""The parser's tables, kept so that they are not made anew at every start.

They lie in the wheel, whose build left them beside this module, or in the user's cache
folder. A file of tables says of which grammar, Lark and Python it is, and the digest of
what it holds; one that does not fit in every point is passed over. It is JSON, so that
reading it runs nothing, whoever wrote it.
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
    is_own,
    make_own_folder,
    newest_first,
    write_whole,
)

FORM = 1
"""The form of the file: a line with what it is of, and a line with the tables."""

SHIPPED = Path(__file__).with_name("tables.json")
"""Where the build of the wheel leaves the tables."""

KEPT_MAX = 8
"""Most files in the cache folder: versions and checkouts that are used side by side."""

STRANGE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError),
    *(AssertionError, RecursionError),
)
"""What reading a file may raise that is none of tables."""


def name_of(grammar: str, options: Mapping[str, Any]) -> str:
    """Return the name of the tables of a grammar, for this Lark and this Python."""
    python = list(sys.version_info[:2])
    whole = [FORM, lark.__version__, python, dict(options), grammar]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def written(parser: Lark, name: str, options: Mapping[str, Any]) -> str:
    """Return the text of the file with a parser's tables."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = dict(options)
    tables = json.dumps({"data": data, "memo": memo}, separators=(",", ":"))
    return f"{name} {digest_of(tables)}\n{tables}\n"


def read(text: str, name: str, options: Mapping[str, Any]) -> Lark | None:
    """Return the parser of a file's tables, with further options.

    None when the tables are others than those of the name, or not whole.
    """
    head, _, tables = text.removesuffix("\n").partition("\n")
    if head != f"{name} {digest_of(tables)}":
        return None
    whole = json.loads(tables)
    states = whole["data"]["parser"]["parser"]
    states["states"] = _numbered(states["states"])
    whole["data"]["options"] |= options
    whole["memo"] = _numbered(whole["memo"])
    return Lark.load(whole)


def _numbered(table: Mapping[str, Any]) -> dict[int, Any]:
    """A table whose keys are numbers, which JSON has as texts."""
    return {int(key): value for key, value in table.items()}


def digest_of(tables: str) -> str:
    """Return the digest of tables, which the first line of their file says."""
    return hashlib.sha256(tables.encode()).hexdigest()


# ---------------------------------------------------------------- places


def stored_parser(name: str, options: Mapping[str, Any]) -> Lark | None:
    """Return the parser of the tables that the wheel or the cache folder has."""
    for path in _places(name):
        with suppress(*STRANGE):
            ready = read(path.read_text(encoding="utf-8"), name, options)
            if ready is not None:
                return ready
    return None


def keep(text: str, name: str) -> None:
    """Put tables into the cache folder, if there can be one; then the oldest leave."""
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError):
        make_own_folder(folder)
        write_whole(_cached(folder, name), text.encode())
        for path, _ in newest_first(folder, "tables-*.json")[KEPT_MAX:]:
            path.unlink(missing_ok=True)


def _places(name: str) -> Iterator[Path]:
    """The files that may hold tables; in the cache folder only those of our own."""
    yield SHIPPED
    folder = cache_folder()
    if folder is not None and is_own(folder) and is_own(_cached(folder, name)):
        yield _cached(folder, name)


def _cached(folder: Path, name: str) -> Path:
    return folder / f"tables-{name[:16]}.json"
