"""Manual pages for diagnostics, read from the installation or the source tree."""

import re
from collections.abc import Iterator
from pathlib import Path

from rulebook import CODES
from rulebook.tooling import nearest
from workbench.errors import RequestError

HERE = Path(__file__).parents[2]
FOLDERS = (HERE / "pages", HERE.parent / "docs" / "diagnostics")
FENCE = re.compile(r"```.*")
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def diagnostic_page(code: str) -> str:
    """Return the page of a diagnostic code, in Markdown.

    Raise `RequestError`, with a similar code as a suggestion, if it is unknown.
    """
    if code not in CODES:
        near = nearest(code, CODES) or f"codes range from {min(CODES)} to {max(CODES)}"
        help = f"did you mean {near}?" if near in CODES else near
        raise RequestError(f"there is no diagnostic `{code}`", help)
    paths = (folder / f"{code}.md" for folder in FOLDERS)
    path = next(path for path in paths if path.is_file())
    return path.read_text(encoding="utf-8")


def plain_lines(text: str) -> Iterator[str]:
    """Yield the lines of a Markdown page as plain text for a terminal."""
    in_fence = False
    for line in text.splitlines():
        if FENCE.fullmatch(line):
            in_fence = not in_fence
        elif in_fence:
            yield f"    {line}".rstrip()
        else:
            yield LINK.sub(r"\1", line.lstrip("# "))
