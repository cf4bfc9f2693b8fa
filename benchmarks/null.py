"""Do comparisons find differences where there are none?

    python -m benchmarks.null --repeats 2000 --size 200

A game is compared with itself, in games of which no two have a seed in common: what is
found then is found by chance. In so many repeats each measure's own 95 % interval
should exclude 0 in about 5 %, and of all intervals together, corrected, any in at most
5 %. With the games in pairs by seed every difference must be exactly 0. Ends with 1
where a measure is outside 3.5 to 6.5 %, where more than 6 % of the repeats show any
difference, or where a pair differs.

A measure that never differs, or in fewer than 10 games of a repeat, is not tested
there; one that is tested in fewer than half of the repeats is listed and held to no
bound.

Shares come in steps. Reckoned exactly, the interval of a share of 0.555 excludes 0 by
chance in 4.97 % with 200 games on each side, and in 5.51 % with 150, where a difference
of 17 games is just beyond 1.96 standard errors: so 200 are played.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from rulebook import Rulebook
from workbench.analysis.simulation import engines
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameTask,
    bots_by_seat,
    portion_results,
)
from workbench.analysis.simulation.statistics import Result
from workbench.analysis.statistics.family import (
    Family,
    Verdict,
    pairs,
    unpaired_contrasts,
)
from workbench.files.library.loading import load

GAMES = (
    "examples/tiny/noughts_and_crosses.rules",
    "examples/tiny/connect_four.rules",
)
LOW, HIGH, ANY = 0.035, 0.065, 0.06
"""How often an interval may exclude nothing, alone; and how often any corrected one."""

Columns = Mapping[str, Any]


@attrs.define
class Counted:
    """What was found where there was nothing: by measure alone, and at all."""

    repeats: int = 0
    any: int = 0
    tested: Counter[str] = attrs.Factory(Counter)
    alone: Counter[str] = attrs.Factory(Counter)

    def add(self, family: Family) -> None:
        """Note what one repeat has found."""
        self.repeats += 1
        for judged in family.measures:
            if judged.alone is not None:
                name = judged.contrast.name
                self.tested[name] += 1
                self.alone[name] += excludes(judged.alone)
        self.any += any(
            judged.interval is not None and excludes(judged.interval)
            for judged in family.measures
        )

    def share(self, name: str) -> float:
        """How often the interval of a measure excluded 0, of when it was tested."""
        return self.alone[name] / self.tested[name]


def excludes(interval: tuple[float, float]) -> bool:
    """Whether an interval is on one side of 0."""
    return interval[0] > 0 or interval[1] < 0


def played(book: Rulebook, games: int, seed: int) -> tuple[Sequence[Result], Any]:
    """So many games of random bots, from a seed on, and the seats."""
    settings = Settings(seed=seed, bot_seed=seed)
    seats = settings.start(book, turns=0).seats
    task = GameTask(bots_by_seat(["random"], seats), settings)
    native = engines.chosen("auto", book, task, games).native
    return portion_results(native, book, task, range(games)), seats


def columns_of(results: Sequence[Result], seats: Sequence[str]) -> Columns:
    """The main measures of some games, in their order: by name, as `points.red`.

    An action that nobody did in a game was done no times there.
    """
    columns: dict[str, list[float]] = {
        "turns": [result.turns for result in results],
        "decisions": [result.decisions for result in results],
        "finished": [result.finished for result in results],
        "draws": [result.finished and not result.winners for result in results],
    }
    for seat in seats:
        columns[f"wins.{seat}"] = [seat in result.winners for result in results]
    for seat in seats:
        columns[f"points.{seat}"] = [result.points[seat] for result in results]
    for name in sorted({name for result in results for name in result.actions}):
        columns[f"actions.{name}"] = [result.actions.get(name, 0) for result in results]
    return columns


def parts(columns: Columns, size: int) -> Iterator[Columns]:
    """The columns in parts of so many games, one after another."""
    whole = {name: np.asarray(values, float) for name, values in columns.items()}
    games = len(next(iter(whole.values())))
    for begun in range(0, games - size + 1, size):
        yield {name: values[begun : begun + size] for name, values in whole.items()}


def counted(columns: Columns, size: int) -> Counted:
    """What is found between parts of so many games that have no seed in common."""
    by_chance = Counted()
    samples = parts(columns, size)
    for first, second in zip(samples, samples, strict=False):
        by_chance.add(unpaired_contrasts(first, second))
    return by_chance


def wrong(name: str, by_chance: Counted) -> Iterator[str]:
    """The measures that are outside their bounds; all of them are printed."""
    print(f"{name}: {by_chance.repeats} repeats")
    for measure, tested in sorted(by_chance.tested.items()):
        share, held = by_chance.share(measure), tested >= by_chance.repeats / 2
        note = "" if held else f"  tested in {tested}"
        print(f"  {measure:<24} {share:6.2%}{note}")
        if held and not LOW <= share <= HIGH:
            yield f"{name}: {measure} excludes 0 in {share:.2%}"
    share = by_chance.any / by_chance.repeats
    print(f"  any, corrected           {share:6.2%}")
    if share > ANY:
        yield f"{name}: {share:.2%} of the repeats show a difference"


def main() -> int:
    """The exit code: 1 where more or less is found than chance does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--repeats", type=int, default=2_000)
    parser.add_argument("--size", type=int, default=200, help="games on each side")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    bad: list[str] = []
    for game in arguments.games:
        book = load(game)
        number = 2 * arguments.repeats * arguments.size
        came, seats = played(book, number, arguments.seed)
        columns = columns_of(came, seats)
        bad += wrong(book.name, counted(columns, arguments.size))
        again, _ = played(book, arguments.size, arguments.seed)
        some = columns_of(came[: arguments.size], seats)
        same = pairs(some, columns_of(again, seats))
        if any(judged.verdict is not Verdict.SAME for judged in same.measures):
            bad.append(f"{book.name}: the same games in pairs differ")
    for line in bad:
        print(f"WRONG: {line}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
