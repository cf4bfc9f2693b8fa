"""Processor time of comparing two variants, beside whole games of another engine.

    python -m benchmarks.compared [--peers FOLDER] [--games N] [--greedy N] [--theirs N]

Prints processor seconds of all processes together, with engines and modules cached. It
runs `rulebook compare` of two variants with 20,000 games of random bots and 1,000 pairs
of greedy bots. It also runs 1,500 games of catanatron from FOLDER (see `python -m
benchmarks.peer_engines`). Neither comparison may take longer than those games; both
ratios are printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.cold import GAMES, processor_seconds

VARIANTS = ("germany", "germany+cheap_landmarks")
THEIRS = GAMES.replace("range(250)", "range({games})")


def comparison_seconds(bots: str, games: int, folder: str) -> float:
    """Return the processor seconds of a comparison."""
    words = [sys.executable, "-m", "workbench", "compare", *VARIANTS]
    words += ["--games", str(games), "--bots", bots, "--engine", "native"]
    return processor_seconds(*words, PYTHONPYCACHEPREFIX=f"{folder}/modules")


def main() -> int:
    """Measure and print; return 1 if a comparison takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="folder of the other engines")
    parser.add_argument(
        "--games", type=int, default=20_000, help="number of games of random bots"
    )
    parser.add_argument(
        "--greedy", type=int, default=2_000, help="number of games of greedy bots"
    )
    parser.add_argument("--theirs", type=int, default=1_500, help="of catanatron's")
    given = parser.parse_args()
    takes: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for bots, games in (("random", given.games), ("greedy", given.greedy)):
            comparison_seconds(bots, 4, folder)  # fills the caches
            takes[bots] = comparison_seconds(bots, games, folder)
            each = 1000 * takes[bots] / games
            print(
                f"{games // 2:,} pairs, {bots}: {takes[bots]:.1f} s, {each:.2f} ms a"
                " game",
                flush=True,
            )
    python = given.peers and given.peers / "catanatron" / "bin" / "python"
    if not python or not python.exists():
        print("LEFT OUT: catanatron, see `python -m benchmarks.peer_engines`")
        return 0
    theirs = processor_seconds(str(python), "-c", THEIRS.format(games=given.theirs))
    print(f"{given.theirs:,} games of catanatron: {theirs:.1f} s")
    for bots, seconds in takes.items():
        print(f"{bots}: {seconds / theirs:.2f} of catanatron's time")
    return int(any(seconds > theirs for seconds in takes.values()))


if __name__ == "__main__":
    sys.exit(main())
