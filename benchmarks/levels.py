"""Seconds of the compiler, and speed of games in C, at each level of optimisation.

    python -m benchmarks.levels [GAME …] [--seconds N] [--rounds N]
    python -m benchmarks.levels --largest

Compiles the engine for random bots with each set of flags, and plays whole games
without trade between players, as `python -m benchmarks.native` does. All flags
alternate; medians are printed. Seconds are processor seconds. The column `pays after`
is the number of decisions after which the next longer compilation would have been
faster. With `--largest`, compiles made-up rules whose text grows up to the largest file
that is accepted, at the first and at the best level.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from statistics import median

import attrs

from benchmarks.growth import many_clauses
from benchmarks.whole_games import LOOP, MOST, child_seconds
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.compilers import PLAYED, Compiler, c_compiler, environment
from interpreter.native.build.loading import COMPILE_SECONDS
from interpreter.native.c_program import translate
from interpreter.native.engine import EngineParts
from interpreter.planning import plan_for
from rulebook import loads
from rulebook.source.files import BYTES_MAX
from workbench import load

GAMES = (
    *("classic", "germany", "base", "cardgame"),
    *(f"examples/tiny/{name}.rules" for name in ("connect_four", "reversi")),
    *(f"examples/games/{name}.rules" for name in ("hearts", "jewellers")),
)
FLAGS: Mapping[str, Sequence[str]] = {
    "-O0": ("-O0",),
    "-Og": ("-Og",),
    "-O1": ("-O1",),
    "-O1, less": ("-O1", "-fno-tree-pre", "-fno-tree-ter", "-fno-tree-dominator-opts"),
    "-Os": ("-Os",),
    "-O2": ("-O2",),
    "-O3": ("-O3",),
}
OFFERS = "offers_per_turn"


@attrs.define
class Level:
    """Flags of a compiler, with the library that they give and the measured values."""

    name: str
    library: ctypes.CDLL | None = None
    compiling: list[float] = attrs.field(factory=list)
    rates: list[float] = attrs.field(factory=list)

    @property
    def seconds(self) -> float:
        """Seconds of the compiler."""
        return median(self.compiling)

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return median(self.rates)

    def seconds_with(self, decisions: float) -> float:
        """Return the seconds for compiling and for a number of decisions."""
        return self.seconds + decisions / self.rate


def compiled(compiler: Compiler, text: str, flags: Sequence[str]) -> ctypes.CDLL:
    """Return the library of a text, compiled with these flags."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "games.c", Path(folder) / "games.so"
        source.write_text(text, encoding="utf-8")
        paths = ("-o", str(library), str(source))
        command = (*compiler.command, *PLAYED, *flags, *compiler.flags, *paths)
        subprocess.run(  # noqa: S603
            command,
            check=True,
            env=environment(),
            capture_output=True,
            timeout=COMPILE_SECONDS,
        )
        return ctypes.CDLL(str(library))


def measure(compiler: Compiler, game: str, seconds: float, rounds: int) -> None:
    """Print the table of a game."""
    book = load(game)
    options = {OFFERS: 0} if OFFERS in book.model.options else {}
    program = translate(plan_for(book, min(4, book.players[1]), options))
    text, _ = EngineParts().source(program)
    whole = f"{text}\n{LOOP.read_text(encoding='utf-8')}"
    levels = [Level(name) for name in FLAGS]
    numbers = (ctypes.c_int64 * len(program.numbers))(*program.numbers)
    for number in range(rounds):
        for level in levels:
            before = child_seconds()
            level.library = compiled(compiler, whole, FLAGS[level.name])
            level.compiling.append(child_seconds() - before)
            level.library.rb_numbers(numbers)
            told = (ctypes.c_double * 4)()
            arguments = ctypes.c_double(seconds), ctypes.c_uint64(number * 1_000_000)
            level.library.whole_games(*arguments, ctypes.c_int64(MOST), told)
            level.rates.append(told[1] / told[2])
    print(f"\n{game}, {len(text) / 1024:.0f} KiB of C")
    print(f"{'':12}{'compiler, s':>12}{'decisions/s':>14}{'pays after':>14}")
    for level in levels:
        after = break_even(level, levels)
        pays = "never" if after is None else f"{after:,.0f}"
        print(f"{level.name:12}{level.seconds:12.2f}{level.rate:14,.0f}{pays:>14}")


def break_even(level: Level, levels: Sequence[Level]) -> float | None:
    """Return the number of decisions after which a level beats all cheaper ones.

    It is None if a cheaper level is always faster.
    """
    most = 0.0
    for other in levels:
        if other is level or other.seconds >= level.seconds:
            continue
        gain = 1 / other.rate - 1 / level.rate
        if gain <= 0:
            return None
        most = max(most, (level.seconds - other.seconds) / gain)
    return most


def measure_largest(compiler: Compiler) -> None:
    """Print how long rules of growing length are read, translated and compiled."""
    names = ("bytes", "actions", "read", "plan, C", "C bytes", "first", "best")
    print("".join(f"{name:>10}" for name in names), "(seconds)")
    most = next(n for n in count() if len(many_clauses(16 * n)) > BYTES_MAX)
    for actions in (256, 512, 1_024, 16 * (most - 1)):
        rules = many_clauses(actions)
        begun = time.process_time()
        book = loads(rules, "many.rules")
        read, begun = time.process_time() - begun, time.process_time()
        text, _ = EngineParts().source(translate(plan_for(book, 2, {})))
        planned = time.process_time() - begun
        row = f"{len(rules):10,}{actions:10,}{read:10.1f}{planned:10.1f}{len(text):10,}"
        print(row, end="", flush=True)
        for flags in (FLAGS["-Og"], FLAGS["-O3"]):
            before = child_seconds()
            try:
                compiled(compiler, text, flags)
                print(f"{child_seconds() - before:10.1f}", end="", flush=True)
            except subprocess.TimeoutExpired:
                print(f"{f'>{COMPILE_SECONDS:.0f}':>10}", end="", flush=True)
        print()


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each figure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--largest", action="store_true")
    given = parser.parse_args()
    compiler = c_compiler()
    if isinstance(compiler, BuildFailure):
        raise SystemExit(str(compiler))
    print(compiler.version.splitlines()[0])
    if given.largest:
        measure_largest(compiler)
        return 0
    for game in given.games:
        measure(compiler, game, given.seconds, given.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
