"""Feed the language and the playing what nobody wrote on purpose.

    python benchmarks/fuzz.py [--minutes N] [--inputs N] [--seed S] [--keep FOLDER]

Rule files made from the grammar, real ones mutated, hostile nesting, positions and
records with changes; each is tried in a child process with 500 MB of memory and five
seconds of the processor. Everything but a diagnostic or an error of the contract is a
failure; its input is written to FOLDER. Exit 1 when anything failed, 2 when one of
the built-in control inputs was not found to fail.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.support.fuzz import Failure, Input, controls, failures, make


def inputs(
    seed: int, minutes: float, count: int | None, made: Counter[str]
) -> Iterator[Input]:
    """Yield inputs until the time is over, or so many of them."""
    end = time.monotonic() + 60 * minutes
    number = 0
    while time.monotonic() < end if count is None else number < count:
        one = make(seed, number)
        made[one.sort] += 1
        number += 1
        yield one


def kept(failure: Failure, folder: Path) -> Path:
    """Write a failure's input to a folder and return where."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{failure.input.number}.txt"
    path.write_bytes(failure.input.data + b"\n\n" + failure.message.encode())
    return path


def main() -> int:
    """Try, count, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--inputs", type=int, help="so many, however long it takes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"))
    arguments = parser.parse_args()
    found = {failure.input.data for failure in failures(controls(), batch=1)}
    missed = [one.data.decode() for one in controls() if one.data not in found]
    if missed:
        print(f"control inputs that did not fail: {', '.join(missed)}")
        return 2
    made: Counter[str] = Counter()
    wrong = 0
    source = inputs(arguments.seed, arguments.minutes, arguments.inputs, made)
    for failure in failures(source):
        wrong += 1
        path = kept(failure, arguments.keep)
        last = failure.message.strip().splitlines()[-1]
        print(f"{failure.input.sort} {failure.input.number}: {last} ({path})")
    sorts = ", ".join(f"{count} {sort}" for sort, count in sorted(made.items()))
    print(f"{sum(made.values())} inputs ({sorts}), {wrong} failures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
