"""Are the rows of a run the same, however often it was interrupted?

    python -m benchmarks.interrupted germany --games 400 --moments 100
    python -m benchmarks.interrupted tests/support/tiny.rules --moments 10

`simulate --jobs 2 --out FILE` is stopped at moments drawn anew, anywhere between its
begin and its end: by Ctrl-C, by SIGTERM, by the death of the command, by that of a
process that plays for it. It goes on with `--resume`, and is stopped again, a few
times; then it may come to its end, and each of its files is compared, byte by byte,
with that of a run nobody stopped. After each stop no process may be left, nothing that
was kept may be gone, and there are only files that are whole. What came to its end
before its moment is compared too, and counts as no moment.
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

from benchmarks.kill import Run, ended, session, started

WORKER = "a worker"
TOO_EARLY = "Fatal Python error: init_"
"""What Python itself says where it is stopped before it has begun with the program."""

WAYS = {
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
"""How a command may end: a signal may come before it can be caught, or after all."""
JSON_LINES, CSV, PARQUET, PART = ".jsonl", ".csv", ".parquet", ".part"
FORMS: Mapping[str, tuple[float, tuple[str, ...]]] = {
    JSON_LINES: (0.25, ("--engine", "reference", "--records")),
    CSV: (0.25, ("--detail",)),
    PARQUET: (25, ()),
}
"""What is written by which kind of run: how many times `--games`, and by what words."""
OURS = {"typed", "shown", "errors", "seconds"}
"""What is in a folder and no run has written."""
TOLD = "; --resume goes on"
"""What a run says that was stopped and has made the files of what was played."""
AGAIN = 3
"""How often a run is stopped before it may come to its end."""
BEGINS = 0.2
"""How many moments of all come while a run begins, and in which part of its time."""
REFUSED = 2
"""The exit code of `--resume` for a run that has come to its end."""
FIFTHS = 5
TRIES = 5
"""How many runs there may be for each moment that stops one."""

Files = Mapping[str, bytes]


@attrs.frozen
class Stop:
    """A run that was to be stopped: whether it was, and what was kept by then."""

    run: Run
    hit: bool
    before: frozenset[bytes]
    kept: frozenset[bytes]


@attrs.frozen
class Stand:
    """A run, and the files that it writes when nobody stops it."""

    variant: str
    games: int
    folder: Path
    endings: tuple[str, ...] = tuple(FORMS)

    def number(self, ending: str) -> int:
        """How many games there are of which such a file is made."""
        return max(round(self.games * FORMS[ending][0]), 20)

    def words(self, folder: Path, ending: str, *more: str) -> list[str]:
        """The command of a run."""
        games = ["--games", str(self.number(ending)), "--jobs", "2", "--seed", "7"]
        out = ["--out", str(folder / f"out{ending}"), *FORMS[ending][1]]
        if out[-1] == "--records":
            out.append(str(folder / "records"))
        return ["simulate", self.variant, *games, *out, *more]

    def warmed(self) -> None:
        """See that what is compiled once and kept is there before a run is measured."""
        done = ended(
            started(["simulate", self.variant, "--games", "50"], self.folder, 0),
            self.folder,
        )
        assert done.code == 0, done.errors

    def whole(self, ending: str) -> tuple[Files, float]:
        """The files of a run that nobody stopped, and how long it took."""
        folder = self.folder / f"whole{ending}"
        if not folder.exists():
            folder.mkdir()
            begun = time.monotonic()
            done = ended(started(self.words(folder, ending), folder, 0), folder)
            assert done.code == 0, done.errors
            seconds = str(time.monotonic() - begun)
            (folder / "seconds").write_text(seconds, encoding="utf-8")
        return files(folder), float((folder / "seconds").read_text(encoding="utf-8"))

    def stopped(self, folder: Path, ending: str, how: str, numbers: Random) -> Stop:
        """A run that goes on and is stopped at a moment before it would have ended."""
        before = kept(folder, ending)
        process = started(self.words(folder, ending, "--resume"), folder, 0)
        self._wait(process, folder, ending, numbers)
        target: int | None = process.pid
        if how == WORKER:
            target = a_worker(process, numbers)
        hit = target is not None and signal_to(target, WAYS[how])
        run = ended(process, folder)
        return Stop(run, hit and run.code != 0, before, kept(folder, ending))

    def _wait(
        self,
        process: subprocess.Popen[bytes],
        folder: Path,
        ending: str,
        numbers: Random,
    ) -> None:
        """Wait for a moment: while it begins, or anywhere between what is left to play.

        How much is played is looked at, and not the time: that hangs on what else runs.
        """
        if numbers.random() < BEGINS:
            time.sleep(self.whole(ending)[1] * BEGINS * numbers.random())
            return
        number, there = self.number(ending), games_of(kept(folder, ending))
        goal = numbers.uniform(there, number)
        while there < goal - 1 and process.poll() is None:
            time.sleep(0.05)
            there = games_of(kept(folder, ending))
        time.sleep(numbers.random() * 0.2)

    def is_done(self, folder: Path, ending: str) -> bool:
        """Whether a run has come to its end: its files are there, and no others."""
        out = folder / f"out{ending}"
        return out.exists() and not out.with_name(f"{out.name}{PART}").exists()

    # ------------------------------------------------------------ what must hold

    def wrong(self, how: str, stop: Stop, folder: Path, ending: str) -> Iterator[str]:
        """What does not hold when a run was stopped."""
        run = stop.run
        if run.left:
            yield f"{len(run.left)} processes are left after a second"
        if run.code not in CODES[how]:
            yield f"exit code {run.code}: {run.errors[-300:]}"
        if "a bug of ours" in run.errors or "Traceback" in run.errors:
            yield run.errors
        if TOLD in run.errors and "finished" not in run.shown:
            yield f"the summary is not whole: {run.shown[-200:]}"
        is_done = self.is_done(folder, ending)
        if run.code and not is_done and not stop.before <= stop.kept:
            yield "games that were kept are gone"
        if run.code != -signal.SIGKILL:
            yield from (f"{path.name} is left" for path in half(folder))
        yield from self._strange(folder, ending)
        if is_done and stop.before and files(folder) != self.whole(ending)[0]:
            yield "games that were kept are gone"
        if TOLD in run.errors:
            number, name = games_of(stop.kept), f"out{ending}"
            there = len(rows(name, files(folder).get(name, b"")))
            if there != number:
                yield f"{number} games are kept, {there} stand in {name}"

    def _strange(self, folder: Path, ending: str) -> Iterator[str]:
        """Files that are no whole ones, or of no game."""
        theirs = self.whole(ending)[0]
        for name, data in files(folder).items():
            if name.endswith(PART):
                continue
            if name not in theirs:
                yield f"{name} is a file that no run has"
            elif not name.startswith("out"):
                if data != theirs[name]:
                    yield f"{name} is not whole"
            elif not rows(name, data) <= rows(name, theirs[name]):
                yield f"{name} has a row that no game has"

    def differs(self, folder: Path, ending: str) -> Iterator[str]:
        """What is otherwise when a run has come to its end after all."""
        words = self.words(folder, ending, "--resume")
        code = REFUSED if self.is_done(folder, ending) else 0
        done = ended(started(words, folder, 0), folder)
        if done.code != code or done.left:
            yield f"exit code {done.code}, left {done.left}: {done.errors[-300:]}"
        theirs, ours = self.whole(ending)[0], files(folder)
        for name in sorted(theirs.keys() | ours.keys()):
            if theirs.get(name) != ours.get(name):
                yield f"{name} is another file"


# ---------------------------------------------------------------- processes


def a_worker(process: subprocess.Popen[bytes], numbers: Random) -> int | None:
    """A process that plays for a command, as soon as there is one; None: it ended."""
    while process.poll() is None:
        workers = sorted(set(session(process.pid)) - {process.pid})
        if workers:
            return numbers.choice(workers)
        time.sleep(0.005)
    return None


def signal_to(process: int, how: signal.Signals) -> bool:
    """Send a signal to a process; whether there still is one."""
    try:
        os.kill(process, how)
    except ProcessLookupError:
        return False
    return True


# ---------------------------------------------------------------- files


def files(folder: Path) -> Files:
    """The files that a run has written, by name; not those that are half there."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in OURS and not path.name.startswith(".")
    }


