"""Origins of the lines of the merged rules, and the lines they replaced."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import attrs

from rulebook import syntax as s
from rulebook.loading.book import ClauseInfo
from rulebook.write import Line, write_clause


@attrs.frozen
class Placed:
    """Line of rule text with its original file and line number."""

    text: str
    file: str
    line: int


def lines_of(info: ClauseInfo) -> tuple[Placed, ...]:
    """Return the lines of a clause as they were merged."""
    return tuple(map(_placed, _lines(info.node)))


def lines_gone(info: ClauseInfo) -> tuple[Placed, ...]:
    """Return the lines that were replaced or removed, the first change first."""
    return tuple(map(_placed, _gone((*info.before, info.node))))


def _lines(node: s.Clause) -> list[Line]:
    assert isinstance(node, s.Declaration | s.Phase)
    return write_clause(node)


def _gone(versions: tuple[s.Clause, ...]) -> Iterator[Line]:
    for old, new in pairwise(versions):
        kept = {(line.text, line.span) for line in _lines(new)}
        yield from (line for line in _lines(old) if (line.text, line.span) not in kept)


def _placed(line: Line) -> Placed:
    return Placed(str(line), line.span.file, line.span.line)


__all__ = ["Placed", "lines_gone", "lines_of"]
