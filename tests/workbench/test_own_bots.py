"""Custom bots by file and by module, and messages when they fail."""

import importlib
import json
import sys
from pathlib import Path

import pytest

from tests.support.commands import Output, errors_of, output_of
from workbench.bots import BOTS
from workbench.bots.registry import bot_of, check_bot
from workbench.cli import main
from workbench.errors import RequestError

FIRST = """\
def first(view, legal, sample, numbers):
    return legal[0]
"""
LAST = """\
class Last:
    made = 0

    def __init__(self):
        type(self).made += 1
        self.asked = 0

    def __call__(self, view, legal, sample, numbers):
        self.asked += 1
        return legal[-1]
"""
BROKEN = """\
def broken(view, legal, sample, numbers):
    return view["nothing of that name"]


def lost(view, legal, sample, numbers):
    return "pass"


class Shy:
    def __init__(self):
        raise ValueError("not today")

    def __call__(self, view, legal, sample, numbers):
        return legal[0]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with bots."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first_bot.py").write_text(FIRST)
    (tmp_path / "last_bot.py").write_text(LAST)
    (tmp_path / "two_bots.py").write_text(FIRST + LAST + "def aside(one): ...\n")
    (tmp_path / "broken_bot.py").write_text(BROKEN)
    (tmp_path / "needy_bot.py").write_text("import nothing_of_that_name\n")
    (tmp_path / "slip_bot.py").write_text("\none = 1 / 0\n")
    (tmp_path / "syntax_bot.py").write_text("def (:\n")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["first_bot.py", "first_bot.py:first", "two_bots.py:Last", "./first_bot.py"]
)
def test_bot_from_a_file_plays(name: str, tiny_path: Path, capsys: Output) -> None:
    line = ["simulate", str(tiny_path), "--games", "3", "--players", "2", "--json"]

    assert main([*line, "--bots", f"{name},random"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 3


def test_bot_from_a_module_is_created_for_each_seat(
    tiny_path: Path, capsys: Output
) -> None:
    line = ["simulate", str(tiny_path), "--games", "2", "--players", "2"]

    assert main([*line, "--bots", "last_bot:Last"]) == 0
    assert importlib.import_module("last_bot").Last.made == 4
    assert "north (last_bot:Last)" in capsys.readouterr().out


def test_worker_processes_find_a_custom_bot(tiny_path: Path, capsys: Output) -> None:
    line = ["simulate", str(tiny_path), "--games", "4", "--players", "2", "--json"]
    command = [*line, "--bots", "first_bot.py,two_bots.py:Last"]
    keys = ("wins", "decisions", "turns", "actions")

    documents = []
    for jobs in ("1", "2"):
        document = json.loads(output_of(capsys, *command, "--jobs", jobs))
        documents.append({key: document[key] for key in keys})
    assert documents[0] == documents[1]


def test_custom_bot_plays_in_the_terminal(tiny_path: Path, capsys: Output) -> None:
    line = ["play", str(tiny_path), "--players", "2", "--seat", "all=first_bot.py"]

    assert "north: choose pebble: white" in output_of(capsys, *line)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "gredy",
            "did you mean `greedy`? bots are random, greedy, mcts, or your own",
        ),
        ("missing.py", "file missing.py does not exist"),
        ("missing.py:one", "file missing.py does not exist"),
        ("missing:one", "there is no module `missing`"),
        ("first_bot.py:frist", "did you mean `first`?"),
        ("first_bot.py:_", "has no bot `_`"),
        ("two_bots.py", "write two_bots.py:first or two_bots.py:Last"),
        ("needy_bot.py", "requires nothing_of_that_name"),
        ("slip_bot.py", "ZeroDivisionError: division by zero"),
        ("slip_bot:one", "slip_bot.py:2)"),
        ("syntax_bot.py", "SyntaxError"),
        (":", "there is no bot `:`"),
        ("", "there is no bot ``"),
        ("clever", "there is no bot `clever`"),
    ],
)
def test_rejects_a_name_that_is_not_a_bot(name: str, said: str) -> None:
    with pytest.raises(RequestError) as refused:
        check_bot(name)

    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("broken", "KeyError: 'nothing of that name'"),
        ("broken", "broken_bot.py:2)"),
        ("lost", "returned 'pass', at decision 1 of the game with seed"),
        ("Shy", "ValueError: not today"),
    ],
)
def test_error_of_a_bot_is_reported_as_such(
    name: str, said: str, tiny_path: Path, capsys: Output
) -> None:
    line = ["play", str(tiny_path), "--seat", f"all=broken_bot.py:{name}"]

    assert said in errors_of(capsys, *line, status=1)


def test_shipped_bots_are_unchanged() -> None:
    assert [bot_of(name) for name in BOTS] == list(BOTS.values())
