"""Corpus: all records in a folder, which may contain other files too."""

from collections.abc import Iterator
from pathlib import Path

import attrs

from workbench.errors import RequestError
from workbench.files.library.atomic_files import RECORD_PREFIXES


@attrs.frozen
class Corpus:
    """Paths of records in natural order, and the number of other files."""

    records: tuple[str, ...]
    other_count: int


def find_records(path: str) -> Corpus:
    """Return the records in a folder and its subfolders, or a single record.

    Raises `RequestError` if there is no record.
    """
    root = Path(path)
    if not root.exists():
        raise RequestError(f"folder {path} does not exist")
    files = sorted(files_in(root), key=natural_sort_key) if root.is_dir() else [root]
    records = tuple(str(file) for file in files if looks_like_record(file))
    if not records:
        help = "create records with `rulebook simulate VARIANT --records DIR`"
        raise RequestError(f"{path} contains no records", help, exit_code=1)
    return Corpus(records, len(files) - len(records))


def files_in(folder: Path) -> Iterator[Path]:
    """Return the regular files of a folder, at any depth."""
    return (path for path in folder.rglob("*") if path.is_file())


def natural_sort_key(path: Path) -> tuple[tuple[bool, int, str], ...]:
    """Return the natural sort key of a path: by folder, with 2 before 10."""
    return tuple(
        (not part.isdigit(), int(part) if part.isdecimal() else 0, part)
        for part in (*path.parts[:-1], path.stem, path.suffix)
    )


def looks_like_record(path: Path) -> bool:
    """Return whether a file starts like a record.

    Return True for an unreadable file too, so that its error is reported later.
    """
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip().startswith(RECORD_PREFIXES)
    except OSError:
        return True
