"""The page on extending the language: each of its patches adds what the page claims.

Each patch is applied to a copy of the code. There the tests of the language pass, and
the game of the patch is checked, tested and played by both engines.

`python tests/repository/test_extending.py` writes today's summaries into the page. If a
patch no longer applies, make its change by hand in a clean checkout. Then run `git add
-A && git diff -U1 --cached > tests/repository/extending/NAME.patch`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import attrs
import pytest

from tests.support.processes import run_process

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "extend-the-language.md"
PATCHES = Path(__file__).with_name("extending")
FLOORS = ("rulebook", "interpreter", "workbench")
COPIED = (
    *(*FLOORS, "variants", "docs/language", "examples/tiny", "pyproject.toml"),
    *("tests/language", "tests/native", "tests/printing", "tests/repository"),
    *("tests/support",),
    *("tests/conftest.py", "tests/rulebook/test_parse.py"),
    "tests/rulebook/test_write.py",
)
"""Files and folders that a copy contains."""

SUMMARY = re.compile(
    r"(<!-- (\w+): made by tests/repository/test_extending.py -->\n)"
    r".*?(?=<!-- end -->)",
    re.DOTALL,
)
SHOWN = re.compile(r"^ *```diff\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
HUNK = re.compile(r"^@@ -(\d+).*\n((?:[ +-].*\n)+)", re.MULTILINE)
TESTS = (
    "tests/language/test_chunks.py",
    "tests/native/test_same_games.py",
    "tests/printing/test_templates.py",
    "tests/repository/test_language_pages.py",
    "tests/rulebook/test_parse.py",
    "tests/rulebook/test_write.py",
)
"""The tests that read what the patches add to tests and pages."""

FILES_MAX = {"operator": 8, "quantifier": 17, "statement": 16, "clause": 9}
"""Maximum number of files of code that a construct may change."""

RENEW = "make the change by hand and renew the patch, as the head of this test says"

USES = "tests/repository/extending/uses.py"
LANGUAGES = ("en", "de")
"""Languages of the printed rules."""


@attrs.frozen
class Touched:
    """File of a patch: its path, and its hunks, each with its line number."""

    path: str
    hunks: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def added(self) -> int:
        """Return the number of added lines."""
        return sum(line[0] == "+" for _, lines in self.hunks for line in lines)

    @property
    def is_code(self) -> bool:
        """Return whether the file is neither a page nor a test."""
        return self.path.startswith(FLOORS)

    def apply(self, root: Path) -> None:
        """Change the file below a folder; lines may have moved."""
        path = root / self.path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = text.splitlines()
        moved = 0
        for number, hunk in self.hunks:
            old = [line[1:] for line in hunk if line[0] != "+"]
            new = [line[1:] for line in hunk if line[0] != "-"]
            starts = [
                at
                for at in range(len(lines) - len(old) + 1)
                if lines[at : at + len(old)] == old
            ]
            assert starts, f"{self.path}: no lines {old} any more: {RENEW}"
            wanted = number - 1 + moved
            at = min(starts, key=lambda line: abs(line - wanted))
            lines[at : at + len(old)] = new
            moved += len(new) - len(old)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def patch(name: str) -> tuple[Touched, ...]:
    """Return the files of a patch, in its order."""
    text = (PATCHES / f"{name}.patch").read_text(encoding="utf-8")
    files = []
    for part in re.split(r"^diff --git .*\n", text, flags=re.MULTILINE)[1:]:
        path = re.search(r"^\+\+\+ b/(.*)$", part, re.MULTILINE)
        assert path is not None
        hunks = [
            (int(hunk[1]), tuple(hunk[2].splitlines())) for hunk in HUNK.finditer(part)
        ]
        files.append(Touched(path[1], tuple(hunks)))
    return tuple(files)


def summary(name: str) -> str:
    """Return the paragraph that lists a patch's files of code."""
    code = [file for file in patch(name) if file.is_code]
    paths = ", ".join(f"`{file.path}`" for file in code)
    added = sum(file.added for file in code)
    return f"\nThe patch adds {added} lines to {len(code)} files of code: {paths}.\n\n"