def half(folder: Path) -> list[Path]:
    """The files that take the place of others when they are whole."""
    return sorted(folder.rglob(".*"))


def rows(name: str, data: bytes) -> frozenset[bytes]:
    """The rows of a file: each is of one game."""
    if name.endswith(PARQUET) and data:
        from pyarrow import parquet

        table = parquet.read_table(BytesIO(data))
        return frozenset(repr(row).encode() for row in table.to_pylist())
    lines = data.splitlines(keepends=True)
    return frozenset(lines[1:] if name.endswith(CSV) else lines)


def kept(folder: Path, ending: str) -> frozenset[bytes]:
    """The portions of games that are kept until a run comes to its end."""
    path = folder / f"out{ending}{PART}"
    lines = path.read_bytes().splitlines(keepends=True)[1:] if path.exists() else []
    return frozenset(line for line in lines if line.endswith(b"\n"))


def games_of(portions: frozenset[bytes]) -> int:
    """How many games there are in portions."""
    return sum(len(json.loads(line)["rows"]["games"]) for line in portions)


# ---------------------------------------------------------------- all moments


@attrs.define
class Seen:
    """How often a run was stopped in which way, how it ended, and how far it was."""

    codes: Counter[str] = attrs.field(factory=Counter)
    fifths: Counter[int] = attrs.field(factory=Counter)
    missed: int = 0
    half: int = 0

    @property
    def moments(self) -> int:
        """How many moments have stopped a run."""
        return self.codes.total()

    def add(self, how: str, stop: Stop, games: int) -> None:
        """Count a run that was to be stopped."""
        if not stop.hit:
            self.missed += 1
            return
        self.codes[f"{how} {stop.run.code}"] += 1
        self.fifths[min(games_of(stop.kept) * FIFTHS // games, FIFTHS - 1)] += 1


def interrupted(
    stand: Stand, moments: int, numbers: Random, seen: Seen
) -> Iterator[str]:
    """Stop runs at so many moments; what did not hold."""
    for number in range(moments * TRIES):
        if seen.moments >= moments:
            return
        ending = stand.endings[number % len(stand.endings)]
        folder = stand.folder / f"run-{number}"
        folder.mkdir()
        for _ in range(min(moments - seen.moments, numbers.randint(1, AGAIN))):
            how = list(WAYS)[seen.moments % len(WAYS)]
            stop = stand.stopped(folder, ending, how, numbers)
            if TOO_EARLY in stop.run.errors:
                seen.missed += 1
                continue
            seen.add(how, stop, stand.number(ending))
            for fault in stand.wrong(how, stop, folder, ending):
                yield f"{how} in {folder.name}{ending}: {fault}"
            for path in half(folder):  # who is killed cannot see to it
                path.unlink()
                seen.half += 1
            if stand.is_done(folder, ending):
                break
        for fault in stand.differs(folder, ending):
            yield f"{folder.name}{ending}: {fault}"
    yield f"only {seen.moments} of {moments} moments have stopped a run"


def main() -> int:
    """Stop, go on, compare; say what did not hold."""
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
    print(f"{seen.moments} moments, how it ended: {dict(sorted(seen.codes.items()))}")
    print(f"games kept at these, by fifths of all: {sorted(seen.fifths.items())}")
    print(f"{seen.missed} runs came to their end before; {seen.half} half files of a")
    print("command that was killed, which take no other's place")
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
