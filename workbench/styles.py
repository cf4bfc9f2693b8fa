"""Text for people: colours and widths; what a diagnostic says is `render`'s work."""

import os
import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TextIO
from unicodedata import normalize

import attrs

import rulebook
from rulebook import Diagnostic

_COLOURS = {"error": "31;1", "warning": "33;1", "place": "36"}
WIDTH_MIN = 20
MARK = re.compile(r" *\| *\^+")
QUOTED = re.compile(r" *\d* \|")
PLACE = re.compile(r" *--> ")


SPELLED = {
    **dict(zip("·●◆█│─┼═▣▢×★–", ".o*#|-+=#.x*-", strict=True)),
    **dict(zip("„“”«»‚‘’", '"""""\'\'\'', strict=True)),
    "ß": "ss",
    "æ": "ae",
    "Æ": "Ae",
    "ø": "o",
    "Ø": "O",
    "›": ">",
    "ł": "l",
}


def ascii_text(words: str) -> str:
    """Words in ASCII: letters without their marks, `?` for what has no like."""
    return "".join(letter if letter.isascii() else _ascii(letter) for letter in words)


@cache
def _ascii(letter: str) -> str:
    plain = normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return SPELLED.get(letter) or plain or "?"


@attrs.frozen
class Painter:
    """How text is shown on one stream: with colours or not, and how wide."""

    colours: bool = False
    width: int = 80

    @classmethod
    def of(cls, stream: TextIO) -> "Painter":
        """The painter for a stream; NO_COLOR and dumb terminals are respected."""
        tty = stream.isatty()
        plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        width = shutil.get_terminal_size().columns if tty else 80
        return cls(tty and not plain, max(width, WIDTH_MIN))

    def paint(self, text: str, colour: str) -> str:
        """The text in a colour of the table, or as it is."""
        return f"\033[{_COLOURS[colour]}m{text}\033[0m" if self.colours else text

    def wrap(self, text: str, indent: str = "") -> str:
        """The text in lines no wider than the stream, the later ones indented."""
        return "\n".join(
            textwrap.wrap(text, self.width, subsequent_indent=indent) or [""]
        )


def diagnostic_text(
    diagnostic: Diagnostic, painter: Painter, texts: Mapping[str, str]
) -> str:
    """A diagnostic for people, coloured and no wider than the stream.

    `texts` gives the files to quote, by name.
    """
    lines = rulebook.render(diagnostic, texts).split("\n")
    lines = [shown for line in _fitted(lines, painter) for shown in line.split("\n")]
    head, _, rest = lines[0].partition(":")
    lines[0] = f"{painter.paint(head, diagnostic.severity)}:{rest}"
    return "\n".join(_coloured(line, diagnostic, painter) for line in lines)


def _fitted(lines: Sequence[str], painter: Painter) -> Iterator[str]:
    """The lines, sentences wrapped and each quotation cut together with its mark."""
    shown = iter(zip(lines, [*lines[1:], ""], strict=True))
    for line, below in shown:
        if MARK.fullmatch(below) and len(line) > painter.width:
            yield from _cut(line, below, painter.width)
            next(shown)
        elif QUOTED.match(line):
            yield line[: painter.width]
        else:
            yield painter.wrap(line, "    ")


def _cut(line: str, mark: str, width: int) -> tuple[str, str]:
    """A quotation and its mark, both to a width, around where the mark begins."""
    bar = line.index("|") + 2
    room = width - bar
    start = max(0, min(mark.index("^") - bar - room // 3, len(line) - bar - room))
    pieces = (text[bar:][start : start + room] for text in (line, mark))
    quoted, marked = pieces
    return line[:bar] + quoted, mark[:bar] + marked.rstrip()


def _coloured(line: str, diagnostic: Diagnostic, painter: Painter) -> str:
    """A line with its place, mark or help in colour."""
    if PLACE.match(line):
        return painter.paint(line, "place")
    if MARK.fullmatch(line):
        bar = line.index("|") + 1
        return line[:bar] + painter.paint(line[bar:], diagnostic.severity)
    return line
