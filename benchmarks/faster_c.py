"""Speed of whole games in C in this version, compared with another checkout.

    python benchmarks/faster_c.py --against CHECKOUT [--rounds N] [--seconds S] [GAME …]

Both versions play whole games of random bots, without offers between players, all in C
and from the same seeds. They alternate, so that a busy machine slows both. Prints the
nanoseconds of processor time per decision (median), and the median and range of the
ratios.
"""

import argparse
import statistics
from pathlib import Path

from checkouts import ROOT, printed  # type: ignore[import-not-found]

OFFERS = "offers_per_turn"
GAMES = ("classic", "germany", "base", "cardgame", "examples/tiny/connect_four.rules")


def nanoseconds(game: str, seconds: float, seed: int) -> float:
    """Return the nanoseconds per decision of some seconds of games."""
    from benchmarks.whole_games import loop_of
    from interpreter.planning import plan_for
    from workbench import load

    book = load(game)
    options = {OFFERS: 0} if OFFERS in book.model.options else {}
    loop = loop_of(plan_for(book, min(4, book.players[1]), options))
    _, decisions, taken, _ = loop.play(seconds, seed)
    return taken / decisions * 1e9


def main() -> None:
    """Play in both versions alternately, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*")
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        print(nanoseconds(given.games[0], given.seconds, given.seed))
        return
    if given.against is None:
        parser.error("--against names the other checkout")
    for game in given.games or GAMES:
        times: list[list[float]] = [[], []]
        for number in range(given.rounds):
            for side, version in enumerate((given.against.resolve(), ROOT)):
                flags = ("--child", game, "--seconds", str(given.seconds))
                told = printed(__file__, version, *flags, "--seed", str(number * 1000))
                times[side].append(float(told))
        ratios = [old / new for old, new in zip(*times, strict=True)]
        there, here = map(statistics.median, times)
        print(
            f"{Path(game).stem}: {there:.1f} -> {here:.1f} ns a decision, "
            f"{statistics.median(ratios):.2f} [{min(ratios):.2f} to {max(ratios):.2f}]",
            flush=True,
        )


if __name__ == "__main__":
    main()
