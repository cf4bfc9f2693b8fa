"""Speed of play in this version, compared with another checkout.

    python benchmarks/faster.py --against CHECKOUT [--games N] [--rounds N] [VARIANT …]

Each version plays the same random games in its own process, through public names only.
The versions alternate, so that a busy machine slows both. The best round of each
counts, in processor seconds per decision, without making the plan.
"""

import argparse
import time
from pathlib import Path
from random import Random

from checkouts import ROOT, printed  # type: ignore[import-not-found]

VARIANTS = ("classic", "germany")


def seconds_per_decision(variant: str, games: int) -> float:
    """Return the seconds per decision over several games."""
    from interpreter import Game
    from workbench import load

    book = load(variant)
    decisions = 0
    begun = 0.0
    for seed in range(games + 1):
        if seed == 1:  # the first game fills the caches
            begun, decisions = time.process_time(), 0
        numbers, game = Random(seed), Game.start(book, seed=seed)
        while legal := game.legal_actions():
            game.apply(numbers.choice(legal))
            decisions += 1
    return (time.process_time() - begun) / decisions


def checkout_seconds(checkout: Path, variant: str, games: int) -> float:
    """Return the seconds per decision of a checkout."""
    told: str = printed(__file__, checkout, "--games", str(games), "--child", variant)
    return float(told)


def main() -> None:
    """Play in both versions alternately, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", metavar="VARIANT", nargs="*")
    parser.add_argument(
        "--against", type=Path, help="folder with a checkout of another version"
    )
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(seconds_per_decision(arguments.variants[0], arguments.games))
        return
    if arguments.against is None:
        parser.error("--against names the other checkout")
    for variant in arguments.variants or VARIANTS:
        both = (arguments.against.resolve(), ROOT)
        best = dict.fromkeys(both, float("inf"))
        for _ in range(arguments.rounds):
            for version in both:
                seconds = checkout_seconds(version, variant, arguments.games)
                best[version] = min(best[version], seconds)
        there, here = (best[version] * 1e6 for version in both)
        print(f"{variant}: {there:.1f} -> {here:.1f} µs a decision, {there / here:.2f}")


if __name__ == "__main__":
    main()
