"""Writers of tables as JSON lines and CSV; `parquet` contains the third format.

Equal rows give equal files, which contain no time and no machine name.
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

from workbench.analysis.runs.columns import Row, TableSchema, Value, nested_row

ROWS_PER_WRITE = 1_000
"""Number of rows that are written at once."""
LIST_SEPARATOR = ";"
"""Separator of the texts in a list in CSV."""


class TableWriter(Protocol):
    """Writer of a file format."""

    def file_header(self, table: TableSchema) -> bytes:
        """Return the bytes with which each file of the table starts."""

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],
    ) -> None:
        """Write rows to a file, with the header `head` if the format can store it."""


@attrs.frozen
class TextWriter(ABC):
    """Writer of a text format with a line for each row."""

    @abstractmethod
    def file_header(self, table: TableSchema) -> bytes:
        """Return the bytes with which each file of the table starts."""

    @abstractmethod
    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:
        """Return rows as text, without the line of column names."""

    def header_line(self, table: TableSchema) -> str:  # noqa: ARG002
        """Return the line of column names, or an empty string if there is none."""
        return ""

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],  # noqa: ARG002
    ) -> None:
        """Write rows to a file; text formats cannot store `head`."""
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(self.header_line(table))
            for batch in row_batches(rows, ROWS_PER_WRITE):
                file.write(self.text(table, batch))


@attrs.frozen
class JsonLinesWriter(TextWriter):
    """Writer of JSON lines, with an object for each row."""

    def file_header(self, table: TableSchema) -> bytes:
        """Return the start of the first object, up to its first name."""
        return f'{{"{table.names[0]}": '.encode()

    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:
        """Return a line for each row."""
        names = table.names
        return "".join(
            json.dumps(nested_row(names, row), ensure_ascii=False) + "\n"
            for row in rows
        )


@attrs.frozen
class CsvWriter(TextWriter):
    """Writer of CSV (RFC 4180), with column names in the first line."""

    def file_header(self, table: TableSchema) -> bytes:
        """Return the first column names, which are the same in every version."""
        return ",".join(table.names[:2]).encode() + b","

    def header_line(self, table: TableSchema) -> str:
        """Return the line of column names."""
        return _csv_lines([table.names])

    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:  # noqa: ARG002
        """Return a line for each row; missing values are empty."""
        return _csv_lines(map(_cell_text, row) for row in rows)


def _cell_text(value: Value) -> str:
    """Return a value as CSV text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return LIST_SEPARATOR.join(value)
    return "" if value is None else str(value)


def _csv_lines(rows: Iterable[Iterable[str]]) -> str:
    """Return rows of texts as lines of CSV."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def row_batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    """Yield rows in lists of at most `size`."""
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch
