"""Are the rows of a run the same, however often it was interrupted?

    python -m benchmarks.interrupted germany --games 400 --moments 100
    python -m benchmarks.interrupted tests/support/tiny.rules --moments 10

`simulate --jobs 2 --out FILE` is stopped at random moments between its start and its
end: by Ctrl-C, by SIGTERM, or by killing the command or one of its workers. It
continues with `--resume`, and is stopped again a few times. Finally it may end, and
each of its files is compared byte by byte with that of an uninterrupted run. After each
stop no process may be left, no stored game may be lost, and every file must be
complete. A run that ended before its moment is compared too, but counts as no moment.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import attrs

from benchmarks.kill import Run, session, start_command, wait_for_end

WORKER = "a worker"
TOO_EARLY = ("Fatal Python error: init_", "in _get_module_details")
"""Outputs of Python if it is stopped before the program starts: during its own
start-up, or while it looks for the module to run."""

STOP_SIGNALS = {
    "SIGINT": signal.SIGINT,
    "SIGTERM": signal.SIGTERM,
    "SIGKILL": signal.SIGKILL,
    WORKER: signal.SIGKILL,
}
CODES = {
    "SIGINT": {0, 130, -signal.SIGINT},
    "SIGTERM": {0, 143, -signal.SIGTERM},
    "SIGKILL": {0, -signal.SIGKILL},
    WORKER: {0, 1},
}
"""Possible exit codes: a signal may arrive before it can be caught, or too late."""
JSON_LINES, CSV, PARQUET, PART = ".jsonl", ".csv", ".parquet", ".part"
FORMS: Mapping[str, tuple[float, tuple[str, ...]]] = {
    JSON_LINES: (0.25, ("--engine", "reference", "--records")),
    CSV: (0.25, ("--detail",)),
    PARQUET: (25, ()),
}
"""Kinds of runs by file ending: a factor for `--games`, and further arguments."""
OWN_FILES = {"typed", "shown", "errors", "seconds"}
"""Names of files in a folder that this program writes, not a run."""
STOP_MESSAGE = "; --resume goes on"
"""Message of a stopped run that has written the files of the games so far."""
STOPS_MAX = 3
"""Maximum number of stops before a run may end."""
STARTUP_SHARE = 0.2
"""Share of the stops that occur during start-up, and the part of the run that start-up
takes."""
REFUSED = 2
"""Exit code of `--resume` for a finished run."""
FIFTHS = 5
TRIES_MAX = 5
"""Maximum number of attempts to stop a run at one moment."""

Files = Mapping[str, bytes]


@attrs.frozen
class Stop:
    """Run that received a signal, with the games stored before and after it.

    `hit` is true if the signal stopped the run.
    """

    run: Run
    hit: bool
    before: frozenset[bytes]
    stored_portions: frozenset[bytes]


@attrs.frozen
class Stand:
    """Run, and the files that it writes without interruption."""

    variant: str
    games: int
    folder: Path
    endings: tuple[str, ...] = tuple(FORMS)

    def number(self, ending: str) -> int:
        """Return the number of games for a kind of file."""
        return max(round(self.games * FORMS[ending][0]), 20)

    def words(self, folder: Path, ending: str, *more: str) -> list[str]:
        """Return the command of a run."""
        games = ["--games", str(self.number(ending)), "--jobs", "2", "--seed", "7"]
        out = ["--out", str(folder / f"out{ending}"), *FORMS[ending][1]]
        if out[-1] == "--records":
            out.append(str(folder / "records"))
        return ["simulate", self.variant, *games, *out, *more]

    def warmed(self) -> None:
        """Fill the caches of compiled code before a run is measured."""
        done = wait_for_end(
            start_command(["simulate", self.variant, "--games", "50"], self.folder, 0),
            self.folder,
        )
        assert done.code == 0, done.errors

    def whole(self, ending: str) -> tuple[Files, float]:
        """Return the files of an uninterrupted run, and its duration in seconds."""
        folder = self.folder / f"whole{ending}"
        if not folder.exists():
            folder.mkdir()
            begun = time.monotonic()
            done = wait_for_end(
                start_command(self.words(folder, ending), folder, 0), folder
            )
            assert done.code == 0, done.errors
            seconds = str(time.monotonic() - begun)
            (folder / "seconds").write_text(seconds, encoding="utf-8")
        return files(folder), float((folder / "seconds").read_text(encoding="utf-8"))

    def stopped(self, folder: Path, ending: str, how: str, numbers: Random) -> Stop:
        """Continue a run and stop it at a moment before its end."""
        before = stored_portions(folder, ending)
        process = start_command(self.words(folder, ending, "--resume"), folder, 0)
        self._wait(process, folder, ending, numbers)
        target: int | None = process.pid
        if how == WORKER:
            target = a_worker(process, numbers)
        hit = target is not None and signal_to(target, STOP_SIGNALS[how])
        run = wait_for_end(process, folder)
        return Stop(run, hit and run.code != 0, before, stored_portions(folder, ending))

    def _wait(
        self,
        process: subprocess.Popen[bytes],
        folder: Path,
        ending: str,
        numbers: Random,
    ) -> None:
        """Wait for a moment during start-up, or at a random remaining game.

        The number of stored games is observed in place of the time, which depends on
        the load.
        """
        if numbers.random() < STARTUP_SHARE:
            time.sleep(self.whole(ending)[1] * STARTUP_SHARE * numbers.random())
            return
        number, there = self.number(ending), games_of(stored_portions(folder, ending))
        goal = numbers.uniform(there, number)
        while there < goal - 1 and process.poll() is None:
            time.sleep(0.05)
            there = games_of(stored_portions(folder, ending))
        time.sleep(numbers.random() * 0.2)

    def is_done(self, folder: Path, ending: str) -> bool:
        """Return whether a run is finished: its file exists, and no partial one."""
        out = folder / f"out{ending}"
        return out.exists() and not out.with_name(f"{out.name}{PART}").exists()

    # ------------------------------------------------------------ checks

    def wrong(self, how: str, stop: Stop, folder: Path, ending: str) -> Iterator[str]:
        """Yield what is wrong after a run was stopped."""
        run = stop.run
        if run.left:
            yield f"{len(run.left)} processes are left after a second"
        if run.code not in CODES[how]:
            yield f"exit code {run.code}: {run.errors[-300:]}"
        if "a bug of ours" in run.errors or "Traceback" in run.errors:
            yield run.errors
        if STOP_MESSAGE in run.errors and "finished" not in run.shown:
            yield f"the summary is incomplete: {run.shown[-200:]}"
        is_done = self.is_done(folder, ending)
        if run.code and not is_done and not stop.before <= stop.stored_portions:
            yield "stored games are missing"
        if run.code != -signal.SIGKILL:
            yield from (f"{path.name} remains" for path in temporary_files(folder))
        yield from self._strange(folder, ending)
        if is_done and stop.before and files(folder) != self.whole(ending)[0]:
            yield "stored games are missing"
        if STOP_MESSAGE in run.errors:
            number, name = games_of(stop.stored_portions), f"out{ending}"
            there = len(rows(name, files(folder).get(name, b"")))
            if there != number:
                yield f"{number} games are stored, but {name} contains {there}"

    def _strange(self, folder: Path, ending: str) -> Iterator[str]:
        """Yield files that are incomplete, or have rows of no game."""
        theirs = self.whole(ending)[0]
        for name, data in files(folder).items():
            if name.endswith(PART):
                continue
            if name not in theirs:
                yield f"{name} is not a file of an uninterrupted run"
            elif not name.startswith("out"):
                if data != theirs[name]:
                    yield f"{name} is incomplete"
            elif not rows(name, data) <= rows(name, theirs[name]):
                yield f"{name} has a row that belongs to no game"

    def differs(self, folder: Path, ending: str) -> Iterator[str]:
        """Yield what differs when a run has finally ended."""
        words = self.words(folder, ending, "--resume")
        code = REFUSED if self.is_done(folder, ending) else 0
        done = wait_for_end(start_command(words, folder, 0), folder)
        if done.code != code or done.left:
            yield f"exit code {done.code}, left {done.left}: {done.errors[-300:]}"
        theirs, ours = self.whole(ending)[0], files(folder)
        for name in sorted(theirs.keys() | ours.keys()):
            if theirs.get(name) != ours.get(name):
                yield f"{name} differs"


# ---------------------------------------------------------------- processes


def a_worker(process: subprocess.Popen[bytes], numbers: Random) -> int | None:
    """Wait for a worker of a command; return its process id, or None if it ended."""
    while process.poll() is None:
        workers = sorted(set(session(process.pid)) - {process.pid})
        if workers:
            return numbers.choice(workers)
        time.sleep(0.005)
    return None


def signal_to(process: int, how: signal.Signals) -> bool:
    """Send a signal to a process; return whether it still existed."""
    try:
        os.kill(process, how)
    except ProcessLookupError:
        return False
    return True


# ---------------------------------------------------------------- files


def files(folder: Path) -> Files:
    """Return the files that a run has written, by name, without temporary ones."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        and path.name not in OWN_FILES
        and not path.name.startswith(".")
    }


