"""Readable text of the Python program of a plan.

Every function is listed under the address and source location of its clause. Tables
come first; objects that are not plain values are shown by their class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pprint import pformat
from typing import Any

import rulebook as rb
from interpreter.source.source import Function, Source

WIDTH = 100
HEAD = "The program of one game, generated from its rules. For reading, not running."
PLAIN = (bool, int, str, tuple, dict, type(None))


def listing(source: Source, book: rb.Rulebook, setting: str) -> str:
    """Return the program of a plan as text; *setting* names the players and options."""
    clauses: dict[str, list[Function]] = {}
    for function in source.functions:
        clauses.setdefault(function.clause, []).append(function)
    lines = [f'"""{HEAD}', "", f"{book.digest}, {setting}", '"""', ""]
    lines += [
        line
        for given_name in source.given_names.items()
        for line in table_lines(*given_name)
    ]
    for clause, functions in clauses.items():
        lines += ["", "", f"# {clause_heading(book, clause)}"]
        for function in functions:
            lines += ["", *function.lines]
    return "\n".join(lines) + "\n"


def clause_heading(book: rb.Rulebook, clause: str) -> str:
    """Return a heading with the address, file and line of a clause."""
    info = book.clauses.get(clause)
    if info is None:
        return f"---- {clause}"
    return f"---- {clause}  ({info.span.file}:{info.span.line})"


def table_lines(name: str, value: Any) -> Iterator[str]:
    """Yield the lines that show a table of the program."""
    if is_plain(value):
        yield from f"{name} = {pformat(value, width=WIDTH, compact=True)}".splitlines()
    else:
        yield f"{name} = ...  # {description(value)}"


def is_plain(value: Any) -> bool:
    """Return whether a value consists only of plain values."""
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    if isinstance(value, Mapping):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    return isinstance(value, PLAIN)


def description(value: Any) -> str:
    """Return a description of an object that is not a plain value."""
    if isinstance(value, list):
        return "outcomes with their weights"
    if isinstance(value, tuple):
        return f"{len(value)} times {description(value[0])}" if value else "nothing"
    span = getattr(value, "span", None)
    kind = "function" if callable(value) else type(value).__name__
    return kind if span is None else f"{kind} at {span.file}:{span.line}"
