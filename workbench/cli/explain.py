"""`rulebook explain`: what a diagnostic means, and how to mend it."""

from argparse import ArgumentParser, Namespace

from rulebook import CODES
from workbench.cli.command import Command, add_json, put, put_json
from workbench.manual import page, plain


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="such as RB012")
    add_json(parser)


def _run(arguments: Namespace) -> int:
    code = arguments.code.upper()
    text = page(code)
    if arguments.json:
        put_json({"code": code, "title": CODES[code], "text": text})
    else:
        for line in plain(text):
            put(line)
    return 0


EXPLAIN = Command("explain", "say what a diagnostic's code means", _arguments, _run)
