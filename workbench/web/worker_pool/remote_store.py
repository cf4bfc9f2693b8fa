"""The store of a worker process: the server keeps what the worker adds to one table.

A worker asks by plain data, and the server decides: a worker reads and writes its own
table alone, adds new tables, and removes none.
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
"""In an answer: the name of the error that it raises."""
ERRORS: Mapping[str, type[Exception]] = {
    "conflict": Conflict,
    **{error.key: error for error in (Full, DiskFull, ReadOnly, NoStore)},
}


def refusal_of(error: Exception) -> dict[str, Any]:
    """An error of the store as plain data. Raises it where a worker cannot know it."""
    for name, sort in ERRORS.items():
        if isinstance(error, sort):
            return {REFUSED: name}
    raise error


def lines_of(rows: Sequence[Sequence[Any]]) -> tuple[JournalLine, ...]:
    """Lines from plain data. Raises `ValueError` and `TypeError` for what is none."""
    return tuple(
        JournalLine(int(number), LineKind(sort), str(text), str(by), int(decision))
        for number, sort, text, by, decision in rows
    )


def rows_of(lines: Sequence[JournalLine]) -> list[Sequence[Any]]:
    """Lines as plain data."""
    return [attrs.astuple(line) for line in lines]


def to_data(kept: StoredTable) -> dict[str, Any]:
    """A table as plain data."""
    shallow = attrs.asdict(kept, recurse=False)
    keys = [attrs.astuple(key) for key in kept.keys]
    return {
        **shallow,
        "texts": dict(kept.texts),
        "keys": keys,
        "lines": rows_of(kept.lines),
    }


def from_data(document: Mapping[str, Any]) -> StoredTable:
    """A table from plain data."""
    keys = tuple(Key(*map(str, key)) for key in document["keys"])
    return StoredTable(
        **{**document, "keys": keys, "lines": lines_of(document["lines"])}
    )


class RemoteStore:
    """A store behind `ask`, which sends plain data and returns the answer."""

    def __init__(self, ask: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        self._ask = ask

    def _request(self, what: str, **more: Any) -> Any:
        answer = self._ask({"store": what, **more})
        name = answer.get(REFUSED)
        if name is not None:
            raise ERRORS.get(name, TableError)
        return answer["value"]

    def read(self, id: str) -> StoredTable | None:
        """A table with all its lines; None: there is none for this worker."""
        document = self._request(READ, id=id)
        return None if document is None else from_data(document)

    def texts(self, digest: str) -> dict[str, str]:
        """The texts of rules that are kept."""
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
        """Keep further lines of a table. Raises `Conflict` and `Full`."""
        assert texts is None  # the server alone changes rules
        new = None if begins is None else to_data(begins)
        self._request(APPEND, id=id, lines=rows_of(lines), over=over, begins=new)

    def add(self, kept: StoredTable) -> None:
        """Keep a new table. Raises `Full`."""
        self._request(ADD, kept=to_data(kept))

    def close(self) -> None:
        """Nothing is to be closed."""