def temporary_files(folder: Path) -> list[Path]:
    """Return temporary files, which replace others when they are complete."""
    return sorted(folder.rglob(".*"))


def rows(name: str, data: bytes) -> frozenset[bytes]:
    """Return the rows of a file, one per game."""
    if name.endswith(PARQUET) and data:
        from pyarrow import parquet

        table = parquet.read_table(BytesIO(data))
        return frozenset(repr(row).encode() for row in table.to_pylist())
    lines = data.splitlines(keepends=True)
    return frozenset(lines[1:] if name.endswith(CSV) else lines)


def stored_portions(folder: Path, ending: str) -> frozenset[bytes]:
    """Return the portions of games that are stored until a run ends."""
    path = folder / f"out{ending}{PART}"
    lines = path.read_bytes().splitlines(keepends=True)[1:] if path.exists() else []
    return frozenset(line for line in lines if line.endswith(b"\n"))


def games_of(portions: frozenset[bytes]) -> int:
    """Return the number of games in some portions."""
    return sum(len(json.loads(line)["rows"]["games"]) for line in portions)


# ---------------------------------------------------------------- all moments


@attrs.define
class Seen:
    """Counts of stops by kind and exit code, and of the progress at each."""

    codes: Counter[str] = attrs.field(factory=Counter)
    fifths: Counter[int] = attrs.field(factory=Counter)
    missed: int = 0
    temporary_files: int = 0

    @property
    def moments(self) -> int:
        """Number of moments that have stopped a run."""
        return self.codes.total()

    def add(self, how: str, stop: Stop, games: int) -> None:
        """Count a run that received a signal."""
        if not stop.hit:
            self.missed += 1
            return
        self.codes[f"{how} {stop.run.code}"] += 1
        fifth = games_of(stop.stored_portions) * FIFTHS // games
        self.fifths[min(fifth, FIFTHS - 1)] += 1


