"""The rooms of each floor: layers, no import cycle, and the list in ARCHITECTURE.md.

import-linter checks the layers. `python tests/repository/test_rooms.py` writes the list
of rooms into ARCHITECTURE.md.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx

ROOT = Path(__file__).parents[2]
FLOORS = ("workbench", "interpreter", "rulebook")
PAGE = ROOT / "ARCHITECTURE.md"
PICTURE = re.compile(
    r"(?<=<!-- rooms: made by tests/repository/test_rooms.py -->\n).*?(?=<!-- end)",
    re.DOTALL,
)
MODULES_MAX = 15
"""Maximum number of modules in a room."""


def files() -> dict[str, Path]:
    """Return the modules of the floors, by name."""
    paths = {}
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = parts[:-1] if parts[-1] == "__init__" else parts
            paths[".".join(name)] = path
    return paths


FILES = files()
PACKAGES = [name for name, path in FILES.items() if path.name == "__init__.py"]


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a module imports, anywhere in it and for any use."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in FILES else node.module


def arrows() -> nx.DiGraph[str]:
    """Return the modules, and which modules each imports."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(FILES)
    for name, path in FILES.items():
        graph.add_edges_from(
            (name, other)
            for other in imported(path)
            if other in FILES and other != name
        )
    return graph


def layers() -> dict[str, list[list[str]]]:
    """Return the rooms of each package that has some, from the top to the bottom."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms_by_package: dict[str, list[list[str]]] = {}
    for contract in settings["tool"]["importlinter"]["contracts"]:
        for container in contract.get("containers", ()):
            assert contract["exhaustive"], container
            rooms_by_package[container] = [
                [room.strip() for room in layer.split("|")]
                for layer in contract["layers"]
            ]
    return rooms_by_package


def children(package: str) -> list[str]:
    """Return the modules and packages directly inside a package."""
    depth = package.count(".") + 1
    return [
        name
        for name in FILES
        if name.startswith(f"{package}.") and name.count(".") == depth
    ]


def test_no_module_imports_itself_through_others() -> None:
    """There is no import cycle, counting imports in functions and those for types.

    Imports under `TYPE_CHECKING` count, so none of them can hide a cycle.
    """
    cycles = [
        sorted(component)
        for component in nx.strongly_connected_components(arrows())
        if len(component) > 1
    ]
    assert cycles == []


def test_every_package_with_rooms_has_a_contract() -> None:
    """Each package that contains packages has an exhaustive layers contract."""
    with_rooms = {
        package
        for package in PACKAGES
        if any(child in PACKAGES for child in children(package))
    }
    assert with_rooms - layers().keys() == set()


def test_no_room_has_more_than_fifteen_modules() -> None:
    """A room with more modules contains several ideas."""
    counts = {
        package: len([name for name in children(package) if name not in PACKAGES])
        for package in PACKAGES
    }

    assert {
        package: count for package, count in counts.items() if count > MODULES_MAX
    } == {}


def first_sentence(name: str) -> str:
    """Return the first sentence of a module's docstring."""
    said = ast.get_docstring(ast.parse(FILES[name].read_text(encoding="utf-8")))
    assert said is not None, name
    return said.split("\n\n")[0].replace("\n", " ").removesuffix(".")


def rooms(
    package: str, layers_of: dict[str, list[list[str]]], depth: int
) -> Iterator[str]:
    """Yield a line for each room of a package, and for the folders inside it."""
    for layer in layers_of[package]:
        for name in layer:
            inner = f"{package}.{name}"
            if depth > 1 and inner not in PACKAGES:
                continue
            title = f"{'  ' * depth}{name}{'/' if inner in PACKAGES else ''}"
            yield f"{title:<18} {first_sentence(inner)}"
            if inner in layers_of:
                yield from rooms(inner, layers_of, depth + 1)


def picture() -> str:
    """Return the floors with their rooms, as text."""
    layers_of: dict[str, Any] = layers()
    lines = []
    for floor in FLOORS:
        lines += [f"{floor}/", *rooms(floor, layers_of, 1), ""]
    return "\n".join(["```text", *lines[:-1], "```", ""])


def test_the_architecture_lists_the_rooms_in_order() -> None:
    """ARCHITECTURE.md lists the rooms of the contracts with their first sentences."""
    match = PICTURE.search(PAGE.read_text(encoding="utf-8"))
    assert match is not None
    assert match[0] == picture()


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PICTURE.sub(lambda _: picture(), text), encoding="utf-8")
