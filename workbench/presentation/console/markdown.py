"""Markdown pages rendered for terminals with colours."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.highlighter import RegexHighlighter
from rich.markdown import CodeBlock, Heading, Markdown
from rich.padding import Padding

WIDTH = 88
"""Maximum width of a page; longer lines are hard to read."""
INDENT = 4


class Headed(Heading):
    """Left-aligned heading above its text."""

    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class Colours(RegexHighlighter):
    """Highlighting for rules and diagnostics."""

    highlights: ClassVar[list[str]] = [
        r"(?m)^(?P<error>error RB\d+)|^(?P<warning>warning RB\d+)",
        r"(?m)^(?P<place> *--> .*)$",
        r"(?m)^ *\| *(?P<error>\^+)",
        r"(?m)(?P<aside>#.*)$",
    ]


class Example(CodeBlock):
    """Block of rules or a diagnostic, indented as on plain pages."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        """Render the example with its colours."""
        text = Colours()(str(self.text).rstrip())
        yield Padding(text, (0, 0, 0, INDENT))


class TerminalPage(Markdown):
    """Markdown page about the language."""

    elements: ClassVar[dict[str, type]] = {
        **Markdown.elements,
        "heading_open": Headed,
        "fence": Example,
        "code_block": Example,
    }
