"""Detection of lines that continue the sentence of the line above.

The pattern comes from the grammar. Messages and `format` need it, because they work on
lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rulebook.parse.parser import parser
from rulebook.source.source_text import is_blank, strip_comment


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    (carried,) = (
        terminal for terminal in parser().terminals if terminal.name == "CARRIED_ON"
    )
    return re.compile(carried.pattern.to_regexp())


def continuation_flags(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it continues the sentence above it.

    A blank line or a comment does not continue it, but the line below may.
    """
    carries = []
    above = ""
    for line in lines:
        blank = is_blank(line)
        goes_on = above.endswith(",") or _pattern().match(f"\n{line}\n") is not None
        carries.append(bool(above) and not blank and line[0].isspace() and goes_on)
        above = above if blank else strip_comment(line)
    return carries


def sentence_start(lines: Sequence[str], row: int) -> int:
    """Return the row in which the sentence that contains a row starts."""
    carried = continuation_flags(lines[: row + 1])
    while row > 0 and (carried[row] or is_blank(lines[row])):
        row -= 1
    return row
