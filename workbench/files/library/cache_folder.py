"""Cache folder: disk usage by kind of file, and removal."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import attrs

KINDS: Mapping[str, tuple[str, ...]] = {
    "parser tables": ("tables-*.json",),
    "checked rules": ("books/*.book",),
    "engines": ("engines/*.so",),
    "of the compiler": ("engines/zig/**/*",),
    "left behind": ("new-*", "books/new-*", "engines/new-*", "engines/*.lock"),
}
"""File name patterns of each kind of cached file; other files are never removed."""

FOLDERS = ("books", "engines/zig", "engines")


@attrs.frozen
class CacheUsage:
    """Number and total size in bytes of the cached files of one kind."""

    kind: str
    files: int
    bytes: int


def cache_usage(folder: Path) -> list[CacheUsage]:
    """Return the usage of each kind of file; all are 0 if the folder does not exist."""
    counts = []
    for kind, patterns in KINDS.items():
        sizes = [path.lstat().st_size for path in _files(folder, patterns)]
        counts.append(CacheUsage(kind, len(sizes), sum(sizes)))
    return counts


def clear_cache(folder: Path) -> None:
    """Remove all cached files, and the folders that become empty.

    Raise `OSError` if something cannot be removed.
    """
    for patterns in KINDS.values():
        for path in _files(folder, patterns):
            path.unlink(missing_ok=True)
    for name in FOLDERS:
        inner = folder / name
        if inner.is_dir() and not inner.is_symlink() and not _files(inner, ("**/*",)):
            shutil.rmtree(inner)


def _files(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    """Return the files that match the patterns, without following symlinked folders."""
    if any((folder / name).is_symlink() for name in FOLDERS):
        patterns = tuple(pattern for pattern in patterns if "/" not in pattern)
    return [
        path
        for pattern in patterns
        for path in folder.glob(pattern)
        if path.is_symlink() or path.is_file()
    ]
