"""Check, when a module is imported, that its table has an entry for every class."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.kernel import operations as k


class IncompleteTable(Exception):
    """Raised for a table whose entries are not exactly those for the given classes."""


def concrete(sort: type[k.Operation]) -> set[type]:
    """Return the operations of a sort, without those that are sorts themselves."""
    classes = {x for x in vars(k).values() if isinstance(x, type)}
    below = {x for x in classes if issubclass(x, sort)}
    return below - {base for x in below for base in x.__bases__}


def check_complete(
    table: str, entries: Iterable[type], classes: Iterable[type]
) -> None:
    """Raise `IncompleteTable` unless the entries are exactly those for the classes."""
    have, need = set(entries), set(classes)
    for what, wrong in (("lacks", need - have), ("must not have", have - need)):
        if wrong:
            names = ", ".join(sorted([x.__name__ for x in wrong]))
            raise IncompleteTable(f"{table} {what} an entry for {names}")
