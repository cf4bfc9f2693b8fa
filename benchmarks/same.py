"""Are games the same, byte for byte, in this version and in another checkout?

    python benchmarks/same.py --against CHECKOUT [--games N] [VARIANT …]

Each version plays the same games in its own process, through public names only. The
seed determines the actions, so that only the version differs. The records, the final
views of all seats, and the digests of the rules are compared. The exit code is 1 if
something differs; the first games are named.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from random import Random

from checkouts import ROOT, printed  # type: ignore[import-not-found]

SHOWN = 10
DECISIONS = 2_000


def game_hashes(variant: str, games: int) -> list[str]:
    """Return a line for each game: its seed, and a hash of its record and views."""
    from interpreter import Game
    from workbench import load

    book = load(variant)
    lines = [f"{variant} digest {book.digest}"]
    low, high = book.players
    for seed in range(games):
        numbers = Random(seed)
        game = Game.start(book, players=low + seed % (high - low + 1), seed=seed)
        for _ in range(DECISIONS):
            legal = game.legal_actions()
            if not legal:
                break
            game.apply(numbers.choice(legal))
        views = [game.view(seat) for seat in (*game.seats, None)]
        whole = game.record + json.dumps(views, sort_keys=True)
        lines.append(f"{variant} {seed} {hashlib.sha256(whole.encode()).hexdigest()}")
    return lines


def checkout_lines(checkout: Path, variant: str, games: int) -> list[str]:
    """Return the lines of a game as a checkout plays it."""
    told: str = printed(__file__, checkout, "--games", str(games), "--child", variant)
    return told.splitlines()


def main() -> int:
    """Play in both versions, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", metavar="VARIANT", nargs="*")
    parser.add_argument("--against", type=Path, help="a checkout of another version")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        for variant in arguments.variants:
            print("\n".join(game_hashes(variant, arguments.games)))
        return 0
    if arguments.against is None:
        parser.error("--against names the other checkout")
    import variants

    different = []
    for variant in arguments.variants or variants.names():
        here = checkout_lines(ROOT, variant, arguments.games)
        there = checkout_lines(arguments.against.resolve(), variant, arguments.games)
        odd = [(a, b) for a, b in zip(here, there, strict=True) if a != b]
        print(f"{variant}: {len(here) - len(odd)} of {len(here)} the same")
        different += odd
    for a, b in different[:SHOWN]:
        print(f"here  {a}\nthere {b}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
