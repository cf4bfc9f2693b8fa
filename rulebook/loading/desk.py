"""Texts open in an editor, and the cache of parsed clauses.

An editor reads the same files after each change, and most of them are unchanged. The
diagnostics are the same as those of loading, except that open texts replace their
files. Unchanged clauses are not parsed again.
"""

from __future__ import annotations

from pathlib import Path

import attrs

from rulebook.parse import ClauseCache
from rulebook.source.files import read_file


@attrs.define
class Desk:
    """Texts open in an editor, by the paths of their files, and parsed clauses."""

    open: dict[Path, str] = attrs.Factory(dict)
    keeper: ClauseCache = attrs.Factory(ClauseCache)

    def holds(self, path: Path) -> bool:
        """Return whether a file is open in the editor or exists on disk."""
        return path in self.open or path.is_file()

    def read(self, path: Path) -> bytes:
        """Return the bytes that a file would have if it were saved now.

        Raises: OSError: if it is not open and cannot be read.
        """
        text = self.open.get(path)
        if text is None:
            return read_file(path)
        return text.encode("utf-8", "surrogatepass")
