"""Speed of many games stepped together, compared with one call per decision.

    python -m benchmarks.batch [GAME …] [--seconds N]

Prints decisions per wall-clock second, medians of five rounds, with random choices by
numpy. The figures mean nothing with more threads than free processors. Needs numpy.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np

from interpreter.c_engine import Batch
from interpreter.native.engine import Engine, NoNativeEngine, build_engine
from interpreter.planning import plan_for
from workbench import load

ROUNDS = 5
SIZES = (1, 64, 1_024)
THREADS = (1, 2)


def batch_stepper(batch: Batch) -> Callable[[], int]:
    """Return a function that steps a batch once and returns its number of games."""
    numbers, games = np.random.default_rng(1), np.arange(batch.number)
    step = batch.now

    def play() -> int:
        choice = (numbers.random(batch.number) * step.counts).astype(np.int64)
        batch.step(step.indices[games, choice])
        return batch.number

    return play


def single_call_player(engine: Engine) -> Callable[[], int]:
    """Return a function that makes one decision of one game with a separate call."""
    game, numbers, seed = engine.start(1), Random(1).random, 1

    def play() -> int:
        nonlocal game, seed
        if game.is_over:
            seed += 1
            game = engine.start(seed)
        legal = game.legal_indices()
        game.apply(legal[int(numbers() * len(legal))])
        return 1

    return play


def rate(play: Callable[[], int], seconds: float) -> float:
    """Return the decisions per second, as the median of several rounds."""
    rates = []
    for _ in range(ROUNDS):
        begun, decisions = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds / ROUNDS:
            decisions += play()
        rates.append(decisions / (time.perf_counter() - begun))
    return sorted(rates)[ROUNDS // 2]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=["classic"])
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="seconds for each figure"
    )
    given = parser.parse_args()
    for name in given.games:
        book = load(name)
        players = min(4, book.players[1])
        engine = build_engine(plan_for(book, players, {}))
        if isinstance(engine, NoNativeEngine):
            print(f"{name}: no native engine, {engine.reason}")
            continue
        print(f"{name}, {players} players: decisions a second")
        figure = rate(single_call_player(engine), given.seconds)
        print(f"  {'one call a decision':24}{figure:12,.0f}")
        for size, threads in product(SIZES, THREADS):
            if threads > size:
                continue
            with Batch(book, size, players=players, threads=threads) as batch:
                figure = rate(batch_stepper(batch), given.seconds)
            shown = f"{size:,} games, {threads} threads"
            print(f"  {shown:24}{figure:12,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
