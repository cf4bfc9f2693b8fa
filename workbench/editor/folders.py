"""Selection of the user's own rule files in the folders of a workspace.

Hidden and installed folders (`.git`, `.venv`, `node_modules`) are ignored.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from workbench.files.library.loading import ENDING

INSTALLED = frozenset(("node_modules", "site-packages", "__pycache__"))
ENVIRONMENT = "pyvenv.cfg"
"""Name of the file that marks a folder as a Python virtual environment."""


def own_files(folder: Path) -> Iterator[Path]:
    """Yield the user's rule files in a folder and its subfolders, sorted by name."""
    for path, inner, names in os.walk(folder):
        inner[:] = sorted(it for it in inner if not _is_foreign(Path(path, it)))
        yield from (Path(path, it) for it in sorted(names) if it.endswith(ENDING))


def is_own_file(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a file in one of the folders is the user's own."""
    return any(
        path.is_relative_to(folder)
        and not any(map(_is_foreign, takewhile(folder.__ne__, path.parents)))
        for folder in folders
    )


def _is_foreign(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in INSTALLED
    return hidden or (folder / ENVIRONMENT).is_file()
