"""The long checks: `.ci/deep` runs every test that has a long form, under one name."""

import ast
import shlex
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
TABLE = ROOT / ".ci" / "deep"
LONG = "--deep"
OWN = TESTS / "conftest.py"
"""Where the fixture `deep` itself stands, and is asked for by no test."""


@cache
def checks() -> list[tuple[str, int, list[str]]]:
    """The lines of the table: a name, about how many minutes, a command."""
    done = subprocess.run([TABLE], capture_output=True, text=True, check=True)
    lines = (line.split(maxsplit=2) for line in done.stdout.splitlines())
    return [(name, int(minutes), shlex.split(words)) for name, minutes, words in lines]


def asks_for_it(path: Path) -> bool:
    """Whether a test or a fixture of a file has a long form."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(
        isinstance(node, ast.FunctionDef)
        and "deep" in {x.arg for x in (*node.args.args, *node.args.kwonlyargs)}
        for node in ast.walk(tree)
    )


@cache
def with_a_long_form() -> list[Path]:
    """The files of which a test has a long form; the folder, where its fixture has."""
    paths = [*TESTS.rglob("test_*.py"), *TESTS.rglob("conftest.py")]
    asked = (path for path in sorted(paths) if path != OWN and asks_for_it(path))
    return [path.parent if path.name == "conftest.py" else path for path in asked]


def long_runs() -> Iterator[Path]:
    """The files and folders whose long tests the table runs."""
    for _, _, words in checks():
        if LONG in words:
            yield from (ROOT / word for word in words if word.startswith("tests/"))


def test_every_long_test_stands_in_the_table() -> None:
    runs = set(long_runs())

    files = with_a_long_form()
    assert len(files) > 20
    assert [
        str(path.relative_to(ROOT))
        for path in files
        if not runs & {path, *path.parents}
    ] == []


def test_what_the_table_runs_is_there_and_has_a_long_form() -> None:
    files = with_a_long_form()

    assert [
        str(path.relative_to(ROOT))
        for path in long_runs()
        if not any(path in {file, *file.parents} for file in files)
    ] == []


def test_each_long_check_has_a_name_of_its_own() -> None:
    names = [name for name, _, _ in checks()]

    assert sorted(names) == sorted(set(names))
    assert "all" not in names


def test_a_long_check_says_how_long_it_takes() -> None:
    assert [name for name, minutes, _ in checks() if not 0 < minutes <= 90] == []
