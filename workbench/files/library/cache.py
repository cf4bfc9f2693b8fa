"""What lies in the cache folder: how much of each kind, and how it is removed."""

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
"""Kinds of files, and which they are in the folder. Nothing else there is ours."""

FOLDERS = ("books", "engines/zig", "engines")


@attrs.frozen
class CacheUsage:
    """The files of a kind."""

    kind: str
    files: int
    bytes: int


def cache_usage(folder: Path) -> list[CacheUsage]:
    """How much of each kind a folder holds; none of any if it is not there."""
    counts = []
    for kind, patterns in KINDS.items():
        sizes = [path.lstat().st_size for path in _files(folder, patterns)]
        counts.append(CacheUsage(kind, len(sizes), sum(sizes)))
    return counts


def clear(folder: Path) -> None:
    """Remove all that is ours, and folders that are empty then.

    Raises `OSError` for what cannot be removed.
    """
    for patterns in KINDS.values():
        for path in _files(folder, patterns):
            path.unlink(missing_ok=True)
    for name in FOLDERS:
        inner = folder / name
        if inner.is_dir() and not inner.is_symlink() and not _files(inner, ("**/*",)):
            shutil.rmtree(inner)


def _files(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    """The files of some patterns. A link that somebody laid is no folder of ours."""
    if any((folder / name).is_symlink() for name in FOLDERS):
        patterns = tuple(pattern for pattern in patterns if "/" not in pattern)
    return [
        path
        for pattern in patterns
        for path in folder.glob(pattern)
        if path.is_symlink() or path.is_file()
    ]
