"""Command `rulebook explain`: the manual page of a diagnostic code."""

import sys
from argparse import Namespace

from rulebook import CODES
from workbench.cli.frame.arguments import JSON
from workbench.cli.frame.declarations import command, positional
from workbench.cli.frame.output import write_json, write_line, write_renderable
from workbench.files.library.manual import diagnostic_page, plain_lines


@command(
    "explain",
    positional("code", "CODE", "diagnostic code, such as RB012"),
    JSON,
)
def run(arguments: Namespace) -> int:
    """Explain a diagnostic code."""
    code = arguments.code.upper()
    text = diagnostic_page(code)
    if arguments.json:
        write_json({"code": code, "title": CODES[code], "text": text})
    else:
        write_page(text)
    return 0


def write_page(text: str) -> None:
    """Write a page of the manual, in colour if the terminal supports it."""
    from workbench.presentation.console.streams import console_of, has_colours

    if not has_colours(console_of(sys.stdout)):
        for line in plain_lines(text):
            write_line(line)
        return
    from workbench.presentation.console.terminal_pages import MAX_WIDTH, TerminalPage

    write_renderable(TerminalPage(text), MAX_WIDTH)
