"""Store of a worker process: it asks the server to read and write its table.

The server executes each request only if it is permitted. A worker reads and writes only
its own table, adds new tables, and deletes none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from workbench.web.storage.errors import (
    Conflict,
    DiskFull,
    Full,
    NoStore,
    ReadOnly,
    TableError,
)
from workbench.web.storage.journal import JournalLine, LineKind
from workbench.web.store import Key, StoredTable

READ, TEXTS, APPEND, ADD = "read", "texts", "append", "add"
REFUSED = "refused"
"""Key of an answer that contains the name of an error to raise."""
ERRORS: Mapping[str, type[Exception]] = {
    "conflict": Conflict,
    **{error.key: error for error in (Full, DiskFull, ReadOnly, NoStore)},
}


def refusal_of(error: Exception) -> dict[str, Any]:
    """Convert an error of the store to plain data; raise it if it has no name."""
    for name, sort in ERRORS.items():
        if isinstance(error, sort):
            return {REFUSED: name}
    raise error


def lines_of(rows: Sequence[Sequence[Any]]) -> tuple[JournalLine, ...]:
    """Convert plain data to journal lines.

    Raises `ValueError` or `TypeError` if it is invalid.
    """
    return tuple(
        JournalLine(int(number), LineKind(sort), str(text), str(by), int(decision))
        for number, sort, text, by, decision in rows
    )


def rows_of(lines: Sequence[JournalLine]) -> list[Sequence[Any]]:
    """Convert journal lines to plain data."""
    return [attrs.astuple(line) for line in lines]


def to_data(kept: StoredTable) -> dict[str, Any]:
    """Convert a stored table to plain data."""
    shallow = attrs.asdict(kept, recurse=False)
    keys = [attrs.astuple(key) for key in kept.keys]
    return {
        **shallow,
        "texts": dict(kept.texts),
        "keys": keys,
        "lines": rows_of(kept.lines),
    }


def from_data(document: Mapping[str, Any]) -> StoredTable:
    """Convert plain data to a stored table."""
    keys = tuple(Key(*map(str, key)) for key in document["keys"])
    return StoredTable(
        **{**document, "keys": keys, "lines": lines_of(document["lines"])}
    )


class RemoteStore:
    """Store whose requests are sent to the server by `ask`."""

    def __init__(self, ask: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        self._ask = ask

    def _request(self, what: str, **more: Any) -> Any:
        answer = self._ask({"store": what, **more})
        name = answer.get(REFUSED)
        if name is not None:
            raise ERRORS.get(name, TableError)
        return answer["value"]

    def read(self, id: str) -> StoredTable | None:
        """Return the worker's own table with all its lines; None for any other."""
        document = self._request(READ, id=id)
        return None if document is None else from_data(document)

    def texts(self, digest: str) -> dict[str, str]:
        """Return the stored rule texts with a digest."""
        texts: dict[str, str] = self._request(TEXTS, digest=digest)
        return texts

    def append(
        self,
        id: str,
        lines: Sequence[JournalLine],
        *,
        over: bool | None = None,
        texts: Mapping[str, str] | None = None,
        begins: StoredTable | None = None,
    ) -> None:
        """Append lines to a table. May raise `Conflict` or `Full`."""
        assert texts is None  # only the server changes rules
        new = None if begins is None else to_data(begins)
        self._request(APPEND, id=id, lines=rows_of(lines), over=over, begins=new)

    def add(self, kept: StoredTable) -> None:
        """Store a new table. May raise `Full`."""
        self._request(ADD, kept=to_data(kept))

    def close(self) -> None:
        """Do nothing: the server owns the database."""
