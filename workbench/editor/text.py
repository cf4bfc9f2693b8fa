"""Texts in an editor, and conversion between its positions and those of rules.

Rules count lines and columns from 1. Their columns are code points of the line in NFC,
without the byte order mark. Editors count both from 0. Their columns are units of an
encoding, in the raw text.
"""

import re
from enum import StrEnum
from functools import cached_property
from unicodedata import normalize

import attrs

LINE_END = re.compile("\r\n|\n|\r")
BYTE_ORDER_MARK = "\ufeff"


class Units(StrEnum):
    """Unit in which an editor counts columns."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def width(self, text: str) -> int:
        """Return the length of a text in units."""
        match self:
            case Units.UTF8:
                return len(text.encode("utf-8", "surrogatepass"))
            case Units.UTF16:
                return len(text) + sum(letter > "\uffff" for letter in text)
        return len(text)

    def offset(self, line: str, column: int) -> int:
        """Return the index of the code point at a column of a line."""
        if self is Units.UTF32 or line.isascii():
            return max(0, min(column, len(line)))
        for index, letter in enumerate(line):
            width = self.width(letter)
            if column < width:
                return index
            column -= width
        return len(line)


Position = tuple[int, int]
"""Line and column in an editor, both from 0."""


@attrs.frozen(slots=False)
class Text:
    """Text of a file, with the unit of the editor's columns."""

    text: str
    units: Units = Units.UTF16

    @cached_property
    def lines(self) -> list[str]:
        """Lines without line ends; an empty text has one empty line."""
        return LINE_END.split(self.text)

    @cached_property
    def _line_starts(self) -> list[int]:
        """Index of the first character of each line in the text."""
        return [0, *(match.end() for match in LINE_END.finditer(self.text))]

    def with_change(self, begin: Position, end: Position, new: str) -> "Text":
        """Return the text with the part between two positions replaced."""
        first, last = sorted((self._offset(begin), self._offset(end)))
        text = self.text[:first] + new + self.text[last:]
        return Text(text, self.units)

    def _offset(self, position: Position) -> int:
        line, column = position
        if line >= len(self.lines):
            return len(self.text)
        return self._line_starts[line] + self.units.offset(self.lines[line], column)

    @property
    def end(self) -> Position:
        """Position after the last character."""
        return len(self.lines) - 1, self.units.width(self.lines[-1])

    def position(self, line: int, column: int, *, raw: bool = False) -> Position:
        """Convert a line and column in the rules to the nearest position in the editor.

        With *raw*, the column counts characters before NFC normalization.
        """
        if line > len(self.lines):
            return self.end
        written = self.lines[max(line, 1) - 1]
        mark = len(written) - len(_without_bom(written, line - 1))
        bare = written[mark:]
        index = column - 1 if raw else _index_before(bare, column - 1)
        return max(line, 1) - 1, self.units.width(written[: mark + max(0, index)])

    def place(self, position: Position) -> tuple[int, int]:
        """Convert a position in the editor to a line and column in the rules."""
        line = min(max(position[0], 0), len(self.lines) - 1)
        written = self.lines[line]
        index = self.units.offset(written, position[1])
        before = _without_bom(written[:index], line)
        return line + 1, len(normalize("NFC", before)) + 1


def _without_bom(text: str, line: int) -> str:
    """Return a line without byte order mark, which only line 0 may contain."""
    return text if line else text.removeprefix(BYTE_ORDER_MARK)


def _index_before(text: str, count: int) -> int:
    """Return the length of the longest prefix with at most *count* NFC characters."""
    if count <= 0 or text.isascii() or normalize("NFC", text) == text:
        return min(count, len(text))
    # combining marks belong to their letter, so take the longest prefix
    fitting = (
        index
        for index in range(len(text), 0, -1)
        if len(normalize("NFC", text[:index])) <= count
    )
    return next(fitting, 0)
