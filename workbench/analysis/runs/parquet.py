"""Rows as Parquet, by pyarrow, which only this needs.

The metadata of a file says what its rows are of (`rulebook`, as JSON), that of a column
what it means.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from workbench.analysis.runs.columns import KEY, TEXTS, Column, Row, TableSchema, Value
from workbench.analysis.runs.writers import batches
from workbench.extras import Extra, library

INSTEAD = ", or use .jsonl or .csv"
BEGINS = b"PAR1"
OURS = b"rulebook"
LIST = TEXTS.stored
GROUP = 50_000
"""Rows that stand together in a file, and in memory."""


@attrs.frozen
class Parquet:
    """Apache Parquet."""

    def beginning(self, table: TableSchema) -> bytes:  # noqa: ARG002
        """What every file of this form begins with."""
        return BEGINS

    def ours(self, path: Path) -> bool:
        """Whether such a file was written here."""
        try:
            schema = _arrow("pyarrow.parquet").read_schema(path)
        except (OSError, ValueError):
            return False
        return OURS in (schema.metadata or {})

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],
    ) -> None:
        """Write a file."""
        arrow, parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
        fields = [_field(arrow, column) for column in table.columns]
        said = {OURS: json.dumps(head, ensure_ascii=False).encode()}
        schema = arrow.schema(fields, metadata=said)
        with (
            path.open("wb") as file,
            parquet.ParquetWriter(file, schema, compression="zstd") as writer,
        ):
            for some in batches(rows, GROUP):
                arrays = [
                    arrow.array(_stored(column, values), type=field.type)
                    for column, field, values in zip(
                        table.columns, fields, zip(*some, strict=True), strict=True
                    )
                ]
                writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def needs_arrow() -> None:
    """Refuse what needs pyarrow where there is none."""
    _arrow("pyarrow.parquet")


def _field(arrow: Any, column: Column) -> Any:
    """A column as Arrow has it."""
    stored = column.type.stored
    of = arrow.list_(arrow.string()) if stored == LIST else arrow.type_for_alias(stored)
    meaning = {b"meaning": column.meaning.encode()}
    return arrow.field(column.name, of, nullable=column.empty, metadata=meaning)


def _stored(column: Column, values: Sequence[Value]) -> Sequence[Value]:
    """The values of a column as they are kept; numbers of any size as texts."""
    return [str(value) for value in values] if column.type == KEY else values


def _arrow(name: str) -> Any:
    """A module of pyarrow."""
    return library(name, Extra.DATA, "Parquet", INSTEAD)
