"""System errors print one line, and no process outlives its command."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from benchmarks.kill import Bench, session
from tests.support.commands import Output, errors_of
from tests.support.processes import run_process
from workbench.analysis.simulation.processes import map_in_processes
from workbench.cli import main
from workbench.errors import RequestError
from workbench.files.library.loading import load

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "workbench"]

BAD_FILES = {
    "pipe": ("this is not a regular file", 2),
    "loop": ("Too many levels of symbolic links", 2),
    "folder": ("Is a directory", 2),
    "gone": ("does not exist", 2),
    "long": ("File name too long", 2),
    "large": ("larger than", 1),
}


def bad(kind: str, folder: Path) -> str:
    path = folder / f"{kind}.rules"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "long":
        path = folder / ("x" * 300 + ".rules")
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(300_000_000)
    return str(path)


@pytest.mark.parametrize("kind", BAD_FILES)
@pytest.mark.parametrize(
    "command", ["check", "format", "replay", "play --resume", "test germany --board"]
)
def test_rejects_unusable_files(
    command: str, kind: str, tmp_path: Path, capsys: Output
) -> None:
    said, status = BAD_FILES[kind]
    if "board" in command and kind == "large":
        said = "is not a valid board"

    assert main([*command.split(), bad(kind, tmp_path)]) == status

    printed = capsys.readouterr()
    assert said in printed.err + printed.out or "No such file" in printed.err
    assert "internal error" not in printed.err
    assert printed.err.count("rulebook: ") <= 1


def test_rejects_a_folder_in_place_of_a_picture(tmp_path: Path, capsys: Output) -> None:
    assert main(["board", "first", "--out", str(tmp_path)]) == 2
    assert main(["board", "germany", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith(f"{tmp_path}: Is a directory\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_reports_standard_output_on_a_full_disk(tiny_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "show", str(tiny_path)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.stderr == "rulebook: standard output: No space left on device\n"
    assert done.returncode == 1


def limited(words: Sequence[str], size: int) -> subprocess.CompletedProcess[str]:
    """Run a command whose files may not exceed a size. Python must not write compiled
    modules, because truncated ones could not be imported later.
    """
    line = f'ulimit -f {size}; exec "$@"'
    return run_process(
        ["/bin/bash", "-c", line, "bash", *COMMAND, *words],
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


def test_a_record_on_a_full_disk_contains_only_whole_lines(
    tiny_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    words = ["play", str(tiny_path), "--seat", "all=random", "--seed", "1"]

    done = limited([*words, "--bot-seed", "1", "--record", str(path)], 4)

    assert done.returncode == 1
    assert done.stderr == f"rulebook: {path}: File too large\n"
    begun = path.read_bytes()
    assert 3000 < len(begun) <= 4096
    assert all(json.loads(line) for line in begun.splitlines())
    assert main(["play", "--seat", "all=random", "--resume", str(path)]) == 0
    assert path.read_bytes().startswith(begun)


def test_results_on_a_full_disk_contain_the_written_games(
    tiny_path: Path, tmp_path: Path
) -> None:
    path, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    words = ["simulate", str(tiny_path), "--games", "40", "--jobs", "1", "--out"]

    done = limited([*words, str(path)], 2)

    part = path.with_name("out.csv.part")
    assert done.returncode == 1
    assert done.stderr == f"rulebook: {part}: File too large\n"
    _, *portions = part.read_text().splitlines()
    assert [json.loads(portion)["first"] for portion in portions] == list(
        range(len(portions))
    )
    assert len(portions) > 3
    rows = path.read_text().splitlines()
    assert len(rows) == len(portions) + 1
    assert main([*words, str(path), "--resume"]) == 0
    assert main([*words, str(whole)]) == 0
    assert path.read_bytes() == whole.read_bytes()


def test_out_overwrites_only_files_of_its_kind(
    tiny_path: Path, tmp_path: Path, capsys: Output
) -> None:
    rules = tmp_path / "my.rules"
    rules.write_text("mine")
    out = tmp_path / "out.jsonl"
    command = ["simulate", str(tiny_path), "--games", "1"]

    assert main([*command, "--out", str(rules)]) == 2
    assert main([*command, "--out", str(out)]) == 0
    assert main([*command, "--out", str(out), "--records", str(tmp_path)]) == 0
    assert main([*command, "--records", str(tmp_path)]) == 2

    assert rules.read_text() == "mine"
    assert "1.jsonl already exists" in capsys.readouterr().err


# ---------------------------------------------------------------- processes


def deadly() -> Callable[[int], int]:
    """Return a function that ends its process at the third item and returns other
    items, which have time to arrive before.
    """

    def work(item: int) -> int:
        if item == 3:
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    return work


def test_a_killed_worker_is_reported_after_the_finished_results() -> None:
    done: list[int] = []
    with pytest.raises(RequestError, match="ended by SIGKILL"):
        done.extend(map_in_processes(deadly, range(8), 2))

    assert 3 not in done
    assert len(set(done)) == len(done) >= 2


INTERRUPTED = """
import os, signal, time
from multiprocessing.process import BaseProcess
from workbench.analysis.simulation.processes import map_in_processes

def signalled(item):
    time.sleep(0.5)  # until the parent waits for an answer
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(1000)

def interrupted(process):
    os.kill(os.getpid(), signal.SIGINT)

BaseProcess.kill, kill = interrupted, BaseProcess.kill
try:
    list(map_in_processes(lambda: signalled, range(1), 2))
