"""A command imports what it needs, and nothing else: that is most of how it begins."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from workbench import bots, defaults
from workbench.cli.frame.command_table import COMMANDS
from workbench.cli.frame.dispatch import parser_of

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


def imported(*arguments: str, cwd: Path = ROOT) -> set[str]:
    """The modules that are there when a command has run, of packages their names."""
    done = subprocess.run(
        [sys.executable, "-c", SHOWN.format(arguments=list(arguments))],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout
    return {name.partition(".")[0] for name in done.stderr.split()}


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


DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "variants": (),
    "cache": (),
    "check": ("classic",),
    "explain": ("RB012",),
    "options": ("classic",),
    "show": ("classic",),
    "format": ("--check", "examples/first/first.rules"),
    "new": ("mine",),
    "test": ("examples/tiny/dare.rules", "--games=1"),
    "simulate": ("classic", "--games=1", "--max-turns=1"),
    "bots": (),
    "replay": ("game.jsonl",),
    "repair": ("game.jsonl",),
    "why": ("game.jsonl", "end_turn"),
    "perft": ("classic", "--depth=1"),
    "board": ("classic", "--out=board.svg"),
}
"""A line for every command that writes a document."""


def test_there_is_a_line_for_every_document() -> None:
    assert DOCUMENTS.keys() == {
        command.name
        for command in COMMANDS
        if "--json" in parser_of(command.name).format_help()  # type: ignore[union-attr]
    }


@pytest.mark.parametrize("command", DOCUMENTS)
def test_a_document_is_written_without_what_draws_on_a_terminal(
    command: str, tmp_path: Path
) -> None:
    record = ROOT / "docs" / "pictures" / "classic.jsonl"
    shutil.copy(record, tmp_path / "game.jsonl")
    examples = f"{ROOT}/examples/"
    words = [word.replace("examples/", examples) for word in DOCUMENTS[command]]

    assert imported(command, *words, "--json", cwd=tmp_path) & DRAWING == set()


def test_what_people_read_is_drawn_by_rich() -> None:
    assert "rich" in imported("variants")


def test_help_names_the_bots_that_there_are() -> None:
    assert tuple(bots.BOTS) == defaults.BOTS
