"""Speed of random play of the standard game, compared with another engine.

    python benchmarks/peers.py [--games N] [--rounds N] [--python PATH]
        [--against CHECKOUT]

Four seats and ten points, without offers between players, on one core, including
set-up. The peer, catanatron 3.2.1 from the package registry, is installed into its own
environment; PATH names a Python that has it already, or a later one. With `--against`,
the version in another checkout plays too. All alternate, each in its own process, so
that a busy machine slows all. The best round of each counts, in processor seconds.
"""

import argparse
import json
import subprocess
import tempfile
import time
import venv
from pathlib import Path
from random import Random

from checkouts import ROOT, printed  # type: ignore[import-not-found]

PEER = "catanatron==3.2.1"
OPTIONS = {"offers_per_turn": 0}
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
    done = getattr(game.state, "action_records", None) or game.state.actions
    decisions += len(done)
    finished += game.winning_color() is not None
print(json.dumps([games, decisions, finished, time.process_time() - begun]))
"""

Round = tuple[int, int, int, float]
"""Games, decisions, finished games, processor seconds."""


def play_games(first: int, games: int) -> Round:
    """Play games with this engine, through public names only."""
    from interpreter import Game
    from workbench import load

    book = load("classic")
    decisions = finished = 0
    begun = 0.0
    for seed in (0, *range(first, first + games)):
        numbers = Random(seed)
        game = Game.start(book, players=4, options=OPTIONS, seed=seed)
        while legal := game.legal_actions():
            game.apply(numbers.choice(legal))
            decisions += 1
        finished += game.outcome is not None
        if seed == 0:  # the first game fills the caches
            begun, decisions, finished = time.process_time(), 0, 0
    return games, decisions, finished, time.process_time() - begun


def ours(checkout: Path, first: int, games: int) -> Round:
    """Play games with the version in a checkout."""
    told = printed(__file__, checkout, "--child", str(first), "--games", str(games))
    count, decisions, finished, seconds = json.loads(told)
    return count, decisions, finished, seconds


def theirs(python: str, first: int, games: int) -> Round:
    """Play games of the peer in a separate process."""
    done = subprocess.run(  # noqa: S603
        [python, "-c", PLAY, str(first), str(games)],
        capture_output=True,
        text=True,
        check=True,
    )
    count, decisions, finished, seconds = json.loads(done.stdout)
    return count, decisions, finished, seconds


def install_peer(folder: str) -> str:
    """Install the peer into a new environment; return its Python."""
    venv.create(folder, with_pip=True)
    python = str(Path(folder) / "bin" / "python")
    command = [python, "-m", "pip", "install", "--quiet", PEER]
    subprocess.run(command, check=True)  # noqa: S603
    return python


def print_best_round(name: str, rounds: list[Round]) -> tuple[float, float]:
    """Print an engine's best round; return its games and decisions per second."""
    games, decisions, _, seconds = min(
        rounds, key=lambda played_round: played_round[3] / played_round[0]
    )
    played, finished = (
        sum(played_round[0] for played_round in rounds),
        sum(played_round[2] for played_round in rounds),
    )
    print(
        f"{name:<18} {games / seconds:8.2f} games/s {decisions / seconds:10.0f} "
        f"decisions/s {decisions / games:8.1f} decisions a game, "
        f"{finished} of {played} finished"
    )
    return games / seconds, decisions / seconds


def main() -> None:
    """Play all alternately, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=20, help="number of games in a round"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--python", help="Python of an environment with the peer installed"
    )
    parser.add_argument("--against", type=Path, help="a checkout of another version")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        print(json.dumps(play_games(arguments.child, arguments.games)))
        return
    checkouts = {"this engine": ROOT}
    if arguments.against is not None:
        checkouts["the other version"] = arguments.against.resolve()
    rounds: dict[str, list[Round]] = {name: [] for name in (*checkouts, "catanatron")}
    with tempfile.TemporaryDirectory() as folder:
        python = arguments.python or install_peer(folder)
        for number in range(arguments.rounds):
            first = 1 + number * arguments.games
            for name, checkout in checkouts.items():
                rounds[name].append(ours(checkout, first, arguments.games))
            rounds["catanatron"].append(theirs(python, first, arguments.games))
    speeds = {name: print_best_round(name, results) for name, results in rounds.items()}
    games, decisions = speeds.pop("this engine")
    for name, (other_games, other_decisions) in speeds.items():
        print(
            f"beside {name:<18} {games / other_games:8.3f} times the games, "
            f"{decisions / other_decisions:8.3f} times the decisions"
        )


if __name__ == "__main__":
    main()
