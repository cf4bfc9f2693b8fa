"""What gets installed: front doors, data of the wheel, packages that tests need."""

import ast
import importlib
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = SETTINGS["project"]
FLOORS = ("variants", "rulebook", "interpreter", "workbench")
OURS = {*FLOORS, "tests", "benchmarks", "editors"}
IMPORTERS = {"importorskip", "find_spec"}
"""Functions that import the module which their first argument names."""

NAME = re.compile(r"[A-Za-z0-9._-]+")


def test_front_doors_export_names_that_exist() -> None:
    """Each name in the `__all__` of a floor exists and is listed once.

    ruff (RUF022) keeps the lists in order.
    """
    problems = []
    for floor in FLOORS:
        door = importlib.import_module(floor)
        missing = [name for name in door.__all__ if not hasattr(door, name)]
        twice = [name for name, count in Counter(door.__all__).items() if count > 1]
        problems += [f"{floor}.{name} does not exist" for name in missing]
        problems += [f"{floor}.{name} is listed twice" for name in twice]

    assert problems == []


def test_variants_holds_rule_files_and_one_module() -> None:
    """The lowest floor is data: its only Python file is `__init__.py`."""
    code = [path.relative_to(ROOT) for path in (ROOT / "variants").rglob("*.py")]

    assert code == [Path("variants/__init__.py")]


def test_every_folder_of_examples_is_in_the_wheel() -> None:
    """Each folder below `examples/` that has rule files is packed as package data."""
    packed = (ROOT / "setup.py").read_text(encoding="utf-8")
    files = SETTINGS["tool"]["setuptools"]["package-data"]
    folders = {path.parent.name for path in (ROOT / "examples").glob("*/*.rules")}

    assert len(folders) > 2
    assert [
        folder
        for folder in sorted(folders)
        if f'"workbench.shown.{folder}": "examples/{folder}"' not in packed
        or files.get(f"workbench.shown.{folder}") != ["*.rules"]
    ] == []


def normal(name: str) -> str:
    """Return the name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(extra: str) -> Iterator[str]:
    """Yield the distributions that an extra installs, those of the package included."""
    needs = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]
    for need in needs:
        if need.startswith(f"{PROJECT['name']}["):
            for other in need.partition("[")[2].rstrip("]").split(","):
                yield from installed(other)
        else:
            (name, *_) = NAME.findall(need)
            yield normal(name)


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a test imports, or is skipped without."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call):
            function = ast.unparse(node.func).split(".")[-1]
            if function in IMPORTERS:
                arguments = (x for x in node.args if isinstance(x, ast.Constant))
                yield from (str(argument.value) for argument in arguments)


def test_the_extra_dev_installs_all_that_tests_import() -> None:
    """No test depends on a package that is only installed by chance."""
    known, distributions = set(installed("dev")), packages_distributions()
    missing: dict[str, str] = {}
    seen = set()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for module in imported(path):
            name = module.partition(".")[0]
            if name in OURS or name in sys.stdlib_module_names:
                continue
            seen.add(name)
            if not known & set(map(normal, distributions.get(name, [name]))):
                missing[name] = str(path.relative_to(ROOT))

    assert {"pytest", "hypothesis", "numpy"} <= seen
    assert missing == {}
