"""Checks, made at import, that a table has an entry for every class."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any


class IncompleteTable(Exception):
    """Raised if the entries of a table are not exactly the required entries."""


def concrete_classes(base: type, module: ModuleType) -> set[type[Any]]:
    """Return the subclasses of *base* in a module that have no subclasses there."""
    classes = {x for x in vars(module).values() if isinstance(x, type)}
    below = {x for x in classes if issubclass(x, base)}
    return below - {parent for x in below for parent in x.__bases__}


def check_complete(table: str, entries: Iterable[Any], required: Iterable[Any]) -> None:
    """Raise `IncompleteTable` unless a table has exactly the required entries.

    The entries may be classes, members of an enumeration, or names.
    """
    have, need = set(entries), set(required)
    for what, wrong in (("lacks", need - have), ("must not have", have - need)):
        if wrong:
            names = ", ".join(sorted([getattr(x, "__name__", repr(x)) for x in wrong]))
            raise IncompleteTable(f"{table} {what} an entry for {names}")
