"""Cache of compiled engines: libraries in the user's cache folder.

Each library is named by its key. A library is code, so anybody who can write to the
cache can run code as the user. Nobody else must have write access to the folder or to
any folder above it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import attrs

from rulebook.tooling import DiskCache, list_newest_first, private_cache_folder

CACHE_BYTES_MAX = 128 << 20
"""Maximum total size of the cached libraries in bytes.

The least recently used libraries are evicted.
"""

ZIG_BYTES = 256 << 20
"""Maximum size in bytes of zig's own cache."""

LIBRARY_BYTES = 64 << 20
"""Maximum size in bytes of one library."""

POLL_SECONDS = 0.02
LOCK_ERRORS = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES}


@attrs.frozen
class Cache:
    """Folder of compiled engines."""

    folder: Path

    @property
    def zig_folder(self) -> Path:
        """Folder that zig uses for its own cache."""
        return self.folder / "zig"

    @property
    def libraries(self) -> DiskCache:
        """Store of the compiled libraries."""
        return DiskCache(self.folder, ".so", CACHE_BYTES_MAX, LIBRARY_BYTES)

    def library(self, key: str) -> Path | None:
        """Return the path of the intact library with this key, or None.

        Damaged files with its name are removed if possible.
        """
        return next(self.libraries.files_of(key), None)

    def store(self, key: str, data: bytes) -> Path | None:
        """Store a library; return its path, or None if it cannot be stored.

        Other libraries are evicted if needed.
        """
        path = self.libraries.store(key, data)
        files = list_newest_first(self.zig_folder, "**/*")
        if sum(about.st_size for _, about in files) > ZIG_BYTES:
            shutil.rmtree(self.zig_folder, ignore_errors=True)
        return path

    @contextmanager
    def lock(self, key: str, timeout: float) -> Iterator[None]:
        """Prevent other processes from compiling the same library inside the block.

        After *timeout* seconds, or on systems without locks, the block runs without a
        lock.
        """
        path = self.lock_path(key)
        file = _lock_file(path, time.monotonic() + timeout)
        try:
            yield
        finally:
            if file is not None:
                with suppress(OSError):
                    path.unlink()
                file.close()

    def try_lock(self, key: str) -> BinaryIO | None:
        """Return the locked file of a library, or None if another process holds it.

        The library is locked until the file is closed in all processes. On systems
        without locks, the file is not locked. Raise `OSError` if it cannot be created.
        """
        path = self.lock_path(key)
        return _lock_file(path, 0.0) or _unlockable_file(path)

    def lock_path(self, key: str) -> Path:
        """Return the path of the file that locks a library."""
        return self.folder / f"{key}.lock"


def user_cache() -> Cache | None:
    """Return the user's cache, or None if no folder is safe from writes by others."""
    folder = private_cache_folder("engines")
    return None if folder is None else Cache(folder)


# ---------------------------------------------------------------- locks


def _lock_file(path: Path, deadline: float) -> BinaryIO | None:
    """Return a file locked by this process, or None if it cannot be locked in time.

    The previous holder of the lock removes the file, so the file may no longer exist
    once the lock is acquired.
    """
    while True:
        try:
            file = path.open("ab")
        except OSError:
            return None
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in LOCK_ERRORS or time.monotonic() > deadline:
                    file.close()
                    return None
            time.sleep(POLL_SECONDS)
        if _is_same_file(file, path):
            return file
        file.close()


def _unlockable_file(path: Path) -> BinaryIO | None:
    """Return a file if the system cannot lock it, or None if it is locked already.

    Raise `OSError` if it cannot be created.
    """
    file = path.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in LOCK_ERRORS:
            return file
    file.close()
    return None


def _is_same_file(file: BinaryIO, path: Path) -> bool:
    """Return whether an open file is still the file at this path."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    return False
