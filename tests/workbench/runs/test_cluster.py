"""The workers of a cluster play the same games as a single machine."""

import importlib.util
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulebook import Rulebook
from tests.support.commands import Output, errors_of
from tests.support.processes import run_process
from workbench.analysis.simulation import cluster
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameTask,
    bots_by_seat,
    portion_results,
)
from workbench.errors import RequestError

ROOT = Path(__file__).parents[3]
GAMES = 300
PATIENCE = 300
"""Maximum wait in seconds, because machines may be busy."""
NEEDS = pytest.mark.skipif(
    not (
        importlib.util.find_spec("distributed") and importlib.util.find_spec("joblib")
    ),
    reason="the extra [cluster] is not installed",
)


@pytest.mark.parametrize("address", ["", "nowhere", "tcp://", "tcp://a b:1", "a:8786"])
def test_rejects_an_invalid_address(
    address: str, tiny_path: Path, capsys: Output
) -> None:
    said = errors_of(capsys, "simulate", str(tiny_path), "--cluster", address)

    assert "is not a valid address; such as tcp://HOST:8786" in said


def test_jobs_and_cluster_exclude_each_other(tiny_path: Path, capsys: Output) -> None:
    words = ["--cluster", "tcp://127.0.0.1:8786", "--jobs", "2"]

    said = errors_of(capsys, "simulate", str(tiny_path), *words)

    assert "--jobs cannot be combined with --cluster" in said


def task_of(book: Rulebook) -> GameTask:
    seats = Settings(players=2).start(book, turns=0).seats
    return GameTask(bots_by_seat(["random"], seats), Settings(players=2))


def test_worker_plays_the_same_games(tiny: Rulebook) -> None:
    task = task_of(tiny)
    sent = cluster.pack_task(tiny, task, native=False)

    for portion in (range(3), range(9, 11)):
        came = cluster.play_portion(sent, portion)
        assert pickle.loads(pickle.dumps(came)) == portion_results(  # noqa: S301
            None, tiny, task, portion
        )


def test_a_worker_of_another_version_plays_nothing(
    tiny: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "version", lambda: "0.0.0")
        sent = cluster.pack_task(tiny, task_of(tiny), native=False)

    with pytest.raises(RequestError, match=r"has version .*, not 0\.0\.0"):
        cluster.play_portion(sent, range(1))


@NEEDS
def test_a_worker_of_one_thread_plays_all_portions(
    tiny: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "play_portion", played_in)
    single = {"n_workers": 1, "threads_per_worker": 1, "processes": False}
    quiet = {"dashboard_address": ":0", "silence_logs": False}
    with distributed.LocalCluster(**single, **quiet) as local:
        address = local.scheduler_address
        came: list[Any] = list(
            cluster.play_on_cluster(address, tiny, task_of(tiny), PARTS, native=False)
        )

    threads = {thread for thread, _ in came}
    assert sorted(portion for _, portion in came) == [0, 3, 6]
    assert threads.isdisjoint({threading.get_ident()})


PARTS = (range(3), range(3, 6), range(6, 9))


def played_in(_: bytes, portion: range) -> tuple[int, int]:
    return threading.get_ident(), portion.start


