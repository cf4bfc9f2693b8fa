"""A command imports what it needs, and nothing else: that is most of how it begins."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from interpreter import BUDGET_FORMS
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
    done = subprocess.run(
        [sys.executable, "-c", SHOWN.format(arguments=list(arguments))],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=cwd,
        capture_output=True,
        text=True,
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
def test_the_script_of_a_shell_imports_nothing(shell: str) -> None:
    assert imported("completion", shell) & (HEAVY | OURS) == set()


@pytest.mark.parametrize("line", LINES)
def test_the_tab_key_imports_nothing_where_no_rules_are_read(line: str) -> None:
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
def test_rules_are_read_without_what_plays_them(words: tuple[str, ...]) -> None:
    assert "interpreter" not in imported(*words)


def test_games_are_played_without_what_other_files_and_machines_need() -> None:
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
"""A line for every command that writes a document, and ends."""
SERVING = {"serve"}
"""What goes on after its document: `tests/web/test_serve.py` ends it."""


def test_there_is_a_line_for_every_document() -> None:
    assert DOCUMENTS.keys() | SERVING == {
        name
        for name in COMMANDS
        if "--json" in parser_of(name).format_help()  # type: ignore[union-attr]
    }


@pytest.fixture(scope="module", params=DOCUMENTS)
def document(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, frozenset[str]]:
    """A command and the modules that are there when it has written a document."""
    folder = tmp_path_factory.mktemp("documents")
    shutil.copy(ROOT / "docs" / "pictures" / "classic.jsonl", folder / "game.jsonl")
    command = request.param
    examples = f"{ROOT}/examples/"
    words = [word.replace("examples/", examples) for word in DOCUMENTS[command]]
    return command, modules(command, *words, "--json", cwd=folder)


def test_a_document_is_written_without_what_draws_on_a_terminal(
    document: tuple[str, frozenset[str]],
) -> None:
    _, there = document

    assert there & DRAWING == set()


WITH_C = {"cache", "compare", "ladder", "simulate", "sweep"}
"""The commands that play in C, or say who compiles it."""


def test_the_engine_in_c_is_there_for_those_that_play_by_it(
    document: tuple[str, frozenset[str]],
) -> None:
    command, there = document

    assert ("interpreter.native" in there) == (command in WITH_C)


def test_what_people_read_is_drawn_by_rich() -> None:
    assert "rich" in imported("variants")


def test_help_names_the_bots_that_there_are() -> None:
    assert tuple(bots.BOTS) == tuple(defaults.BOTS)
    assert defaults.BUDGETS == BUDGET_FORMS
    assert bots.shipped_bot("mcts") == bots.shipped_bot(
        f"mcts({defaults.DEFAULT_PLAYOUTS})"
    )
