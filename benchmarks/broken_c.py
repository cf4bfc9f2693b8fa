"""Mutation test of the native engine: do its tests notice when it is broken?

    python -m benchmarks.broken_c [--number N] [--seed S] [--only WORD]

Draws places of `interpreter/native` and its runtime, and changes one thing at each: an
operator, a number, or the end of a loop. Then it plays the games of the quick tests;
for the runtime, its own tests run first. Only games whose C code differs are played.
Prints every change that no test notices: it may be equivalent, or a test may be
missing. The exit code is 0 even if changes survive. The tree is copied once; every
change has its own child process with a time limit.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import attrs

import interpreter
from interpreter.plan.plan import Plan
from interpreter.planning import plan_for
from rulebook import Rulebook
from tests.native.test_same_games import GAMES, STEPS
from workbench import load

ROOT = Path(__file__).parents[1]
NATIVE = Path("interpreter/native")
RUNTIME = NATIVE / "runtime.h"
ELSEWHERE = ("build", "engine.py", "states.py", "program.py")
"""Parts of the folder that write no C code, or only the beginning of a C file."""

ALONE = ("tests/native/test_runtime.py", "tests/native/test_runtime_searches.py")
SECONDS = 400.0
NEW = ("interpreter.native", "tests.support.side_by_side")
"""Modules that are loaded again for every change."""

CHANGES = (
    *((" < ", " <= "), (" > ", " >= "), (" <= ", " < "), (" >= ", " > ")),
    *((" == ", " != "), (" != ", " == "), (" && ", " || "), (" || ", " && ")),
    *((" + ", " - "), (" - ", " + "), ("++", "--"), ("--", "++")),
    *(("break;", ";"), ("continue;", ";"), ("if (!", "if ("), ("smaller(", "larger(")),
    *(
        ("larger(", "smaller("),
        (" = 0", " = 1"),
        (" = -1", " = 0"),
        ("return 0", "return 1"),
    ),
    *(("return 1", "return 0"), (" |= ", " = "), (" &= ", " = "), (" += ", " = ")),
    *((" 1", " 2"), (" 0", " 1"), ("[0]", "[1]"), (" not ", " "), (" and ", " or ")),
)
PROSE = re.compile(r'^\s*("""|#|/\*|\*|from |import |def |class |raise |enum )')


@attrs.frozen
class CodeChange:
    """Change: its file, line and column, and the texts before and after."""

    path: Path
    line: int
    place: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: `{self.before}` becomes `{self.after}`"

    def text(self, text: str) -> str:
        """Return the text of the file with the change."""
        lines = text.splitlines(keepends=True)
        old = lines[self.line - 1]
        behind = self.place + len(self.before)
        lines[self.line - 1] = f"{old[: self.place]}{self.after}{old[behind:]}"
        return "".join(lines)


def changes(only: str) -> list[CodeChange]:
    """Return every possible change, in order."""
    folder = ROOT / NATIVE
    paths = [path.relative_to(ROOT) for path in sorted(folder.rglob("*.py"))]
    return [
        change
        for path in [RUNTIME, *paths]
        if path.relative_to(NATIVE).parts[0] not in ELSEWHERE
        for change in changes_of(path)
        if only in str(change)
    ]


def changes_of(path: Path) -> Iterator[CodeChange]:
    """Yield the changes of a file; comments and docstrings are left out."""
    inside = False
    for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1):
        quotes = line.count('"""')
        if inside or quotes or PROSE.match(line):
            inside = inside != (quotes == 1)
            continue
        for before, after in CHANGES:
            more = r"(?!\d)" if before[-1].isdigit() else ""
            for there in re.finditer(re.escape(before) + more, line):
                yield CodeChange(path, number, there.start(), before, after)


# ---------------------------------------------------------------- games


def plans() -> dict[str, tuple[Rulebook, Plan]]:
    """Return the games to play with their plans."""
    books = {name: load(name) for name in GAMES}
    return {
        name: (book, plan_for(book, book.players[1], {}))
        for name, book in books.items()
    }


