"""Replay a corpus of another engine's recorded games through `classic`.

    python benchmarks/oracle.py DIR [--jobs N] [--rules VARIANT] [--first]

VARIANT is `classic`, or one of the deviations next to the adapter, which must differ.
DIR contains `*.jsonl.xz`. Every step is compared: the seat to act, the set of legal
actions, hands and bank; at the end, the winner. Prints the first difference of each
game that differs, and how many steps agreed. The exit code is 1 if any game differs.
"""

import argparse
import sys
import time
from functools import lru_cache, partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from rulebook import Rulebook
from tests.oracle.adapter import DiffersError, Replay, corpus
from workbench import load


@lru_cache
def rules(variant: str) -> Rulebook:
    """Return the rules under test."""
    return load(variant)


def replay(variant: str, recorded: dict[str, Any]) -> tuple[int, int, bool, str | None]:
    """Return the steps of a game, how many agreed, if it was won, and a difference."""
    steps, won = len(recorded["steps"]), recorded["winner"] is not None
    run = Replay(rules(variant), recorded)
    try:
        run.run()
    except DiffersError as error:
        return steps, run.number, won, str(error)
    return steps, steps, won, None


def main() -> int:
    """Replay and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rules", default="classic")
    parser.add_argument(
        "--first", action="store_true", help="stop at the first difference"
    )
    arguments = parser.parse_args()
    files = sorted(arguments.directory.glob("*.jsonl.xz"))
    if not files:
        parser.error(f"no *.jsonl.xz in {arguments.directory}")
    replayed = partial(replay, arguments.rules)
    begun = time.perf_counter()
    wrong = 0
    total = [0, 0, 0, 0]
    with Pool(arguments.jobs) as pool:
        for file in files:
            here = [0, 0, 0, 0]
            for steps, agreed, won, difference in pool.imap(replayed, corpus(file)):
                if difference is not None:
                    print(difference)
                    wrong += 1
                    if arguments.first:
                        return 1
                here = [here[0] + 1, here[1] + won, here[2] + steps, here[3] + agreed]
            total = [a + b for a, b in zip(total, here, strict=True)]
            print(
                f"{file.name}: {here[0]} games ({here[1]} won), "
                f"{here[3]} of {here[2]} steps agree"
            )
    seconds = time.perf_counter() - begun
    print(
        f"all: {total[0]} games ({total[1]} won), "
        f"{total[3]} of {total[2]} steps agree, "
        f"{wrong} games differ, {seconds:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
