"""A name that begins with `_` is its module's own: nobody else, no test, reaches it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("variants", "rulebook", "interpreter", "workbench", "tests", "benchmarks")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
PROMISED = {"_asdict", "_exit", "_fields", "_make", "_replace"}
"""Names that Python's own documentation promises: of named tuples, and `os._exit`."""
UNSHOWN = {("workbench/cli/frame/arguments.py", "_actions")}
"""What a library shows nowhere else, behind one function of ours."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PROMISED


def own_names(tree: ast.Module) -> set[str]:
    """Return what a module defines: functions, classes, variables, fields."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and is_own(node.value):
            names.add(node.attr)
    return names


def is_own(base: ast.expr) -> bool:
    return isinstance(base, ast.Name) and base.id in {"self", "cls"}


def reached(text: str) -> Iterator[str]:
    """Yield the private names of others that a module reaches for."""
    tree = ast.parse(text)
    own = own_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (name.name for name in node.names if is_private(name.name))
            continue
        if not isinstance(node, ast.Attribute) or is_own(node.value):
            continue
        if is_private(node.attr) and node.attr not in own:
            yield node.attr


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_reaches_the_private_names_of_another(path: Path) -> None:
    file = path.relative_to(ROOT).as_posix()
    names = set(reached(path.read_text(encoding="utf-8")))

    assert names == {name for place, name in UNSHOWN if place == file}


def test_what_is_allowed_is_of_files_that_there_are() -> None:
    assert {ROOT / file for file, _ in UNSHOWN} <= set(FILES)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from a import _b", ["_b"]),
        ("import a\na._b()", ["_b"]),
        ("def f(a):\n    return a.c._b", ["_b"]),
        ("def f(a):\n    a._b = 1", ["_b"]),
        ("import os\nos._exit(1)", []),
        ("from __future__ import annotations", []),
        ("class A:\n    def _b(self): pass\n    def c(self, a): a._b()", []),
        ("class A:\n    def c(self): self._b = 1", []),
    ],
)
def test_what_counts_as_reached(text: str, names: list[str]) -> None:
    assert list(reached(text)) == names
