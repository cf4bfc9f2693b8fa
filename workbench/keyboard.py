"""Lines that people type: from a terminal with a history and a line that can be edited.

A pipe or a file is read as it is. The history is of this process and stands in no file.
"""

import sys
from typing import TextIO

import attrs

try:
    import readline
except ImportError:  # not there on every platform
    readline = None  # type: ignore[assignment]


@attrs.frozen
class Keyboard:
    """Where lines come from, and where the question for one is written."""

    source: TextIO
    out: TextIO

    @property
    def edited(self) -> bool:
        """Whether a line can be edited while it is typed."""
        own = self.source is sys.stdin and self.out is sys.stdout
        return own and self.source.isatty() and self.out.isatty()

    def line(self, question: str) -> str:
        """The next line with its end; nothing at the end of the input."""
        if self.edited:
            try:
                return input(question) + "\n"
            except EOFError:
                return ""
        self.out.write(question)
        self.out.flush()
        return self.source.readline()

    def forget(self) -> None:
        """Let the next person not see what this one typed."""
        if self.edited and readline is not None:
            readline.clear_history()
