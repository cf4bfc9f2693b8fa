"""State files: JSON lines that a long-running command appends and can read back.

The first line is the header. A truncated last line is dropped on reading. Only one
process at a time can open a state file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NoReturn, Self

import attrs

from workbench.errors import RequestError
from workbench.files.library.atomic_files import (
    add_file_name,
    append,
    check_replaceable,
)
from workbench.files.library.locks import lock

MAX_LINE_BYTES = 1 << 28
"""Maximum length of a line in bytes."""


@attrs.frozen
class StateLine:
    """Line of a state file: its number from 1, byte offset, length, and JSON object."""

    number: int
    offset: int
    length: int
    document: dict[str, Any]


class StateFile:
    """File of JSON lines, locked while it is open."""

    def __init__(
        self, path: Path, first_bytes: tuple[bytes, ...], description: str
    ) -> None:
        """Prepare a state file, to be opened by a `with` statement.

        `first_bytes` are the possible first bytes of such a file, and `description`
        describes its kind.
        """
        self.path = path
        self.first_bytes = first_bytes
        self.description = description
        self._file: IO[bytes]

    def __enter__(self) -> Self:
        """Open and lock the file.

        Raise `RequestError` for a file of another kind.
        """
        check_replaceable(self.path, self.first_bytes, self.description)
        with add_file_name(self.path):
            self._file = self.path.open("a+b", buffering=0)
        try:
            lock(self._file.fileno(), str(self.path))
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def size(self) -> int:
        """Length of the file in bytes."""
        return self._file.seek(0, 2)

    def append(self, document: Mapping[str, Any]) -> None:
        """Append an object as a line, completely or not at all."""
        line = json.dumps(document, ensure_ascii=False, separators=(",", ": ")) + "\n"
        append(self._file.fileno(), line.encode(), str(self.path))

    def lines(self) -> Iterator[StateLine]:
        """Yield all lines, the header first; remove a truncated last line.

        Raise `RequestError` for a line that is not a JSON object.
        """
        offset = 0
        with self.path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES):
                number += 1
                if len(line) == MAX_LINE_BYTES:
                    self.raise_invalid(
                        number, f"is longer than {MAX_LINE_BYTES:,} bytes"
                    )
                if not line.endswith(b"\n"):
                    self._file.truncate(offset)
                    return
                document = self._document(number, line)
                yield StateLine(number, offset, len(line), document)
                offset += len(line)

    def read_at(self, offset: int, length: int) -> dict[str, Any]:
        """Return the object in the line of *length* bytes at byte *offset*."""
        self._file.seek(offset)
        parts: list[bytes] = []
        while length and (part := self._file.read(length)):
            parts.append(part)
            length -= len(part)
        document: dict[str, Any] = json.loads(b"".join(parts))
        return document

    def raise_invalid(self, number: int, error: str) -> NoReturn:
        """Raise `RequestError` with the number of an invalid line and its error."""
        raise RequestError(
            f"{self.path} is damaged: line {number} {error}", "remove it", exit_code=1
        )

    def _document(self, number: int, line: bytes) -> dict[str, Any]:
        """Parse the object in a line."""
        try:
            document = json.loads(
                line, parse_float=_finite_float, parse_constant=_finite_float
            )
        except (ValueError, RecursionError):
            self.raise_invalid(number, "is not a JSON document")
        if not isinstance(document, dict):
            self.raise_invalid(number, "is not an object")
        return document


def _finite_float(text: str) -> float:
    """Parse a finite number.

    Raise `ValueError` if the number is infinite or undefined.
    """
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
