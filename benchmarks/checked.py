"""Are the kept values of the native engine right at every step?

    python -m benchmarks.checked [GAME …] [--decisions N]

Plays random games of every file, all in C, in a program that computes each kept value
again at every decision. The program stops at the first difference, and names the value
and the line of the last write. At least `--decisions` decisions are played of each file
and number of players. The exit code is 1 after a difference.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import variants
from benchmarks.whole_games import LOOP
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.compilers import c_compiler, environment
from interpreter.native.c_file import NotTranslatable
from interpreter.native.c_program import CHECK_MACRO, translate
from interpreter.planning import plan_for
from workbench import load

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").rglob("*.rules"))
MAIN = """
#include <stdio.h>
int main(int n, char **given) {
  double results[4], decisions = 0;
  for (uint64_t seed = 0; n && decisions < atof(given[1]); seed += 1000) {
    if (!whole_games(0.05, seed, 20000, results)) break;
    decisions += results[1];
  }
  printf("%.0f", decisions);
  return 0;
}
"""


def checked_text(text: str) -> str:
    """Return the C text of a program that plays games and checks kept values."""
    loop = LOOP.read_text(encoding="utf-8")
    return f"#define {CHECK_MACRO}\n{text}\n{loop}\n{MAIN}"


def play_checked(text: str, decisions: int) -> tuple[int, str]:
    """Play games of an engine's C text; return decisions and a difference or nothing.

    Exit if there is no compiler.
    """
    compiler = c_compiler()
    if isinstance(compiler, BuildFailure):
        raise SystemExit(str(compiler))
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "games.c", Path(folder) / "games"
        source.write_text(checked_text(text), encoding="utf-8")
        command = compiler.command_line("play", str(program), str(source))
        command = [x for x in command if x not in {"-shared", "-O3"}]
        subprocess.run(  # noqa: S603
            [*command, "-O1"], check=True, env=environment(), capture_output=True
        )
        done = subprocess.run(  # noqa: S603
            [str(program), str(decisions)], capture_output=True, text=True, check=False
        )
    return int(done.stdout or 0), done.stderr.strip()


def run(name: str, decisions: int) -> bool:
    """Check games of one file with each number of players; return whether all agree."""
    book, total = load(name), 0
    for players in range(book.players[0], book.players[1] + 1):
        try:
            text = translate(plan_for(book, players, {})).listing
        except NotTranslatable as error:
            print(f"{name}: no native engine, {error}")
            return True
        played, difference = play_checked(text, decisions)
        total += played
        if difference or not played:
            print(f"{name}, {players} players: DIFFERENT, {difference}")
            return False
    print(f"{name}: {total:,} decisions, 0 differences", flush=True)
    return True


def main() -> int:
    """Check and print; return 1 after a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="GAME", nargs="*")
    parser.add_argument("--decisions", type=int, default=20_000)
    given = parser.parse_args()
    games = [*variants.names(), *variants.house_rules(), *map(str, EXAMPLES)]
    good = [run(name, given.decisions) for name in given.names or games]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
