"""Columns of tables, each with its type and meaning.

A row has one value per column, in the same order; a missing value is None. A name with
a dot, such as `points.red`, is one column in CSV and Parquet. In JSON lines it is the
value `red` in the object `points`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

Value = int | float | bool | str | list[str] | None
Row = Sequence[Value]

INT_BITS = 63
"""Number of bits of a whole number, without the sign, that most readers support."""


@attrs.frozen
class ColumnType:
    """Type of a column: its name, its name in Parquet, and its Python types."""

    name: str
    storage_type: str
    kinds: tuple[type, ...]

    def accepts(self, value: object) -> bool:
        """Return whether a value has this type; a bool is not a number."""
        if isinstance(value, bool):
            return bool in self.kinds
        if isinstance(value, int) and abs(value) >> INT_BITS:
            return False
        return isinstance(value, self.kinds)


@attrs.frozen
class ListType(ColumnType):
    """Type of a list of texts."""

    def accepts(self, value: object) -> bool:
        """Return whether a value is a list of texts."""
        return isinstance(value, list) and all(isinstance(part, str) for part in value)


@attrs.frozen
class SeedType(ColumnType):
    """Type of whole numbers of any size that are never used in arithmetic."""

    def accepts(self, value: object) -> bool:
        """Return whether a value is a whole number."""
        return isinstance(value, int) and not isinstance(value, bool)


WHOLE = ColumnType("whole number", "int64", (int,))
NUMBER = ColumnType("number", "double", (float, int))
TRUTH = ColumnType("truth", "bool", (bool,))
TEXT = ColumnType("text", "string", (str,))
TEXTS = ListType("list of texts", "list", (list,))
SEED = SeedType("whole number", "int64", (int,))
BOT_SEED = SeedType("whole number of any size", "string", (int,))
"""Type of bot seeds; those drawn by the system are too large for most readers."""
TYPES_WITH_MEAN = (WHOLE, NUMBER, TRUTH)
"""Types that have a mean; for true and false it is the share of true."""


@attrs.frozen
class Column:
    """Column of a table; if `optional` is true, its values can be None."""

    name: str
    type: ColumnType
    meaning: str
    optional: bool = False

    def accepts(self, value: object) -> bool:
        """Return whether a value is valid in this column."""
        return self.optional if value is None else self.type.accepts(value)

    def to_json(self) -> dict[str, Any]:
        """Return the column as plain data."""
        return {"name": self.name, "type": self.type.name, "meaning": self.meaning}


@attrs.frozen
class TableSchema:
    """Name and columns of a table, whose rows are sorted by the first columns."""

    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    def error_in(self, row: object) -> str | None:
        """Return a description of the error in a row, or None if it is valid."""
        if not isinstance(row, list) or len(row) != len(self.columns):
            return f"a row of {self.name} has {len(self.columns)} values"
        for column, value in zip(self.columns, row, strict=True):
            if not column.accepts(value):
                return f"{column.name} is a {column.type.name}, not {value!r:.40}"
        return None


def nested_row(names: Iterable[str], row: Row) -> dict[str, Any]:
    """Return a row as an object; names with a dot become nested objects."""
    nested: dict[str, Any] = {}
    for name, value in zip(names, row, strict=True):
        first, dot, rest = name.partition(".")
        if dot:
            nested.setdefault(first, {})[rest] = value
        else:
            nested[first] = value
    return nested
