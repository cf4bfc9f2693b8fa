"""Command `rulebook explain`: the meaning of a diagnostic, and its fix."""

import sys
from argparse import Namespace

from rulebook import CODES
from workbench.cli.frame.output import put, put_json, put_shown
from workbench.files.library.manual import page, plain


def run(arguments: Namespace) -> int:
    """Run `rulebook explain` and return the exit code."""
    code = arguments.code.upper()
    text = page(code)
    if arguments.json:
        put_json({"code": code, "title": CODES[code], "text": text})
    else:
        put_page(text)
    return 0


def put_page(text: str) -> None:
    """Write a page: with colours if possible, otherwise as plain lines."""
    from workbench.presentation.console.streams import console_of, has_colours

    if not has_colours(console_of(sys.stdout)):
        for line in plain(text):
            put(line)
        return
    from workbench.presentation.console.markdown import WIDTH, TerminalPage

    put_shown(TerminalPage(text), WIDTH)
