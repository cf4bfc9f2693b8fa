"""Processor time of many games with empty and with full caches, and of another engine.

    python -m benchmarks.cold [--peers FOLDER] [--game GAME] [--games N] [--rounds N]
    python -m benchmarks.cold --against OLD [--game GAME] [--games N] [--rounds N]

Prints processor seconds of all processes together, as medians of alternating rounds.
First `simulate GAME --games N --seed 1` runs with an empty cache and compiled modules,
as after an installation. Then it runs again. Last come 250 games of catanatron from
FOLDER (see `python -m benchmarks.peer_engines`). The first must take less time than the
last, and the second less than three fifths of it.

With `--against`, this version and the checkout OLD alternate, each with empty caches.
Prints seconds of real time as medians: from the start of the command to the first
action and to the first action in C, from the choice of the engine to the first action
in C (the wait for C), and the whole command; and the medians of the ratios.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.whole_games import child_seconds

THREE_FIFTHS = 0.6

ROOT = Path(__file__).parents[1]

MARKED = """
import sys, time
from interpreter import playouts
from workbench.analysis.simulation import engines, simulation
from workbench.cli import main

def mark(name):
    sys.stderr.write(f"MARK {name}:{time.time()}\\n")
    sys.stderr.flush()

def marked(place, name, label):
    usual = getattr(place, name)
    def function(*given, **more):
        setattr(place, name, usual)
        mark(label)
        return usual(*given, **more)
    setattr(place, name, function)

marked(engines, "choose_engine", "engine")
marked(simulation, "play_game", "action")
marked(playouts.PlayoutMemory, "play_games", "in C")
code = main(sys.argv[1:])
mark("end")
sys.exit(code)
"""
"""Program that runs a command and prints when each moment was reached."""

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


def moments(checkout: Path, folder: str, *words: str) -> dict[str, float]:
    """Return the seconds from the start of a command with empty caches to each mark.

    With several processes, the earliest one counts.
    """
    with tempfile.TemporaryDirectory() as cache:
        known = {
            **os.environ,
            "PYTHONPATH": str(checkout),
            "PYTHONPYCACHEPREFIX": f"{folder}/{checkout.name}",
            "PYTHONDONTWRITEBYTECODE": "",
            "XDG_CACHE_HOME": cache,
        }
        begun = time.time()
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", MARKED, *words],
            env=known,
            cwd=checkout,
            check=True,
            text=True,
            capture_output=True,
        )
    reached: dict[str, float] = {}
    for line in done.stderr.splitlines():
        if line.startswith("MARK "):
            name, moment = line.removeprefix("MARK ").split(":")
            seconds = float(moment) - begun
            reached[name] = min(seconds, reached.get(name, seconds))
    reached["action"] = min(reached.get("action", reached["in C"]), reached["in C"])
    reached["wait for C"] = reached["in C"] - reached["engine"]
    return reached


def compare(old: Path, words: Sequence[str], rounds: int) -> None:
    """Print the moments of this version and another, and the ratios."""
    versions = (old.resolve(), ROOT)
    with tempfile.TemporaryDirectory() as folder:
        for version in versions:
            moments(version, folder, *words)  # compiles its modules
        measured = [
            [moments(version, folder, *words) for version in versions]
            for _ in range(rounds)
        ]
    print(f"{' '.join(words)}, empty caches, {rounds} rounds: before, after, ratio")
    for name in ("action", "in C", "wait for C", "end"):
        before, after = (
            median(both[place][name] for both in measured) for place in (0, 1)
        )
        ratio = median(both[1][name] / both[0][name] for both in measured)
        print(f"{name:12}{before:8.2f}{after:8.2f}{ratio:8.2f}")


def main() -> int:
    """Measure and print; return 1 if a run exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="folder of the other engines")
    parser.add_argument("--game", default="germany")
    parser.add_argument("--games", type=int, help="default: 10000; with --against 200")
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--rounds", type=int, default=3, help="default: 3")
    given = parser.parse_args()
    games = given.games or (10_000 if given.against is None else 200)
    command = ["simulate", given.game, "--games", str(games), "--seed", "1"]
    if given.against is not None:
        compare(given.against, command, given.rounds)
        return 0
    words = [sys.executable, "-m", "workbench", *command]
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
