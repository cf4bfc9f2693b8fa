"""`rulebook show`: the merged rules, with where each line comes from."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

import rulebook
from rulebook import (
    Address,
    ClauseInfo,
    Placed,
    Rulebook,
    lines_gone,
    lines_of,
    nearest,
)
from workbench.cli.frame.output import put, put_json
from workbench.errors import Refused
from workbench.library.loading import load

NO_RULES = ("scenario", "invariant", "hint", "measure", "words")


def names_of(address: str) -> tuple[str, ...]:
    """What else a clause may be called: without its sort, without its parameters.

    The phases are the turn.
    """
    known = Address.parse(address)
    name = address if known.is_test else known.called or known.sort
    shape = "" if known.shape is None else f"({known.shape})"
    whole = ("turn",) if known.is_phase else ()
    return f"{name}{shape}", name, str(known.short), *whole


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook show`."""
    book = load(arguments.variant)
    addresses = chosen(book, arguments.clause)
    if arguments.uncited:
        addresses = [
            address for address in addresses if is_uncited(book.clauses[address])
        ]
    if arguments.json:
        put_json([described(book.clauses[address]) for address in addresses])
        return 0
    if arguments.names:
        for line in by_file(book, addresses):
            put(line)
        return 0
    if not addresses:
        put(f"every rule of {book.name} cites a passage")
        return 0
    put("\n\n".join("\n".join(placed(book.clauses[address])) for address in addresses))
    return 0


def chosen(book: Rulebook, wanted: str | None) -> list[str]:
    """The clauses that are called so, or all of them: rules first, then their tests.

    Raises `Refused` when there are none, with the nearest.
    """
    clauses = sorted(book.clauses, key=is_test)
    if wanted is None:
        return clauses
    matching = [clause for clause in clauses if clause == wanted] or [
        clause for clause in clauses if wanted in names_of(clause)
    ]
    if not matching:
        known = [name for clause in clauses for name in (clause, *names_of(clause))]
        near = nearest(wanted, known)
        raise Refused(
            f"{book.name} has no clause `{wanted}`",
            f"did you mean `{near}`?"
            if near
            else "add --names instead of a name to see what there is",
        )
    return matching


def is_test(address: str) -> bool:
    """Whether a clause is a scenario or an invariant."""
    return Address.parse(address).is_test


def is_uncited(info: ClauseInfo) -> bool:
    """Whether a clause is a rule that cites nothing."""
    return Address.parse(info.address).sort not in NO_RULES and not is_cited(info)


def is_cited(info: ClauseInfo) -> bool:
    """Whether a clause, or a part of it, cites a passage."""
    return any(getattr(part, "cites", ()) for part in rulebook.walk(info.node))


def by_file(book: Rulebook, addresses: Sequence[str]) -> Iterator[str]:
    """The names of clauses below the files that they stand in."""
    files: dict[str, list[str]] = {}
    for address in addresses:
        files.setdefault(book.clauses[address].span.file, []).append(address)
    for file, names in files.items():
        yield f"# {file}"
        yield from (f"  {name}" for name in names)


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
