"""`rulebook explain`: what a diagnostic means, and how to mend it."""

import sys
from argparse import Namespace

from rulebook import CODES
from workbench.cli.frame.output import put, put_json, put_shown
from workbench.files.library.manual import page, plain


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook explain`."""
    code = arguments.code.upper()
    text = page(code)
    if arguments.json:
        put_json({"code": code, "title": CODES[code], "text": text})
    else:
        put_page(text)
    return 0


def put_page(text: str) -> None:
    """Write a page: set by rich where there are colours, in plain lines for others."""
    from workbench.presentation.console.streams import console_of, has_colours

    if not has_colours(console_of(sys.stdout)):
        for line in plain(text):
            put(line)
        return
    from workbench.presentation.console.markdown import WIDTH, TerminalPage

    put_shown(TerminalPage(text), WIDTH)
