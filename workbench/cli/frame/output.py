"""Output of sub-commands.

rich is imported only for formatted output, never for JSON.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulebook import printable_line, printable_lines
from rulebook.tooling import UNPRINTABLE
from workbench.cli.frame.stdio import name_standard_output
from workbench.presentation.console.progress_bar import clear_progress

if TYPE_CHECKING:
    from rich.console import RenderableType


def write_line(text: str) -> None:
    """Write one line to standard output.

    Line ends at the start of *text* yield empty lines. Any other line end, such as in a
    file name, becomes U+FFFD, so external text cannot start a new line.
    """
    line = text.lstrip("\n")
    write_lines("\n" * (len(text) - len(line)) + printable_line(line))


def write_lines(text: str) -> None:
    """Write several lines to standard output, without control characters."""
    clear_progress()
    with name_standard_output():
        sys.stdout.write(printable_lines(text) + "\n")


def write_note(text: str) -> None:
    """Write a note to standard error."""
    sys.stderr.write(f"note: {printable_line(text)}\n")


def write_line_now(text: str) -> None:
    """Write one line to standard output and flush it."""
    write_line(text)
    with name_standard_output():
        sys.stdout.flush()


def write_sentence(text: str) -> None:
    """Write a sentence to standard output, wrapped to at most 80 cells."""
    from rich.text import Text

    from workbench.presentation.console.streams import PIPE_WIDTH

    write_renderable(Text(printable_lines(text)), PIPE_WIDTH)


def write_table(rows: Iterable[Sequence[str]], **layout: Any) -> None:
    """Write rows with aligned columns; *layout* is passed to `aligned_columns`."""
    from workbench.presentation.console.console_tables import aligned_columns

    write_renderable(aligned_columns(rows, **layout))


def write_renderable(renderable: RenderableType, width: int | None = None) -> None:
    """Write a rich renderable to standard output, at most *width* cells wide."""
    from workbench.presentation.console.streams import console_of, write

    clear_progress()
    with name_standard_output():
        write(console_of(sys.stdout), renderable, width)


def write_json(document: Any) -> None:
    """Write a JSON document to standard output, in ASCII unless the stream is UTF-8."""
    clear_progress()
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    ascii_only = encoding.replace("-", "") not in {"utf8", "utf8sig"}
    text = json.dumps(document, ensure_ascii=ascii_only)
    sys.stdout.write(UNPRINTABLE.sub(_json_escape, text) + "\n")


def _json_escape(match: re.Match[str]) -> str:
    """Return the JSON escape of a character."""
    return json.dumps(match[0])[1:-1]
