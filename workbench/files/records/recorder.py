"""Recorder that writes a record during play: locked, append-only, always current."""

import errno
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from itertools import accumulate, chain, count
from pathlib import Path
from typing import Any, Self

from interpreter import Game
from workbench.errors import RequestError
from workbench.files.library.atomic_files import add_file_name, append
from workbench.files.library.locks import lock
from workbench.files.records.record_files import (
    MAX_RECORD_BYTES,
    complete_lines,
    decode_record,
)

FLAGS = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0)
CLOSED_ON_EXEC = getattr(os, "O_CLOEXEC", 0)
NONBLOCKING = getattr(os, "O_NONBLOCK", 0)


class Recorder:
    """Record file that always contains the game so far.

    The first `write` creates the file; it never replaces an existing one. From then on,
    the file is locked, events are appended, and undone events are cut off. `note` is
    the reason if the file could not be locked.
    """

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.note: str | None = None
        self._file: int | None = None
        self._ends: list[int] = []
        self._ended = False
        self._torn = b""
        self._lacks_line_end = False

    @classmethod
    def resume(cls, path: str) -> tuple[Self, str]:
        """Open a record to continue it; return the recorder and the valid text.

        Raise `RequestError` if another program is writing it.
        """
        recorder = cls(path)
        recorder._open(path, FLAGS | NONBLOCKING)
        return recorder, recorder._read(path)

    def write(self, game: Game) -> None:
        """Update the file to match a game that has advanced or been undone.

        Raise `RequestError` if the file already exists.
        """
        if self.path is None:
            return
        if self._file is None:
            self._create(self.path, game)
            return
        self._repair(self.path)
        if game.steps < len(self._ends) - 1:
            os.ftruncate(self._file, self._ends[game.steps])
            del self._ends[game.steps + 1 :]
            self._ended = False
        events = game.events[len(self._ends) - 1 :]
        self._ends += self._append_lines([_encode_document(event) for event in events])
        if game.outcome is not None and not self._ended:
            self._append_lines([_encode_document({"end": game.outcome.to_json()})])
            self._ended = True

    @property
    def has_begun(self) -> bool:
        """True once the file contains the game."""
        return bool(self._ends)

    def flush(self) -> None:
        """Flush the file to disk."""
        if self._file is not None and self.path is not None:
            with add_file_name(self.path):
                os.fsync(self._file)

    def close(self) -> None:
        """Close the file, so that others can write it."""
        if self._file is not None:
            os.close(self._file)
        self._file = None

    def release(self) -> None:
        """Close the file, because another recorder now saves the game."""
        self.close()

    # ------------------------------------------------------------ file

    def _open(self, path: str, flags: int) -> None:
        """Open and lock the file.

        Raise `RequestError` if another program is writing it.
        """
        self._file = os.open(path, flags | CLOSED_ON_EXEC, 0o666)
        try:
            if stat.S_ISREG(os.fstat(self._file).st_mode):
                self.note = lock(self._file, path)
                return
        except RequestError:
            self.close()
            raise
        self.close()
        raise OSError(errno.EINVAL, "this is not a regular file", path)

    def _create(self, path: str, game: Game) -> None:
        """Create the file with the game so far."""
        try:
            self._open(path, FLAGS | os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            help = f"use `--resume {path}` to continue a record"
            raise RequestError(f"{path} already exists", help) from None
        lines = [_encode_line(line) for line in game.record.split("\n") if line]
        try:
            self._ends = self._append_lines(lines)[: game.steps + 1]
        except OSError:
            with suppress(OSError):
                Path(path).unlink()
            raise
        self._ended = game.outcome is not None

    def _read(self, path: str) -> str:
        """Return the valid text of a record to continue."""
        assert self._file is not None
        with add_file_name(path), os.fdopen(os.dup(self._file), "rb") as file:
            data = file.read(MAX_RECORD_BYTES + 1)
        complete = complete_lines(data)
        text = decode_record(complete, path)
        end = 0
        for line in complete.removesuffix(b"\n").split(b"\n"):
            end += len(line) + 1
            if line.strip() and not _is_end_line(line):
                self._ends.append(end)
            self._ended = _is_end_line(line)
        self._torn = data[len(complete) :]
        self._lacks_line_end = not complete.endswith(b"\n")
        return text

    def _repair(self, path: str) -> None:
        """Move a truncated last line to another file; end the last valid line."""
        assert self._file is not None
        if self._torn:
            backup = unused_path(Path(f"{path}.torn"))
            with add_file_name(backup), backup.open("xb") as file:
                file.write(self._torn)
            size = os.fstat(self._file).st_size
            os.ftruncate(self._file, size - len(self._torn))
            self._torn = b""
            self.note = (
                f"the last line of {path} was incomplete; it was moved to {backup}"
            )
        if self._lacks_line_end:
            self._append_lines([b"\n"])
            self._lacks_line_end = False

    def _append_lines(self, lines: list[bytes]) -> list[int]:
        """Append lines, all or none; return the end offset of each."""
        assert self._file is not None
        start = append(self._file, b"".join(lines), self.path)
        return [start + end for end in accumulate(map(len, lines))]


def unused_path(path: Path) -> Path:
    """Return an unused path: the given one, or with a number appended."""
    numbered = (path.with_name(f"{path.name}{number}") for number in count(2))
    return next(
        candidate
        for candidate in chain([path], numbered)
        if not os.path.lexists(candidate)
    )


def _encode_document(document: Mapping[str, Any]) -> bytes:
    return _encode_line(json.dumps(document, ensure_ascii=False))


def _encode_line(line: str) -> bytes:
    """Return a line in UTF-8; lone surrogates become JSON escapes."""
    return f"{line}\n".encode(errors="backslashreplace")


def _is_end_line(line: bytes) -> bool:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "end" in document
