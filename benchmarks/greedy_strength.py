"""Strength of greedy against bots that look one decision ahead, with the same hints.

    python -m benchmarks.greedy_strength [GAME:PLAYERS …] [--games N]

One greedy bot plays against bots that maximize the outlook at the next decision, in
three samples (`Game.outlook`). Greedy did the same before (ADR 74). Seats rotate, and
draws are shared. Then it prints offers per game and milliseconds per decision of each
side. It runs in the interpreter, because the other bot is not a shipped one, and
measures processor seconds.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random
from statistics import fmean, stdev
from time import process_time

import attrs

from interpreter import Action, Game
from rulebook import Rulebook
from workbench import load
from workbench.bots import SAMPLES, Bot, Sample, View, bot_random, greedy, random_below

GAMES = ("germany:3", "base:4", "classic:2", "classic:4", "cardgame:2")
MOST = 20_000
TURNS = 400
OFFERS = "offer"


def one_ahead(
    _view: View, legal: Sequence[Action], sample: Sample, numbers: Random
) -> Action:
    """Choose the action with the best outlook at the next decision."""
    if len(legal) == 1:
        return legal[0]
    worlds = [sample(random_below(2**32, numbers)) for _ in range(SAMPLES)]
    worths = [total(worlds, action) for action in legal]
    best = max(worths)
    equals = [x for x, worth in zip(legal, worths, strict=True) if worth == best]
    return equals[random_below(len(equals), numbers)]


def total(worlds: Sequence[Game], action: Action) -> int:
    """Return the value of an action for a seat, summed over all samples."""
    worth = 0
    for world in worlds:
        after = world.outlook(action)
        if after.certain:
            return (after.points + after.worth) * len(worlds)
        worth += after.points + after.worth
    return worth


@attrs.define
class Side:
    """Actions and times of greedy, or of the other bots, in all games."""

    decisions: int = 0
    seconds: float = 0.0
    actions: Counter[str] = attrs.field(factory=Counter)

    def told(self, games: int, seats: int) -> str:
        """Return the offers per game of a seat, and the milliseconds per decision."""
        offers = sum(n for name, n in self.actions.items() if OFFERS in name)
        each = 1000 * self.seconds / max(1, self.decisions)
        return f"{offers / games / seats:7.1f}{each:9.2f}"


def play_game(
    book: Rulebook, players: int, number: int, sides: dict[Bot, Side]
) -> float:
    """Play a game; return greedy's share of the win."""
    game = Game.start(book, players=players, seed=number // players, turns=TURNS)
    own = game.seats[number % players]
    numbers = {seat: bot_random(1, number, seat) for seat in game.seats}
    for _ in range(MOST):
        seat = game.to_act
        if seat is None:
            break
        bot: Bot = greedy if seat == own else one_ahead
        legal, begun = game.legal_actions(), process_time()
        action = bot({}, legal, partial(game.sample, seat), numbers[seat])
        side = sides[bot]
        side.seconds += process_time() - begun
        side.decisions += 1
        side.actions[action.name] += 1
        game.apply(action)
    if game.outcome is None or not game.outcome.winners:
        return 1 / players
    winners = game.outcome.winners
    return (own in winners) / len(winners)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME:PLAYERS", nargs="*", default=GAMES)
    parser.add_argument("--games", dest="number", type=int, default=60)
    given = parser.parse_args()
    print("                  wins of 100   fair   offers  ms each    theirs: the same")
    for said in given.games:
        name, _, players = said.rpartition(":")
        book, seats = load(name), int(players)
        sides: dict[Bot, Side] = {greedy: Side(), one_ahead: Side()}
        shares = [
            play_game(book, seats, number, sides) for number in range(given.number)
        ]
        half = 196 * stdev(shares) / len(shares) ** 0.5
        wins = f"{100 * fmean(shares):.0f} ± {half:.0f}"
        own = sides[greedy].told(given.number, 1)
        theirs = sides[one_ahead].told(given.number, seats - 1)
        print(f"{said:18}{wins:>12}{100 / seats:7.0f}  {own}  {theirs}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
