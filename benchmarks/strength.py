"""Strength of the search bots: tournaments with required results.

    python -m benchmarks.strength [NAME …] [--games N] [--jobs N] [--json FILE]

Plays all tournaments, or those with a NAME. One seat has our bot and the others the
other bot. Seats rotate, and each game of a round has the same seed. A win counts 1. A
draw, or an unfinished game, counts the fair share: half for two players. Prints the
share with its 95 % interval. Dare is small enough to be searched completely, so its
share against optimal play is exact. The exit code is 1 if a result is below its
requirement.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from benchmarks.optimum import against_the_best, best
from benchmarks.players import player_named
from benchmarks.shares import Share
from interpreter import Game
from workbench import load
from workbench.analysis.simulation.engines import choose_engine
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameTask,
    bots_by_seat,
    simulate_games,
)
from workbench.analysis.simulation.statistics import Result
from workbench.defaults import AUTO

TINY = Path(__file__).parent.parent / "examples" / "tiny"
CONNECT_FOUR, HEX, BREAKTHROUGH, DARE = (
    str(TINY / f"{name}.rules")
    for name in ("connect_four", "hex", "breakthrough", "dare")
)
SMALL_HEX: Mapping[str, Any] = {"size": 7}


@attrs.frozen
class Tournament:
    """Games of one bot against others, and the required result.

    That is a minimum share or, if none is given, an interval above the fair share.
    """

    name: str
    rules: str
    ours: str
    theirs: str
    games: int
    players: int = 2
    options: Mapping[str, Any] = attrs.field(factory=dict)
    at_least: float | None = None

    @property
    def wanted(self) -> str:
        """Required result, in words."""
        if self.at_least is not None:
            return f"at least {100 * self.at_least:.0f} %"
        return f"an interval above {100 / self.players:.0f} %"

    def reached(self, share: Share) -> bool:
        """Return whether a share meets the requirement."""
        if self.at_least is not None:
            return share.mean >= self.at_least
        return share.interval[0] > 1 / self.players


FOUR = ("connect four", CONNECT_FOUR)
SEVEN = ("hex 7 x 7", HEX)
TOURNAMENTS = (
    Tournament(*FOUR, "mcts(200)", "greedy", 400, at_least=0.95),
    Tournament(*FOUR, "mcts(2000)", "mcts(200)", 400),
    Tournament(*SEVEN, "mcts(200)", "greedy", 400, options=SMALL_HEX, at_least=0.95),
    Tournament(*SEVEN, "mcts(2000)", "mcts(200)", 400, options=SMALL_HEX),
    Tournament("breakthrough", BREAKTHROUGH, "mcts", "greedy", 100),
    Tournament("cardgame", "cardgame", "mcts(200)", "greedy", 100),
    Tournament("classic", "classic", "mcts", "greedy", 100),
    Tournament("germany", "germany", "mcts", "greedy", 99, players=3),
)
MANY = 1_000
"""Assumed number of games when choosing an engine, so that C is used if possible."""

NEAR = 0.02
"""Maximum distance of a search from the optimum of Dare."""


def share_of(result: Result, seat: str) -> float:
    """Return the share of a game that a seat has won."""
    if not result.winners:
        return 1 / len(result.points)
    return (seat in result.winners) / len(result.winners)


def play(tournament: Tournament, games: int, jobs: int) -> Share:
    """Play a tournament, with the same number of games from each seat."""
    book, share = load(tournament.rules), Share()
    seats = book.seats[: tournament.players]
    rounds = -(-games // len(seats))
    settings = Settings(tournament.players, options=tournament.options)
    for seat in seats:
        bots = [tournament.ours if x == seat else tournament.theirs for x in seats]
        task = GameTask(bots_by_seat(bots, seats), settings)
        engine = choose_engine(AUTO, book, task, MANY)
        if engine.native is None:
            print(f"  in the interpreter, which takes long: {engine.note}", flush=True)
        results = simulate_games(
            tournament.rules, book, task, rounds, jobs, engine.native
        )
        for result in results:
            share.add(share_of(result, seat))
    return share


def play_and_report(
    tournament: Tournament, asked: argparse.Namespace
) -> dict[str, Any]:
    """Play a tournament, print, and return its result as plain data."""
    begun, games = time.monotonic(), asked.games or tournament.games
    share = play(tournament, games, asked.jobs)
    seconds = time.monotonic() - begun
    reached = tournament.reached(share)
    print(
        f"{tournament.name}, {tournament.players} seats, {tournament.ours} against "
        f"{tournament.theirs}: {share}; {tournament.wanted}: "
        f"{'yes' if reached else 'NO'}; {seconds:.0f} s",
        flush=True,
    )
    return {
        "name": tournament.name,
        "ours": tournament.ours,
        "theirs": tournament.theirs,
        "seats": tournament.players,
        "reached": reached,
        "seconds": seconds,
        **share.to_json(),
    }


def dare(bot: str) -> dict[str, Any]:
    """Search Dare completely, print, and return a bot's result as plain data."""
    game = Game.start(load(DARE), chance="given")
    optimum, share = best(game), against_the_best(game, player_named(bot))
    # Playing each seat once is worth at most half, whatever the first seat's value.
    below = 0.5 - float(share)
    print(
        f"dare, {bot} against the best answers: {100 * float(share):.2f} %, "
        f"{100 * below:.2f} points below the optimum; within {100 * NEAR:.0f}: "
        f"{'yes' if below <= NEAR else 'NO'} (the first seat is worth "
        f"{100 * float(optimum):.2f} %)"
    )
    return {
        "name": "dare",
        "ours": bot,
        "theirs": "the best answers",
        "seats": 2,
        "reached": below <= NEAR,
        "share": float(share),
    }


def main(given: Sequence[str] | None = None) -> int:
    """Play and print; return 1 if a result is below its requirement."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [*dict.fromkeys(each.name for each in TOURNAMENTS), "dare"]
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument(
        "--games",
        type=int,
        help="number of games of each tournament, instead of the default",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="file for all results")
    asked = parser.parse_args(given)
    wrong = set(asked.names) - set(names)
    if wrong:
        parser.error(f"no tournament is called {', '.join(sorted(wrong))}")
    wanted = asked.names or names
    steps = [
        partial(play_and_report, x, asked) for x in TOURNAMENTS if x.name in wanted
    ]
    if "dare" in wanted:
        steps += [partial(dare, "mcts(200)"), partial(dare, "mcts(2000)")]
    came = []
    for step in steps:
        came.append(step())
        if asked.json:
            asked.json.write_text(json.dumps(came, indent=1) + "\n", encoding="utf-8")
    return int(not all(each["reached"] for each in came))


if __name__ == "__main__":
    sys.exit(main())
