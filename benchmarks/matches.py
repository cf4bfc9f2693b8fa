"""Matches of our bots against those of other engines, at their tables.

    python -m benchmarks.matches PEERS catanatron [--games N] [--against NAME …]
    python -m benchmarks.matches PEERS openspiel [--games N] [--playouts N …]

PEERS is the folder that `python -m benchmarks.peer_engines` makes. With catanatron, one
seat of two or four is ours and one of its players has the others. With OpenSpiel, we
play connect four and hex against its tree search with the same number of playouts.
Seats rotate from game to game. Prints our share of wins, with draws counting half, its
95 % interval, and the processor time per decision. `--json FILE` stores everything.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from benchmarks import catanatron_games, openspiel_games
from benchmarks.players import player_named
from benchmarks.shares import Share, Thinking


@attrs.frozen
class Match:
    """Played match: the game, the players and the result."""

    game: str
    ours: str
    theirs: str
    seats: int
    share: Share
    took: Thinking
    they_took: Thinking
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        share, fair = self.share, 1 / self.seats
        verdict = share.beside(fair)
        text = (
            f"{self.game}, {self.seats} seats, {self.ours} against {self.theirs}: "
            f"{share}, {verdict} {100 * fair:.0f} %; a decision {self.took}, "
            f"theirs {self.they_took}"
        )
        return "\n".join([text, *(f"  LEFT OUT: {why}" for why in self.left_out)])

    def to_json(self) -> dict[str, Any]:
        """Return the match as plain data."""
        return {
            "game": self.game,
            "ours": self.ours,
            "theirs": self.theirs,
            "seats": self.seats,
            "fair": 1 / self.seats,
            **self.share.to_json(),
            "milliseconds": self.took.milliseconds,
            "their_milliseconds": self.they_took.milliseconds,
            "decisions": self.took.decisions,
            "their_decisions": self.they_took.decisions,
            "left_out": list(self.left_out),
        }


def with_catanatron(asked: argparse.Namespace) -> Iterator[Match]:
    """Play the standard game at catanatron's tables."""
    for kind in asked.against or catanatron_games.THEIRS:
        if not catanatron_games.is_installed(asked.peers, kind):
            print(f"LEFT OUT: {kind}, see `python -m benchmarks.peer_engines --help`")
            continue
        for seats in asked.seats:
            wanted = catanatron_games.match_games(kind, seats, asked.games, asked.first)
            player = player_named(asked.bot)
            share, took, they_took = Share(), Thinking(), Thinking()
            left_out = []
            for played in catanatron_games.play(asked.peers, wanted, player):
                if isinstance(played, str):
                    left_out.append(played)
                    continue
                share.add(played.won)
                took.add(played.ours)
                they_took.add(played.theirs)
            given = ("classic", asked.bot, kind, seats, share, took, they_took)
            yield Match(*given, tuple(left_out))


def with_openspiel(asked: argparse.Namespace) -> Iterator[Match]:
    """Play connect four and hex against OpenSpiel's search."""
    for game in openspiel_games.GAMES:
        for playouts in asked.playouts:
            share, took, they_took = Share(), Thinking(), Thinking()
            bot, wanted = (
                f"mcts({playouts})",
                range(asked.first, asked.first + asked.games),
            )
            for played in openspiel_games.play(asked.peers, game, playouts, wanted):
                share.add(played.share)
                took.add(played.ours)
                they_took.add(played.theirs)
            yield Match(game, bot, f"OpenSpiel's {bot}", 2, share, took, they_took)


ENGINES: dict[str, Callable[[argparse.Namespace], Iterator[Match]]] = {
    "catanatron": with_catanatron,
    "openspiel": with_openspiel,
}


def main(given: Sequence[str] | None = None) -> int:
    """Play and print; return 1 if a game was left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers", type=Path, help="folder of the other engines")
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument(
        "--games", type=int, default=200, help="number of games of each match"
    )
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--bot", default="mcts(400)", help="our bot")
    parser.add_argument("--against", nargs="+", choices=catanatron_games.THEIRS)
    parser.add_argument("--seats", type=int, nargs="+", default=[4, 2])
    parser.add_argument("--playouts", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--json", type=Path, help="file for all results")
    asked = parser.parse_args(given)
    matches = []
    for match in ENGINES[asked.engine](asked):
        print(match, flush=True)
        matches.append(match)
        if asked.json:
            text = json.dumps([each.to_json() for each in matches], indent=1)
            asked.json.write_text(text + "\n", encoding="utf-8")
    return int(any(match.left_out for match in matches))


if __name__ == "__main__":
    sys.exit(main())
