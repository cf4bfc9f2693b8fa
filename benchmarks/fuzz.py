"""Fuzz the language and the engine with generated and mutated inputs.

    python benchmarks/fuzz.py [--minutes N] [--inputs N] [--seed S] [--keep FOLDER]

The inputs are rule files from the grammar, mutated files, games of nested and
multiplied sizes, hostile nesting, and mutated positions and records. Each is tried in
its own child process with 500 MB of memory. It must be checked within five processor
seconds, under limits of 10^5 steps. If it has no errors, 200 random decisions must be
played, sampled and replayed within twenty. A hang, a kill or a traceback is a failure,
and its input is written to FOLDER. A diagnostic or an error of the contract is not. The
exit code is 1 if anything failed. It is 2 if a control input did not fail as planned: a
planted hang, a planted NameError, or a killed child.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.support.fuzz import CONTROLS, Failure, Input, controls, failures, make


def inputs(
    seed: int, minutes: float, count: int | None, made: Counter[str]
) -> Iterator[Input]:
    """Yield inputs until the time is over, or a number of them."""
    end = time.monotonic() + 60 * minutes
    number = 0
    while time.monotonic() < end if count is None else number < count:
        made_input = make(seed, number)
        made[made_input.sort] += 1
        number += 1
        yield made_input


def save_failure(failure: Failure, folder: Path) -> Path:
    """Write the input of a failure to a folder; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{failure.input.number}.txt"
    path.write_bytes(failure.input.data + b"\n\n" + failure.message.encode())
    return path


def main() -> int:
    """Try the inputs, count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument(
        "--inputs", type=int, help="number of inputs, without a time limit"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"))
    arguments = parser.parse_args()
    failing = {failure.input.data.decode(): failure for failure in failures(controls())}
    missed = [
        name
        for name, (sort, _) in CONTROLS.items()
        if name not in failing or failing[name].sort != sort
    ]
    if missed:
        print(f"control inputs that were not found: {', '.join(missed)}")
        return 2
    print(f"{len(failing)} control inputs found: {', '.join(failing)}")
    made: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    source = inputs(arguments.seed, arguments.minutes, arguments.inputs, made)
    for failure in failures(source):
        wrong[failure.sort] += 1
        path = save_failure(failure, arguments.keep)
        last = failure.message.strip().splitlines()[-1]
        print(
            f"{failure.sort}: {failure.input.sort} {failure.input.number}: "
            f"{last} ({path})",
            flush=True,
        )
    sorts = ", ".join(f"{count} {sort}" for sort, count in sorted(made.items()))
    ways = ", ".join(f"{wrong[sort]} {sort}s" for sort in ("hang", "kill", "traceback"))
    print(f"{sum(made.values())} inputs ({sorts}): {ways}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
