"""Queries for theme files and for hints about the look of a thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.model.predefined_looks import PARTS


def is_theme(file: s.File) -> bool:
    """Return whether a file is a theme."""
    return file.header is not None and file.header.sort is s.FileSort.THEME


def hints_of(clauses: Mapping[Address, s.Clause]) -> Iterator[s.HintClause]:
    """Yield the hints among the clauses."""
    return (clause for clause in clauses.values() if isinstance(clause, s.HintClause))


def look_addresses(clauses: Mapping[Address, s.Clause], name: str) -> list[Address]:
    """Return the addresses of all hints about the look of a named thing."""
    return [
        key
        for key, clause in clauses.items()
        if isinstance(clause, s.HintClause) and hint_subject(clause).text == name
    ]


def hint_subject(hint: s.HintClause) -> s.Name:
    """Return the name of the thing, or part of a picture, that a hint describes."""
    return hint.word if hint.word.text in PARTS else hint.name
