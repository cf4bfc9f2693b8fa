"""Speed of a game played from Python, with one call per decision.

    python benchmarks/one_by_one.py [GAME] [--games N] [--rounds N] [--python PATH]

Measures random play on one core in processor seconds, including set-up. It plays by
index with `Game.advance`, with `Action` objects through `Game.legal_actions` and
`Game.apply`, and with the same calls in the interpreter. The peer is catanatron 3.2.1
from the package registry; PATH names the Python of an environment that has it. All
alternate, each in its own process, so that a busy machine slows all. The figures are
medians.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from random import Random

from checkouts import ROOT, printed  # type: ignore[import-not-found]
from peers import OPTIONS, installed, theirs  # type: ignore[import-not-found]

from interpreter import Game
from rulebook import Rulebook
from workbench import load

WAYS = ("by index", "by action", "interpreter")
PEER = "catanatron"
REQUIRED_RATIOS = {"by index": 20, "by action": 8}
"""Required ratios to the peer's decisions per second."""


def start_game(book: Rulebook, seed: int, engine: str) -> Game:
    """Start a game of four seats."""
    options = {name: OPTIONS[name] for name in OPTIONS if name in book.options}
    players = min(4, book.players[1])
    return Game.start(book, players=players, options=options, seed=seed, engine=engine)


def by_index(book: Rulebook, seed: int) -> int:
    """Play a game by indices; return its number of decisions."""
    game, number = start_game(book, seed, "native"), Random(seed).random
    advance, legal, decisions = game.advance, game.legal_indices(), 0
    while legal:
        legal = advance(legal[int(number() * len(legal))])
        decisions += 1
    return decisions


def by_action(book: Rulebook, seed: int, engine: str = "native") -> int:
    """Play a game through actions; return its number of decisions."""
    game, number, decisions = start_game(book, seed, engine), Random(seed).random, 0
    while actions := game.legal_actions():
        game.apply(actions[int(number() * len(actions))])
        decisions += 1
    return decisions


def play_interpreted(book: Rulebook, seed: int) -> int:
    """Play a game through actions in the interpreter; return its decisions."""
    return by_action(book, seed, "reference")


PLAY = dict(zip(WAYS, (by_index, by_action, play_interpreted), strict=True))


def rate(name: str, way: str, first: int, games: int) -> float:
    """Play some games; return the decisions per second."""
    book, play = load(name), PLAY[way]
    play(book, 0)  # fills the caches
    begun = time.process_time()
    decisions = sum(play(book, seed) for seed in range(first, first + games))
    return decisions / (time.process_time() - begun)


def main() -> int:
    """Play all alternately, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", metavar="GAME", nargs="?", default="classic")
    parser.add_argument(
        "--games",
        type=int,
        default=20,
        help="number of games of each player in a round",
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--python", help="Python of an environment with the peer installed"
    )
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child is not None:
        way, first = given.child
        print(json.dumps(rate(given.game, way, int(first), given.games)))
        return 0
    rates: dict[str, list[float]] = {way: [] for way in (*WAYS, PEER)}
    with tempfile.TemporaryDirectory() as folder:
        python = given.python or installed(folder)
        for number in range(given.rounds):
            first = 1 + number * given.games
            for way in WAYS:
                games = given.games if way == "interpreter" else 10 * given.games
                child = ("--child", way, str(first), "--games", str(games))
                told = printed(__file__, ROOT, given.game, *child)
                rates[way].append(json.loads(told))
            _, decisions, _, seconds = theirs(python, first, given.games)
            rates[PEER].append(decisions / seconds)
    peer = statistics.median(rates[PEER])
    for way, measured in rates.items():
        middle = statistics.median(measured)
        goal = (
            f", {REQUIRED_RATIOS[way]} are asked for" if way in REQUIRED_RATIOS else ""
        )
        print(
            f"{way:12}{middle:12,.0f} decisions/s{middle / peer:8.1f} times the"
            f" peer's{goal}  ({min(measured):,.0f} to {max(measured):,.0f})"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
