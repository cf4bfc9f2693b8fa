"""Texts open in an editor, and the cache of everything that was parsed.

An editor reads the same files after each change, and most of them are unchanged.
Diagnostics are the same as those of loading. The only differences are that the texts of
open files come from the desk, and that unchanged clauses are not parsed again.
"""

from __future__ import annotations

from pathlib import Path

import attrs

from rulebook.parse import Keeper
from rulebook.source.files import read_file


@attrs.define
class Desk:
    """Open texts by the paths of their files, and a keeper of parsed clauses."""

    open: dict[Path, str] = attrs.Factory(dict)
    keeper: Keeper = attrs.Factory(Keeper)

    def holds(self, path: Path) -> bool:
        """Return whether a file is open on the desk or exists."""
        return path in self.open or path.is_file()

    def read(self, path: Path) -> bytes:
        """Return the bytes that a file would have if it were saved now.

        Raises:
            OSError: if it is not open and cannot be read.
        """
        text = self.open.get(path)
        if text is None:
            return read_file(path)
        return text.encode("utf-8", "surrogatepass")
