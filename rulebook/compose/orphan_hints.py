"""Removal of hints about things that amendments removed."""

from __future__ import annotations

from collections.abc import Iterable

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.model.predefined_looks import PARTS
from rulebook.traversal import find

LOOK_CLAUSES = (s.HintClause, s.ColourClause, s.DrawingClause)
"""Classes of clauses that only describe how components are drawn."""


def without_orphan_hints(
    files: tuple[s.File, ...], header: s.Header, clauses: dict[Address, s.Clause]
) -> dict[Address, s.Clause]:
    """Return the clauses without the hints about things that amendments removed.

    The name of such a thing occurs in one of the files, but not in the merged rules. A
    hint about a name that no file mentions is misspelt, and is kept to be reported.
    """
    subjects = {
        key: clause.name.text
        for key, clause in clauses.items()
        if isinstance(clause, s.HintClause) and clause.word.text not in PARTS
    }
    if not subjects or not any(_may_remove_names(file) for file in files):
        return clauses
    names = set(subjects.values())
    missing = names - _names_outside_looks(names, (header, *clauses.values()))
    original = (part for file in files for part in (file.header, *file.clauses))
    removed = _names_outside_looks(missing, original)
    return {
        key: clause
        for key, clause in clauses.items()
        if subjects.get(key) not in removed
    }


def _may_remove_names(file: s.File) -> bool:
    """Return whether a file amends clauses or seats, and so may remove names."""
    amendments = any(isinstance(clause, s.Amendment) for clause in file.clauses)
    return amendments or bool(file.header and file.header.seats)


def _names_outside_looks(names: set[str], parts: Iterable[s.Node | None]) -> set[str]:
    """Return the given names that occur in parts other than clauses about looks."""
    missing = set(names)
    for part in parts:
        if not missing:
            break
        if not isinstance(part, LOOK_CLAUSES):
            missing.difference_update(name.text for name in find(part, s.Name))
    return names - missing