def reload_engine(tree: Path) -> None:
    """Load the native engine from another tree."""
    for name in list(sys.modules):
        if name.startswith(NEW):
            del sys.modules[name]
    interpreter.__path__[:] = [str(tree / "interpreter")]
    importlib.import_module("interpreter.native.c_program")


def c_code_by_game(made: dict[str, tuple[Rulebook, Plan]]) -> dict[str, str]:
    """Return the C code of every game, or the reason why there is none."""
    program = importlib.import_module("interpreter.native.c_program")
    file = importlib.import_module("interpreter.native.c_file")
    told = {}
    for name, (_, plan) in made.items():
        try:
            told[name] = program.translate(plan).text
        except file.NotTranslatable as error:
            told[name] = str(error)
    return told


def child(
    end: Connection, tree: Path, made: dict[str, Any], before: dict[str, str]
) -> None:
    """Play the games whose C code differs; report the first that notices the change."""
    try:
        reload_engine(tree)
        now = c_code_by_game(made)
        other = [name for name in made if now[name] != before.get(name)]
        if not before:
            end.send(now)
            return
        side = importlib.import_module("tests.support.side_by_side")
        for name in sorted(other, key=lambda name: len(now[name])):
            book = made[name][0]
            try:
                side.play(side.Setting(book, book.players[1], 1, {}), STEPS, bare=False)
            except BaseException as error:  # noqa: BLE001  (any error counts as detection)
                end.send(f"{name}: {type(error).__name__} {str(error)[:60]!r}")
                return
        end.send(f"survives {len(other)} games")
    except BaseException as error:  # noqa: BLE001
        end.send(f"no C code is written: {type(error).__name__}")


def outcome(tree: Path, made: dict[str, Any], before: dict[str, str]) -> Any:
    """Return the report of a child process about a tree."""
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(there, tree, made, before))
    process.start()
    there.close()
    answer: Any = "no result within the time limit"
    try:
        if here.poll(SECONDS):
            answer = here.recv()
    except EOFError:
        answer = "it crashes"
    process.kill()
    process.join()
    return answer


def failing_runtime_test(tree: Path) -> str:
    """Return the name of a failing test of the runtime, or "" if all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(  # noqa: S603  (this Python)
        [*command, *ALONE],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    lines = [x for x in done.stdout.splitlines() if x.startswith(("FAILED", "ERROR"))]
    return "" if done.returncode == 0 else " ".join(lines)[:120] or "it crashes"


def outcome_of_change(
    change: CodeChange, tree: Path, made: dict[str, Any], before: dict[str, str]
) -> str:
    """Make a change, return its outcome, and revert it."""
    path = tree / change.path
    sound = path.read_text("utf-8")
    path.write_text(change.text(sound), encoding="utf-8")
    try:
        told = ""
        if change.path == RUNTIME:
            told = failing_runtime_test(tree)
        return told or str(outcome(tree, made, before))
    except subprocess.TimeoutExpired:
        return "no result within the time limit"
    finally:
        path.write_text(sound, encoding="utf-8")


def main() -> int:
    """Make changes, play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="what the line of a change has")
    given = parser.parse_args()
    those = changes(given.only)
    drawn = Random(given.seed).sample(those, min(given.number, len(those)))
    made, survivors, begin = plans(), [], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="broken-") as folder:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        tree = Path(folder) / "tree"
        shutil.copytree(
            ROOT, tree, ignore=shutil.ignore_patterns(".git", "__pycache__")
        )
        before = outcome(tree, made, {})
        if not isinstance(before, dict):
            print(f"unbroken, {before}")
            return 2
        for change in drawn:
            told = outcome_of_change(change, tree, made, before)
            print(f"{change}: {told}", flush=True)
            if told.startswith("survives"):
                survivors.append(f"{change} ({told})")
    print(f"\n{len(drawn)} of {len(those)} in {time.monotonic() - begin:.0f} s")
    print("\n".join([f"{len(survivors)} survive", *survivors]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
