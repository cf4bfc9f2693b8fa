"""Output of a terminal: colours, width and supported characters."""

from collections.abc import Iterable, Mapping
from typing import TextIO

import attrs
from rich.style import Style
from rich.text import Text

from rulebook import visible
from workbench.presentation.console.ascii import ascii_text
from workbench.presentation.console.streams import Stream, console_of, hanging
from workbench.presentation.picture.hints import lightness

LIGHT = 0.6
EMPTY, SCROLLED = "\033[2J\033[3J\033[H", "\n" * 100
"""Control sequences that clear the screen, and its scroll-back buffer."""


@attrs.frozen
class Screen:
    """Output stream that people read, with its console.

    `wide` is false if the stream supports only ASCII.
    """

    out: TextIO
    wide: bool = True

    @classmethod
    def of(cls, out: TextIO) -> "Screen":
        """Return the screen of a stream; a stream that is not UTF-8 gets ASCII."""
        encoding = (getattr(out, "encoding", None) or "utf-8").lower()
        wide = encoding.replace("-", "") in {"utf8", "utf8sig"}
        return cls(out, wide)

    @property
    def console(self) -> Stream:
        """Console of the stream at its current width."""
        return console_of(self.out)

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.console.width

    def shown(self, text: str) -> str:
        """Return text in characters that the stream supports."""
        return text if self.wide else ascii_text(text)

    def draw(self, lines: Iterable[Text]) -> None:
        """Write lines unchanged, without wrapping."""
        console = self.console
        for line in lines:
            console.print(line, soft_wrap=True)

    def say(self, lines: Iterable[str], names: Mapping[str, str] | None = None) -> None:
        """Write wrapped lines; `names` at their beginning are coloured."""
        width = self.width
        for line in map(self.shown, map(visible, lines)):
            indent = " " * (len(line) - len(line.lstrip()) + 4)
            self.draw(hanging(self._named(line, names or {}), width, indent))

    def _named(self, line: str, names: Mapping[str, str]) -> Text:
        """Return a line in which the name at its beginning is coloured."""
        bare, text = line.lstrip(), Text(line)
        for title, colour in names.items():
            name = self.shown(title)
            if bare.startswith(f"{name}:"):
                start = len(line) - len(bare)
                ink = None if lightness(colour) > LIGHT else colour
                text.stylize(Style(color=ink, bold=True), start, start + len(name))
        return text

    def clear(self) -> None:
        """Clear the screen and its scroll-back buffer, if the stream is a terminal."""
        console = self.console
        if console.is_terminal:
            self.out.write(SCROLLED if console.is_dumb_terminal else EMPTY)
