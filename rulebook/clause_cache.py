"""Clauses that were parsed before: what is said again is not parsed again.

For who reads the same texts many times, with a change here and there, as an editor
does. A clause is known by its lines alone; where it stands elsewhere than before, what
was made of it is moved there. So what is read by a keeper is what is read without one.
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
"""How many clauses are kept by itself: those not used the longest leave."""

FILES_MAX = 64
"""How many whole files are kept by itself."""

Key = tuple[str, str, tuple[str, ...]]
"""The file, what it is parsed from, and the lines."""


@attrs.frozen
class Parsed:
    """What parsing gives: the diagnostics in order, and the tree.

    The tree lacks every clause that has an error. It is None when the file could not
    be read at all, or is of another version of the language.
    """

    file: syntax.File | None
    diagnostics: tuple[Diagnostic, ...]


@attrs.frozen
class Made:
    """What was made of a clause that begins in a line: its nodes, or its mistakes."""

    line: int
    node: object
    diagnostics: tuple[Diagnostic, ...]

    def at(self, line: int) -> Made:
        """Return the same of a clause that begins in another line."""
        by = line - self.line
        if not by:
            return self
        return Made(line, moved(self.node, by), moved(self.diagnostics, by))


@attrs.define
class Keeper:
    """What was made of clauses and files, by what they say."""

    clauses_max: int = CLAUSES_MAX
    files_max: int = FILES_MAX
    parsed: int = 0
    """How many clauses were parsed, for who looks whether it keeps them."""
    _clauses: OrderedDict[Key, Made] = attrs.Factory(OrderedDict)
    _files: OrderedDict[tuple[str, str], Parsed] = attrs.Factory(OrderedDict)

    def clause(self, key: Key, line: int, make: Callable[[], Made]) -> Made:
        """Return what is made of a clause, as it was before if it was."""
        known = self._clauses.pop(key, None)
        if known is None:
            self.parsed += 1
        made = make() if known is None else known.at(line)
        _put(self._clauses, key, made, self.clauses_max)
        return made

    def file(self, text: str, name: str, make: Callable[[], Parsed]) -> Parsed:
        """Return what is made of a file, as it was before if it was."""
        parsed = self._files.pop((name, text), None) or make()
        _put(self._files, (name, text), parsed, self.files_max)
        return parsed


def _put(kept: OrderedDict[Any, Any], key: Any, value: Any, most: int) -> None:
    kept[key] = value
    while len(kept) > most:
        kept.popitem(last=False)


class _Fields(dict[type[Any], tuple[str, ...] | None]):
    """The names of the fields of a class, None for what holds no place."""

    def __missing__(self, kind: type[Any]) -> tuple[str, ...] | None:
        names = attrs.has(kind) and tuple(field.name for field in attrs.fields(kind))
        self[kind] = names or None
        return self[kind]


_FIELDS = _Fields()
_set = object.__setattr__


def moved(value: Any, by: int) -> Any:
    """Return nodes and diagnostics as they would be further down by some lines.

    Nodes are made without their constructors: all that these look at is as it was.
    """
    kind = type(value)
    if kind is Span:
        if value is NOWHERE:
            return value
        below = value.line + by, value.column, value.end_line + by, value.end_column
        return Span(value.file, *below)
    if kind is tuple:
        return tuple([moved(part, by) for part in value])
    names = _FIELDS[kind]
    if names is None:
        return value
    new = object.__new__(kind)
    for name in names:
        _set(new, name, moved(getattr(value, name), by))
    return new
