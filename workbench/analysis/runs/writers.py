"""Rows as files: JSON lines and CSV; `parquet` has the third.

A file is the same for the same rows: nothing of time or machine is in it.
"""

from __future__ import annotations

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import attrs

from workbench.analysis.runs.columns import Row, TableSchema, Value, nested

AT_ONCE = 1_000
"""Rows that are written at once."""
APART = ";"
"""What stands between the texts of a list in CSV."""


class TableWriter(Protocol):
    """A form of files: how it begins, and how rows are written to one."""

    def beginning(self, table: TableSchema) -> bytes:
        """What a file of this form with such rows begins with."""

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],
    ) -> None:
        """Write a file; what `head` says of its rows, where there is room for it."""


@attrs.frozen
class TextWriter(ABC):
    """A form that is a text, row by row."""

    @abstractmethod
    def beginning(self, table: TableSchema) -> bytes:
        """What a file of this form with such rows begins with."""

    @abstractmethod
    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:
        """Rows as text, without what stands above them."""

    def above(self, table: TableSchema) -> str:  # noqa: ARG002
        """What stands above all rows."""
        return ""

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],  # noqa: ARG002
    ) -> None:
        """Write a file."""
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(self.above(table))
            for some in batches(rows, AT_ONCE):
                file.write(self.text(table, some))


@attrs.frozen
class JsonLines(TextWriter):
    """A JSON object a line."""

    def beginning(self, table: TableSchema) -> bytes:
        """The name of the first value."""
        return f'{{"{table.names[0]}": '.encode()

    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:
        """A line a row."""
        names = table.names
        return "".join(
            json.dumps(nested(names, row), ensure_ascii=False) + "\n" for row in rows
        )


@attrs.frozen
class Csv(TextWriter):
    """Values with commas between them, below the names of the columns (RFC 4180)."""

    def beginning(self, table: TableSchema) -> bytes:
        """The names of the columns that every version has."""
        return ",".join(table.names[:2]).encode() + b","

    def above(self, table: TableSchema) -> str:
        """The names of the columns."""
        return _lines([table.names])

    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:  # noqa: ARG002
        """A line a row; what is not there is empty."""
        return _lines(map(_cell, row) for row in rows)


def _cell(value: Value) -> str:
    """A value as it stands in CSV."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return APART.join(value)
    return "" if value is None else str(value)


def _lines(rows: Iterable[Iterable[str]]) -> str:
    """Rows of texts as lines of CSV."""
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue()


def batches(rows: Iterable[Row], number: int) -> Iterator[list[Row]]:
    """Rows in lists of so many."""
    left = iter(rows)
    while some := list(islice(left, number)):
        yield some
