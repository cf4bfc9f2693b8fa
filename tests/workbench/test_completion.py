"""Shell completion: possible next words, and the scripts in real shells."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.commands import Output, output_of
from tests.support.processes import run_process

ROOT = Path(__file__).parents[2]
GAME = """\
rules language 1
rulebook little "Little"
  players 2 to 2
  seats blue, green

option rounds (1 to 3): 2 "how many are played"
option short: no "whether it ends at once"

action go_on
  needs long: not short "it is over"
  you win

turn
  phase only
    you may, until stop:
      go_on
"""

ROUNDS = [f"rounds={number} " for number in (1, 2, 3)]

#: What is typed, and the words that may come next; a blank ends a finished word.
LINES = [
    ("rulebook pl", ["play "]),
    ("rulebook nothing ", []),
    ("cd elsewhere && NO_COLOR=1 rulebook expla", ["explain "]),
    ("rulebook explain RB00", [f"RB00{n} " for n in range(1, 10)]),
    ("rulebook play ger", ["germany "]),
    ("rulebook check lit", ["little.rules "]),
    ("rulebook check germany lit", ["little.rules "]),
    ("rulebook format lit", ["little.look.rules ", "little.rules "]),
    ("rulebook play germany+ho", ["germany+house.rules ", "germany+houses/"]),
    ("rulebook check germany+fri", ["germany+friendly_robber "]),
    ("rulebook play classic+small_map+sma", []),
    (
        "rulebook play classic+house.rules+thi",
        ["classic+house.rules+third_settlement "],
    ),
    ("rulebook play germany --res", ["--resume "]),
    ("rulebook play germany --seed 3 --se", ["--seat "]),
    ("rulebook play --language d", ["de "]),
    ("rulebook play --resume ga", ["game.jsonl "]),
    ("rulebook play 'little.rules' --seat ", ["all=", "blue=", "green="]),
    ("rulebook play little.rules --seat blue=g", ["blue=greedy "]),
    (
        "rulebook simulate germany --bots greedy,",
        ["greedy,random ", "greedy,greedy ", "greedy,mcts "],
    ),
    ("rulebook simulate germany --bots random,cl", ["random,clever.py "]),
    ("rulebook ladder germany --bots random,cl", ["random,clever.py "]),
    ("rulebook ladder germany --re", ["--resume "]),
    ("rulebook play little.rules --seat blue=cl", ["blue=clever.py "]),
    ("rulebook simulate germany --engine=n", ["--engine=native "]),
    ("rulebook simulate germany --unt", ["--until "]),
    ("rulebook simulate germany --out ga", ["game.jsonl "]),
    ("rulebook explore germany --engine=n", ["--engine=native "]),
    ("rulebook explore little.rules --from ga", ["game.jsonl "]),
    ("rulebook simulate little.rules --games 1 --option ", ["rounds=", "short="]),
    ("rulebook play little.rules --option rounds=", ROUNDS),
    ("rulebook show little.rules action.", ["action.go_on "]),
    ("rulebook play missing.rules --seat ", []),
    ("rulebook completion z", ["zsh "]),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a game, a house rule, a record and a subfolder."""
    (tmp_path / "little.rules").write_text(GAME)
    (tmp_path / "house.rules").write_text("extends little\n")
    (tmp_path / "little.look.rules").write_text("rules language 1\nlook of little\n")
    (tmp_path / "houses").mkdir()
    (tmp_path / "clever.py").write_text("")
    (tmp_path / "game.jsonl").write_text("{}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("line", "words"), LINES, ids=[line for line, _ in LINES])
def test_completes_the_next_word(line: str, words: list[str], capsys: Output) -> None:
    assert output_of(capsys, "completion", "zsh", "--line", line).splitlines() == words


def in_shell(folder: Path, shell: str, script: str) -> str:
    """Return the output of a real shell with the command `rulebook` on its path."""
    command = folder / "rulebook"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m workbench "$@"\n')
    command.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = run_process(
        [shutil.which(shell) or shell, "-c", script],
        check=True,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("rulebook simulate germ", "germany "),
        ("rulebook check house", "house.rules \nhouses/"),
        ("rulebook play little.rules --seat green=hu", "human "),
    ],
)
def test_bash_completes(folder: Path, line: str, reply: str) -> None:
    script = f"""
        eval "$(rulebook completion bash)"
        complete -p rulebook
        COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}
        _rulebook rulebook
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """

    printed = in_shell(folder, "bash", script)

    assert printed == f"complete -o nospace -F _rulebook rulebook\n{reply}\n"


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_completes(folder: Path) -> None:
    script = """
        compdef() { echo "compdef $@" }
        compadd() { shift 4; printf '%s\\n' "$@" }
        eval "$(rulebook completion zsh)"
        words=(rulebook check house) LBUFFER='rulebook check house'
        _rulebook
    """

    printed = in_shell(folder, "zsh", script)

    assert printed == "compdef _rulebook rulebook\nhouse.rules \nhouses/\n"


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes(folder: Path) -> None:
    script = "rulebook completion fish | source; complete -C 'rulebook check house'"

    assert in_shell(folder, "fish", script) == "house.rules\nhouses/\n"
