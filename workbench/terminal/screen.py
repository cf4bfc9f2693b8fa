"""Terminal output: colours, width and supported characters."""

import shutil
from collections.abc import Iterable, Mapping
from typing import TextIO

import attrs
from rich.style import Style
from rich.text import Text

from rulebook import printable_line
from workbench.presentation.console.ascii import ascii_text
from workbench.presentation.console.streams import (
    StreamConsole,
    console_of,
    wrap_with_indent,
)
from workbench.presentation.picture.hints import lightness

MAX_LIGHTNESS = 0.6
CLEAR_SCREEN, SCROLL_AWAY = "\033[2J\033[3J\033[H", "\n" * 100
"""Output that clears screen and scrollback; output that scrolls text out of sight."""


@attrs.frozen
class Screen:
    """Output stream for people, with its console.

    `supports_unicode` is false if the stream supports only ASCII.
    """

    out: TextIO
    supports_unicode: bool = True

    @classmethod
    def for_stream(cls, out: TextIO) -> "Screen":
        """Return the screen of a stream; it uses ASCII unless the stream is UTF-8."""
        encoding = (getattr(out, "encoding", None) or "utf-8").lower()
        wide = encoding.replace("-", "") in {"utf8", "utf8sig"}
        return cls(out, wide)

    @property
    def console(self) -> StreamConsole:
        """Console of the stream at its current width."""
        return console_of(self.out)

    @property
    def width(self) -> int:
        """Width of the screen in columns."""
        return self.console.width

    @property
    def height(self) -> int | None:
        """Height of the screen in lines, or None if the stream is not a terminal."""
        console = self.console
        if not console.is_terminal or console.is_dumb_terminal:
            return None
        return shutil.get_terminal_size().lines

    def supported_text(self, text: str) -> str:
        """Return text in ASCII if the stream supports only that, or else unchanged."""
        return text if self.supports_unicode else ascii_text(text)

    def write_unwrapped(self, lines: Iterable[Text]) -> None:
        """Write lines unchanged, without wrapping."""
        console = self.console
        for line in lines:
            console.print(line, soft_wrap=True)

    def write_supported(self, lines: Iterable[Text]) -> None:
        """Write lines without wrapping, in ASCII if the stream supports only that."""
        if self.supports_unicode:
            self.write_unwrapped(lines)
        else:
            self.write_unwrapped(Text(ascii_text(line.plain)) for line in lines)

    def write_wrapped(
        self, lines: Iterable[str], names: Mapping[str, str] | None = None
    ) -> None:
        """Write wrapped lines; `names` maps names at a line's start to colours."""
        width = self.width
        for line in map(self.supported_text, map(printable_line, lines)):
            indent = " " * (len(line) - len(line.lstrip()) + 4)
            self.write_unwrapped(
                wrap_with_indent(self._coloured_line(line, names or {}), width, indent)
            )

    def _coloured_line(self, line: str, names: Mapping[str, str]) -> Text:
        """Return a line in which the name at its start is coloured."""
        bare, text = line.lstrip(), Text(line)
        for title, colour in names.items():
            name = self.supported_text(title)
            if bare.startswith(f"{name}:"):
                start = len(line) - len(bare)
                ink = None if lightness(colour) > MAX_LIGHTNESS else colour
                text.stylize(Style(color=ink, bold=True), start, start + len(name))
        return text

    def clear(self) -> None:
        """Clear the screen and its scroll-back buffer, if the stream is a terminal."""
        console = self.console
        if console.is_terminal:
            self.out.write(SCROLL_AWAY if console.is_dumb_terminal else CLEAR_SCREEN)
