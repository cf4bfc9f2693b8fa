"""`rulebook show`: the merged rules, with where each line comes from."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import ClauseInfo, Placed, lines_gone, lines_of
from workbench.cli.command import Command, add_json, put, put_json
from workbench.errors import Refused
from workbench.loading import load


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("variant", metavar="VARIANT")
    parser.add_argument("clause", metavar="CLAUSE", nargs="?")
    add_json(parser)


def names_of(address: str) -> tuple[str, ...]:
    """What else a clause may be called: without its sort, without its parameters."""
    name = address.partition(".")[2] or address
    return name, name.partition("(")[0], address.partition("(")[0]


def _run(arguments: Namespace) -> int:
    book = load(arguments.variant)
    wanted = arguments.clause
    addresses = [
        address for address in book.clauses if wanted is None or address == wanted
    ] or [address for address in book.clauses if wanted in names_of(address)]
    if not addresses:
        raise Refused(f"{book.name} has no clause `{wanted}`")
    rows = [described(book.clauses[address]) for address in addresses]
    if arguments.json:
        put_json(rows)
        return 0
    put("\n\n".join("\n".join(placed(book.clauses[one])) for one in addresses))
    return 0


def described(info: ClauseInfo) -> dict[str, Any]:
    """A clause as plain data: its lines, and what they took the place of."""
    lines = lines_of(info)
    return {
        "clause": info.address,
        "file": info.span.file,
        "line": info.span.line,
        "replaced": [f"{span.file}:{span.line}" for span in info.replaced],
        "text": "\n".join(line.text for line in lines),
        "lines": [attrs.asdict(line) for line in lines],
        "gone": [attrs.asdict(line) for line in lines_gone(info)],
    }


def placed(info: ClauseInfo) -> Iterator[str]:
    """A clause line by line, each behind the place that it comes from."""
    lines, gone = lines_of(info), lines_gone(info)
    width = max(len(place(line)) for line in (*lines, *gone))
    yield f"# {info.address}"
    yield from (f"{place(line):<{width}}  {line.text}" for line in lines)
    if gone:
        yield "# in place of"
        yield from (f"{place(line):<{width}}  {line.text}" for line in gone)


def place(line: Placed) -> str:
    """The file and line of a line."""
    return f"{line.file}:{line.line}"


SHOW = Command("show", "print the merged rules and their places", _arguments, _run)
