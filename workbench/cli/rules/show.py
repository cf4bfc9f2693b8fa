"""Command `rulebook show`: the merged rules, with the source of each line."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from rulebook import Address, ClauseInfo, Rulebook, tooling
from rulebook.tooling import SourceLine, lines_of, removed_lines
from workbench.cli.frame.arguments import JSON, VARIANT
from workbench.cli.frame.declarations import command, flag, positional
from workbench.cli.frame.output import write_json, write_line
from workbench.files.library.clause_lookup import find_clauses
from workbench.files.library.loading import load

NON_RULE_SORTS = ("scenario", "invariant", "hint", "measure", "words")


@command(
    "show",
    VARIANT,
    positional(
        "clause",
        "CLAUSE",
        "clause to print, such as action.end_turn or end_turn (default: all clauses)",
        nargs="*",
    ),
    flag("--names", "list only the names of the clauses, by file"),
    flag("--uncited", "list only rules that cite no passage of a source text"),
    JSON,
)
def run(arguments: Namespace) -> int:
    """Print the merged rules with their source locations."""
    book = load(arguments.variant)
    names = arguments.clause or [None]
    addresses = [
        *dict.fromkeys(it for name in names for it in find_clauses(book, name))
    ]
    if arguments.uncited:
        addresses = [
            address for address in addresses if is_uncited(book.clauses[address])
        ]
    if arguments.json:
        write_json([clause_document(book.clauses[address]) for address in addresses])
        return 0
    if arguments.names:
        for line in names_by_file(book, addresses):
            write_line(line)
        return 0
    if not addresses:
        write_line(f"all rules of {book.name} cite a passage")
        return 0
    for number, address in enumerate(addresses):
        if number:
            write_line("")
        for line in source_lines(book.clauses[address]):
            write_line(line)
    return 0


def is_uncited(info: ClauseInfo) -> bool:
    """Return whether a clause is a rule without citations."""
    return Address.parse(info.address).sort not in NON_RULE_SORTS and not is_cited(info)


def is_cited(info: ClauseInfo) -> bool:
    """Return whether a clause, or a part of it, cites a passage."""
    return any(getattr(part, "cites", ()) for part in tooling.walk(info.node))


def names_by_file(book: Rulebook, addresses: Sequence[str]) -> Iterator[str]:
    """Yield lines of text: each file name, followed by the names of its clauses."""
    files: dict[str, list[str]] = {}
    for address in addresses:
        files.setdefault(book.clauses[address].span.file, []).append(address)
    for file, names in files.items():
        yield f"# {file}"
        yield from (f"  {name}" for name in names)


def clause_document(info: ClauseInfo) -> dict[str, Any]:
    """Return a clause as plain data: its lines, and the lines that they replaced."""
    lines = lines_of(info)
    return {
        "clause": info.address,
        "file": info.span.file,
        "line": info.span.line,
        "replaced": [f"{span.file}:{span.line}" for span in info.replaced_spans],
        "text": "\n".join(line.text for line in lines),
        "lines": [attrs.asdict(line) for line in lines],
        "gone": [attrs.asdict(line) for line in removed_lines(info)],
    }


def source_lines(info: ClauseInfo) -> Iterator[str]:
    """Yield the lines of a clause, each preceded by its file and line number."""
    lines, removed = lines_of(info), removed_lines(info)
    width = max(len(location(line)) for line in (*lines, *removed))
    yield f"# {info.address}"
    yield from (f"{location(line):<{width}}  {line.text}" for line in lines)
    if removed:
        yield "# in place of"
        yield from (f"{location(line):<{width}}  {line.text}" for line in removed)


def location(line: SourceLine) -> str:
    """Return the file and the number of a line, as `FILE:LINE`."""
    return f"{line.file}:{line.line}"