def interrupted(
    stand: Stand, moments: int, numbers: Random, seen: Seen
) -> Iterator[str]:
    """Stop runs at a number of moments; yield what is wrong."""
    for number in range(moments * TRIES_MAX):
        if seen.moments >= moments:
            return
        ending = stand.endings[number % len(stand.endings)]
        folder = stand.folder / f"run-{number}"
        folder.mkdir()
        for _ in range(min(moments - seen.moments, numbers.randint(1, STOPS_MAX))):
            how = list(STOP_SIGNALS)[seen.moments % len(STOP_SIGNALS)]
            stop = stand.stopped(folder, ending, how, numbers)
            if any(early in stop.run.errors for early in TOO_EARLY):
                seen.missed += 1
                continue
            seen.add(how, stop, stand.number(ending))
            for fault in stand.wrong(how, stop, folder, ending):
                yield f"{how} in {folder.name}{ending}: {fault}"
            for path in temporary_files(folder):  # a killed command cannot remove them
                path.unlink()
                seen.temporary_files += 1
            if stand.is_done(folder, ending):
                break
        for fault in stand.differs(folder, ending):
            yield f"{folder.name}{ending}: {fault}"
    yield f"only {seen.moments} of {moments} moments have stopped a run"


def main() -> int:
    """Stop and continue runs, compare, and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", default="germany")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--moments", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    seen = Seen()
    faults = 0
    with TemporaryDirectory() as name:
        stand = Stand(chosen.variant, chosen.games, Path(name))
        stand.warmed()
        for ending in stand.endings:
            _, seconds = stand.whole(ending)
            number = stand.number(ending)
            print(f"{ending}: {number} games in {seconds:.1f} s", flush=True)
        for fault in interrupted(stand, chosen.moments, Random(chosen.seed), seen):
            faults += 1
            print(fault, flush=True)
    print(
        f"{seen.moments} interrupted runs, by signal and exit code: "
        f"{dict(sorted(seen.codes.items()))}"
    )
    print(
        "progress at these moments, in fifths of all games: "
        f"{sorted(seen.fifths.items())}"
    )
    print(f"{seen.missed} runs ended before they could be stopped")
    print(f"{seen.temporary_files} temporary files remained after killed commands")
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
