"""Clauses shared by two games exist only once: no two large clauses are equal.
Scenarios and texts are exempt: two scenarios may differ only in names, and the texts
of two languages usually do.
"""

from typing import Any

import attrs

import variants
from rulebook.parse import parse
from rulebook.source.spans import Cite, Span
from rulebook.syntax import Name, ScenarioClause, WordsClause

MOST = 12


def shape(node: Any, names: dict[str, int]) -> tuple[Any, int]:
    """Return a tree with its names replaced by numbers, and its number of nodes."""
    if isinstance(node, Span | Cite):
        return None, 0
    if isinstance(node, str):
        return names.setdefault(node, len(names)), 0
    if isinstance(node, tuple | list):
        shapes = [shape(part, names) for part in node]
        return tuple(part for part, _ in shapes), sum(number for _, number in shapes)
    if isinstance(node, Name):
        return names.setdefault(node.text, len(names)), 1
    if attrs.has(type(node)):
        fields = [
            f.name for f in attrs.fields(type(node)) if f.name not in ("span", "cites")
        ]
        shapes = [shape(getattr(node, field), names) for field in fields]
        parts = tuple(part for part, _ in shapes)
        return (type(node).__name__, parts), 1 + sum(number for _, number in shapes)
    return node, 0


def test_no_large_clause_is_duplicated() -> None:
    folder = variants.path("common").parent.parent
    seen: dict[Any, str] = {}
    twice = []
    for path in sorted(folder.glob("*/*.rules")):
        file = parse(path.read_text(encoding="utf-8"), path.name).file
        assert file is not None
        rules = [
            clause
            for clause in file.clauses
            if not isinstance(clause, ScenarioClause | WordsClause)
        ]
        for clause in rules:
            tree, size = shape(clause, {})
            where = f"{path.name}:{clause.span.line}"
            if size > MOST and tree in seen:
                twice.append((seen[tree], where))
            seen.setdefault(tree, where)
    assert not twice
