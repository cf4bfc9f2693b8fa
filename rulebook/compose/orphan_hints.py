"""Hints of what was taken away go with it: nobody has to remove them by hand."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.model.looks import PARTS
from rulebook.traversal import find

LOOKS = (s.HintClause, s.ColourClause, s.DrawingClause)
"""Clauses that speak of things only as they are drawn."""


def without_stale_hints(
    files: tuple[s.File, ...], header: s.Header, clauses: dict[Address, s.Clause]
) -> dict[Address, s.Clause]:
    """Return the clauses without the hints of names that amendments made vanish.

    Such a name is written somewhere in the files and nowhere in what they merge to.
    One that no file ever speaks of is misspelt, and stays to be reported.
    """
    of_things = {
        key: clause.name.text
        for key, clause in clauses.items()
        if isinstance(clause, s.HintClause) and clause.word.text not in PARTS
    }
    if not of_things or not any(_amends(file) for file in files):
        return clauses
    names = set(of_things.values())
    vanished = names - _among(names, (header, *clauses.values()))
    written = (part for file in files for part in (file.header, *file.clauses))
    gone = _among(vanished, written)
    return {
        key: clause for key, clause in clauses.items() if of_things.get(key) not in gone
    }


def _amends(file: s.File) -> bool:
    """Whether a file may take something away: clauses, or seats."""
    amendments = any(isinstance(clause, s.Amendment) for clause in file.clauses)
    return amendments or bool(file.header and file.header.seats)


def _among(names: set[str], parts: Iterable[s.Node | None]) -> set[str]:
    """Those of some names that are written outside of looks."""
    open_ = set(names)
    for part in parts:
        if not open_:
            break
        if not isinstance(part, LOOKS):
            open_.difference_update(name.text for name in find(part, s.Name))
    return names - open_
