"""Diagnostics in colour, wrapped to the width of the terminal.

The plain text comes from `rulebook.render`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len, split_text
from rich.text import Text

import rulebook
from rulebook import Diagnostic
from workbench.presentation.console.streams import cut_to_width, wrap_with_indent

MARK = re.compile(r" *\| *\^+")
QUOTED = re.compile(r" *\d* \|")
PLACE = re.compile(r" *--> ")
INDENT = "    "


def diagnostic_text(
    diagnostic: Diagnostic, texts: Mapping[str, str], width: int
) -> Text:
    """Return a diagnostic in colour, at most `width` cells wide.

    `texts` contains the texts of the files to quote, by file name.
    """
    head, *rest = rulebook.render(diagnostic, texts).split("\n")
    first_line = Text(head)
    first_line.stylize(diagnostic.severity, 0, head.index(":"))
    below = _following_lines(rest, diagnostic.severity, width)
    return Text("\n").join([*wrap_with_indent(first_line, width, INDENT), *below])


def _following_lines(lines: Sequence[str], severity: str, width: int) -> Iterator[Text]:
    """Yield the lines below a diagnostic's first line: places, quotations, notes."""
    followed = iter(zip(lines, [*lines[1:], ""], strict=True))
    for line, after in followed:
        if MARK.fullmatch(after):
            yield from _quoted_lines(line, after, severity, width)
            next(followed)
        elif PLACE.match(line):
            yield Text(line, "place")
        elif QUOTED.match(line):
            yield Text(line)
        else:
            yield from wrap_with_indent(Text(line), width, INDENT)


def _quoted_lines(line: str, mark: str, severity: str, width: int) -> Iterator[Text]:
    """Yield a quoted line and the line with its mark, both cut to fit around the mark.

    The mark is aligned by cells: a character may occupy two cells, or none.
    """
    bar = line.index("|") + 2
    quoted, begin, end = line[bar:], mark.index("^") - bar, len(mark) - bar
    before = cell_len(quoted[:begin])
    long = max(cell_len(quoted[begin:end]), 1)
    room = width - bar
    cut = max(0, min(before - room // 3, cell_len(quoted) - room))
    yield Text(line[:bar] + cut_to_width(split_text(quoted, cut)[1], room))
    marked = " " * (before - cut) + "^" * long
    yield Text.assemble(mark[: bar - 1], (f" {marked}"[: room + 1], severity))
