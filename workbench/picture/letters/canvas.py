"""A picture of characters, each with a style, and what a terminal shows of it."""

from collections.abc import Iterator, Sequence

import attrs

from rulebook import visible
from workbench.picture.looks import channels
from workbench.styles import ascii_text


@attrs.frozen
class Style:
    """How a character is shown: colour of the ink, of the ground, bold or not."""

    ink: str | None = None
    ground: str | None = None
    bold: bool = False

    def codes(self) -> str:
        """The escape codes of the style, without the frame."""
        parts = ["1"] if self.bold else []
        if self.ink is not None:
            parts.append(f"38;5;{cube(self.ink)}")
        if self.ground is not None:
            parts.append(f"48;5;{cube(self.ground)}")
        return ";".join(parts)


NORMAL = Style()
DIM = Style("#808080")
MARKED = Style("#000000", "#ffe08a", bold=True)


def cube(colour: str) -> int:
    """The nearest of the 216 colours and 24 greys that most terminals have."""
    parts = [round(part * 255) for part in channels(colour)]
    steps = (0, 95, 135, 175, 215, 255)
    near = [nearest(steps, part) for part in parts]
    grey = min(max(round((sum(parts) / 3 - 8) / 10), 0), 23)
    of_cube = sum((steps[n] - part) ** 2 for n, part in zip(near, parts, strict=True))
    of_grey = sum((8 + 10 * grey - part) ** 2 for part in parts)
    if of_grey < of_cube:
        return 232 + grey
    return 16 + 36 * near[0] + 6 * near[1] + near[2]


def nearest(values: Sequence[float], wanted: float) -> int:
    """The place of the value that is nearest."""
    gaps = [abs(value - wanted) for value in values]
    return gaps.index(min(gaps))


@attrs.define
class Canvas:
    """Characters at places; lines come out without blanks at their ends."""

    cells: dict[tuple[int, int], tuple[str, Style]] = attrs.field(factory=dict)

    def put(self, x: int, y: int, words: str, style: Style = NORMAL) -> None:
        """Write words from a place to the right."""
        for n, letter in enumerate(visible(words)):
            self.cells[x + n, y] = (letter, style)

    def middle(self, x: int, y: int, words: str, style: Style = NORMAL) -> None:
        """Write words with their middle at a place."""
        self.put(x - len(words) // 2, y, words, style)

    def lines(self, *, colours: bool, wide: bool) -> Iterator[str]:
        """The lines; without colours as they are, and in ASCII unless `wide`."""
        if not self.cells:
            return
        left = min(x for x, _ in self.cells)
        rows = [y for _, y in self.cells]
        for y in range(min(rows), max(rows) + 1):
            columns = [x for x, row in self.cells if row == y]
            line = [
                self.cells.get((x, y), (" ", NORMAL))
                for x in range(left, max(columns, default=left - 1) + 1)
            ]
            yield "".join(painted(line, colours=colours, wide=wide)).rstrip()


def painted(
    line: Sequence[tuple[str, Style]], *, colours: bool, wide: bool
) -> Iterator[str]:
    """The characters of a line with the codes where the style changes."""
    now = ""
    for letter, style in line:
        codes = style.codes() if colours else ""
        if codes != now:
            yield f"\033[{'0;' if now else ''}{codes}m" if codes else "\033[0m"
            now = codes
        yield letter if wide else ascii_of(letter)
    if now:
        yield "\033[0m"


def ascii_of(words: str) -> str:
    """Words in ASCII, each letter one letter wide as on a board."""
    return "".join(ascii_text(letter)[:1] for letter in words)
