"""Time until an editor shows errors, compared with `rulebook check` of the same rules.

    python benchmarks/editor.py
    python benchmarks/editor.py --game germany --edits 20

Each edit changes one line of a file of the game; every other one inserts a line at the
top, so that everything moves. Measures the processor time of the language server for
syntax errors and for all errors. It also measures whole processes of `rulebook check`,
with the parser's tables cached and with empty caches. Then it indexes all names in a
copy of all shipped files, as the server does in the background, and searches them.
Prints medians, minima and maxima.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from lsprotocol import types as lsp

import variants
from rulebook import Use
from workbench.editor.navigation import all_roots
from workbench.editor.outline import workspace_symbols
from workbench.editor.protocol import ProtocolConverter
from workbench.editor.rename import Renaming
from workbench.editor.workspace import Workspace, path_of, tune_garbage_collector
from workbench.errors import RequestError

HERE = Path(__file__).parents[1]
SEED = 1


def edits(text: str, count: int) -> list[str]:
    """Return successive versions of a text, with one changed or inserted line each."""
    numbers, texts = Random(SEED), []
    for number in range(count):
        lines = text.split("\n")
        if number % 2:
            lines.insert(1, f"# {number}")
        else:
            inside = [at for at, line in enumerate(lines) if line.startswith("  ")]
            lines[numbers.choice(inside)] += f"  # {number}"
        text = "\n".join(lines)
        texts.append(text)
    return texts


def timed(work: Callable[[], object]) -> float:
    """Return the processor time of a function in this process."""
    before = process_time()
    work()
    return process_time() - before


def check_seconds(game: str, cache: str | None) -> float:
    """Return the processor time of a process of `rulebook check`."""
    place = {} if cache is None else {"XDG_CACHE_HOME": cache}
    environment = {**os.environ, **place, "PYTHONPATH": str(HERE)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603  (Python, on modules of ours)
        [sys.executable, "-m", "workbench", "check", game],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(after[:2]) - sum(before[:2])


def copy_workspace(folder: Path) -> Workspace:
    """Return a workspace with copies of all shipped files."""
    ignored = shutil.ignore_patterns("*.py", "__pycache__")
    shutil.copytree(variants.path("base").parents[1], folder, ignore=ignored)
    return Workspace((folder,))


def index_names(telling: ProtocolConverter) -> None:
    """Index the names of all files."""
    for root in all_roots(telling.space):
        telling.tables.table_of(root)


def rename_name(telling: ProtocolConverter, use: Use) -> None:
    """Rename a name without writing files; ignore names that cannot be renamed."""
    still, span = telling.snapshot(), use.span
    with suppress(RequestError):
        Renaming(still.space, still.tables).rename(
            path_of(span.file), span.line, span.column, f"{use.text}_q"
        )


def search_times(telling: ProtocolConverter, use: Use) -> dict[str, float]:
    """Return the processor times of searches for a name over all files."""
    query, span = lsp.WorkspaceSymbolParams(use.text), use.span
    place = path_of(span.file), span.line, span.column
    return {
        "symbols": timed(lambda: workspace_symbols(telling, None, query)),
        "references": timed(lambda: telling.tables.all_uses(*place)),
        "rename": timed(lambda: rename_name(telling, use)),
    }


def searches(game: str, count: int) -> dict[str, list[float]]:
    """Return the times of searches over all shipped files."""
    with tempfile.TemporaryDirectory() as folder:
        space = copy_workspace(Path(folder) / "all")
        telling = ProtocolConverter(space)
        rows = {"all names": [timed(lambda: index_names(telling))]}
        (path,) = space.folders[0].rglob(f"{game}.rules")
        uses = telling.tables.table_of(path).uses.in_file(str(path))
        declared = [use for use in uses if use.whole is not None]
        for use in Random(SEED).sample(declared, count):
            for name, time in search_times(telling, use).items():
                rows.setdefault(name, []).append(time)
    return rows


def main() -> None:
    """Measure in alternating rounds and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="cardgame")
    parser.add_argument("--edits", type=int, default=10, help="of each file")
    given = parser.parse_args()
    game = variants.path(given.game)
    files = [game, *game.parent.glob(f"{given.game}.scenarios.rules")]
    space = Workspace((game.parent,))
    for path in files:
        space.set_text(path, path.read_text(encoding="utf-8"))
    space.check_and_store(game)
    tune_garbage_collector()
    rows: dict[str, list[float]] = {}
    check_seconds(given.game, None)
    rounds = (edits(space.text(path), given.edits) for path in files)
    for texts in zip(*rounds, strict=True):
        for path, text in zip(files, texts, strict=True):
            space.set_text(path, text)
            early = timed(lambda: space.syntax_errors(game))
            rows.setdefault(f"syntax, {path.name}", []).append(early)
            late = timed(lambda: space.check_and_store(game))
            rows.setdefault(f"meaning, {path.name}", []).append(late)
        rows.setdefault("check", []).append(check_seconds(given.game, None))
        with tempfile.TemporaryDirectory() as empty:
            anew = check_seconds(given.game, empty)
        rows.setdefault("check, empty caches", []).append(anew)
    whole, anew = median(rows["check"]), median(rows["check, empty caches"])
    for name, times in rows.items():
        middle = median(times)
        print(
            f"{name:<36} {middle:7.4f} s ({min(times):.4f} to {max(times):.4f})"
            f" {middle / whole:7.1%} of check, {middle / anew:6.1%} with empty caches"
        )
    for name, times in searches(given.game, given.edits).items():
        middle, least, most = median(times), min(times), max(times)
        print(f"{name:<36} {middle:7.4f} s ({least:.4f} to {most:.4f})")


if __name__ == "__main__":
    main()
