"""Rich consoles on streams, and text wrapped into lines.

Colours appear only on terminals that support them; output to a pipe is plain. Text from
files is made printable first, and rich markup in it is not interpreted.
"""

import io
import os
import shutil
from collections.abc import Iterator
from typing import NoReturn, TextIO

from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.text import Text
from rich.theme import Theme

WIDTH_MIN = 20
PIPE_WIDTH = 80
"""Default width of sentences in a pipe; tables are as wide as necessary."""
UNBOUNDED = 10_000
MEASURING_CONSOLE = Console(file=io.StringIO(), color_system=None)
"""Console used only to measure text."""
STYLES = Theme(
    {
        "error": "bold red",
        "warning": "bold yellow",
        "place": "cyan",
        "head": "bold",
        "aside": "dim",
        "markdown.code": "bold",
        "markdown.h1": "bold",
        "markdown.h2": "bold",
    }
)


class StreamConsole(Console):
    """Rich console that lets the command handle a broken pipe."""

    def on_broken_pipe(self) -> NoReturn:
        """Re-raise the error that rich is handling."""
        raise  # noqa: PLE0704  (rich calls this while it handles the error)


def console_of(stream: TextIO) -> StreamConsole:
    """Return the console of a stream, respecting `NO_COLOR` and dumb terminals."""
    tty = stream.isatty()
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    width = shutil.get_terminal_size().columns if tty else PIPE_WIDTH
    return StreamConsole(
        file=stream,
        force_terminal=tty,
        force_jupyter=False,
        color_system="auto" if tty and not plain else None,
        width=max(width, WIDTH_MIN),
        theme=STYLES,
        markup=False,
        emoji=False,
        highlight=False,
    )


def has_colours(console: Console) -> bool:
    """Return whether a console shows colours."""
    return console.color_system is not None


def write(
    console: Console, renderable: RenderableType, width: int | None = None
) -> None:
    """Write a rich renderable in lines without trailing blanks.

    Lines have at most *width* cells, by default the width of the terminal. In a pipe,
    lines are as wide as necessary. Words are never broken or omitted: the terminal
    wraps a line that is still too long.
    """
    wide = console.options.update(width=UNBOUNDED)
    room = console.width if console.is_terminal else UNBOUNDED
    least = Measurement.get(console, wide, renderable).minimum
    for line in rendered_lines(
        console, renderable, max(min(room, width or room), least)
    ):
        console.print(line, soft_wrap=True)


def rendered_lines(
    console: Console, renderable: RenderableType, width: int
) -> Iterator[Text]:
    """Yield the lines of a rich renderable, each at most *width* cells wide."""
    options = console.options.update(width=width, height=None)
    for segments in console.render_lines(renderable, options, pad=False):
        line = Text.assemble(*((part.text, part.style or "") for part in segments))
        line.rstrip()
        yield line


def wrap_with_indent(text: Text, width: int, indent: str) -> Iterator[Text]:
    """Yield text in lines of at most *width* cells, with a hanging indent."""
    first = text.wrap(MEASURING_CONSOLE, width)[0]
    rest = text[len(first) :]
    first.rstrip()
    yield first
    blanks = len(rest.plain) - len(rest.plain.lstrip())
    if blanks < len(rest.plain):
        for line in rest[blanks:].wrap(MEASURING_CONSOLE, width - len(indent)):
            line.rstrip()
            yield Text(indent) + line


def wrap_text(text: str, width: int, indent: str = "") -> list[str]:
    """Return text in lines of at most *width* cells, with a hanging indent."""
    return [line.plain for line in wrap_with_indent(Text(text), width, indent)]


def cut_to_width(words: str, width: int) -> str:
    """Return the longest prefix of a text that fits into *width* cells."""
    text = Text(words)
    text.truncate(width)
    return text.plain