except KeyboardInterrupt as error:
    BaseProcess.kill, stopped = kill, error  # with the pipes in its traceback
"""
"""Program that gets a second signal while it ends the pool."""


def test_a_second_signal_leaves_no_worker_to_wait_for() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as parent:
        try:
            _, said = parent.communicate(timeout=10)
        finally:
            for number in session(parent.pid):
                os.kill(number, signal.SIGKILL)

    assert (parent.returncode, said) == (0, b"")


HEARTS = str(ROOT / "examples" / "games" / "hearts.rules")
POOLS = {
    "simulate": ["--games", "100000"],
    "compare": ["OTHER", "--games", "100000"],
    "ladder": ["--bots", "random,greedy", "--games", "100000"],
    "sweep": ["--vary", "option last_score = 50, 60", "--games", "100000"],
    "mutate": ["--games", "10"],
    "coverage": ["--games", "100000"],
    "impact": [HEARTS, "--corpus", "CORPUS"],
}
"""Commands that have a pool of workers, with arguments that take minutes."""


@pytest.mark.slow
@pytest.mark.parametrize("command", POOLS)
def test_a_command_with_workers_ends_within_seconds(
    command: str, tmp_path: Path
) -> None:
    """`timeout` sends its signal twice: to the command, and to its group."""
    other = tmp_path / "other.rules"
    text = Path(HEARTS).read_text(encoding="utf-8")
    other.write_text(text.replace("rulebook hearts", "rulebook other"))
    if command == "impact":
        main(["simulate", HEARTS, "--games", "400", "--records", str(tmp_path)])
    places = {"OTHER": str(other), "CORPUS": str(tmp_path)}
    words = [HEARTS, *(places.get(word, word) for word in POOLS[command])]
    with subprocess.Popen(
        [*COMMAND, command, *words, "--jobs", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as parent:
        try:
            while len(list(session(parent.pid))) < 3:
                assert parent.poll() is None, parent.communicate()
                time.sleep(0.2)
            time.sleep(1)
            parent.send_signal(signal.SIGTERM)
            os.killpg(parent.pid, signal.SIGTERM)
            deadline = time.monotonic() + 10
            status = parent.wait(10)
            while list(session(parent.pid)):
                assert time.monotonic() < deadline
                time.sleep(0.1)
        finally:
            for number in session(parent.pid):
                os.kill(number, signal.SIGKILL)

    assert status in {128 + signal.SIGTERM, -signal.SIGTERM}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_its_parent(
    how: signal.Signals, tiny_path: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    words = ["simulate", str(tiny_path), "--games", "100000", "--jobs", "2"]
    with subprocess.Popen(
        [*COMMAND, *words, "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as parent:
        deadline = time.monotonic() + 100
        part = out.with_name("out.jsonl.part")
        while not part.exists() or part.read_bytes().count(b"\n") < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert len(list(session(parent.pid))) == 3
        parent.send_signal(how)
        parent.wait()
        time.sleep(1)

        assert list(session(parent.pid)) == []
    if out.exists():
        assert all(json.loads(line) for line in out.read_text().splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "simulate", "resume"])
def test_a_killed_command_loses_nothing(
    command: str, tiny_path: Path, tmp_path: Path
) -> None:
    bench = Bench(str(tiny_path), load(str(tiny_path)), tmp_path)
    for number, how in enumerate((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)):
        run, folder = bench.killed(command, how, Random(number))

        assert list(bench.wrong(command, run, folder)) == []


# ---------------------------------------------------------------- words


def test_ctrl_c_during_imports_prints_one_line(tmp_path: Path) -> None:
    """A half-imported library cannot be imported again, so the command exits."""
    half = tmp_path / "lark"
    half.mkdir()
    (half / "__init__.py").write_text(
        "import os\n"
        "if 'HALF' in os.environ: raise KeyError('half of it is there')\n"
        "os.environ['HALF'] = '1'\n"
        "raise KeyboardInterrupt\n",
        encoding="utf-8",
    )
    process = run_process(
        [sys.executable, "-m", "workbench", "variants"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{Path.cwd()}"},
    )

    assert process.returncode == 130
    assert process.stderr.strip() == "interrupted"


def test_check_reads_standard_input(
    tiny_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = tiny_path.read_text()
    for given, status in ((text, 0), (text.replace("heap", "heep", 1), 1), ("\xff", 1)):
        source = tmp_path / "given"
        source.write_bytes(given.encode("latin-1", errors="replace"))
        with source.open(encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            assert main(["check", "-"]) == status
    said = capsys.readouterr().out
    assert "--> standard input:" in said
    assert "you choose pebble where heap has pebble" in said
    assert "RB001" in said


def test_naming_an_example_explains_how_to_get_it(capsys: Output) -> None:
    assert "`rulebook new hex --from hex`" in errors_of(capsys, "play", "hex")


def test_an_unrecorded_game_is_saved(tiny_path: Path, tmp_path: Path) -> None:
    for home, kept in ((tmp_path / "state", True), (Path("/proc/none"), False)):
        done = run_process(
            [*COMMAND, "play", str(tiny_path), "--seed", "1", "--bot-seed", "1"],
            input="1\nquit\n",
            env={**os.environ, "XDG_STATE_HOME": str(home)},
        )
        said = " ".join(done.stdout.split())
        assert done.returncode == 0
        assert ("To continue: rulebook play --resume" in said) == kept
        assert ("this game is no longer being saved to" in said) != kept
    (path,) = (tmp_path / "state" / "rulebook").iterdir()
    assert main(["replay", str(path)]) == 0
