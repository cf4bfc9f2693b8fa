"""Files that are replaced whole or not at all, and never by what they are not."""

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
from workbench.errors import Refused
from workbench.files.library.locks import lock

STDIN, STANDARD_INPUT = "-", "standard input"
MORE_THAN_RULES = 1 << 20
SVG = (b"<svg", b"<?xml")
RESULTS = (b'{"seed": ',)
RECORD = (b'{"format": "rulebook-record/',)


def read_rules(path: Path) -> str:
    """The text of a rule file.

    Raises `rulebook.RulesError` when it is no text, `OSError` when it is not there.
    """
    return _rules(read_file(path), str(path))


def read_standard_input() -> str:
    """The text of the rule file that standard input is.

    Raises `rulebook.RulesError` when it is no text.
    """
    raw = getattr(sys.stdin, "buffer", None)
    data = sys.stdin.read().encode() if raw is None else raw.read(MORE_THAN_RULES)
    return _rules(data, STANDARD_INPUT)


def _rules(data: bytes, name: str) -> str:
    text = decode(data, name)
    if isinstance(text, Diagnostic):
        raise RulesError((text,))
    return text


@contextmanager
def named(path: str | Path) -> Iterator[None]:
    """Let an error of the system say which file it is about."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def is_regular(path: str | Path) -> bool:
    """Whether a file is there, and one that can be replaced; no pipe, no device.

    Raises `OSError` for a folder, and for a name that cannot be looked up.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  (a Path hides loops of links)
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return stat.S_ISREG(mode)


def spare(path: str | Path, beginnings: tuple[bytes, ...], what: str) -> None:
    """See that a file is of the kind that takes its place, or empty, or not there.

    Raises `Refused` for another one: it is somebody's work.
    """
    if not is_regular(path):
        return
    begins = read_file(path, most=64)
    if begins and not begins.lstrip().startswith(beginnings):
        raise Refused(f"{path} already exists and is not {what}", "nothing was changed")


def same_file(left: str | Path, right: str | Path) -> bool:
    """Whether two names are of one file that is there."""
    try:
        return Path(left).samefile(right)
    except FileNotFoundError:
        return False


def replace_text(path: Path, text: str) -> None:
    """Put a text in the place of what a file held, as `replace_bytes` does."""
    replace_bytes(path, text.encode())


def replace_bytes(path: Path, data: bytes) -> None:
    """Put bytes in the place of what a file held; never are they half there.

    A link stays a link and permissions stay; a pipe or a device is written to.
    """
    if not is_regular(path) and path.exists():
        with named(path):
            path.write_bytes(data)
        return
    with replacing(path) as part:
        part.write_bytes(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """An empty file beside another, to be written and then put in its place, whole.

    A link stays a link and permissions stay.
    """
    there = is_regular(path)
    target = Path(os.path.realpath(path))
    if there and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    with _beside(target) as part:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.chmod(stat.S_IMODE(target.stat().st_mode) if there else _usual_mode())
        part.replace(target)


def can_replace(path: Path) -> None:
    """See that a file can be put in the place of another, or where none is yet.

    Raises `OSError` where it cannot.
    """
    target = Path(os.path.realpath(path))
    if is_regular(path) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    with _beside(target):
        pass


def append(handle: int, data: bytes, path: str | None) -> int:
    """Add bytes at the end of an open file, all of them or none; where they begin."""
    start = os.fstat(handle).st_size
    try:
        while data:
            data = data[os.write(handle, data) :]
    except OSError as error:
        with suppress(OSError):  # a pipe, a device
            os.ftruncate(handle, start)
        error.filename = path
        raise
    return start


class Lines:
    """A file whose lines are each there as soon as they were added.

    One program writes it at a time; what it held is gone. A pipe or a device is
    written to as it is.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> Self:
        with named(self._path):
            regular = is_regular(self._path) or not os.path.lexists(self._path)
            self._file = Path(self._path).open("ab", buffering=0)
            if regular:
                lock(self._file.fileno(), self._path)
                self._file.truncate(0)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, line: str) -> None:
        """Write a line."""
        append(self._file.fileno(), line.encode(), self._path)


def create_text(path: Path, text: str) -> None:
    """Write a new file, whole or not at all.

    Raises `FileExistsError` when there is one already.
    """
    with _beside(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.chmod(_usual_mode())
        try:
            path.hardlink_to(part)
        except FileExistsError:
            raise FileExistsError(
                errno.EEXIST, os.strerror(errno.EEXIST), str(path)
            ) from None
        except OSError:  # a file system without links
            with path.open("x", encoding="utf-8", newline="\n") as file, named(path):
                file.write(text)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """An empty file beside another one, gone afterwards."""
    with named(path):
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


def _usual_mode() -> int:
    """The permissions of a new file."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
