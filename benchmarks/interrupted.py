"""Are the rows of a run the same, however often it was interrupted?

    python -m benchmarks.interrupted germany --games 400 --moments 100
    python -m benchmarks.interrupted tests/support/tiny.rules --moments 10

`simulate --jobs 2 --out FILE` is stopped at moments drawn anew: by Ctrl-C, by SIGTERM,
by the death of the command, by that of a process that plays for it. It goes on with
`--resume`, and is stopped again, a few times; then it may come to its end, and each of
its files is compared, byte by byte, with that of a run nobody stopped. After each stop
no process may be left, and what was played must stand in files that are whole.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import attrs

from benchmarks.kill import Run, ended, session, started

WORKER = "a worker"
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
ENDINGS = (".jsonl", ".csv", ".parquet")
TEXTS = (".jsonl", ".csv")
DETAILED = ".csv"
"""In which each turn and each event has a row too, of fewer games."""
AGAIN = 3
"""How often a run is stopped before it may come to its end."""


@attrs.frozen
class Stand:
    """A run, and the files that it writes when nobody stops it."""

    variant: str
    games: int
    folder: Path
    endings: tuple[str, ...] = ENDINGS

    def words(self, folder: Path, ending: str, *more: str) -> list[str]:
        """The command of a run."""
        detail = ending == DETAILED
        number = max(self.games // 20, 20) if detail else self.games
        games = ["--games", str(number), "--jobs", "2", "--seed", "7"]
        out = ["--out", str(folder / f"out{ending}"), *["--detail"] * detail]
        return ["simulate", self.variant, *games, *out, *more]

    def whole(self, ending: str) -> tuple[dict[str, bytes], float]:
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

    def stopped(self, folder: Path, ending: str, how: str, numbers: Random) -> Run:
        """A run that goes on and is stopped at a moment before it would have ended."""
        _, seconds = self.whole(ending)
        process = started(self.words(folder, ending, "--resume"), folder, 0)
        time.sleep(seconds * numbers.uniform(0.05, 1))
        target = process.pid
        if how == WORKER:
            workers = sorted(set(session(process.pid)) - {process.pid})
            target = numbers.choice(workers) if workers else 0
        if target and process.poll() is None:
            signal_to(target, WAYS[how])
        return ended(process, folder)

    def wrong(self, how: str, run: Run, folder: Path) -> Iterator[str]:
        """What does not hold when a run was stopped."""
        if run.left:
            yield f"{len(run.left)} processes are left after a second"
        if run.code not in CODES[how]:
            yield f"exit code {run.code}: {run.errors[-300:]}"
        if "a bug of ours" in run.errors or "Traceback" in run.errors:
            yield run.errors
        for name, data in files(folder).items():
            ending = Path(name).suffix
            if ending in TEXTS:
                rows = data.splitlines(keepends=True)
                if not set(rows) <= set(self.whole(ending)[0][name].splitlines(True)):
                    yield f"{name} has a row that no game has"
        if run.code in {130, 143} and run.shown and "finished" not in run.shown:
            yield f"the summary is not whole: {run.shown[-200:]}"

    def differs(self, folder: Path, ending: str) -> Iterator[str]:
        """What is otherwise when a run has come to its end after all."""
        done = ended(started(self.words(folder, ending, "--resume"), folder, 0), folder)
        if done.code:
            yield f"exit code {done.code}: {done.errors[-300:]}"
        theirs, ours = self.whole(ending)[0], files(folder)
        for name in theirs.keys() | ours.keys():
            if theirs.get(name) != ours.get(name):
                yield f"{name} is another file"


def signal_to(process: int, how: signal.Signals) -> None:
    """Send a signal to a process that may just have ended."""
    with suppress(ProcessLookupError):
        os.kill(process, how)


def files(folder: Path) -> dict[str, bytes]:
    """The files that a run has written for good, by name."""
    return {path.name: path.read_bytes() for path in folder.glob("out*")}


def interrupted(
    stand: Stand, moments: int, numbers: Random, codes: Counter[str]
) -> Iterator[str]:
    """Stop runs at so many moments; what did not hold."""
    left = moments
    while left:
        ending = stand.endings[left % len(stand.endings)]
        folder = stand.folder / f"run-{left}"
        folder.mkdir()
        for _ in range(min(left, numbers.randint(1, AGAIN))):
            how = list(WAYS)[left % len(WAYS)]
            left -= 1
            run = stand.stopped(folder, ending, how, numbers)
            codes[f"{how} {run.code}"] += 1
            for fault in stand.wrong(how, run, folder):
                yield f"{how} in {folder.name}{ending}: {fault}"
        for fault in stand.differs(folder, ending):
            yield f"{folder.name}{ending}: {fault}"


def main() -> int:
    """Stop, go on, compare; say what did not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", default="germany")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--moments", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    codes: Counter[str] = Counter()
    faults = 0
    with TemporaryDirectory() as name:
        stand = Stand(chosen.variant, chosen.games, Path(name))
        for fault in interrupted(stand, chosen.moments, Random(chosen.seed), codes):
            faults += 1
            print(fault, flush=True)
    print(f"{chosen.moments} moments, how it ended: {dict(codes)}")
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
