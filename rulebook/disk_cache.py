"""The user's cache folder: what is made once and kept from one process to the next.

Nothing in it is believed because it is there. Whoever reads a file asks first whether
it is the user's own; what is written is whole at every moment.
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
"""After which what a process has left behind that was ended in between is removed."""

LEFT_BEHIND = ("new-*", "*.lock")
"""What may be left so."""


@attrs.frozen
class Shelf:
    """Files of one kind in a folder of the user's own, each under its key.

    The name of a file has the digest of what it holds, so that one that is cut off or
    damaged is none. There may be several of a key. `most` is how many bytes they may
    take together, `largest` how many one file: those not used the longest leave.
    """

    folder: Path
    ending: str
    most: int
    largest: int

    def of(self, key: str) -> Iterator[Path]:
        """Yield the files of a key that are whole, as they are used.

        Files that are none under such a name are removed, where that can be.
        """
        for path, _ in newest_first(self.folder, f"{key}-*{self.ending}"):
            with suppress(OSError):
                if self._is_whole(path):
                    _mark_used(path)
                    yield path
                else:
                    path.unlink()

    def keep(self, key: str, data: bytes) -> Path | None:
        """Put a file there; None where that cannot be. Others make room."""
        path = self.folder / f"{key}-{_digest(data)}{self.ending}"
        try:
            write_whole(path, data)
        except OSError:
            return None
        self._make_room(path)
        return path

    def _is_whole(self, path: Path) -> bool:
        """Whether a file is the user's own and holds what its name says."""
        about = path.lstat()
        plain = stat.S_ISREG(about.st_mode) and about.st_size <= self.largest
        return plain and is_own(path) and path.stem.endswith(_digest(path.read_bytes()))

    def _make_room(self, newest: Path) -> None:
        """Remove the files not used the longest, and what was left behind."""
        taken = 0
        for path, about in newest_first(self.folder, f"*{self.ending}"):
            taken += about.st_size
            if taken > self.most and path != newest:
                remove(path)
        for pattern in LEFT_BEHIND:
            for path, about in newest_first(self.folder, pattern):
                if about.st_mtime < time.time() - STALE_SECONDS:
                    remove(path)


def cache_folder() -> Path | None:
    """Return the folder of ours among the user's caches; None without a home."""
    said = os.environ.get("XDG_CACHE_HOME", "")
    if Path(said).is_absolute():
        return Path(said) / "rulebook"
    with suppress(RuntimeError):
        return Path.home() / ".cache" / "rulebook"
    return None


def is_own(path: Path) -> bool:
    """Return whether nobody else can have written a file or into a folder."""
    with suppress(OSError):
        about = path.stat()
        alone = not about.st_mode & 0o022
        return not hasattr(os, "getuid") or (alone and about.st_uid == os.getuid())
    return False


def make_own_folder(folder: Path) -> None:
    """Make a folder that is the user's alone, and those above it, if it is not there.

    Raises `OSError` where that cannot be.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whose folder is there, for the user alone.

    It is whole at every moment: it is written beside its place and moved there when it
    is on the disk. Raises `OSError` where that cannot be; then nothing has changed.
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


def newest_first(folder: Path, pattern: str) -> list[tuple[Path, os.stat_result]]:
    """Return the files of a folder with what the system says of each; the newest first.

    One that somebody removes in the meantime is left out.
    """
    there = []
    for path in folder.glob(pattern):
        with suppress(OSError):
            there.append((path, path.stat()))
    return sorted(there, key=lambda pair: -pair[1].st_mtime)


def own_folder(name: str) -> Path | None:
    """Return a folder in the cache folder, made if need be.

    None where there can be none, or somebody else could write there: what lies in it is
    run, so that the folder and all above it are looked at.
    """
    folder = cache_folder()
    if folder is None:
        return None
    with suppress(OSError, RuntimeError):
        make_own_folder(folder)
        make_own_folder(folder / name)
        place = (folder / name).resolve(strict=True)
        if is_private(place):
            return place
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


def remove(path: Path) -> None:
    """Remove a file, where that can be."""
    with suppress(OSError):
        path.unlink()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _mark_used(path: Path) -> None:
    """Let a file be among the newest."""
    with suppress(OSError):
        os.utime(path)
