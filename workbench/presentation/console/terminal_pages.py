"""Markdown pages in colour, for terminals."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.highlighter import RegexHighlighter
from rich.markdown import CodeBlock, Heading, Markdown
from rich.padding import Padding

MAX_WIDTH = 88
"""Maximum line width of a page, in cells."""
INDENT = 4


class LeftHeading(Heading):
    """Left-aligned heading."""

    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class RuleHighlighter(RegexHighlighter):
    """Highlighter for rule texts and diagnostics."""

    highlights: ClassVar[list[str]] = [
        r"(?m)^(?P<error>error RB\d+)|^(?P<warning>warning RB\d+)",
        r"(?m)^(?P<place> *--> .*)$",
        r"(?m)^ *\| *(?P<error>\^+)",
        r"(?m)(?P<aside>#.*)$",
    ]


class ExampleBlock(CodeBlock):
    """Indented block of rule text or a diagnostic."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        """Render the example in colour."""
        text = RuleHighlighter()(str(self.text).rstrip())
        yield Padding(text, (0, 0, 0, INDENT))


class TerminalPage(Markdown):
    """Markdown page of the manual."""

    elements: ClassVar[dict[str, type]] = {
        **Markdown.elements,
        "heading_open": LeftHeading,
        "fence": ExampleBlock,
        "code_block": ExampleBlock,
    }
