"""A command imports only what it needs, so that it starts fast."""

import os
import shutil
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from interpreter import BUDGET_FORMS
from tests.support.processes import run_process
from workbench import bots, defaults
from workbench.cli.frame.command_table import COMMANDS, parser_of

ROOT = Path(__file__).parents[2]
HEAVY = {"networkx", "rich", "prompt_toolkit", "hypothesis", "pytest"}
DRAWING = HEAVY - {"networkx"} | {"pygments", "markdown_it"}
OURS = {"rulebook", "interpreter", "lark", "attrs"}

HELPS = [("--help",), ("check", "--help"), ("play", "--help")]
LINES = ["rulebook ", "rulebook check ger", "rulebook test --b", "rulebook board --o"]
SHOWN = """
import sys
from workbench.cli import main
status = main({arguments!r})
sys.stderr.write(" ".join(sorted(sys.modules)))
sys.exit(status)
"""


@cache
def modules(*arguments: str, cwd: Path = ROOT) -> frozenset[str]:
    """Return the names of the modules that a command imports; it runs once."""
    done = run_process(
        [sys.executable, "-c", SHOWN.format(arguments=list(arguments))],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=cwd,
        check=True,
    )
    assert done.stdout
    return frozenset(done.stderr.split())


def imported(*arguments: str, cwd: Path = ROOT) -> set[str]:
    """Return the names of the packages that a command imports."""
    return {name.partition(".")[0] for name in modules(*arguments, cwd=cwd)}


@pytest.mark.parametrize("words", HELPS)
def test_help_imports_nothing_that_it_describes(words: tuple[str, ...]) -> None:
    assert imported(*words) & (HEAVY | OURS) == set()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_script_imports_nothing(shell: str) -> None:
    assert imported("completion", shell) & (HEAVY | OURS) == set()


@pytest.mark.parametrize("line", LINES)
def test_completion_imports_nothing_unless_it_reads_rules(line: str) -> None:
    assert imported("completion", "bash", "--line", line) & (HEAVY | OURS) == set()


@pytest.mark.parametrize(
    "words",
    [
        ("completion", "bash", "--line", "rulebook play classic --option "),
        ("check", "classic"),
        ("check", "classic", "--json"),
        ("explain", "RB012", "--json"),
        ("show", "classic", "--json"),
        ("variants", "--json"),
    ],
)
def test_rules_are_read_without_a_board(words: tuple[str, ...]) -> None:
    assert imported(*words) & HEAVY == set()


@pytest.mark.parametrize(
    "words",
    [
        ("check", "classic"),
        ("check", "classic", "--json"),
        ("explain", "RB012"),
        ("format", "--check", "--json", "examples/first/first.rules"),
        ("show", "classic"),
        ("show", "classic", "--json"),
        ("variants",),
    ],
)
def test_reading_rules_does_not_import_the_engines(words: tuple[str, ...]) -> None:
    assert "interpreter" not in imported(*words)


def test_playing_games_does_not_import_file_formats_and_clusters() -> None:
    words = ("simulate", "examples/tiny/dare.rules", "--games=2", "--jobs=2")

    assert imported(*words) & {"pyarrow", "joblib", "dask", "distributed"} == set()


DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "variants": (),
    "cache": (),
    "check": ("classic",),
    "explain": ("RB012",),
    "options": ("classic",),
    "show": ("classic",),
    "print": ("examples/tiny/dare.rules",),
    "format": ("--check", "examples/first/first.rules"),
    "new": ("mine",),
    "test": ("examples/tiny/dare.rules", "--games=1"),
    "simulate": ("classic", "--games=1", "--max-turns=1"),
    "sweep": ("classic", "--vary=cost road.brick=1", "--games=1", "--max-turns=1"),
    "ladder": ("examples/tiny/dare.rules", "--bots=random,greedy", "--games=2"),
    "bots": (),
    "replay": ("game.jsonl",),
    "compare": ("classic", "classic+fifteen_points", "--games=4", "--max-turns=1"),
    "impact": ("classic", "classic", "--corpus=game.jsonl"),
    "repair": ("game.jsonl",),
    "why": ("game.jsonl", "end_turn"),
    "record-to-scenario": ("game.jsonl", "--at=40"),
    "perft": ("classic", "--depth=1"),
    "coverage": ("examples/tiny/dare.rules", "--games=1"),
    "explore": ("classic", "--depth=1"),
    "mutate": ("examples/tiny/dare.rules", "--sample=1", "--games=1"),
    "board": ("classic", "--out=board.svg"),
    "economy": ("examples/first/first.rules", "--setups=1", "--out=map.svg"),
}
"""Command lines that write a document and end."""
SERVING = {"serve"}
"""Commands that continue after their document; `tests/web/test_serve.py` ends them."""


def test_every_document_command_has_a_test_line() -> None:
    assert DOCUMENTS.keys() | SERVING == {
        name
        for name in COMMANDS
        if "--json" in parser_of(name).format_help()  # type: ignore[union-attr]
    }


@pytest.fixture(scope="module", params=DOCUMENTS)
def document(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, frozenset[str]]:
    """Return a command, and the modules loaded after it has written a document."""
    folder = tmp_path_factory.mktemp("documents")
    shutil.copy(ROOT / "docs" / "pictures" / "classic.jsonl", folder / "game.jsonl")
    command = request.param
    examples = f"{ROOT}/examples/"
    words = [word.replace("examples/", examples) for word in DOCUMENTS[command]]
    return command, modules(command, *words, "--json", cwd=folder)


def test_json_output_does_not_import_terminal_libraries(
    document: tuple[str, frozenset[str]],
) -> None:
    _, there = document

    assert there & DRAWING == set()


WITH_C = {"cache", "compare", "ladder", "simulate", "sweep"}
"""Commands that use the native engine or report its compiler."""


def test_only_native_commands_import_the_native_engine(
    document: tuple[str, frozenset[str]],
) -> None:
    command, there = document

    assert ("interpreter.native" in there) == (command in WITH_C)


def test_terminal_output_imports_rich() -> None:
    assert "rich" in imported("variants")


def test_help_names_the_available_bots() -> None:
    assert tuple(bots.BOTS) == tuple(defaults.BOTS)
    assert defaults.BUDGETS == BUDGET_FORMS
    assert bots.shipped_bot("mcts") == bots.shipped_bot(
        f"mcts({defaults.DEFAULT_PLAYOUTS})"
    )
