"""Is anything lost, duplicated or left running when a command is killed?

    python -m benchmarks.kill tests/support/tiny.rules --times 100
    python -m benchmarks.kill germany --times 10

`play`, `simulate --jobs 2` and `play --resume` are each started repeatedly, for each of
SIGKILL, SIGTERM and SIGINT, which arrives at a random moment. Then every line on the
disk is compared with that of an uninterrupted game, and the prompts for a person with
the record. The processes of the session are counted after a second.
"""

import argparse
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import attrs

from interpreter import Game
from rulebook import Rulebook
from workbench.files.library.loading import load
from workbench.files.records.record_files import load_record

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
COMMAND = [sys.executable, "-m", "workbench"]
SEED = ["--seed", "4", "--bot-seed", "4"]
ANSWERS, GAMES = 40, 12
CODES = {0, 130, 143}
"""Exit codes of a finished command, or of one that caught its signal."""


@attrs.frozen
class Run:
    """Result of a command: its exit code, output, and remaining processes."""

    code: int
    shown: str
    errors: str
    left: tuple[int, ...]


def start_command(
    words: Sequence[str], folder: Path, answers: int
) -> subprocess.Popen[bytes]:
    """Start a command in its own session, with the answers that a person types.

    Commands that a shell starts in the background ignore Ctrl-C, as would their
    children. The default handler is therefore restored first.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    typed = folder / "typed"
    typed.write_text("1\n" * answers, encoding="utf-8")
    with (
        typed.open("rb") as source,
        (folder / "shown").open("wb") as out,
        (folder / "errors").open("wb") as errors,
    ):
        return subprocess.Popen(  # noqa: S603  (our own command)
            [*COMMAND, *words],
            stdin=source,
            stdout=out,
            stderr=errors,
            start_new_session=True,
        )


def wait_for_end(process: subprocess.Popen[bytes], folder: Path) -> Run:
    """Wait for a command; return its result, with the processes left after a second."""
    code = process.wait()
    deadline = time.monotonic() + 1
    while (left := tuple(session(process.pid))) and time.monotonic() < deadline:
        time.sleep(0.02)
    shown, errors = (
        (folder / name).read_text(encoding="utf-8", errors="replace")
        for name in ("shown", "errors")
    )
    return Run(code, shown, errors, left)


def session(number: int) -> Iterator[int]:
    """Yield the running processes of a session."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        state, *_, own = text.rpartition(")")[2].split()[:4]
        if int(own) == number and state != "Z":
            yield int(path.parent.name)


