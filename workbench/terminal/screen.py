"""What a terminal shows: colours or none, its width, letters that it can show."""

from collections.abc import Iterable, Mapping
from typing import TextIO

import attrs

from rulebook import visible
from workbench.picture.letters.canvas import Style
from workbench.picture.looks import lightness
from workbench.styles import Painter, ascii_text

LIGHT = 0.6


@attrs.frozen
class Screen:
    """A stream on which people read."""

    out: TextIO
    wide: bool = True

    @classmethod
    def of(cls, out: TextIO) -> "Screen":
        """The screen of a stream; one that is not UTF-8 gets ASCII."""
        encoding = (getattr(out, "encoding", None) or "utf-8").lower()
        wide = encoding.replace("-", "") in {"utf8", "utf8sig"}
        return cls(out, wide)

    @property
    def painter(self) -> Painter:
        """The painter of the stream as it is now: a window may be made wider."""
        return Painter.of(self.out)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return self.painter.width

    @property
    def colours(self) -> bool:
        """Whether colours are shown."""
        return self.painter.colours

    def write(self, text: str) -> None:
        """Write a text as it is, in letters that the stream has."""
        self.out.write(self.shown(text))

    def shown(self, text: str) -> str:
        """A text in letters that the stream has."""
        return text if self.wide else ascii_text(text)

    def say(self, lines: Iterable[str], names: Mapping[str, str] | None = None) -> None:
        """Write lines, long ones wrapped; `names` at their beginning get colours."""
        painter = self.painter
        for line in map(self.shown, map(visible, lines)):
            indent = " " * (len(line) - len(line.lstrip()) + 4)
            whole = painter.wrap(line, indent) if len(line) > painter.width else line
            self.write(self._named(whole, names or {}) + "\n")

    def _named(self, line: str, names: Mapping[str, str]) -> str:
        """A line with the name that it begins with in its colour."""
        bare = line.lstrip()
        for title, colour in names.items():
            name = self.shown(title)
            if self.colours and bare.startswith(f"{name}:"):
                style = Style(None if lightness(colour) > LIGHT else colour, bold=True)
                painted = f"\033[{style.codes()}m{name}\033[0m"
                return line.replace(name, painted, 1)
        return line

    def clear(self) -> None:
        """An empty screen, with nothing to scroll back to, where it is a terminal."""
        if self.out.isatty():
            self.out.write("\033[2J\033[3J\033[H")
