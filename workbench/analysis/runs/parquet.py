"""Writer of Parquet files; only this module imports pyarrow.

The metadata of a file contains the header of the run (`rulebook`, as JSON). The
metadata of a column contains its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from workbench.analysis.runs.columns import (
    BOT_SEED,
    TEXTS,
    Column,
    Row,
    TableSchema,
    Value,
)
from workbench.analysis.runs.writers import row_batches
from workbench.extras import Extra, import_library

ALTERNATIVE = ", or use .jsonl or .csv"
FIRST_BYTES = b"PAR1"
METADATA_KEY = b"rulebook"
LIST = TEXTS.storage_type
ROW_GROUP_SIZE = 50_000
"""Number of rows in a row group, which is built in memory."""


@attrs.frozen
class ParquetWriter:
    """Writer of Apache Parquet files."""

    def file_header(self, table: TableSchema) -> bytes:  # noqa: ARG002
        """Return the bytes with which every Parquet file starts."""
        return FIRST_BYTES

    def is_own_file(self, path: Path) -> bool:
        """Return whether a Parquet file was written by this module."""
        try:
            schema = _import_arrow("pyarrow.parquet").read_schema(path)
        except (OSError, ValueError):
            return False
        return METADATA_KEY in (schema.metadata or {})

    def write(
        self,
        table: TableSchema,
        rows: Iterable[Row],
        path: Path,
        head: Mapping[str, Any],
    ) -> None:
        """Write rows to a file, with `head` in its metadata."""
        arrow, parquet = _import_arrow("pyarrow"), _import_arrow("pyarrow.parquet")
        fields = [_arrow_field(arrow, column) for column in table.columns]
        metadata = {METADATA_KEY: json.dumps(head, ensure_ascii=False).encode()}
        schema = arrow.schema(fields, metadata=metadata)
        with (
            path.open("wb") as file,
            parquet.ParquetWriter(file, schema, compression="zstd") as writer,
        ):
            for batch in row_batches(rows, ROW_GROUP_SIZE):
                arrays = [
                    arrow.array(_stored_values(column, values), type=field.type)
                    for column, field, values in zip(
                        table.columns, fields, zip(*batch, strict=True), strict=True
                    )
                ]
                writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def check_arrow() -> None:
    """Raise `RequestError` if pyarrow is not installed."""
    _import_arrow("pyarrow.parquet")


def _arrow_field(arrow: Any, column: Column) -> Any:
    """Return the Arrow field of a column."""
    stored = column.type.storage_type
    kind = (
        arrow.list_(arrow.string()) if stored == LIST else arrow.type_for_alias(stored)
    )
    meaning = {b"meaning": column.meaning.encode()}
    return arrow.field(column.name, kind, nullable=column.optional, metadata=meaning)


def _stored_values(column: Column, values: Sequence[Value]) -> Sequence[Value]:
    """Return the values of a column as stored; seeds of any size become texts."""
    return [str(value) for value in values] if column.type == BOT_SEED else values


def _import_arrow(name: str) -> Any:
    """Import and return pyarrow or one of its modules."""
    return import_library(name, Extra.DATA, "Parquet", ALTERNATIVE)
