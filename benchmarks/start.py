"""Processor time of starting the program: `--help`, and checking a game.

    python benchmarks/start.py
    python benchmarks/start.py --against ../other-checkout

Measures user and system time of whole processes, as medians of alternating runs, so
that load on the machine affects all of them. With `--against`, another checkout is
measured in the same rounds, with the same Python.
"""

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

HERE = Path(__file__).parents[1]
BASE = ("-c", "import argparse, re")
RUNS = 9


def seconds(arguments: Sequence[str], checkout: Path) -> float:
    """Return the user and system time of Python on a checkout's modules."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "NO_COLOR": "1"}
    before = child_seconds()
    subprocess.run(  # noqa: S603  (Python, on modules of ours)
        [sys.executable, *arguments],
        env=environment,
        cwd=checkout,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return child_seconds() - before


def child_seconds() -> float:
    """Return the user and system time of all child processes that have ended."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def medians(
    commands: Sequence[tuple[Path, Sequence[str]]], runs: int
) -> list[tuple[float, float, float]]:
    """Return the median, minimum and maximum time of each command.

    Each runs once before, so that byte code and tables are cached.
    """
    for checkout, arguments in commands:
        seconds(arguments, checkout)
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(runs):
        for (checkout, arguments), row in zip(commands, times, strict=True):
            row.append(seconds(arguments, checkout))
    return [(median(row), min(row), max(row)) for row in times]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--game", default="germany", help="game to check")
    parser.add_argument("--runs", type=int, default=RUNS)
    given = parser.parse_args()
    asked = {"--help": ("--help",), "check": ("check", given.game)}
    checkouts = [HERE, *([given.against.resolve()] if given.against else [])]
    rows: list[tuple[str, Path, Sequence[str]]] = [
        ("python -c 'import argparse, re'", HERE, BASE)
    ]
    for name, words in asked.items():
        rows += [
            (f"{name} in {place.name}", place, ("-m", "workbench", *words))
            for place in checkouts
        ]
    timings = medians([(place, words) for _, place, words in rows], given.runs)
    middles = (middle for middle, _, _ in timings)
    by_name = dict(zip((name for name, _, _ in rows), middles, strict=True))
    width = max(map(len, by_name))
    for name, (middle, least, most) in zip(by_name, timings, strict=True):
        print(f"{name:<{width}}  {middle:6.3f} s  ({least:.3f} to {most:.3f})")
    print(f"--help takes {timings[1][0] / timings[0][0]:.2f} times the first")
    if given.against:
        mine, others = (by_name[f"check in {place.name}"] for place in checkouts)
        print(f"check takes {mine / others:.2f} of what it takes there")


if __name__ == "__main__":
    main()
