"""Speed beside another engine, in the same run: random play of the standard game.

    python benchmarks/peers.py [--games N] [--rounds N] [--python PATH]

Four seats, ten points, no offers between players, set-up included, one core. The peer,
catanatron 3.2.1 of the package registry, is installed into an environment of its own
(PATH names one that has it already). The two take turns, so that a busy machine slows
both; each counts its best round, in seconds of the processor.
"""

import argparse
import json
import subprocess
import tempfile
import time
import venv
from pathlib import Path

from workbench import load
from workbench.simulation.settings import Settings
from workbench.simulation.simulation import Task, bots_by_seat, playout

PEER = "catanatron==3.2.1"
SETTINGS = Settings(players=4, options={"offers_per_turn": 0})
PLAY = """
import json, sys, time
from catanatron import Color, Game, RandomPlayer
colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
first, games = int(sys.argv[1]), int(sys.argv[2])
Game([RandomPlayer(one) for one in colours], seed=0).play()
begun, decisions, finished = time.process_time(), 0, 0
for seed in range(first, first + games):
    game = Game([RandomPlayer(one) for one in colours], seed=seed)
    game.play()
    decisions += len(game.state.actions)
    finished += game.winning_color() is not None
print(json.dumps([games, decisions, finished, time.process_time() - begun]))
"""

Round = tuple[int, int, int, float]
"""Games, decisions, games finished, seconds of the processor."""


def ours(first: int, games: int) -> Round:
    """Play games of ours."""
    book = load("classic")
    task = Task(bots_by_seat(["random"], SETTINGS.start(book).seats), SETTINGS)
    playout(book, task, 0)  # warm: the first game pays for what is worked out once
    begun = time.process_time()
    results = [playout(book, task, one) for one in range(first, first + games)]
    seconds = time.process_time() - begun
    decisions = sum(one.decisions for one in results)
    return games, decisions, sum(one.finished for one in results), seconds


def theirs(python: str, first: int, games: int) -> Round:
    """Play games of the peer's in a process of its own."""
    done = subprocess.run(  # noqa: S603
        [python, "-c", PLAY, str(first), str(games)],
        capture_output=True,
        text=True,
        check=True,
    )
    count, decisions, finished, seconds = json.loads(done.stdout)
    return count, decisions, finished, seconds


def installed(folder: str) -> str:
    """Install the peer into a new environment; return its Python."""
    venv.create(folder, with_pip=True)
    python = str(Path(folder) / "bin" / "python")
    command = [python, "-m", "pip", "install", "--quiet", PEER]
    subprocess.run(command, check=True)  # noqa: S603
    return python


def shown(name: str, rounds: list[Round]) -> tuple[float, float]:
    """Print an engine's best round; return its games and decisions a second."""
    games, decisions, _, seconds = min(rounds, key=lambda one: one[3] / one[0])
    played, finished = sum(one[0] for one in rounds), sum(one[2] for one in rounds)
    print(
        f"{name:<18} {games / seconds:8.2f} games/s {decisions / seconds:10.0f} "
        f"decisions/s {decisions / games:8.1f} decisions a game, "
        f"{finished} of {played} finished"
    )
    return games / seconds, decisions / seconds


def main() -> None:
    """Play both in turn, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--python", help="of an environment that has the peer")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = arguments.python or installed(folder)
        mine: list[Round] = []
        peers: list[Round] = []
        for number in range(arguments.rounds):
            first = 1 + number * arguments.games
            mine.append(ours(first, arguments.games))
            peers.append(theirs(python, first, arguments.games))
    games, decisions = shown("this engine", mine)
    peer_games, peer_decisions = shown(PEER, peers)
    print(
        f"{'ratio':<18} {games / peer_games:8.3f} games   "
        f"{decisions / peer_decisions:10.3f} decisions"
    )


if __name__ == "__main__":
    main()
