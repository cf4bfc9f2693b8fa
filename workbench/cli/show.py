"""`rulebook show`: the merged rules, clause by clause, with where each comes from."""

from argparse import ArgumentParser, Namespace

from rulebook import Rulebook
from workbench.cli.command import Command, add_json, put, put_json
from workbench.errors import Refused
from workbench.loading import load


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("variant", metavar="VARIANT")
    parser.add_argument("clause", metavar="CLAUSE", nargs="?")
    add_json(parser)


def _lines(book: Rulebook, address: str) -> list[str]:
    """The source lines of a clause, as they stand in its file."""
    span = book.clauses[address].span
    lines = book.files.get(span.file, "").splitlines()
    return [line.rstrip() for line in lines[span.line - 1 : span.end_line]]


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
    rows = [
        {
            "clause": address,
            "file": book.clauses[address].span.file,
            "line": book.clauses[address].span.line,
            "replaced": [
                f"{span.file}:{span.line}" for span in book.clauses[address].replaced
            ],
            "text": "\n".join(_lines(book, address)),
        }
        for address in addresses
    ]
    if arguments.json:
        put_json(rows)
        return 0
    for row in rows:
        put("# {clause}: {file}:{line}".format(**row))
        for place in book.clauses[str(row["clause"])].replaced:
            put(f"# replaces {place.file}:{place.line}")
        put(f"{row['text']}\n")
    return 0


SHOW = Command("show", "print the merged rules and their places", _arguments, _run)
