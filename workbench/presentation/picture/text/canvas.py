"""Canvas of styled characters, converted to lines for a terminal."""

from collections.abc import Iterator, Sequence

import attrs
from rich.cells import cell_len, split_graphemes
from rich.style import Style
from rich.text import Text

from rulebook import visible
from workbench.presentation.console.ascii import ascii_text

NORMAL = Style()
DIM = Style(color="#808080")
MARKED = Style(color="#000000", bgcolor="#ffe08a", bold=True)
BLANK = (" ", NORMAL)
WIDE_PLACEHOLDER = ""
"""Placeholder for the second cell of a wide character."""


def nearest_index(values: Sequence[float], wanted: float) -> int:
    """Return the index of the value nearest to *wanted*."""
    gaps = [abs(value - wanted) for value in values]
    return gaps.index(min(gaps))


@attrs.define
class Canvas:
    """Grid of styled characters.

    A wide character takes two cells. Lines have no trailing blanks.
    """

    cells: dict[tuple[int, int], tuple[str, Style]] = attrs.field(factory=dict)

    def put(self, x: int, y: int, words: str, style: Style = NORMAL) -> None:
        """Write text to the right of a position."""
        seen = visible(words)
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

    def put_centred(self, x: int, y: int, words: str, style: Style = NORMAL) -> None:
        """Write text centred on a position."""
        self.put(x - cell_len(words) // 2, y, words, style)

    def lines(self, *, wide: bool) -> Iterator[Text]:
        """Yield the lines; in ASCII unless `wide`."""
        if not self.cells:
            return
        left = min(x for x, _ in self.cells)
        rows = [y for _, y in self.cells]
        for y in range(min(rows), max(rows) + 1):
            columns = [x for x, row in self.cells if row == y]
            line = Text()
            for x in range(left, max(columns, default=left - 1) + 1):
                letter, style = self.cells.get((x, y), BLANK)
                line.append(letter if wide else ascii_cells(letter), style)
            line.rstrip()
            yield line


def ascii_cells(words: str) -> str:
    """Return text in ASCII, with each character as wide as before."""
    return "".join(
        ascii_text(words[start:end])[:1].ljust(width)
        for start, end, width in split_graphemes(words)[0]
    )


def centre_text(words: str, room: int) -> str:
    """Return text centred in *room* cells."""
    return words.center(room - cell_len(words) + len(words))
