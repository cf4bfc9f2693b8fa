"""Source lines of merged clauses, and of the clauses that they replaced."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import attrs

from rulebook import syntax as s
from rulebook.loading.book import ClauseInfo
from rulebook.write import Line, write_clause


@attrs.frozen
class SourceLine:
    """Line of rule text with its original file and line number."""

    text: str
    file: str
    line: int


def lines_of(info: ClauseInfo) -> tuple[SourceLine, ...]:
    """Return the lines of a merged clause, each with its origin."""
    return tuple(map(_source_line, _lines(info.node)))


def removed_lines(info: ClauseInfo) -> tuple[SourceLine, ...]:
    """Return the replaced or removed lines of a clause, in the order of the changes."""
    return tuple(
        map(_source_line, _lines_of_versions((*info.replaced_clauses, info.node)))
    )


def _lines(node: s.Clause) -> list[Line]:
    assert isinstance(node, s.Declaration | s.Phase)
    return write_clause(node)


def _lines_of_versions(versions: tuple[s.Clause, ...]) -> Iterator[Line]:
    for old, new in pairwise(versions):
        kept = {(line.text, line.span) for line in _lines(new)}
        yield from (line for line in _lines(old) if (line.text, line.span) not in kept)


def _source_line(line: Line) -> SourceLine:
    return SourceLine(str(line), line.span.file, line.span.line)


__all__ = ["SourceLine", "lines_of", "removed_lines"]
