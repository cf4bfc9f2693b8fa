"""The meaning of a statement is in few places: its signature, lowering and sentences.

Elsewhere code asks `effects_of` instead of testing for classes of statements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from rulebook import model as m

ROOT = Path(__file__).parents[2]
FLOORS = ("rulebook", "interpreter", "workbench")
STATEMENTS = {kind.__name__ for kind in get_args(m.Stmt)}

PLACES = (
    "rulebook/model",
    "rulebook/signatures",
    "interpreter/lowering",
    "interpreter/explain",
    "workbench/presentation",
)
"""Folders that may test for classes of statements: signatures, lowering, visitors."""

EXCEPTIONS = {
    "rulebook/check/typing/arithmetic_checks.py": "it changes what it has just made",
    "rulebook/check/analysis/presence.py": "the name of a loop is a member",
    "rulebook/check/analysis/work_breakdown.py": "words and help for each class",
    "rulebook/digests/canonical.py": "tags of renamed classes",
}
"""Further files that may, with the reason."""


def classes_in(tree: ast.AST) -> Iterator[str]:
    """Yield the classes of statements that code tests for, not those that it makes."""
    made = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            made.add(id(node.func))
            if getattr(node.func, "attr", "") == "make_node":
                made |= {id(part) for part in node.args}
        for name in ("annotation", "returns"):
            given = getattr(node, name, None)
            if given is not None:
                made |= {id(part) for part in ast.walk(given)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "m"
            and node.attr in STATEMENTS
            and id(node) not in made
        ):
            yield node.attr


def test_only_signatures_lowering_and_visitors_test_for_classes_of_statements() -> None:
    by_file = {}
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(PLACES):
                classes = sorted(set(classes_in(ast.parse(path.read_text("utf-8")))))
                if classes:
                    by_file[name] = classes

    assert by_file.keys() == EXCEPTIONS.keys(), by_file


def test_a_test_for_a_class_is_found_and_a_construction_is_not() -> None:
    text = """
def change(node: m.Ask) -> m.Choose:
    if isinstance(node, m.Gather): return m.Reveal(node)
    match node:
        case m.Spread(): pass
"""
    assert sorted(classes_in(ast.parse(text))) == ["Gather", "Spread"]
