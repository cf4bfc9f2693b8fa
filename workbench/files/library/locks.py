"""File locks for a single writer; the system releases them when the holder exits."""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

from workbench.errors import RequestError

LOCKED_ERRORS = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
NO_LOCKS = "this system has no file locks"

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 62
    """Offset beyond any data, so that the lock does not prevent reading."""

    def _take(handle: int) -> None:
        here = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, here, os.SEEK_SET)

else:
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # missing on some platforms

        def _take(handle: int) -> None:
            raise OSError(errno.ENOLCK, NO_LOCKS)

    else:

        def _take(handle: int) -> None:
            flock(handle, LOCK_EX | LOCK_NB)


def lock(descriptor: int, path: str) -> str | None:
    """Lock an open file for writing; return None, or why it cannot be locked.

    Raise `RequestError`, naming the holder, if another program is writing the file.
    """
    try:
        _take(descriptor)
    except OSError as error:
        if error.errno in LOCKED_ERRORS:
            help = "only one program can write a file at a time"
            raise RequestError(
                f"{path} is being written by {lock_holder(descriptor)}", help
            ) from None
        return (
            f"{path} cannot be locked ({error.strerror}): make sure that no"
            " other program writes it"
        )
    return None


def lock_holder(descriptor: int) -> str:
    """Describe the process that holds the lock on an open file, if it is known."""
    inode = os.fstat(descriptor).st_ino
    with suppress(OSError):
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if words[1:2] == ["FLOCK"] and words[5].endswith(f":{inode}"):
                return _process_text(int(words[4]))
    return "another program"


def _process_text(pid: int) -> str:
    """Describe a process by its id, with its command if visible."""
    command = ""
    with suppress(OSError):
        raw = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        words = " ".join(Path(word).name for word in raw.split("\0") if word)
        command = "".join(char if char.isprintable() else "?" for char in words)[:80]
    return f"process {pid} ({command})" if command else f"process {pid}"
