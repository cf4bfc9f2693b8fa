"""Engines that are kept: libraries in the user's cache folder, each under its key.

A library is code, and whoever can put one here can have it run. So the folder and all
above it must be such that nobody else can have written there; and the name of a file
has the digest of what it holds, so that one that is cut off or damaged is none.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import attrs

from rulebook import (
    cache_folder,
    is_own,
    make_own_folder,
    newest_first,
    write_whole,
)

KEPT_BYTES = 128 << 20
"""How much the libraries may take together; those not used the longest leave."""

ZIG_BYTES = 256 << 20
"""How much may be taken by what zig keeps for itself."""

LIBRARY_BYTES = 64 << 20
"""The size of the largest library; no compiler writes a larger file."""

STALE_SECONDS = 24 * 3600.0
"""After which what a process has left behind that was ended in between is removed."""

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

    def library(self, key: str) -> Path | None:
        """Return the library of a key; None when there is none, or none that is whole.

        Files that are none under its name are removed, where that can be.
        """
        for path in self.folder.glob(f"{key}-*.so"):
            with suppress(OSError):
                if _is_whole(path):
                    _mark_used(path)
                    return path
                path.unlink()
        return None

    def keep(self, key: str, data: bytes) -> Path | None:
        """Put a library in the cache; None where that cannot be. Others make room."""
        path = self.folder / f"{key}-{_digest(data)}.so"
        try:
            write_whole(path, data)
        except OSError:
            return None
        self._make_room(path)
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

    def _make_room(self, newest: Path) -> None:
        """Remove the libraries not used the longest, and what was left behind."""
        taken = 0
        for path, about in newest_first(self.folder, "*.so"):
            taken += about.st_size
            if taken > KEPT_BYTES and path != newest:
                _remove(path)
        for pattern in ("new-*", "*.lock"):
            for path, about in newest_first(self.folder, pattern):
                if about.st_mtime < time.time() - STALE_SECONDS:
                    _remove(path)
        files = newest_first(self.zig, "**/*")
        if sum(about.st_size for _, about in files) > ZIG_BYTES:
            shutil.rmtree(self.zig, ignore_errors=True)


def user_cache() -> Cache | None:
    """Return the user's cache; None where there can be none that nobody else writes."""
    folder = cache_folder()
    if folder is None:
        return None
    with suppress(OSError, RuntimeError):
        make_own_folder(folder)
        make_own_folder(folder / "engines")
        place = (folder / "engines").resolve(strict=True)
        if is_private(place):
            return Cache(place)
    return None


def is_private(folder: Path) -> bool:
    """Return whether nobody else can put files into a folder, or another in its place.

    Raises `OSError` when one on the way cannot be looked at.
    """
    return is_own(folder) and all(map(_is_closed, folder.resolve().parents))


def _is_closed(folder: Path) -> bool:
    """Whether nobody else can put another folder in the place of one in here."""
    about = folder.stat()
    open_to_all = about.st_mode & 0o022 and not about.st_mode & stat.S_ISVTX
    return about.st_uid in (0, os.getuid()) and not open_to_all


def _is_whole(path: Path) -> bool:
    """Whether a file is the user's own and holds what its name says."""
    about = path.lstat()
    plain = stat.S_ISREG(about.st_mode) and about.st_size <= LIBRARY_BYTES
    return plain and is_own(path) and path.stem.endswith(_digest(path.read_bytes()))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _mark_used(path: Path) -> None:
    """Let a library be among the newest."""
    with suppress(OSError):
        os.utime(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


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
