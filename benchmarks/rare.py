"""Frequencies of actions and draws in play that prefers rare ones.

    python -m benchmarks.rare cardgame --games 2000
    python -m benchmarks.rare classic --games 50 --json
    python -m benchmarks.rare classic --games 50 --option discard_limit=9

Each action is counted by its name and its card, each draw by its card. The last lines
of the table occur in the fewest games. Anything that a rule file declares and no line
names did not occur at all.
"""

import argparse
import json
import time
from collections import Counter

from tests.support.rare import happened, rare_games
from workbench.analysis.simulation.settings import Settings
from workbench.files.library.loading import load

ROW = "{:>9} {:>7} {:>7}  {}"


def main() -> int:
    """Play, and print the frequencies."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    book = load(wanted.variant)
    options = Settings.parse(None, wanted.seed, wanted.option, None).options
    began, finished, decisions = time.perf_counter(), 0, 0
    times: Counter[str] = Counter()
    games: Counter[str] = Counter()
    first: dict[str, int] = {}
    played = rare_games(book, wanted.games, wanted.seed, **options)
    for number, game in enumerate(played, 1):
        counts = Counter(happened(game))
        times += counts
        games.update(counts.keys())
        for what in counts:
            first.setdefault(what, number)
        finished += game.to_act is None
        decisions += sum("action" in event for event in game.events)
    order = sorted(times, key=lambda what: (-games[what], -times[what], what))
    if wanted.json:
        rows = {w: {"times": times[w], "games": games[w]} for w in order}
        print(json.dumps({"games": wanted.games, "finished": finished, "what": rows}))
        return 0
    print(ROW.format("times", "games", "first", "what"))
    for what in order:
        print(ROW.format(times[what], games[what], first[what], what))
    seconds = time.perf_counter() - began
    print(
        f"{finished} of {wanted.games} games finished, {decisions} decisions,", end=" "
    )
    print(f"{seconds:.0f} seconds")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
