"""Do comparisons find differences where there are none?

    python -m benchmarks.null --repeats 2000 --size 200

A game is compared with itself, in games without common seeds, so that any difference is
due to chance. Over the repeats, each measure's own 95 % interval should exclude 0 in
about 5 %. Of all corrected intervals together, any should exclude it in at most 5 %.
With games in pairs by seed, every difference must be exactly 0. The exit code is 1 if a
measure is outside 3.5 to 6.5 %, or if a pair differs. It is also 1 if more than 6 % of
the repeats show any difference.

A measure that differs in fewer than 10 games of a repeat, or never, is not tested
there. One that is tested in fewer than half of the repeats is listed without a bound.

Shares are discrete. The exact probability that the interval of a share of 0.555
excludes 0 is 4.97 % with 200 games on each side. With 150 it is 5.51 %, because a
difference of 17 games is just beyond 1.96 standard errors. Hence the size of 200.
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
    results_of_portion,
)
from workbench.analysis.simulation.statistics import Result
from workbench.analysis.statistics.family import (
    Family,
    Verdict,
    paired_family,
    unpaired_family,
)
from workbench.files.library.loading import load

GAMES = (
    "examples/tiny/noughts_and_crosses.rules",
    "examples/tiny/connect_four.rules",
)
LOW, HIGH, ANY = 0.035, 0.065, 0.06
"""Bounds for the rate of single intervals that exclude 0, and of any corrected one."""

Columns = Mapping[str, Any]


@attrs.define
class Counted:
    """Counts of false differences: by measure alone, and in any measure."""

    repeats: int = 0
    any: int = 0
    tested: Counter[str] = attrs.Factory(Counter)
    alone: Counter[str] = attrs.Factory(Counter)

    def add(self, family: Family) -> None:
        """Count the results of one repeat."""
        self.repeats += 1
        for judged in family.measures:
            if judged.unadjusted_interval is not None:
                name = judged.contrast.name
                self.tested[name] += 1
                self.alone[name] += excludes(judged.unadjusted_interval)
        self.any += any(
            judged.interval is not None and excludes(judged.interval)
            for judged in family.measures
        )

    def share(self, name: str) -> float:
        """Return the rate at which the interval of a tested measure excluded 0."""
        return self.alone[name] / self.tested[name]


def excludes(interval: tuple[float, float]) -> bool:
    """Return whether an interval excludes 0."""
    return interval[0] > 0 or interval[1] < 0


def play_games(book: Rulebook, games: int, seed: int) -> tuple[Sequence[Result], Any]:
    """Play games of random bots from a seed on; return them and the seats."""
    settings = Settings(seed=seed, bot_seed=seed)
    seats = settings.start(book, turns=0).seats
    task = GameTask(bots_by_seat(["random"], seats), settings)
    native = engines.choose_engine("auto", book, task, games).native
    return results_of_portion(native, book, task, range(games)), seats


def columns_of(results: Sequence[Result], seats: Sequence[str]) -> Columns:
    """Return the main measures of some games by name, such as `points.red`.

    An action that nobody took in a game counts 0 there.
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
    """Yield the columns in successive parts of *size* games."""
    whole = {name: np.asarray(values, float) for name, values in columns.items()}
    games = len(next(iter(whole.values())))
    for begun in range(0, games - size + 1, size):
        yield {name: values[begun : begun + size] for name, values in whole.items()}


def count_differences(columns: Columns, size: int) -> Counted:
    """Count differences between parts of *size* games without common seeds."""
    by_chance = Counted()
    samples = parts(columns, size)
    for first, second in zip(samples, samples, strict=False):
        by_chance.add(unpaired_family(first, second))
    return by_chance


def report_measures(name: str, by_chance: Counted) -> Iterator[str]:
    """Print all measures; yield those outside their bounds."""
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
    """Return 1 if differences are found too often or too rarely."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--repeats", type=int, default=2_000)
    parser.add_argument(
        "--size", type=int, default=200, help="number of games on each side"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    bad: list[str] = []
    for game in arguments.games:
        book = load(game)
        number = 2 * arguments.repeats * arguments.size
        came, seats = play_games(book, number, arguments.seed)
        columns = columns_of(came, seats)
        bad += report_measures(book.name, count_differences(columns, arguments.size))
        again, _ = play_games(book, arguments.size, arguments.seed)
        some = columns_of(came[: arguments.size], seats)
        same = paired_family(some, columns_of(again, seats))
        if any(judged.verdict is not Verdict.SAME for judged in same.measures):
            bad.append(f"{book.name}: the same games in pairs differ")
    for line in bad:
        print(f"WRONG: {line}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
