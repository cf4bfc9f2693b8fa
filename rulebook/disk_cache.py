"""User's cache folder, with files that several processes share.

A reader trusts only files that the user owns. Each write is atomic, so a file is
complete at every moment.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import attrs

STALE_SECONDS = 24 * 3600.0
"""Age in seconds at which temporary files of killed processes are deleted."""

LEFTOVER_PATTERNS = ("new-*", "*.lock")
"""Name patterns of temporary files that a killed process may leave behind."""


@attrs.frozen
class DiskCache:
    """Cache of files of one type in a private folder, each stored under a key.

    The name of a file contains the digest of its content, so a truncated or damaged
    file is detected. A key may have several files. `max_bytes` is the maximum total
    size in bytes, `max_file_bytes` the maximum size of one file. The least recently
    used files are evicted.
    """

    folder: Path
    suffix: str
    max_bytes: int
    max_file_bytes: int

    def files_of(self, key: str) -> Iterator[Path]:
        """Yield the intact files of a key, and mark them as recently used.

        Damaged files are removed if possible.
        """
        for path, _ in list_newest_first(self.folder, f"{key}-*{self.suffix}"):
            with suppress(OSError):
                if self._is_intact(path):
                    _mark_used(path)
                    yield path
                else:
                    path.unlink()

    def store(self, key: str, data: bytes) -> Path | None:
        """Store data under a key; return the path, or None if storing fails."""
        path = self.folder / f"{key}-{_digest(data)}{self.suffix}"
        try:
            write_atomically(path, data)
        except OSError:
            return None
        self._evict_old_files(path)
        return path

    def _is_intact(self, path: Path) -> bool:
        """Return whether a file is the user's own and has the digest in its name."""
        status = path.lstat()
        fits = stat.S_ISREG(status.st_mode) and status.st_size <= self.max_file_bytes
        return (
            fits
            and is_owned_by_user(path)
            and path.stem.endswith(_digest(path.read_bytes()))
        )

    def _evict_old_files(self, newest: Path) -> None:
        """Remove the least recently used files, and stale temporary files."""
        total = 0
        for path, status in list_newest_first(self.folder, f"*{self.suffix}"):
            total += status.st_size
            if total > self.max_bytes and path != newest:
                remove(path)
        for pattern in LEFTOVER_PATTERNS:
            for path, status in list_newest_first(self.folder, pattern):
                if status.st_mtime < time.time() - STALE_SECONDS:
                    remove(path)


def cache_folder() -> Path | None:
    """Return this project's folder in the user's cache, or None if there is no home."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if Path(configured).is_absolute():
        return Path(configured) / "rulebook"
    with suppress(RuntimeError):
        return Path.home() / ".cache" / "rulebook"
    return None


def is_owned_by_user(path: Path) -> bool:
    """Return whether the user owns a file or folder and nobody else can write to it."""
    with suppress(OSError):
        status = path.stat()
        private = not status.st_mode & 0o022
        return not hasattr(os, "getuid") or (private and status.st_uid == os.getuid())
    return False


def create_private_folder(folder: Path) -> None:
    """Create a private folder, and its parents if needed.

    Raise `OSError` if that is not possible.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically, readable only by the user; its folder must exist.

    The data is written to a temporary file in the same folder, flushed to disk, and
    then renamed. Raise `OSError` if that fails; then nothing has changed.
    """
    number, new = tempfile.mkstemp(prefix="new-", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(new).replace(path)
    except BaseException:
        Path(new).unlink()
        raise


def list_newest_first(folder: Path, pattern: str) -> list[tuple[Path, os.stat_result]]:
    """Return the files that match a pattern with their `stat` results, newest first.

    A file that is removed in the meantime is left out.
    """
    files = []
    for path in folder.glob(pattern):
        with suppress(OSError):
            files.append((path, path.stat()))
    return sorted(files, key=lambda pair: -pair[1].st_mtime)


def private_cache_folder(name: str) -> Path | None:
    """Return the path of a private folder in the cache folder, created if needed.

    Return None if it cannot be created or somebody else could write to it. The folder
    and all its parents are checked, because files in it are executed.
    """
    folder = cache_folder()
    if folder is None:
        return None
    with suppress(OSError, RuntimeError):
        create_private_folder(folder)
        create_private_folder(folder / name)
        place = (folder / name).resolve(strict=True)
        if is_private(place):
            return place
    return None


def is_private(folder: Path) -> bool:
    """Return whether only the user can put files into a folder, or replace it.

    Raise `OSError` if a parent cannot be examined.
    """
    return is_owned_by_user(folder) and all(
        map(_protects_contents, folder.resolve().parents)
    )


def _protects_contents(folder: Path) -> bool:
    """Return whether only the user can replace a folder inside this one."""
    status = folder.stat()
    open_to_all = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
    return status.st_uid in (0, os.getuid()) and not open_to_all


def remove(path: Path) -> None:
    """Remove a file if possible."""
    with suppress(OSError):
        path.unlink()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _mark_used(path: Path) -> None:
    """Mark a file as recently used."""
    with suppress(OSError):
        os.utime(path)
