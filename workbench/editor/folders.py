"""Which files in the folders of a workspace are people's own rules.

What is hidden or installed there (`.git`, `.venv`, `node_modules`) is somebody else's.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from workbench.files.library.loading import ENDING

INSTALLED = frozenset(("node_modules", "site-packages", "__pycache__"))
ENVIRONMENT = "pyvenv.cfg"
"""The file that a folder has which is an environment of Python."""


def own_files(folder: Path) -> Iterator[Path]:
    """The rule files of a folder and the folders inside it, in the order of names."""
    for place, inside, names in os.walk(folder):
        inside[:] = sorted(it for it in inside if not _is_foreign(Path(place, it)))
        yield from (Path(place, it) for it in sorted(names) if it.endswith(ENDING))


def is_own(path: Path, folders: Iterable[Path]) -> bool:
    """Whether a file is among the own files of a folder."""
    return any(
        path.is_relative_to(folder)
        and not any(map(_is_foreign, takewhile(folder.__ne__, path.parents)))
        for folder in folders
    )


def _is_foreign(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in INSTALLED
    return hidden or (folder / ENVIRONMENT).is_file()