def rewritten(page: str) -> str:
    """Return the page with the summaries of the present patches."""
    return SUMMARY.sub(lambda match: match[1] + summary(match[2]), page)


# ---------------------------------------------------------------- tests


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a folder with a copy of the code."""
    root = tmp_path / "copy"
    for name in COPIED:
        source, goal = ROOT / name, root / name
        goal.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "tables.json")
            shutil.copytree(source, goal, ignore=ignored)
        else:
            shutil.copy(source, goal)
    return root


def run(root: Path, *words: str) -> str:
    """Run Python in a copy; return what it prints."""
    own = {"PYTHONPATH": str(root), "XDG_CACHE_HOME": str(root.parent / "cache")}
    done = run_process([sys.executable, *words], cwd=root, env=os.environ | own)
    assert done.returncode == 0, f"{words}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.parametrize(
    ("name", "word", "game", "tested"),
    [
        ("operator", "difference", "leaps", "differences or values or every_operator"),
        ("quantifier", "at most one", "flocks", "quantifiers or values or AtMostOne"),
        ("statement", "exchange", "barters", "exchanges or effects"),
        ("clause", "constant", "quotas", "constants or values"),
    ],
)
def test_a_patch_adds_to_the_language(
    copy: Path, name: str, word: str, game: str, tested: str
) -> None:
    """With the patch applied, every part of Rulebook works with its game."""
    for file in patch(name):
        file.apply(copy)
    rules = f"tests/language/{game}.rules"

    counts = json.loads(run(copy, USES, rules, word))
    unused = {count for count, number in counts.items() if number == 0}
    assert unused <= ({"illegal"} if name == "clause" else set())
    run(copy, "-m", "workbench", "check", rules)
    run(copy, "-m", "workbench", "format", "--check", rules)
    for language in LANGUAGES:
        run(copy, "-m", "workbench", "print", "--language", language, rules)
    assert "0 failed" in run(copy, "-m", "workbench", "test", rules, "--games", "10")
    run(copy, "-m", "workbench", "mutate", rules, "--sample", "5", "--games", "2")
    counted = run(copy, "-m", "workbench", "coverage", rules, "--games", "10")
    assert re.search(r"^ *effect +(\d+) of \1 ", counted, re.MULTILINE), counted
    chosen = f"{game} or {tested} or grammar or template or is_written"
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *TESTS)


def test_git_can_read_every_patch() -> None:
    """`git apply` accepts each patch, as the page tells readers to use it."""
    for name in FILES_MAX:
        given = ("git", "apply", "--numstat", str(PATCHES / f"{name}.patch"))
        done = run_process(given)

        assert done.returncode == 0, f"{name}: {done.stderr}: {RENEW}"


def test_a_patch_changes_few_files_of_code() -> None:
    """A construct of each kind needs at most the number of files in `FILES_MAX`."""
    for name, files_max in FILES_MAX.items():
        code = [file.path for file in patch(name) if file.is_code]

        assert 0 < len(code) <= files_max, code


def test_the_page_lists_the_files_of_the_patches() -> None:
    """The summaries on the page name the files and count the lines of each patch."""
    page = PAGE.read_text(encoding="utf-8")

    assert [match[2] for match in SUMMARY.finditer(page)] == list(FILES_MAX)
    assert page == rewritten(page), "run python tests/repository/test_extending.py"


def test_the_page_shows_lines_of_the_patches() -> None:
    """Each line in a `diff` block of the page is in a patch."""
    lines = {
        line for name in FILES_MAX for line in whole(name) if line[:1] in ("+", "-")
    }
    shown = SHOWN.findall(PAGE.read_text(encoding="utf-8"))
    said = [line for text in shown for line in dedent(text).splitlines()]

    assert said
    assert [line for line in said if line not in lines] == []


def whole(name: str) -> Iterator[str]:
    """Yield the lines of a patch's files."""
    for file in patch(name):
        for _, lines in file.hunks:
            yield from lines


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
