"""Do broken rules behave alike in both engines?

    python -m benchmarks.mutants_alike [GAME …] [--mutants N] [--steps N] [--seed N]

Draws mutants of the games that the checker accepts, the same number of each game, and
plays each in the native engine and the interpreter, which are compared at every step.
The exit code is 1 if an engine differs; the difference is printed with its mutant.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from random import Random

from benchmarks.differential import EXAMPLES, SHIPPED
from interpreter.native.engine import NoNativeEngine, engine_for
from rulebook import Rulebook, recheck, tooling
from tests.support.side_by_side import Different, Setting, ends, play
from workbench import load


def books(book: Rulebook, numbers: Random) -> Iterator[tuple[str, Rulebook]]:
    """Yield mutants that the checker accepts, in random order, with their names."""
    mutants = [*tooling.mutants(book)]
    numbers.shuffle(mutants)
    for mutant in mutants:
        changed, _ = recheck(book, mutant.clauses, mutant.header)
        if changed is not None:
            yield mutant.name, changed


def steps_of(book: Rulebook, seed: int, most: int) -> int:
    """Play one game with the options at one end; return the compared steps."""
    numbers = Random(seed)
    players = numbers.randint(*book.players)
    setting = Setting(book, players, seed, numbers.choice([*ends(book)]))
    made = engine_for(setting.plan())
    if isinstance(made, NoNativeEngine):
        print(f"  no native engine: {made.reason}")
        return 0
    return play(setting, most, bare=False)


def main() -> int:
    """Compare and print; return 1 if an engine differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="GAME", nargs="*")
    parser.add_argument("--mutants", type=int, default=250, help="number of mutants")
    parser.add_argument("--steps", type=int, default=200, help="steps of each game")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    names = given.names or [*SHIPPED, *map(str, EXAMPLES)]
    share = -(-given.mutants // len(names))
    mutants = compared = different = 0
    for name in names:
        numbers = Random(given.seed)
        for mutant, book in islice(books(load(name), numbers), share):
            mutants += 1
            try:
                compared += steps_of(book, given.seed + mutants, given.steps)
            except Different as error:
                different += 1
                print(f"{name}: {mutant}: DIFFERENT\n{error}")
        print(f"{name}: {mutants} mutants, {compared:,} steps so far", flush=True)
    print(f"{mutants} mutants, {compared:,} steps, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
