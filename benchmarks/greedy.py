"""Speed of greedy bots in C, compared with the interpreter in the same run.

    python -m benchmarks.greedy [GAME …] [--seconds N]

Plays whole games in one thread and measures processor seconds, including set-up. Both
play the same games, because greedy chooses alike in both. Prints medians of five
alternating rounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from interpreter import Game, Stream
from interpreter.c_engine import PendingGame, PlayoutLimits, PlayoutRunner
from interpreter.native.engine import Engine, NoNativeEngine, build_engine
from interpreter.planning import plan_for
from workbench import load
from workbench.bots import BOTS, bot_random, decide
from workbench.bots.randomness import KeyedRandom, stream_key

GAMES = ("classic", "germany", "base", "cardgame")
MOST = 20_000
ROUNDS = 5


class Greedy:
    """Games of greedy bots, in C and in the interpreter."""

    def __init__(self, engine: Engine) -> None:
        self.plan = engine.plan
        self.native = PlayoutRunner(engine)
        self.limits = PlayoutLimits(MOST)

    def in_c(self, seed: int) -> int:
        """Play one game in C; return its decisions."""
        seats = self.plan.values.names["player"]
        keys = tuple([stream_key(("bot", 1, seed, seat)) for seat in seats])
        games, bots = [PendingGame(seed, keys)], ["greedy"] * len(seats)
        [played] = self.native.play(games, bots, self.limits, choose_greedily)
        assert played is not None
        return played.decisions

    def interpreted(self, seed: int) -> int:
        """Play one game in the interpreter; return its decisions."""
        plan = self.plan
        game = Game.start(plan.book, players=plan.players, seed=seed)
        numbers = {seat: bot_random(1, seed, seat) for seat in game.seats}
        decisions = 0
        while (seat := game.to_act) is not None and decisions < MOST:
            game.apply(decide(BOTS["greedy"], game, seat, numbers[seat]))
            decisions += 1
        return decisions


def choose_greedily(game: Game, seat: str, numbers: Stream) -> int:
    """Choose as the interpreter's greedy bot does."""
    return decide(BOTS["greedy"], game, seat, KeyedRandom.from_stream(numbers)).index


def rate(play: Callable[[int], int], seconds: float, number: int) -> float:
    """Return the decisions per second of one round."""
    begun, decisions, seed = time.process_time(), 0, number * 100_000
    while time.process_time() - begun < seconds:
        seed += 1
        decisions += play(seed)
    return decisions / (time.process_time() - begun)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=GAMES)
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="seconds of each round"
    )
    given = parser.parse_args()
    print("greedy, decisions a second    in C    interpreter   times")
    for name in given.games:
        book = load(name)
        engine = build_engine(
            plan_for(book, min(4, book.players[1]), {}), with_greedy=True
        )
        if isinstance(engine, NoNativeEngine):
            print(f"{name}: no native engine, {engine.reason}")
            continue
        greedy = Greedy(engine)
        rounds = [
            [rate(play, given.seconds, n) for play in (greedy.in_c, greedy.interpreted)]
            for n in range(ROUNDS)
        ]
        ours, theirs = (sorted(row)[ROUNDS // 2] for row in zip(*rounds, strict=True))
        print(f"{name:24}{ours:10,.0f}{theirs:15,.0f}{ours / theirs:8.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
