"""Pages in Markdown as a terminal with colours shows them."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.highlighter import RegexHighlighter
from rich.markdown import CodeBlock, Heading, Markdown
from rich.padding import Padding

WIDTH = 88
"""How wide a page is at most: longer lines are hard to read."""
INDENT = 4


class Headed(Heading):
    """A heading above its text, and not in the middle."""

    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class Colours(RegexHighlighter):
    """Rules and diagnostics: what is wrong, and where."""

    highlights: ClassVar[list[str]] = [
        r"(?m)^(?P<error>error RB\d+)|^(?P<warning>warning RB\d+)",
        r"(?m)^(?P<place> *--> .*)$",
        r"(?m)^ *\| *(?P<error>\^+)",
        r"(?m)(?P<aside>#.*)$",
    ]


class Example(CodeBlock):
    """Rules or a diagnostic, indented like those of plain pages."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        """Show the example with its colours."""
        text = Colours()(str(self.text).rstrip())
        yield Padding(text, (0, 0, 0, INDENT))


class TerminalPage(Markdown):
    """A page about the language."""

    elements: ClassVar[dict[str, type]] = {
        **Markdown.elements,
        "heading_open": Headed,
        "fence": Example,
        "code_block": Example,
    }
