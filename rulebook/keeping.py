"""The user's cache folder: what is made once and kept from one process to the next.

Nothing in it is believed because it is there. Whoever reads a file asks first whether
it is the user's own; what is written is whole at every moment.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


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
