"""What tests import is installed by the extra `[dev]`, and not by chance."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = {"rulebook", "interpreter", "workbench", "variants", "tests", "benchmarks"} | {
    "editors"
}
ASKS = {"importorskip", "find_spec"}
NAME = re.compile(r"[A-Za-z0-9._-]+")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def normal(name: str) -> str:
    """The name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(extra: str) -> Iterator[str]:
    """What an extra installs by name, with what the package itself needs."""
    needs = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]
    for need in needs:
        if need.startswith(f"{PROJECT['name']}["):
            for other in need.partition("[")[2].rstrip("]").split(","):
                yield from installed(other)
        else:
            (name, *_) = NAME.findall(need)
            yield normal(name)


def imported(path: Path) -> Iterator[str]:
    """The modules that a test imports, also those without which it is skipped."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
            ASKS
        ):
            yield from (str(x.value) for x in node.args if isinstance(x, ast.Constant))


def test_what_tests_import_is_installed_with_dev() -> None:
    known, there = set(installed("dev")), packages_distributions()
    missing: dict[str, str] = {}
    seen = set()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for module in imported(path):
            name = module.partition(".")[0]
            if name in OURS or name in sys.stdlib_module_names:
                continue
            seen.add(name)
            if not known & set(map(normal, there.get(name, [name]))):
                missing[name] = str(path.relative_to(ROOT))

    assert {"pytest", "hypothesis", "numpy"} <= seen
    assert missing == {}