# ---------------------------------------------------------------- real cluster


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def process(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        env=known,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as started:
        try:
            yield started
        finally:
            with ExitStack() as stack:
                stack.callback(started.wait)
                if started.poll() is None:
                    os.killpg(started.pid, signal.SIGKILL)


@pytest.fixture
def at(request: pytest.FixtureRequest, deep: bool) -> Iterator[tuple[str, list[int]]]:
    """Return a scheduler with local workers: its address, and their processes."""
    if not deep:
        pytest.skip("a cluster is for --deep")
    address = f"tcp://127.0.0.1:{free_port()}"
    host, port = "127.0.0.1", address.rpartition(":")[2]
    with ExitStack() as stack:
        quiet = ("--no-dashboard", "--host", host, "--port", port)
        stack.enter_context(process("distributed.cli.dask_scheduler", *quiet))
        alone = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--host", host)
        workers = [
            stack.enter_context(
                process("distributed.cli.dask_worker", address, *alone)
            ).pid
            for _ in range(request.param)
        ]
        wait_for(address, request.param)
        yield address, workers


def wait_for(address: str, workers: int) -> None:
    """Wait until a scheduler has *workers* workers."""
    code = (
        "import sys, distributed\n"
        "with distributed.Client(sys.argv[1], timeout=int(sys.argv[3])) as client:\n"
        "    wanted, patience = map(int, sys.argv[2:])\n"
        "    if wanted: client.wait_for_workers(wanted, patience)\n"
    )
    given = [address, str(workers), str(PATIENCE)]
    words = [sys.executable, "-W", "ignore", "-c", code, *given]
    subprocess.run(words, check=True, capture_output=True)


def command(tiny: Path, out: Path, *more: str) -> list[str]:
    words = ["simulate", str(tiny), "--games", str(GAMES), "--players", "2"]
    return [sys.executable, "-m", "workbench", *words, "--out", str(out), *more]


@NEEDS
@pytest.mark.slow
@pytest.mark.parametrize("at", [2], indirect=True)
def test_rows_are_the_same_when_a_worker_is_killed_in_the_middle(
    at: tuple[str, list[int]], tiny_path: Path, tmp_path: Path
) -> None:
    address, workers = at
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    engine = ("--engine", "reference", "--detail")
    subprocess.run(command(tiny_path, here, *engine), check=True, capture_output=True)
    part = there.with_name("there.csv.part")

    with subprocess.Popen(
        command(tiny_path, there, *engine, "--cluster", address),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        deadline = time.monotonic() + PATIENCE
        while not part.exists() or part.read_bytes().count(b"\n") < 4:
            assert time.monotonic() < deadline
            assert run.poll() is None, run.communicate()[1]
            time.sleep(0.02)
        os.killpg(workers[0], signal.SIGKILL)
        _, errors = run.communicate(timeout=PATIENCE)

    assert run.returncode == 0, errors
    assert "Traceback" not in errors
    for name in ("csv", "turns.csv", "events.csv"):
        ours, theirs = here.with_suffix(f".{name}"), there.with_suffix(f".{name}")
        assert ours.read_bytes() == theirs.read_bytes()
    assert not part.exists()


@NEEDS
@pytest.mark.slow
@pytest.mark.parametrize("at", [2], indirect=True)
def test_until_and_a_stop_are_the_same_on_a_cluster(
    at: tuple[str, list[int]], tiny_path: Path, tmp_path: Path
) -> None:
    outs = [tmp_path / name for name in ("here.jsonl", "there.jsonl")]
    for out, more in zip(outs, ((), ("--cluster", at[0])), strict=True):
        until = ("--until", "turns ±4", "--games", "100000")
        words = command(tiny_path, out, *until, *more)
        done = run_process(words)
        assert (done.returncode, done.stderr) == (0, "")
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert outs[0].read_bytes().count(b"\n") >= 100

    outs[1].unlink()
    cluster_words = command(tiny_path, outs[1], "--games", "400", "--cluster", at[0])
    part = outs[1].with_name("there.jsonl.part")
    with subprocess.Popen([*cluster_words, "--engine", "reference"]) as run:
        while not part.exists() or part.read_bytes().count(b"\n") < 4:
            assert run.poll() is None
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        assert run.wait(PATIENCE) == 130
    for out, more in zip(outs, ((), ("--resume", "--cluster", at[0])), strict=True):
        words = command(tiny_path, out, "--games", "400", *more)
        subprocess.run(words, check=True, capture_output=True)
    assert outs[0].read_bytes() == outs[1].read_bytes()


@NEEDS
@pytest.mark.slow
@pytest.mark.parametrize("at", [0], indirect=True)
def test_a_cluster_without_workers_is_refused(
    at: tuple[str, list[int]], tiny_path: Path, tmp_path: Path
) -> None:
    for address, said in (
        (at[0], "has no workers"),
        (f"tcp://127.0.0.1:{free_port()}", "no cluster responds at"),
    ):
        words = command(tiny_path, tmp_path / "out.csv", "--cluster", address)
        done = run_process(words)
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr
