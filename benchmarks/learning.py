"""Speed of games for machine learning, many at once and one at a time.

    python -m benchmarks.learning [GAME …] [--games N] [--seconds N]

Prints frames per wall-clock second, with random choices by numpy: of a batch with
observations and masks, of a PettingZoo environment, and of nodes of an OpenSpiel game
with the observation of the acting player. Figures are the best of five rounds. Needs
`rulebook-lang[learning]`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import rulebook as rb
from benchmarks.batch import batch_stepper, environment_stepper, rate
from interpreter import UsageError
from interpreter.c_engine import Batch
from workbench import load
from workbench.learning import environment, spiel_game


def tree_walker(game: Any) -> Callable[[], int]:
    """Return a function that goes one node down a game tree, or back to the root."""
    numbers, state = np.random.default_rng(1), game.new_initial_state()

    def play() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_player_node():
            state.observation_tensor(state.current_player())
        state.apply_action(int(numbers.choice(state.legal_actions())))
        return 1

    return play


def measure_game(book: rb.Rulebook, games: int, seconds: float) -> None:
    """Print the figures of a game."""
    players = min(4, book.players[1])
    print(f"{book.name}, {players} players: frames a second")
    try:
        for size in (games, 1):
            with Batch(book, size, players=players) as batch:
                figure = rate(batch_stepper(batch), seconds)
            print(f"  {f'a batch of {size:,}':28}{figure:12,.0f}")
    except UsageError as error:
        print(f"  no batch: {error}")
    figure = rate(environment_stepper(environment(book, players=players)), seconds)
    print(f"  {'an environment (PettingZoo)':28}{figure:12,.0f}")
    figure = rate(tree_walker(spiel_game(book, players=players)), seconds)
    print(f"  {'nodes of a tree (OpenSpiel)':28}{figure:12,.0f}")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="GAME", nargs="*", default=["classic"])
    parser.add_argument(
        "--games", type=int, default=1_024, help="number of games in the batch"
    )
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="seconds for each figure"
    )
    given = parser.parse_args()
    for name in given.names:
        measure_game(load(name), given.games, given.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
