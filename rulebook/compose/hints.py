"""Hints of what was taken away go with it: nobody has to remove them by hand."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook import syntax as s
from rulebook.walk import find


def without_stale_hints(
    files: tuple[s.File, ...], header: s.Header, clauses: dict[str, s.Clause]
) -> dict[str, s.Clause]:
    """Return the clauses without the hints of names that amendments made vanish.

    Such a name is written somewhere in the files and nowhere in what they merge to.
    One that no file ever speaks of is misspelt, and stays to be reported.
    """
    hints = [one for one in clauses.values() if isinstance(one, s.HintClause)]
    if not hints or not any(_amends(file) for file in files):
        return clauses
    names = {one.name.text for one in hints}
    vanished = names - _among(names, (header, *clauses.values()))
    written = (part for file in files for part in (file.header, *file.clauses))
    gone = _among(vanished, written)
    return {
        key: clause
        for key, clause in clauses.items()
        if not (isinstance(clause, s.HintClause) and clause.name.text in gone)
    }


def _amends(file: s.File) -> bool:
    """Whether a file may take something away: clauses, or seats."""
    amendments = any(isinstance(one, s.Amendment) for one in file.clauses)
    return amendments or bool(file.header and file.header.seats)


def _among(names: set[str], parts: Iterable[s.Node | None]) -> set[str]:
    """Those of some names that are written outside of hints."""
    open_ = set(names)
    for part in parts:
        if not open_:
            break
        if not isinstance(part, s.HintClause):
            open_.difference_update(name.text for name in find(part, s.Name))
    return names - open_