@attrs.frozen
class Bench:
    """Game, and what its commands write without interruption."""

    variant: str
    book: Rulebook
    folder: Path

    @property
    def person(self) -> str:
        """Seat of the person; bots play the others."""
        return self.book.seats[0]

    @property
    def seats(self) -> list[str]:
        """Arguments for the players of the seats."""
        return ["--seat", "all=random", "--seat", f"{self.person}=human"]

    def play(self, folder: Path) -> list[str]:
        """Return the command for a game with a person."""
        record = str(folder / "game.jsonl")
        return ["play", self.variant, *self.seats, *SEED, "--record", record]

    def resume(self, folder: Path) -> list[str]:
        """Return the command that continues a game."""
        return ["play", *self.seats, "--resume", str(folder / "game.jsonl")]

    def simulate(self, folder: Path) -> list[str]:
        """Return the command for many games."""
        files = ["--out", str(folder / "out.jsonl"), "--records", str(folder / "games")]
        games = ["--games", str(GAMES), "--jobs", "2", "--max-decisions", "200"]
        return ["simulate", self.variant, *games, *SEED, *files]

    def whole(self, name: str) -> Path:
        """Return the folder of an uninterrupted command, with its duration."""
        folder = self.folder / f"whole-{name}"
        if not folder.exists():
            folder.mkdir()
            if name == "resume":
                (folder / "game.jsonl").write_bytes(self.begun)
            begun = time.monotonic()
            words = getattr(self, name)(folder)
            run = wait_for_end(start_command(words, folder, ANSWERS), folder)
            assert run.code == 0, run.errors
            seconds = str(time.monotonic() - begun)
            (folder / "seconds").write_text(seconds, encoding="utf-8")
        return folder

    @property
    def begun(self) -> bytes:
        """First half of a record, cut in the middle of a line."""
        record = (self.whole("play") / "game.jsonl").read_bytes()
        return record[: len(record) // 2]

    def killed(
        self, name: str, how: signal.Signals, numbers: Random
    ) -> tuple[Run, Path]:
        """Run a command that receives a signal at a random moment."""
        seconds = float((self.whole(name) / "seconds").read_text(encoding="utf-8"))
        folder = Path(self.folder, f"{name}-{how.name}-{numbers.getrandbits(40)}")
        folder.mkdir()
        if name == "resume":
            (folder / "game.jsonl").write_bytes(self.begun)
        process = start_command(getattr(self, name)(folder), folder, ANSWERS)
        time.sleep(seconds * numbers.uniform(0.2, 1))
        process.send_signal(how)
        return wait_for_end(process, folder), folder

    # ------------------------------------------------------------ checks

    def wrong(self, name: str, run: Run, folder: Path) -> Iterator[str]:
        """Yield what is wrong after a kill."""
        if run.left:
            yield f"{len(run.left)} processes are left after a second"
        if run.code not in {*CODES, -signal.SIGINT, -signal.SIGKILL, -signal.SIGTERM}:
            yield f"exit code {run.code}: {run.errors[-300:]}"
        if "a bug of ours" in run.errors:
            yield run.errors
        yield from {
            "play": self._wrong_play,
            "resume": self._wrong_resume,
            "simulate": self._wrong_simulate,
        }[name](run, folder)

    def _wrong_play(self, run: Run, folder: Path) -> Iterator[str]:
        record = folder / "game.jsonl"
        record_bytes = record.read_bytes() if record.exists() else b""
        if (
            not (self.whole("play") / "game.jsonl")
            .read_bytes()
            .startswith(record_bytes)
        ):
            yield "the record is not the beginning of the game's"
        yield from self._wrong_shown(run, record_bytes.decode(errors="replace"), 0)

    def _wrong_resume(self, run: Run, folder: Path) -> Iterator[str]:
        path = folder / "game.jsonl"
        record_bytes, begun = path.read_bytes(), self.begun
        good = begun[: begun.rindex(b"\n") + 1]
        if not record_bytes.startswith(good):
            yield "the earlier part of the record is missing"
        torn = path.with_name("game.jsonl.torn")
        kept = torn.read_bytes() if torn.exists() else record_bytes[len(good) :]
        if not kept.startswith(begun[len(good) :]):
            yield "the line that was cut off is lost"
        text, _ = load_record(str(path))
        Game.replay(text, self.book)
        yield from self._wrong_shown(run, text, good.decode().count(self._own))

    @property
    def _own(self) -> str:
        return f'{{"seat": {json.dumps(self.person)}, "action"'

    def _wrong_shown(self, run: Run, record: str, before: int) -> Iterator[str]:
        """Yield an error if a prompt appeared before the last answer was stored."""
        asked = run.shown.lower().count(f"{self.person}> ")
        whole = record[: record.rfind("\n") + 1]
        if whole.count(self._own) - before < asked - 1:
            yield f"asked {asked} times, {whole.count(self._own) - before} written"

    def _wrong_simulate(self, _: Run, folder: Path) -> Iterator[str]:
        whole, out = self.whole("simulate"), folder / "out.jsonl"
        lines = out.read_bytes().splitlines(keepends=True) if out.exists() else []
        part = folder / "out.jsonl.part"
        kept = part.read_bytes().splitlines(keepends=True)[1:] if part.exists() else []
        kept = kept[:-1] if kept and not kept[-1].endswith(b"\n") else kept
        if lines and not lines[-1].endswith(b"\n"):
            yield "an incomplete line"
        if not set(lines) <= set((whole / "out.jsonl").read_bytes().splitlines(True)):
            yield "a line that belongs to no game"
        if len(set(lines)) < len(lines):
            yield "a game occurs twice"
        records = {path.name for path in (folder / "games").glob("*.jsonl")}
        seeds = {f"{json.loads(line)['seed']}.jsonl" for line in lines}
        games = [row for line in kept for row in json.loads(line)["rows"]["games"]]
        seeds |= {f"{seed}.jsonl" for seed, *_ in games}
        if not seeds <= records or len(records) > len(seeds) + 1:
            yield f"{len(records)} records of {len(seeds)} games"
        for name in records:
            ours, theirs = (place / "games" / name for place in (folder, whole))
            if ours.read_bytes() != theirs.read_bytes():
                yield f"the record {name} is incomplete"


def main() -> int:
    """Kill commands, check, and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", default="tests/support/tiny.rules")
    parser.add_argument(
        "--times", type=int, default=100, help="number of runs for each signal"
    )
    parser.add_argument("--only", default="play,simulate,resume")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    numbers, guilty = Random(chosen.seed), 0
    with TemporaryDirectory() as name:
        bench = Bench(chosen.variant, load(chosen.variant), Path(name))
        for command in chosen.only.split(","):
            for how in SIGNALS:
                codes: Counter[int] = Counter()
                for _ in range(chosen.times):
                    run, folder = bench.killed(command, how, numbers)
                    codes[run.code] += 1
                    for fault in bench.wrong(command, run, folder):
                        guilty += 1
                        print(f"{command} {how.name} in {folder.name}: {fault}")
                print(f"{command:8} {how.name}: exit codes {dict(codes)}", flush=True)
    print(f"{guilty} faults")
    return 1 if guilty else 0


if __name__ == "__main__":
    raise SystemExit(main())
