"""Processor time of many games with empty and with full caches, and of another engine.

    python -m benchmarks.cold [--peers FOLDER] [--game GAME] [--games N] [--rounds N]

Prints processor seconds of all processes together, as medians of alternating rounds.
First `simulate GAME --games N --seed 1` runs with an empty cache and compiled modules,
as after an installation. Then it runs again. Last come 250 games of catanatron from
FOLDER (see `python -m benchmarks.peer_engines`). The first must take less time than the
last, and the second less than three fifths of it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.whole_games import child_seconds

THREE_FIFTHS = 0.6

GAMES = """
from catanatron import Color, Game, RandomPlayer
colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
for seed in range(250):
    Game([RandomPlayer(colour) for colour in colours], seed=seed).play()
"""


def processor_seconds(*words: str, **more: str) -> float:
    """Return the processor seconds of a command, including its child processes."""
    before = child_seconds()
    known = {**os.environ, **more, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.DEVNULL
    subprocess.run(words, env=known, check=True, stdout=done)  # noqa: S603
    return child_seconds() - before


def main() -> int:
    """Measure and print; return 1 if a run exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="folder of the other engines")
    parser.add_argument("--game", default="germany")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    words = [sys.executable, "-m", "workbench", "simulate", given.game]
    words += ["--games", str(given.games), "--seed", "1"]
    python = given.peers and given.peers / "catanatron" / "bin" / "python"
    peer = [str(python), "-c", GAMES] if python and python.exists() else None
    rounds = [one_round(words, peer) for _ in range(given.rounds)]
    cold, warm, theirs = (median(taken) for taken in zip(*rounds, strict=True))
    print(
        f"{' '.join(words[3:])}: {cold:.2f} s with empty caches, "
        f"{warm:.2f} s with full caches"
    )
    if peer is None:
        print("LEFT OUT: catanatron, see `python -m benchmarks.peer_engines`")
        return 0
    print(
        f"250 games of catanatron: {theirs:.2f} s; of 150: {THREE_FIFTHS * theirs:.2f}"
    )
    return int(cold > theirs or warm > THREE_FIFTHS * theirs)


def one_round(words: list[str], peer: list[str] | None) -> tuple[float, float, float]:
    """Return the seconds with empty and with full caches, and of the peer (0: none)."""
    with tempfile.TemporaryDirectory() as folder:
        modules = {"PYTHONPYCACHEPREFIX": f"{folder}/modules"}
        processor_seconds(
            *words, **modules, XDG_CACHE_HOME=f"{folder}/other"
        )  # compiles its modules
        kept = {**modules, "XDG_CACHE_HOME": f"{folder}/cache"}
        cold, warm = (
            processor_seconds(*words, **kept),
            processor_seconds(*words, **kept),
        )
    return cold, warm, processor_seconds(*peer) if peer else 0.0


if __name__ == "__main__":
    sys.exit(main())
