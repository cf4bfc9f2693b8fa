"""Files are read when they are files, and no further than they may be long."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

BYTES_MAX = 250_000
"""Longest rule file that is read, in bytes and in code points."""


def read_file(path: str | Path, most: int = BYTES_MAX) -> bytes:
    """Return the bytes of a file; of a longer one than `most`, one byte more.

    A pipe or a device is not waited for: it is no file.

    Raises:
        OSError: when the file cannot be read, or is none; it names the path.
    """
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "this is not a regular file", str(path))
        try:
            return file.read(most + 1)
        except OSError as error:
            error.filename = str(path)
            raise


def _at_once(path: str, flags: int) -> int:
    """Open a file; a pipe to which nobody writes is not waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
