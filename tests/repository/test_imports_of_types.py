"""Nothing of ours is imported for its type alone: what needs a name may import it.

Such an import hides a circle between modules. Those of libraries save their loading.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = {"variants", "rulebook", "interpreter", "workbench"}
FILES = sorted(path for folder in OURS for path in (ROOT / folder).rglob("*.py"))
LATE = {"workbench/__init__.py"}
"""Where names are loaded when they are first asked for: the types tell which."""


def of_ours(text: str) -> Iterator[str]:
    """Yield the modules of ours that a module imports for their types alone."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.If) or "TYPE_CHECKING" not in ast.unparse(
            node.test
        ):
            continue
        for line in node.body:
            if isinstance(line, ast.ImportFrom):
                modules = [line.module or "."]
            elif isinstance(line, ast.Import):
                modules = [name.name for name in line.names]
            else:
                continue
            yield from (name for name in modules if name.split(".")[0] in {*OURS, ""})


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_of_ours_is_imported_for_its_type_alone(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    modules = list(of_ours(path.read_text(encoding="utf-8")))

    assert bool(modules) is (name in LATE), modules


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from interpreter.game import Game", ["interpreter.game"]),
        ("import rulebook.model", ["rulebook.model"]),
        ("from . import near", ["."]),
        ("import networkx", []),
    ],
)
def test_such_imports_are_seen(line: str, expected: list[str]) -> None:
    assert list(of_ours(f"if TYPE_CHECKING:\n    {line}")) == expected
    assert not list(of_ours(line))
