"""A command imports what it needs, and nothing else: that is most of how it begins."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench import bots, defaults

ROOT = Path(__file__).parents[2]
HEAVY = {"networkx", "rich", "prompt_toolkit", "hypothesis", "pytest"}
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


def imported(*arguments: str) -> set[str]:
    """The modules that are there when a command has run, of packages their names."""
    done = subprocess.run(
        [sys.executable, "-c", SHOWN.format(arguments=list(arguments))],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
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


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "classic", "--games=1", "--max-turns=1", "--json"),
        ("options", "classic", "--json"),
    ],
)
def test_a_document_is_written_without_what_draws_on_a_terminal(
    words: tuple[str, ...],
) -> None:
    assert imported(*words) & (HEAVY - {"networkx"}) == set()


def test_help_names_the_bots_that_there_are() -> None:
    assert tuple(bots.BOTS) == defaults.BOTS
