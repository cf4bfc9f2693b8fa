"""What is being written: texts that are open, and what was parsed of all that was read.

An editor reads the same files after each change, of which most are as they were. What
it says of them is what reading and checking say, by the same way: only the bytes of a
file that is open are those on the desk, and what was parsed before is not parsed again.
"""

from __future__ import annotations

from pathlib import Path

import attrs

from rulebook.parse import Keeper
from rulebook.source.files import read_file


@attrs.define
class Desk:
    """Open texts by the paths of their files, and a keeper of what was parsed."""

    open: dict[Path, str] = attrs.Factory(dict)
    keeper: Keeper = attrs.Factory(Keeper)

    def holds(self, path: Path) -> bool:
        """Whether there is a text of a file: open, or in the file."""
        return path in self.open or path.is_file()

    def read(self, path: Path) -> bytes:
        """Return the bytes that a file would have if it were saved now.

        Raises:
            OSError: when it is not open and cannot be read.
        """
        text = self.open.get(path)
        if text is None:
            return read_file(path)
        return text.encode("utf-8", "surrogatepass")
