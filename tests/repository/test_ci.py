"""The scripts of `.ci`: the table of long checks, and the last line of a run."""

import ast
import shlex
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.processes import run_process

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
TABLE = ROOT / ".ci" / "deep"
TALLY = ROOT / ".ci" / "tally.py"
LONG = "--deep"
DEFINES_DEEP = TESTS / "conftest.py"
"""The file that defines the fixture `deep`; no test there uses it."""

MINUTES_MAX = 90


@cache
def checks() -> list[tuple[str, int, list[str]]]:
    """Return the rows of the table: a name, an estimate in minutes, a command."""
    done = run_process([TABLE], check=True)
    lines = (line.split(maxsplit=2) for line in done.stdout.splitlines())
    return [(name, int(minutes), shlex.split(words)) for name, minutes, words in lines]


def uses_deep(path: Path) -> bool:
    """Return whether a test or a fixture of a file has a long form."""
    text = path.read_text(encoding="utf-8")
    return "deep" in text and any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and "deep" in {x.arg for x in (*node.args.args, *node.args.kwonlyargs)}
        for node in ast.walk(ast.parse(text))
    )


@cache
def with_a_long_form() -> list[Path]:
    """Return the test files with a long form; for a fixture, its folder."""
    paths = sorted([*TESTS.rglob("test_*.py"), *TESTS.rglob("conftest.py")])
    users = (path for path in paths if path != DEFINES_DEEP and uses_deep(path))
    return [path.parent if path.name == "conftest.py" else path for path in users]


def long_runs() -> Iterator[Path]:
    """Yield the files and folders whose long tests the table runs."""
    for _, _, words in checks():
        if LONG in words:
            yield from (ROOT / word for word in words if word.startswith("tests/"))


def test_the_table_runs_every_test_with_a_long_form() -> None:
    """No test that uses the fixture `deep` is missing from `.ci/deep`."""
    runs = set(long_runs())
    files = with_a_long_form()

    assert len(files) > 20
    assert [
        str(path.relative_to(ROOT))
        for path in files
        if not runs & {path, *path.parents}
    ] == []


def test_the_table_runs_only_tests_with_a_long_form() -> None:
    """Each path in `.ci/deep` exists and contains a test that uses `deep`."""
    files = with_a_long_form()

    assert [
        str(path.relative_to(ROOT))
        for path in long_runs()
        if not any(path in {file, *file.parents} for file in files)
    ] == []


def test_each_long_check_has_a_unique_name_and_an_estimate() -> None:
    """Names differ, none is `all`, and each check is said to take up to 90 minutes."""
    names = [name for name, _, _ in checks()]

    assert sorted(names) == sorted(set(names))
    assert "all" not in names
    assert [
        name for name, minutes, _ in checks() if not 0 < minutes <= MINUTES_MAX
    ] == []


SUITE = (
    '<testsuites><testsuite tests="{}" failures="{}" errors="{}" skipped="{}"/>'
    "</testsuites>"
)
TALLIES = [
    ((5, 0, 0, 1), "0", "4 passed, 0 failed", 0),
    ((5, 1, 1, 0), "1", "3 passed, 2 failed", 1),
    ((0, 0, 0, 0), "0", "0 passed, 1 failed", 1),
    ((5, 0, 0, 0), "2", "5 passed, 1 failed", 1),
]
"""Counts in the JUnit file, exit status of pytest, last line, exit status."""


def test_the_last_line_counts_what_passed_and_failed(tmp_path: Path) -> None:
    """`.ci/tally.py` reports failures, a run without tests, and a crash of pytest."""
    for counts, status, line, code in TALLIES:
        junit = tmp_path / "junit.xml"
        junit.write_text(SUITE.format(*counts))

        done = run_process([sys.executable, str(TALLY), str(junit), status])

        assert (done.stdout.strip(), done.returncode) == (line, code), counts
