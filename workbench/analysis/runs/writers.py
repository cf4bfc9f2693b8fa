"""Writers of rows as JSON lines and CSV; `parquet` contains the third format.

Equal rows give equal files, which contain no time and no name of a machine.
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
"""Number of rows written at once."""
APART = ";"
"""Separator of the texts of a list in CSV."""


class TableWriter(Protocol):
    """File format: how files start, and how rows are written."""

    def beginning(self, table: TableSchema) -> bytes:
        """Return the bytes with which a file of this format and table starts."""

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],
    ) -> None:
        """Write a file; formats with room for it include the header `head`."""


@attrs.frozen
class TextWriter(ABC):
    """Text format with a line per row."""

    @abstractmethod
    def beginning(self, table: TableSchema) -> bytes:
        """Return the bytes with which a file of this format and table starts."""

    @abstractmethod
    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:
        """Return rows as text, without the header line."""

    def above(self, table: TableSchema) -> str:  # noqa: ARG002
        """Return the header line, or an empty text if the format has none."""
        return ""

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],  # noqa: ARG002
    ) -> None:
        """Write a file; text formats have no room for `head`."""
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(self.above(table))
            for some in batches(rows, AT_ONCE):
                file.write(self.text(table, some))


@attrs.frozen
class JsonLines(TextWriter):
    """JSON lines: a JSON object per line."""

    def beginning(self, table: TableSchema) -> bytes:
        """Return the start of the first object, up to its first name."""
        return f'{{"{table.names[0]}": '.encode()

    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:
        """Return a line for each row."""
        names = table.names
        return "".join(
            json.dumps(nested(names, row), ensure_ascii=False) + "\n" for row in rows
        )


@attrs.frozen
class Csv(TextWriter):
    """Values separated by commas, below a line with the column names (RFC 4180)."""

    def beginning(self, table: TableSchema) -> bytes:
        """Return the names of the columns that all versions share."""
        return ",".join(table.names[:2]).encode() + b","

    def above(self, table: TableSchema) -> str:
        """Return the line with the column names."""
        return _lines([table.names])

    def text(self, table: TableSchema, rows: Iterable[Row]) -> str:  # noqa: ARG002
        """Return a line for each row; missing values are empty."""
        return _lines(map(_cell, row) for row in rows)


def _cell(value: Value) -> str:
    """Return a value as text for CSV."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return APART.join(value)
    return "" if value is None else str(value)


def _lines(rows: Iterable[Iterable[str]]) -> str:
    """Return rows of texts as lines of CSV."""
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue()


def batches(rows: Iterable[Row], number: int) -> Iterator[list[Row]]:
    """Yield rows in lists of at most `number`."""
    left = iter(rows)
    while some := list(islice(left, number)):
        yield some
