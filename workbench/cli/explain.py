"""`rulebook explain`: what a diagnostic means, and how to mend it."""

from argparse import Namespace

from rulebook import CODES
from workbench.cli.command import put, put_json
from workbench.library.manual import page, plain


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook explain`."""
    code = arguments.code.upper()
    text = page(code)
    if arguments.json:
        put_json({"code": code, "title": CODES[code], "text": text})
    else:
        for line in plain(text):
            put(line)
    return 0
