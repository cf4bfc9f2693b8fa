"""Differences between two rulebooks by clause, and rulebooks with some of them.

A rulebook with a single change shows what this change does.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any

import attrs

from rulebook import Address, Rulebook, recheck
from rulebook.tooling import Placed, lines_of

HEADER, ORDER = "header", "order"
"""Names of changes outside clauses: in the header, and in the order of clauses."""

OF_HEADER = ("players", "seats", "turns", "rounds", "teams")
"""Names of the header fields that affect games."""

NO_RULES = frozenset({"scenario", "invariant", "hint", "colour", "drawing"})
"""Sorts of clauses that affect no game."""

CITES = re.compile(r"(\s+\[[^\[\]]*\])+$")
"""Pattern for the citations at the end of a line."""

BOOKS_MAX = 256
"""Maximum number of cached rulebooks with some of the changes."""

Clauses = dict[Address, Any]
Names = tuple[str, ...]
Lines = tuple[Placed, ...]


class RuleChanges:
    """Differences between two rulebooks; `names` are the changed clauses' addresses."""

    def __init__(self, before: Rulebook, after: Rulebook) -> None:
        self.before, self.after = before, after
        self._mine, self._theirs = rules_of(before), rules_of(after)
        self.names: Names = tuple(self._named())
        self._books: dict[frozenset[str], Rulebook | None] = {}

    def _named(self) -> Iterator[str]:
        """Yield the addresses of changed clauses, and names of other changes."""
        heads = self.before.merged.header, self.after.merged.header
        if any(
            getattr(heads[0], name) != getattr(heads[1], name) for name in OF_HEADER
        ):
            yield HEADER
        mine, theirs = self._mine, self._theirs
        for key in laid_together(mine, theirs):
            apart = mine.get(key) != theirs.get(key)
            if apart and self._lines(self.before, key) != self._lines(self.after, key):
                yield str(key)
        if shared(mine, theirs) != shared(theirs, mine):
            yield ORDER

    def lines(self, name: str) -> tuple[Lines, Lines]:
        """Return the removed and the added lines of a clause."""
        old, new = self._placed(self.before, name), self._placed(self.after, name)
        return missing(old, new), missing(new, old)

    def _placed(self, book: Rulebook, name: str) -> Lines:
        info = book.clauses.get(name)
        return () if info is None else tuple(map(uncited, lines_of(info)))

    def _lines(self, book: Rulebook, key: Address) -> list[str]:
        return [line.text for line in self._placed(book, str(key))]

    def place(self, name: str) -> tuple[str, int] | None:
        """Return the file and line of a change, or None if it has no changed line.

        It is the first added line or, if there is none, the first removed one.
        """
        if name == HEADER:
            span = self.after.merged.header.span
            return span.file, span.line
        gone, new = self.lines(name)
        return next(((line.file, line.line) for line in (*new, *gone)), None)

    def book(self, names: Collection[str]) -> Rulebook | None:
        """Return the old rules with these changes, or None if they have errors."""
        key = frozenset(names)
        if key not in self._books:
            if len(self._books) >= BOOKS_MAX:
                self._books.pop(next(iter(self._books)))
            self._books[key] = self._made(key)
        return self._books[key]

    def _made(self, names: frozenset[str]) -> Rulebook | None:
        mine, theirs = self._mine, self._theirs
        first, then = (theirs, mine) if ORDER in names else (mine, theirs)
        clauses: Clauses = {}
        for key in laid_together(first, then):
            of = theirs if str(key) in names else mine
            if key in of:
                clauses[key] = of[key]
        head, other = self.before.merged.header, self.after.merged.header
        if HEADER in names:
            said = {name: getattr(other, name) for name in OF_HEADER}
            head = attrs.evolve(head, **said)
        book, _ = recheck(self.after if names else self.before, clauses, head)
        return book


def missing(lines: Lines, there: Lines) -> Lines:
    """Return the lines whose text does not occur in *there*."""
    texts = {line.text for line in there}
    return tuple(line for line in lines if line.text not in texts)


def uncited(line: Placed) -> Placed:
    """Return a line without its citations, indentation and alignment."""
    return attrs.evolve(line, text=" ".join(CITES.sub("", line.text).split()))


def rules_of(book: Rulebook) -> Clauses:
    """Return the clauses of a book that affect games, by address."""
    return {
        key: clause
        for key, clause in book.merged.clauses.items()
        if key.sort not in NO_RULES
    }


def shared(mine: Clauses, theirs: Clauses) -> list[Address]:
    """Return the addresses that are in both, in the order of *mine*."""
    return [key for key in mine if key in theirs]


def laid_together(mine: Clauses, theirs: Clauses) -> list[Address]:
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
