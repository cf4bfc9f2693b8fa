"""Speed of the reference engine: random play of a shipped game on one core.

    python benchmarks/reference.py [--games N] [--players N] [--profile]

Machines differ, so the last line is a ratio: decisions of the engine per thousand
rounds of a small fixed loop of plain Python, measured in the same run.
"""

import argparse
import cProfile
import pstats
import time

from workbench import load
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import GameTask, bots_by_seat, play_game

VARIANT = "germany"
ROUNDS = 200_000


def calibration() -> float:
    """Return rounds per second of a fixed loop: dictionary, list, tuple, arithmetic."""
    best = 0.0
    for _ in range(5):
        table = {n: (n * 7) % 13 for n in range(64)}
        cells = [0] * 64
        begun = time.perf_counter()
        state = 1
        for _ in range(ROUNDS):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            place = (state >> 8) & 63
            cells[place] += table[place]
            if cells[place] > 1000:
                cells[place] = len((place, state))
        best = max(best, ROUNDS / (time.perf_counter() - begun))
    return best


def main() -> None:
    """Play, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--players", type=int)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    book = load(VARIANT)
    settings = Settings(players=arguments.players)
    task = GameTask(bots_by_seat(["random"], settings.start(book).seats), settings)
    play_game(book, task, 0)  # the first game fills the caches
    rounds = calibration()
    profile = cProfile.Profile()
    if arguments.profile:
        profile.enable()
    begun = time.perf_counter()
    results = [play_game(book, task, number) for number in range(arguments.games)]
    seconds = time.perf_counter() - begun
    if arguments.profile:
        profile.disable()
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
    decisions = sum(result.decisions for result in results)
    print(f"games              {len(results)}")
    print(f"decisions a game   {decisions / len(results):.1f}")
    print(f"games a second     {len(results) / seconds:.2f}")
    print(f"decisions a second {decisions / seconds:.0f}")
    print(f"calibration        {rounds:.0f} rounds a second")
    print(f"ratio              {1000 * decisions / seconds / rounds:.2f}")


if __name__ == "__main__":
    main()
