"""How quick is the native engine? Beside the interpreter, in the same run.

    python -m benchmarks.native [GAME …] [--seconds N]

Whole games of random bots, one thread, in processor time: all in C; one call a decision
from Python; and the interpreter, whose games are the same ones. Then greedy bots, all
in C and in the interpreter. Set-up is part of a game. What it takes to make an engine
is told by itself.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from random import Random

from interpreter import Game, Stream
from interpreter.compiled import PlayoutLimits, Playouts, ToPlay
from interpreter.native.engine import Engine, NotNative, made
from interpreter.planning import plan_for
from workbench import load
from workbench.bots import BOTS, decide, own_numbers
from workbench.bots.randomness import Numbers, key_of

GAMES = ("classic", "germany", "base", "cardgame")
MOST = 20_000
ROUNDS = 5


def in_c(engine: Engine, seed: int) -> int:
    """Play one game all in C; return its decisions."""
    return engine.start(seed).play([seed * 100 + n for n in range(100)], MOST)


def by_calls(engine: Engine, seed: int) -> int:
    """Play one game with a call for each decision."""
    game, numbers, decisions = engine.start(seed), Random(seed).random, 0
    while not game.over and decisions < MOST:
        legal = game.legal_indices()
        game.apply(legal[int(numbers() * len(legal))])
        decisions += 1
    return decisions


def interpreted(engine: Engine, seed: int) -> int:
    """Play one game in the interpreter, by indices."""
    plan = engine.plan
    game = Game.start(plan.book, players=plan.players, seed=seed, options=plan.options)
    numbers, decisions = Random(seed).random, 0
    while not game.over and decisions < MOST:
        legal = game.legal_indices()
        game.apply(legal[int(numbers() * len(legal))])
        decisions += 1
    return decisions


class Greedy:
    """Games of greedy bots, in C and in the interpreter: the same ones."""

    def __init__(self, engine: Engine) -> None:
        self.native = Playouts(engine)
        self.limits = PlayoutLimits(MOST)

    def in_c(self, engine: Engine, seed: int) -> int:
        """Play one game in C; return its decisions."""
        seats = engine.plan.values.names["player"]
        keys = tuple([key_of(("bot", 1, seed, seat)) for seat in seats])
        games, bots = [ToPlay(seed, keys)], ["greedy"] * len(seats)
        [played] = self.native.play(games, bots, self.limits, asked)
        assert played is not None
        return played.decisions

    def interpreted(self, engine: Engine, seed: int) -> int:
        """Play one game in the interpreter."""
        plan = engine.plan
        game = Game.start(plan.book, players=plan.players, seed=seed)
        numbers = {seat: own_numbers(1, seed, seat) for seat in game.seats}
        decisions = 0
        while (seat := game.to_act) is not None and decisions < MOST:
            game.apply(decide(BOTS["greedy"], game, seat, numbers[seat]))
            decisions += 1
        return decisions


def asked(game: Game, seat: str, numbers: Stream) -> int:
    """Choose as the interpreter's greedy does."""
    return decide(BOTS["greedy"], game, seat, Numbers.over(numbers)).index


def rate(play: Callable[[Engine, int], int], engine: Engine, seconds: float) -> float:
    """Return the decisions in a second, the median of some rounds."""
    rates = []
    for number in range(ROUNDS):
        begun, decisions, seed = time.process_time(), 0, number * 100_000
        while time.process_time() - begun < seconds / ROUNDS:
            seed += 1
            decisions += play(engine, seed)
        rates.append(decisions / (time.process_time() - begun))
    return sorted(rates)[ROUNDS // 2]


def main() -> int:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each figure")
    given = parser.parse_args()
    print("decisions a second     in C    by calls    interpreter   times   made in")
    for name in given.games:
        book = load(name)
        players = min(4, book.players[1])
        plan = plan_for(book, players, {})
        begun = time.perf_counter()
        engine = made(plan)
        took = time.perf_counter() - begun
        if isinstance(engine, NotNative):
            print(f"{name}: no native engine, {engine.reason}")
            continue
        figures = [
            rate(play, engine, given.seconds) for play in (in_c, by_calls, interpreted)
        ]
        print(
            f"{name + f', {players} players':20}{figures[0]:10,.0f}{figures[1]:12,.0f}"
            f"{figures[2]:15,.0f}{figures[0] / figures[2]:8.0f}{took:8.1f} s"
        )
        greedy = Greedy(engine)
        ours, theirs = (
            rate(play, engine, given.seconds)
            for play in (greedy.in_c, greedy.interpreted)
        )
        print(f"{'  greedy':20}{ours:10,.0f}{theirs:27,.0f}{ours / theirs:8.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
