"""Differences between two rulebooks by clause, and rulebooks with some changes.

A rulebook with a single change shows what this change does.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any

import attrs

from rulebook import Address, Rulebook, recheck
from rulebook.tooling import SourceLine, lines_of

HEADER, ORDER = "header", "order"
"""Names of changes outside clauses: in the header, and in the order of clauses."""

GAME_HEADER_FIELDS = ("players", "seats", "turns", "rounds", "teams")
"""Names of the header fields that affect games."""

IGNORED_SORTS = frozenset({"scenario", "invariant", "hint", "colour", "drawing"})
"""Sorts of clauses that affect no game."""

CITATIONS = re.compile(r"(\s+\[[^\[\]]*\])+$")
"""Pattern for the citations at the end of a line."""

MAX_CACHED_BOOKS = 256
"""Maximum number of cached rulebooks with some of the changes."""

Clauses = dict[Address, Any]
Names = tuple[str, ...]
Lines = tuple[SourceLine, ...]


class RuleChanges:
    """Differences between two rulebooks; `names` are the changed clauses' addresses."""

    def __init__(self, before: Rulebook, after: Rulebook) -> None:
        self.before, self.after = before, after
        self._mine, self._theirs = rule_clauses(before), rule_clauses(after)
        self.names: Names = tuple(self._changed_names())
        self._books: dict[frozenset[str], Rulebook | None] = {}

    def _changed_names(self) -> Iterator[str]:
        """Yield the addresses of changed clauses, and names of other changes."""
        heads = self.before.merged.header, self.after.merged.header
        if any(
            getattr(heads[0], name) != getattr(heads[1], name)
            for name in GAME_HEADER_FIELDS
        ):
            yield HEADER
        mine, theirs = self._mine, self._theirs
        for key in all_addresses(mine, theirs):
            differs = mine.get(key) != theirs.get(key)
            if differs and self._line_texts(self.before, key) != self._line_texts(
                self.after, key
            ):
                yield str(key)
        if shared_addresses(mine, theirs) != shared_addresses(theirs, mine):
            yield ORDER

    def lines(self, name: str) -> tuple[Lines, Lines]:
        """Return the lines of a clause that were removed, and those that were added."""
        old, new = (
            self._clause_lines(self.before, name),
            self._clause_lines(self.after, name),
        )
        return lines_not_in(old, new), lines_not_in(new, old)

    def _clause_lines(self, book: Rulebook, name: str) -> Lines:
        info = book.clauses.get(name)
        return () if info is None else tuple(map(without_citations, lines_of(info)))

    def _line_texts(self, book: Rulebook, key: Address) -> list[str]:
        return [line.text for line in self._clause_lines(book, str(key))]

    def place(self, name: str) -> tuple[str, int] | None:
        """Return the file and line of a change, or None if it has no changed line.

        It is the first added line or, if there is none, the first removed one.
        """
        if name == HEADER:
            span = self.after.merged.header.span
            return span.file, span.line
        removed, added = self.lines(name)
        return next(((line.file, line.line) for line in (*added, *removed)), None)

    def book_with(self, names: Collection[str]) -> Rulebook | None:
        """Return the old rules with these changes, or None if they have errors."""
        key = frozenset(names)
        if key not in self._books:
            if len(self._books) >= MAX_CACHED_BOOKS:
                self._books.pop(next(iter(self._books)))
            self._books[key] = self._make_book(key)
        return self._books[key]

    def _make_book(self, names: frozenset[str]) -> Rulebook | None:
        mine, theirs = self._mine, self._theirs
        first, then = (theirs, mine) if ORDER in names else (mine, theirs)
        clauses: Clauses = {}
        for key in all_addresses(first, then):
            source = theirs if str(key) in names else mine
            if key in source:
                clauses[key] = source[key]
        head, other = self.before.merged.header, self.after.merged.header
        if HEADER in names:
            fields = {name: getattr(other, name) for name in GAME_HEADER_FIELDS}
            head = attrs.evolve(head, **fields)
        book, _ = recheck(self.after if names else self.before, clauses, head)
        return book


def lines_not_in(lines: Lines, others: Lines) -> Lines:
    """Return the lines whose text does not occur in *others*."""
    texts = {line.text for line in others}
    return tuple(line for line in lines if line.text not in texts)


def without_citations(line: SourceLine) -> SourceLine:
    """Return a line without its citations, indentation and alignment."""
    return attrs.evolve(line, text=" ".join(CITATIONS.sub("", line.text).split()))


def rule_clauses(book: Rulebook) -> Clauses:
    """Return the clauses of a book that affect games, by address."""
    return {
        key: clause
        for key, clause in book.merged.clauses.items()
        if key.sort not in IGNORED_SORTS
    }


def shared_addresses(mine: Clauses, theirs: Clauses) -> list[Address]:
    """Return the addresses that are in both, in the order of *mine*."""
    return [key for key in mine if key in theirs]


def all_addresses(mine: Clauses, theirs: Clauses) -> list[Address]:
    """Return all addresses, those of *mine* in their order.

    Each other address comes after its predecessor in *theirs*.
    """
    order = list(mine)
    last: Address | None = None
    for key in theirs:
        if key not in mine:
            order.insert(0 if last is None else order.index(last) + 1, key)
        last = key
    return order
