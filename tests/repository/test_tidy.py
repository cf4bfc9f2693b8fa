"""The repository itself: sizes, documentation, front doors."""

import ast
import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLOORS = ("variants", "rulebook", "interpreter", "workbench")
FOLDERS = (*FLOORS, "tests", "benchmarks")
FUNCTION_LINES = 70
LINE_LENGTH = 88
SHOWN = sorted((ROOT / "examples").glob("*/*.rules"))
TINY = sorted((ROOT / "examples" / "tiny").glob("*.rules"))
TINY_LINES = 60

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*folders: str) -> list[Path]:
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(paths)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def public(body: list[ast.stmt]) -> Iterator[Function]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from public(node.body)
        elif isinstance(node, Function) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("path", modules(*FOLDERS), ids=relative)
def test_sizes(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()

    assert [n for n, line in enumerate(lines, 1) if len(line) > LINE_LENGTH] == []
    assert [
        node.name
        for node in ast.walk(parsed(path))
        if isinstance(node, Function)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ] == []


@pytest.mark.parametrize("path", modules(*FOLDERS), ids=relative)
def test_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(parsed(path))


@pytest.mark.parametrize("path", TINY, ids=relative)
def test_a_tiny_game_is_tiny(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < TINY_LINES


@pytest.mark.parametrize("folder", sorted({path.parent.name for path in SHOWN}))
def test_every_folder_of_examples_is_packed(folder: str) -> None:
    packed = (ROOT / "setup.py").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    files = project["tool"]["setuptools"]["package-data"]

    assert f'"workbench.shown.{folder}": "examples/{folder}"' in packed
    assert files[f"workbench.shown.{folder}"] == ["*.rules"]


@pytest.mark.parametrize("path", modules(*FLOORS), ids=relative)
def test_public_functions_are_documented(path: Path) -> None:
    silent = [
        node.name for node in public(parsed(path).body) if not ast.get_docstring(node)
    ]

    assert silent == []


def rank(name: str) -> tuple[bool, bool, str]:
    """The order of a list of names: constants, classes, functions."""
    return (not name.isupper(), not name[0].isupper(), name)


@pytest.mark.parametrize("floor", FLOORS)
def test_front_door_is_a_sorted_list(floor: str) -> None:
    door = importlib.import_module(floor)

    assert list(door.__all__) == sorted(set(door.__all__), key=rank)
    assert [name for name in door.__all__ if not hasattr(door, name)] == []


def test_variants_is_data() -> None:
    code = modules("variants")

    assert [relative(path) for path in code] == ["variants/__init__.py"]
    assert len(code[0].read_text(encoding="utf-8").splitlines()) < 30
