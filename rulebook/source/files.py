"""Reader for regular files up to a maximum size."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

BYTES_MAX = 250_000
"""Maximum size of a rule file, in bytes; also its maximum number of code points."""


def read_file(path: str | Path, max_bytes: int = BYTES_MAX) -> bytes:
    """Return the bytes of a regular file, but at most `max_bytes` + 1 bytes.

    A pipe or a device is rejected and never waited for. Raises: OSError: if the path is
    not a readable file; the error names the path.
    """
    with open(path, "rb", opener=_open_nonblocking) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "this is not a regular file", str(path))
        try:
            return file.read(max_bytes + 1)
        except OSError as error:
            error.filename = str(path)
            raise


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file without blocking, even if it is a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
