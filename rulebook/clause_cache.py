"""Cache of parsed clauses, so that only changed clauses are parsed again.

It serves programs such as editors, which parse the same texts often, with small
changes. The key of a clause is its lines. If an unchanged clause has moved, its nodes
and diagnostics are moved too. Parsing with the cache gives the same result as parsing
without it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import attrs

from rulebook import syntax
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import NOWHERE, Span

CLAUSES_MAX = 20_000
"""Default maximum number of cached clauses; the least recently used are evicted."""

FILES_MAX = 64
"""Default maximum number of cached files."""

ClauseKey = tuple[str, str, tuple[str, ...]]
"""Cache key: file name, start rule of the grammar, and lines of the clause."""


@attrs.frozen
class ParsedFile:
    """Result of parsing a file: its syntax tree, and the diagnostics in order.

    The tree lacks every clause that has an error. It is None if the file could not be
    read at all, or is written in another version of the language.
    """

    file: syntax.File | None
    diagnostics: tuple[Diagnostic, ...]


@attrs.frozen
class ParsedClause:
    """Result of parsing one clause at a known line: its nodes, or its diagnostics."""

    line: int
    node: object
    diagnostics: tuple[Diagnostic, ...]

    def moved_to(self, line: int) -> ParsedClause:
        """Return the same result for a clause that starts at another line."""
        offset = line - self.line
        if not offset:
            return self
        node = shift_lines(self.node, offset)
        return ParsedClause(line, node, shift_lines(self.diagnostics, offset))


@attrs.define
class ClauseCache:
    """Cache of parsed clauses and files, keyed by their text."""

    clauses_max: int = CLAUSES_MAX
    files_max: int = FILES_MAX
    parsed_count: int = 0
    """Number of clauses that were parsed because they were not cached."""
    _clauses: OrderedDict[ClauseKey, ParsedClause] = attrs.Factory(OrderedDict)
    _files: OrderedDict[tuple[str, str], ParsedFile] = attrs.Factory(OrderedDict)

    def get_clause(
        self, key: ClauseKey, line: int, make: Callable[[], ParsedClause]
    ) -> ParsedClause:
        """Return the result for a clause at *line*, cached or computed with *make*."""
        known = self._clauses.pop(key, None)
        if known is None:
            self.parsed_count += 1
        made = make() if known is None else known.moved_to(line)
        _put(self._clauses, key, made, self.clauses_max)
        return made

    def get_file(
        self, text: str, name: str, make: Callable[[], ParsedFile]
    ) -> ParsedFile:
        """Return the cached result for a file, or compute it with *make*."""
        parsed = self._files.pop((name, text), None) or make()
        _put(self._files, (name, text), parsed, self.files_max)
        return parsed


def _put(cache: OrderedDict[Any, Any], key: Any, value: Any, max_size: int) -> None:
    cache[key] = value
    while len(cache) > max_size:
        cache.popitem(last=False)


class _FieldNames(dict[type[Any], tuple[str, ...] | None]):
    """Cache of the field names of each class; None for classes without fields."""

    def __missing__(self, kind: type[Any]) -> tuple[str, ...] | None:
        names = attrs.has(kind) and tuple(field.name for field in attrs.fields(kind))
        self[kind] = names or None
        return self[kind]


_FIELDS = _FieldNames()
_set = object.__setattr__


def shift_lines(value: Any, offset: int) -> Any:
    """Return nodes and diagnostics with all line numbers increased by *offset*.

    Nodes are copied without running constructors, whose checks already passed.
    """
    kind = type(value)
    if kind is Span:
        if value is NOWHERE:
            return value
        shifted = (
            value.line + offset,
            value.column,
            value.end_line + offset,
            value.end_column,
        )
        return Span(value.file, *shifted)
    if kind is tuple:
        return tuple([shift_lines(part, offset) for part in value])
    names = _FIELDS[kind]
    if names is None:
        return value
    new = object.__new__(kind)
    for name in names:
        _set(new, name, shift_lines(getattr(value, name), offset))
    return new
