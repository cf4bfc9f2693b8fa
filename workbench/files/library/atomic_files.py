"""Atomic file operations that never overwrite unrelated files."""

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from rulebook import Diagnostic, RulesError, read_file
from rulebook.tooling import decode
from workbench.errors import RequestError
from workbench.files.library.locks import lock

STDIN, STANDARD_INPUT = "-", "standard input"
MAX_RULE_BYTES = 1 << 20
SVG_PREFIXES = (b"<svg", b"<?xml")
RECORD_PREFIXES = (b'{"format": "rulebook-record/',)


def read_rules(path: Path) -> str:
    """Return the text of a rule file.

    Raise `rulebook.RulesError` if it is not text, or `OSError` if it cannot be read.
    """
    return _decoded_rules(read_file(path), str(path))


def read_standard_input() -> str:
    """Return the text of a rule file from standard input.

    Raise `rulebook.RulesError` if it is not text.
    """
    raw = getattr(sys.stdin, "buffer", None)
    data = sys.stdin.read().encode() if raw is None else raw.read(MAX_RULE_BYTES)
    return _decoded_rules(data, STANDARD_INPUT)


def _decoded_rules(data: bytes, name: str) -> str:
    text = decode(data, name)
    if isinstance(text, Diagnostic):
        raise RulesError((text,))
    return text


@contextmanager
def add_file_name(path: str | Path) -> Iterator[None]:
    """Add the path to any `OSError` in the block that has no file name."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def is_regular_file(path: str | Path) -> bool:
    """Return whether a path is an existing regular file, not a pipe or device.

    Raise `OSError` for a folder, and for a path that cannot be looked up.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  (a Path hides link loops)
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return stat.S_ISREG(mode)


def check_replaceable(
    path: str | Path, prefixes: tuple[bytes, ...], expected_kind: str
) -> None:
    """Check that a path may be overwritten.

    It may be missing, empty, or a file that starts with one of `prefixes`. Raise
    `RequestError` for any other file, which may be the user's work; `expected_kind`
    describes the expected kind of file.
    """
    if not is_regular_file(path):
        return
    first_bytes = read_file(path, max_bytes=64)
    if first_bytes and not first_bytes.lstrip().startswith(prefixes):
        raise RequestError(
            f"{path} already exists and is not {expected_kind}", "nothing was changed"
        )


def is_same_file(left: str | Path, right: str | Path) -> bool:
    """Return whether two paths refer to the same existing file."""
    try:
        return Path(left).samefile(right)
    except FileNotFoundError:
        return False


def replace_text(path: Path, text: str) -> None:
    """Replace the contents of a file atomically with UTF-8 text.

    Symlinks and permissions are preserved.
    """
    replace_bytes(path, text.encode())


def replace_bytes(path: Path, data: bytes) -> None:
    """Replace the contents of a file atomically.

    Symlinks and permissions are preserved. Pipes and devices are written directly.
    """
    if not is_regular_file(path) and path.exists():
        with add_file_name(path):
            path.write_bytes(data)
        return
    with atomic_replacement(path) as part:
        part.write_bytes(data)


@contextmanager
def atomic_replacement(path: Path) -> Iterator[Path]:
    """Yield a temporary file that atomically replaces `path` after the block.

    Symlinks and permissions are preserved.
    """
    exists = is_regular_file(path)
    target = Path(os.path.realpath(path))
    if exists and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    with _temporary_file(target) as part:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.chmod(stat.S_IMODE(target.stat().st_mode) if exists else _default_mode())
        part.replace(target)


def check_writable(path: Path) -> None:
    """Check that a file can be created or replaced.

    Raise `OSError` if it cannot.
    """
    target = Path(os.path.realpath(path))
    if is_regular_file(path) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    with _temporary_file(target):
        pass


def append(handle: int, data: bytes, path: str | None) -> int:
    """Append bytes to an open file, all or none; return the offset where they start."""
    start = os.fstat(handle).st_size
    try:
        while data:
            data = data[os.write(handle, data) :]
    except OSError as error:
        with suppress(OSError):  # a pipe or device
            os.ftruncate(handle, start)
        error.filename = path
        raise
    return start


class LineWriter:
    """Text file to which each added line is written immediately.

    On entry it is emptied and locked for a single writer. Pipes and devices are written
    directly.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> Self:
        with add_file_name(self._path):
            is_regular = is_regular_file(self._path) or not os.path.lexists(self._path)
            self._file = Path(self._path).open("ab", buffering=0)
            if is_regular:
                lock(self._file.fileno(), self._path)
                self._file.truncate(0)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, line: str) -> None:
        """Write a line, which must include its line end."""
        append(self._file.fileno(), line.encode(), self._path)


def create_text(path: Path, text: str) -> None:
    """Create a new text file atomically.

    Raise `FileExistsError` if it already exists.
    """
    with _temporary_file(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.chmod(_default_mode())
        try:
            path.hardlink_to(part)
        except FileExistsError:
            raise FileExistsError(
                errno.EEXIST, os.strerror(errno.EEXIST), str(path)
            ) from None
        except OSError:  # a file system without hard links
            with (
                path.open("x", encoding="utf-8", newline="\n") as file,
                add_file_name(path),
            ):
                file.write(text)


@contextmanager
def _temporary_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file in the same folder, which is removed afterwards."""
    with add_file_name(path):
        try:
            handle, name = tempfile.mkstemp(".part", f".{path.name[:80]}.", path.parent)
        except OSError as error:
            error.filename = str(path)
            raise
        os.close(handle)
        part = Path(name)
        try:
            yield part
        finally:
            with suppress(FileNotFoundError):
                part.unlink()


def _default_mode() -> int:
    """Return the default permissions of a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
