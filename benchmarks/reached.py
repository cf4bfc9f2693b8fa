"""Share of the rules that generated games reach, with guided and with uniform choice.

    python -m benchmarks.reached germany --games 1000
    python -m benchmarks.reached classic base --games 500 --every 50 --json

Counts requirements, branches and effects, each with its goals: true and false, or
reached. No scenario is run, and no invariant is checked, which takes a third of the
time and reaches the same. Prints the share of reached goals at intervals, for either
choice, and finally the goals that only one of them reached.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from interpreter import Site
from workbench.analysis.simulation.settings import Settings
from workbench.defaults import GUIDED, UNIFORM
from workbench.files.library.loading import load
from workbench.testing.rule_tests.generated_games import comparison_games
from workbench.testing.rule_tests.playouts import GameList, GameResult
from workbench.testing.rule_tests.rule_coverage import CoverageRun

SORTS = ("requirement", "branch", "effect")
ROW = "{:>7} {:>10} {:>10}"
Goal = tuple[int, bool]


@attrs.define
class Run:
    """Goals that the games with one sort of choice have reached so far.

    `shares` maps a number of games to the number of goals reached by then.
    """

    sites: Sequence[Site]
    reached: dict[Goal, None] = attrs.field(factory=dict)
    shares: dict[int, int] = attrs.field(factory=dict)
    wrong: int = 0
    seconds: float = 0.0

    def add(self, came: GameResult) -> None:
        """Add the results of a game."""
        for site, (held, failed) in enumerate(came.tally):
            for goal, times in (((site, True), held), ((site, False), failed)):
                if times and self.sites[site].sort in SORTS:
                    self.reached[goal] = None
        self.wrong += bool(came.faults)


def goals(sites: Sequence[Site]) -> list[Goal]:
    """Return all goals."""
    return [
        (number, way)
        for number, site in enumerate(sites)
        for way in ((True, False) if site.is_condition else (True,))
        if site.sort in SORTS
    ]


def play_games(
    measure: CoverageRun, choice: str, games: int, jobs: int
) -> Iterator[GameResult]:
    """Yield the games of a choice."""
    if choice == GUIDED:
        yield from measure.play_games(
            measure.make_guide(games), jobs, check_invariants=False
        )
    else:
        listed = GameList(list(comparison_games(measure.book, measure.base, games)))
        yield from measure.play_games(listed, jobs, check_invariants=False)


def measure_choice(variant: str, choice: str, wanted: argparse.Namespace) -> Run:
    """Play the games of a choice, and return what they reach."""
    measure = CoverageRun(load(variant), Settings(seed=wanted.seed))
    run = Run(measure.counts.sites.in_order)
    began = time.process_time()
    games = play_games(measure, choice, wanted.games, wanted.jobs)
    for number, came in enumerate(games, 1):
        run.add(came)
        if number % wanted.every == 0 or number == wanted.games:
            run.shares[number] = len(run.reached)
            seconds = time.process_time() - began
            note = f"{variant} {choice} {number}: {len(run.reached)}, {seconds:.0f} s"
            print(note, file=sys.stderr, flush=True)
    run.seconds = time.process_time() - began
    return run


def goal_text(sites: Sequence[Site], goal: Goal) -> str:
    """Describe a goal, with its place."""
    site = sites[goal[0]]
    way = ("true" if goal[1] else "false") if site.is_condition else "reached"
    return f"{site.span.file}:{site.span.line} {site.sort} {site.name} {way}"


def plain_results(variant: str, runs: dict[str, Run]) -> dict[str, Any]:
    """Return the results as plain data."""
    sites = runs[GUIDED].sites
    every = goals(sites)
    return {
        "variant": variant,
        "goals": len(every),
        "reached": {choice: run.shares for choice, run in runs.items()},
        "seconds": {choice: round(run.seconds, 1) for choice, run in runs.items()},
        "wrong": {choice: run.wrong for choice, run in runs.items()},
        "only": {
            choice: [
                goal_text(sites, goal)
                for goal in every
                if goal in runs[choice].reached
                and not any(
                    goal in run.reached for c, run in runs.items() if c != choice
                )
            ]
            for choice in runs
        },
        "never": [
            goal_text(sites, goal)
            for goal in every
            if not any(goal in run.reached for run in runs.values())
        ],
    }


def show(document: dict[str, Any]) -> None:
    """Print the results."""
    whole, reached = document["goals"], document["reached"]
    print(f"{document['variant']}, {whole} goals")
    print(ROW.format("games", *reached))
    for number in reached[GUIDED]:
        shares = [f"{100 * run[number] / whole:.1f} %" for run in reached.values()]
        print(ROW.format(number, *shares))
    print(ROW.format("seconds", *document["seconds"].values()))
    for choice, names in document["only"].items():
        for name in names:
            print(f"  {choice} alone: {name}")
    for name in document["never"]:
        print(f"  never: {name}")


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variants", nargs="+")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--every", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    documents = []
    for variant in wanted.variants:
        runs = {c: measure_choice(variant, c, wanted) for c in (GUIDED, UNIFORM)}
        documents.append(plain_results(variant, runs))
        if not wanted.json:
            show(documents[-1])
    if wanted.json:
        print(json.dumps(documents, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
