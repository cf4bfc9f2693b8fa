"""Themes, and hints about looks grouped by the thing they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.model.looks import PARTS


def is_theme(file: s.File) -> bool:
    """Return whether a file is a theme."""
    return file.header is not None and file.header.sort is s.FileSort.THEME


def hints_of(clauses: Mapping[Address, s.Clause]) -> Iterator[s.HintClause]:
    """Yield the hints among clauses."""
    return (clause for clause in clauses.values() if isinstance(clause, s.HintClause))


def in_row(clauses: Mapping[Address, s.Clause], name: str) -> list[Address]:
    """Return the addresses of all hints about the look of a named thing."""
    return [
        key
        for key, clause in clauses.items()
        if isinstance(clause, s.HintClause) and thing(clause).text == name
    ]


def thing(hint: s.HintClause) -> s.Name:
    """Return the name that a hint is about; in a style, a part of the picture."""
    return hint.word if hint.word.text in PARTS else hint.name
