"""Canvas of styled characters, converted to lines for a terminal."""

from collections.abc import Iterator, Sequence

import attrs
from rich.cells import cell_len, split_graphemes
from rich.style import Style
from rich.text import Text

from rulebook import printable_line
from workbench.presentation.console.ascii import ascii_text

NORMAL = Style()
DIM = Style(color="#808080")
MARKED = Style(color="#000000", bgcolor="#ffe08a", bold=True)
BLANK = (" ", NORMAL)
WIDE_PLACEHOLDER = ""
"""Placeholder for the second cell of a wide character."""


def nearest_index(values: Sequence[float], target: float) -> int:
    """Return the index of the value nearest to *target*."""
    gaps = [abs(value - target) for value in values]
    return gaps.index(min(gaps))


@attrs.define
class Canvas:
    """Grid of styled characters.

    A wide character takes two cells. Lines have no trailing blanks.
    """

    cells: dict[tuple[int, int], tuple[str, Style]] = attrs.field(factory=dict)

    def put(self, x: int, y: int, text: str, style: Style = NORMAL) -> None:
        """Write text to the right of a position."""
        seen = printable_line(text)
        for start, end, width in split_graphemes(seen)[0]:
            for taken in range(x, x + width):
                self._clear(taken, y)
                self.cells[taken, y] = (WIDE_PLACEHOLDER, style)
            if width:
                self.cells[x, y] = (seen[start:end], style)
            x += width

    def _clear(self, x: int, y: int) -> None:
        """Remove both halves of a wide character before one is overwritten."""
        letter, _ = self.cells.get((x, y), BLANK)
        if letter == WIDE_PLACEHOLDER:
            self.cells[x - 1, y] = BLANK
        elif cell_len(letter) > 1:
            self.cells[x + 1, y] = BLANK

    def put_centred(self, x: int, y: int, text: str, style: Style = NORMAL) -> None:
        """Write text centred on a position."""
        self.put(x - cell_len(text) // 2, y, text, style)

    def lines(self, *, use_unicode: bool) -> Iterator[Text]:
        """Yield the lines, in ASCII unless *use_unicode* is true."""
        if not self.cells:
            return
        left = min(x for x, _ in self.cells)
        rows = [y for _, y in self.cells]
        for y in range(min(rows), max(rows) + 1):
            columns = [x for x, row in self.cells if row == y]
            line = Text()
            for x in range(left, max(columns, default=left - 1) + 1):
                letter, style = self.cells.get((x, y), BLANK)
                line.append(letter if use_unicode else ascii_cells(letter), style)
            line.rstrip()
            yield line


def ascii_cells(text: str) -> str:
    """Return text in ASCII, with an unchanged width for each character."""
    return "".join(
        ascii_text(text[start:end])[:1].ljust(width)
        for start, end, width in split_graphemes(text)[0]
    )


def centre_text(text: str, width: int) -> str:
    """Return text centred in *width* cells."""
    return text.center(width - cell_len(text) + len(text))
