"""Does the native engine play generated rules as the interpreter does?

    python -m benchmarks.made_up [--files N] [--seed S] [--keep FOLDER] [--kept FILE]

Draws rule files: small games, games with every kind of part in statements, games of
nested sizes, and shipped games. Most are mutated a few times. Each is translated and
compiled. A few games are compared at every step with the interpreter, and with the
interpreter without rewrites. Every file has its own child process, so that crashes and
hangs are noticed too. The exit code is 1 if an engine differs, or its C code does not
compile; such a file is written to FOLDER. `--first NUMBER --files 1` makes a file again
by its number. `--kept` names a file for the progress: an interrupted run continues from
there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import attrs

from interpreter.kernel.passes.pipeline import EVERY_PASS
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.compilers import c_compiler
from interpreter.native.engine import NoNativeEngine, engine_for
from rulebook import Rulebook
from rulebook import syntax as s
from rulebook.write import write
from tests.support import every_part
from tests.support.fuzz_sizes import from_sizes
from tests.support.made_up_rules import changed, games, read, statements
from tests.support.side_by_side import Different, GaveUp, Setting, begun, ends, play
from workbench import load

SHIPPED = ("classic", "germany", "base", "cardgame")
SAME, REFUSED, ROOM = "same", "refused", "left to the interpreter"
DIFFERENT, NO_C, CRASH = "DIFFERENT", "DOES NOT COMPILE", "CRASH OR HANG"
BAD = (DIFFERENT, NO_C, CRASH)
CHANGES, TOGETHER = 4, 6
STEPS, GAMES, SECONDS = 40, 3, 600.0
FILE_ATTRIBUTES = ("extends", "boards", "themes", "companions")
"""Attributes of a header that name other files."""

REPORT_INTERVAL = 50
"""Number of files between reports of the progress."""

COMPILER = " fails: "
"""Text in a refusal if the compiler rejects the C code."""


def random_rules(numbers: Random) -> Rulebook:
    """Return the rules of a random file."""
    sort = numbers.random()
    if sort < 0.45:
        book = numbers.choice(games())
    elif sort < 0.75:
        book = statement_game(numbers)
    elif sort < 0.95:
        book = sized_game(numbers)
    else:
        book = load(numbers.choice(SHIPPED))
    for _ in range(numbers.randint(0, CHANGES)):
        book = changed(book, numbers.randrange(2**16))
    return book


def statement_game(numbers: Random) -> Rulebook:
    """Return a game of a few statements, without those that have errors."""
    chosen = numbers.sample(statements(), numbers.randint(1, TOGETHER))
    sound = [action for action in chosen if read(every_part.game([action]))]
    book = read(every_part.game(chosen)) or read(every_part.game(sound))
    assert book is not None
    return book


def sized_game(numbers: Random) -> Rulebook:
    """Return the first game of sizes without errors."""
    while (book := read(from_sizes(numbers))) is None:
        pass
    return book


def settings(book: Rulebook, numbers: Random) -> list[Setting]:
    """Return settings for a few games of a file."""
    options = list(ends(book))
    low, high = book.players
    return [
        Setting(
            book,
            numbers.randint(low, high),
            numbers.choice((0, 1, -1, 2**64 - 1, numbers.randrange(2**32))),
            {} if not game else numbers.choice(options),
        )
        for game in range(GAMES)
    ]


def compare_game(setting: Setting) -> tuple[str, str, int]:
    """Play one game in all engines; return the verdict, the reason and the steps."""
    made = engine_for(setting.plan())
    if isinstance(made, NoNativeEngine):
        return (NO_C if COMPILER in made.reason else REFUSED), made.reason, 0
    told = [begun(setting.reference, EVERY_PASS), begun(made.start, setting.seed)]
    if told[0] != told[1]:
        return DIFFERENT, f"{setting}, at the beginning: {told[0]} and {told[1]}", 0
    if told[0]:
        return SAME, "", 0
    try:
        return SAME, "", play(setting, STEPS)
    except GaveUp as error:
        return ROOM, str(error), 0
    except Different as error:
        return DIFFERENT, str(error), 0


def file(seed: int, number: int) -> Rulebook:
    """Return a file by its number."""
    return random_rules(Random(f"{seed} {number}"))


def text(book: Rulebook) -> str:
    """Return the rules of a book as one file."""
    clauses: list[Any] = list(book.merged.clauses.values())
    whole: dict[str, Any] = dict.fromkeys(FILE_ATTRIBUTES, ())
    header = attrs.evolve(book.merged.header, **whole)
    phases = tuple(clause for clause in clauses if isinstance(clause, s.Phase))
    rest = [clause for clause in clauses if clause not in phases]
    if phases:
        rest.append(s.TurnClause(phases, span=phases[0].span))
    return write(s.File(1, header, tuple(rest), span=header.span))


def child(end: Connection, seed: int, number: int) -> None:
    """Draw a file, play it, and send the verdict."""
    book = file(seed, number)
    verdict, why, steps = SAME, "", 0
    for setting in settings(book, Random(number)):
        verdict, why, more = compare_game(setting)
        steps += more
        if verdict != SAME:
            break
    end.send((verdict, why, steps))


def outcome(seed: int, number: int) -> tuple[str, str, int]:
    """Try a file in its own child process."""
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(there, seed, number))
    process.start()
    there.close()
    answer = (CRASH, f"no answer in {SECONDS:g} seconds", 0)
    try:
        if here.poll(SECONDS):
            answer = here.recv()
    except EOFError:
        process.join()
        answer = (CRASH, f"it ends with {process.exitcode}", 0)
    process.kill()
    process.join()
    return answer


@attrs.define
class Tally:
    """Counts of a run: files, verdicts, steps and seconds."""

    seed: int
    first: int
    files: int = 0
    steps: int = 0
    seconds: float = 0.0
    verdicts: Counter[str] = attrs.field(factory=Counter, converter=Counter)
    reasons: Counter[str] = attrs.field(factory=Counter, converter=Counter)

    def add(self, verdict: str, why: str, steps: int, seconds: float) -> None:
        """Count a file."""
        self.files += 1
        self.steps += steps
        self.seconds += seconds
        self.verdicts[verdict] += 1
        if verdict in (REFUSED, ROOM):
            self.reasons[f"{verdict}: {why}"] += 1

    @property
    def bad(self) -> bool:
        """True if an engine differs, or its C code does not compile."""
        return any(self.verdicts[name] for name in BAD)

    def __str__(self) -> str:
        lines = [f"{count:6} {why}" for why, count in self.reasons.most_common()]
        names = (SAME, REFUSED, ROOM), BAD
        kinds = [
            ", ".join(f"{self.verdicts[name]} {name}" for name in those)
            for those in names
        ]
        head = f"{self.files} files, {self.steps:,} steps in {self.seconds:.0f} s"
        return "\n".join([*lines, f"{head}: {kinds[0]}; {kinds[1]}"])


def load_progress(path: Path | None, seed: int, first: int) -> Tally:
    """Return the progress of a run; exit if it belongs to other numbers."""
    if path is None or not path.exists():
        return Tally(seed, first)
    tally = Tally(**json.loads(path.read_text(encoding="utf-8")))
    if (tally.seed, tally.first) != (seed, first):
        sys.exit(f"{path} is of --seed {tally.seed} --first {tally.first}")
    return tally


def save_progress(path: Path | None, tally: Tally) -> None:
    """Store the progress; an interrupted write leaves the file as it was."""
    if path is not None:
        new = path.with_suffix(".new")
        new.write_text(json.dumps(attrs.asdict(tally), indent=1), encoding="utf-8")
        new.replace(path)


def try_next(tally: Tally, folder: Path) -> None:
    """Try the next file; if it fails, report and save it."""
    number, begin = tally.first + tally.files, time.monotonic()
    verdict, why, steps = outcome(tally.seed, number)
    tally.add(verdict, why, steps, time.monotonic() - begin)
    if tally.files % REPORT_INTERVAL == 0:
        print(f"{tally.files} files, {dict(tally.verdicts)}", flush=True)
    if verdict in BAD:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{tally.seed}-{number}.rules"
        path.write_text(text(file(tally.seed, number)), encoding="utf-8")
        print(f"{number}: {verdict}: {why}\n  {path}", flush=True)


def main() -> int:
    """Try files, count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--keep", type=Path, default=Path("made-up-failures"))
    parser.add_argument("--kept", type=Path, help="file for the progress")
    given = parser.parse_args()
    compiler = c_compiler()
    if isinstance(compiler, BuildFailure):
        print(compiler)
        return 2
    tally = load_progress(given.kept, given.seed, given.first)
    for prepared in (games, statements):
        prepared()  # once, before any child is forked
    with tempfile.TemporaryDirectory(prefix="made-up-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        while tally.files < given.files:
            try_next(tally, given.keep)
            save_progress(given.kept, tally)
    print(tally)
    return 1 if tally.bad else 0


if __name__ == "__main__":
    sys.exit(main())
