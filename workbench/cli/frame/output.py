"""How sub-commands write their results.

rich is imported when something is shown that it lays out, and for no document.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulebook import visible, visible_lines
from rulebook.tooling import UNSEEN
from workbench.cli.frame.stdio import naming_standard_output
from workbench.presentation.console.progress import clear

if TYPE_CHECKING:
    from rich.console import RenderableType


def put(text: str) -> None:
    """Write one line to standard output, after the empty lines that it begins with.

    A line end inside, as in the name of a file, is shown as U+FFFD: a text from outside
    begins no line of its own.
    """
    line = text.lstrip("\n")
    put_lines("\n" * (len(text) - len(line)) + visible(line))


def put_lines(text: str) -> None:
    """Write a text of several lines to standard output, without control characters."""
    clear()
    with naming_standard_output():
        sys.stdout.write(visible_lines(text) + "\n")


def put_early(text: str) -> None:
    """Write one line to standard output and flush it."""
    put(text)
    with naming_standard_output():
        sys.stdout.flush()


def put_sentence(text: str) -> None:
    """Write a sentence in lines, as wide as sentences are where nobody says it."""
    from rich.text import Text

    from workbench.presentation.console.streams import WIDTH_OF_PIPES

    put_shown(Text(visible_lines(text)), WIDTH_OF_PIPES)


def put_rows(rows: Iterable[Sequence[str]], **how: Any) -> None:
    """Write rows whose cells stand below one another, as `columns` is told."""
    from workbench.presentation.console.tables import columns

    put_shown(columns(rows, **how))


def put_shown(shown: RenderableType, width: int | None = None) -> None:
    """Write what rich can show to standard output, at most so wide."""
    from workbench.presentation.console.streams import console_of, write

    clear()
    with naming_standard_output():
        write(console_of(sys.stdout), shown, width)


def put_json(document: Any) -> None:
    """Write one JSON document; in plain ASCII where the stream is not UTF-8."""
    clear()
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    ascii_only = encoding.replace("-", "") not in {"utf8", "utf8sig"}
    text = json.dumps(document, ensure_ascii=ascii_only)
    sys.stdout.write(UNSEEN.sub(_escaped, text) + "\n")


def _escaped(match: re.Match[str]) -> str:
    """A character of a text in JSON by its number."""
    return json.dumps(match[0])[1:-1]
