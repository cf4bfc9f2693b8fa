"""Columns: what a row of a table has, each with its type and its meaning.

A row has a value for each column, in their order; a value that is not there is None. A
name with a dot, `points.red`, is one column in CSV and Parquet, and in JSON lines the
value `red` of the object `points`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

Value = int | float | bool | str | list[str] | None
Row = Sequence[Value]

INT_BITS = 63
"""Whole numbers are those of all readers: 64 bits with a sign."""


@attrs.frozen
class Type:
    """The type of a column: its name here and in Parquet, and Python's types of it."""

    name: str
    stored: str
    kinds: tuple[type, ...]

    def takes(self, value: object) -> bool:
        """Whether a value is of this type; a truth is no number."""
        if isinstance(value, bool):
            return bool in self.kinds
        if isinstance(value, int) and abs(value) >> INT_BITS:
            return False
        return isinstance(value, self.kinds)


@attrs.frozen
class ListType(Type):
    """A list of texts."""

    def takes(self, value: object) -> bool:
        """Whether a value is of this type."""
        return isinstance(value, list) and all(isinstance(part, str) for part in value)


@attrs.frozen
class SeedType(Type):
    """A whole number of any size, with which nobody reckons."""

    def takes(self, value: object) -> bool:
        """Whether a value is of this type."""
        return isinstance(value, int) and not isinstance(value, bool)


WHOLE = Type("whole number", "int64", (int,))
NUMBER = Type("number", "double", (float, int))
TRUTH = Type("truth", "bool", (bool,))
TEXT = Type("text", "string", (str,))
TEXTS = ListType("list of texts", "list", (list,))
SEED = SeedType("whole number", "int64", (int,))
KEY = SeedType("whole number of any size", "string", (int,))
"""The seed of bots may be drawn by the system: no reader has so large numbers."""
NUMBERS = (WHOLE, NUMBER, TRUTH)
"""What has a mean: that of a truth is how often it was so."""


@attrs.frozen
class Column:
    """A column; where it may be `empty`, a value may be None."""

    name: str
    type: Type
    meaning: str
    empty: bool = False

    def takes(self, value: object) -> bool:
        """Whether a value may stand here."""
        return self.empty if value is None else self.type.takes(value)

    def to_json(self) -> dict[str, Any]:
        """The column as plain data."""
        return {"name": self.name, "type": self.type.name, "meaning": self.meaning}


@attrs.frozen
class TableSchema:
    """A table of what is called so: its columns, the first of which order its rows."""

    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        """What the columns are called."""
        return [column.name for column in self.columns]

    def wrong(self, row: object) -> str | None:
        """What is wrong with a row, or None."""
        if not isinstance(row, list) or len(row) != len(self.columns):
            return f"a row of {self.name} has {len(self.columns)} values"
        for column, value in zip(self.columns, row, strict=True):
            if not column.takes(value):
                return f"{column.name} is a {column.type.name}, not {value!r:.40}"
        return None


def nested(names: Iterable[str], row: Row) -> dict[str, Any]:
    """A row as an object in which names with a dot are objects of their own."""
    made: dict[str, Any] = {}
    for name, value in zip(names, row, strict=True):
        first, dot, rest = name.partition(".")
        if dot:
            made.setdefault(first, {})[rest] = value
        else:
            made[first] = value
    return made
