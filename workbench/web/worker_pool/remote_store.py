"""Store of a worker process, which asks the server to read and write its table.

The server executes each request only if it is permitted. A worker reads and writes only
its own table, adds new tables, and deletes none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from workbench.web.storage.journal import JournalLine, LineKind
from workbench.web.storage.table_errors import (
    DatabaseDown,
    DatabaseReadOnly,
    DiskFull,
    LimitReached,
    TableError,
    WriteConflict,
)
from workbench.web.store import StoredKey, StoredTable

READ, TEXTS, APPEND, ADD = "read", "texts", "append", "add"
ERROR_KEY = "refused"
"""Key of an answer that contains the name of an error to raise."""
ERRORS: Mapping[str, type[Exception]] = {
    "conflict": WriteConflict,
    **{
        error.key: error
        for error in (LimitReached, DiskFull, DatabaseReadOnly, DatabaseDown)
    },
}


def error_data(error: Exception) -> dict[str, Any]:
    """Convert a store error to plain data; re-raise it if its type is unknown."""
    for name, sort in ERRORS.items():
        if isinstance(error, sort):
            return {ERROR_KEY: name}
    raise error


def lines_from_rows(rows: Sequence[Sequence[Any]]) -> tuple[JournalLine, ...]:
    """Convert plain data to journal lines.

    Raises `ValueError` or `TypeError` if the data is invalid.
    """
    return tuple(
        JournalLine(int(number), LineKind(sort), str(text), str(by), int(decision))
        for number, sort, text, by, decision in rows
    )


def rows_from_lines(lines: Sequence[JournalLine]) -> list[Sequence[Any]]:
    """Convert journal lines to plain data."""
    return [attrs.astuple(line) for line in lines]


def table_to_data(stored: StoredTable) -> dict[str, Any]:
    """Convert a stored table to plain data."""
    shallow = attrs.asdict(stored, recurse=False)
    keys = [attrs.astuple(key) for key in stored.keys]
    return {
        **shallow,
        "texts": dict(stored.texts),
        "keys": keys,
        "lines": rows_from_lines(stored.lines),
    }


def table_from_data(document: Mapping[str, Any]) -> StoredTable:
    """Convert plain data to a stored table."""
    keys = tuple(StoredKey(*map(str, key)) for key in document["keys"])
    return StoredTable(
        **{**document, "keys": keys, "lines": lines_from_rows(document["lines"])}
    )


class RemoteStore:
    """Store whose requests are sent to the server by `ask`."""

    def __init__(self, ask: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        self._ask = ask

    def _request(self, operation: str, **arguments: Any) -> Any:
        answer = self._ask({"store": operation, **arguments})
        name = answer.get(ERROR_KEY)
        if name is not None:
            raise ERRORS.get(name, TableError)
        return answer["value"]

    def read(self, id: str) -> StoredTable | None:
        """Return the worker's own table with all its lines; None for any other."""
        document = self._request(READ, id=id)
        return None if document is None else table_from_data(document)

    def texts(self, digest: str) -> dict[str, str]:
        """Return the stored rule texts with this digest."""
        texts: dict[str, str] = self._request(TEXTS, digest=digest)
        return texts

    def append(
        self,
        id: str,
        lines: Sequence[JournalLine],
        *,
        is_over: bool | None = None,
        texts: Mapping[str, str] | None = None,
        new_table: StoredTable | None = None,
    ) -> None:
        """Append lines to a table. May raise `WriteConflict` or `LimitReached`."""
        assert texts is None  # only the server changes rules
        new = None if new_table is None else table_to_data(new_table)
        self._request(
            APPEND, id=id, lines=rows_from_lines(lines), over=is_over, begins=new
        )

    def add(self, stored: StoredTable) -> None:
        """Store a new table. May raise `LimitReached`."""
        self._request(ADD, kept=table_to_data(stored))

    def close(self) -> None:
        """Do nothing: the server owns the database."""
