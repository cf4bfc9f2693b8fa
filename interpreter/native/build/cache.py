"""Engines that are kept: libraries in the user's cache folder, each under its key.

A library is code, and whoever can put one here can have it run. So the folder and all
above it must be such that nobody else can have written there.
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

from rulebook.tooling import Shelf, newest_first, own_folder

KEPT_BYTES = 128 << 20
"""How much the libraries may take together; those not used the longest leave."""

ZIG_BYTES = 256 << 20
"""How much may be taken by what zig keeps for itself."""

LIBRARY_BYTES = 64 << 20
"""The size of the largest library; no compiler writes a larger file."""

STEP_SECONDS = 0.02
HELD = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES}


@attrs.frozen
class Cache:
    """A folder of engines."""

    folder: Path

    @property
    def zig(self) -> Path:
        """Where zig keeps what it needs to make any library."""
        return self.folder / "zig"

    @property
    def shelf(self) -> Shelf:
        """Where the libraries are."""
        return Shelf(self.folder, ".so", KEPT_BYTES, LIBRARY_BYTES)

    def library(self, key: str) -> Path | None:
        """Return the library of a key; None when there is none, or none that is whole.

        Files that are none under its name are removed, where that can be.
        """
        return next(self.shelf.of(key), None)

    def keep(self, key: str, data: bytes) -> Path | None:
        """Put a library in the cache; None where that cannot be. Others make room."""
        path = self.shelf.keep(key, data)
        files = newest_first(self.zig, "**/*")
        if sum(about.st_size for _, about in files) > ZIG_BYTES:
            shutil.rmtree(self.zig, ignore_errors=True)
        return path

    @contextmanager
    def alone(self, key: str, patience: float) -> Iterator[None]:
        """Let no other process make the library of a key meanwhile.

        After so many seconds, and where the system has no locks, all go on.
        """
        path = self.folder / f"{key}.lock"
        file = _locked(path, time.monotonic() + patience)
        try:
            yield
        finally:
            if file is not None:
                with suppress(OSError):
                    path.unlink()
                file.close()


def user_cache() -> Cache | None:
    """Return the user's cache; None where there can be none that nobody else writes."""
    folder = own_folder("engines")
    return None if folder is None else Cache(folder)


# ---------------------------------------------------------------- locks


def _locked(path: Path, until: float) -> BinaryIO | None:
    """A file that only this process has locked; None where that cannot be.

    Whoever has the lock removes the file, so one that was waited for may be gone.
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
                if error.errno not in HELD or time.monotonic() > until:
                    file.close()
                    return None
            time.sleep(STEP_SECONDS)
        if _is_still(file, path):
            return file
        file.close()


def _is_still(file: BinaryIO, path: Path) -> bool:
    """Whether an open file is the one of that name."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    return False
