"""The best that can be done in a small game for two in which nothing is hidden.

Every choice and every outcome of chance is gone through, by the interpreter alone: no
sample, no playout, no search of ours.
"""

from __future__ import annotations

from fractions import Fraction

from benchmarks.players import Player
from interpreter import Chance, Game

HALF = Fraction(1, 2)


class Optimum:
    """What a game for two is worth to its first seat, where both do their best.

    With a `player` who is not the best the other seat still is.
    """

    def __init__(self, player: Player | None = None, seat: str | None = None) -> None:
        self.player, self.seat, self.key = player, seat, 0
        self.known: dict[bytes, Fraction] = {}

    def worth(self, game: Game) -> Fraction:
        """Return the share of the first seat: of wins, and half of the draws."""
        position = game.packed
        if position not in self.known:
            self.known[position] = self.worked_out(game)
        return self.known[position]

    def worked_out(self, game: Game) -> Fraction:
        """Return it by way of all that may follow."""
        if game.outcome is not None:
            (first, second), winners = game.seats, game.outcome.winners
            return HALF * (1 + (first in winners) - (second in winners))
        choices = game.legal_actions()
        if isinstance(choices[0], Chance):
            worths = map(self.worth, game.branches())
            weights = [choice.probability for choice in choices]
            pairs = zip(weights, worths, strict=True)
            return sum((weight * worth for weight, worth in pairs), Fraction(0))
        if game.to_act == self.seat:
            return self.worth(self.decided(game))
        best = max if game.to_act == game.seats[0] else min
        return best(map(self.worth, game.branches()))

    def decided(self, game: Game) -> Game:
        """Return the game after what the player does."""
        assert self.player is not None
        self.key += 1
        after = game.copy()
        after.apply(self.player(game.sample(str(self.seat), 0), self.key))
        return after


def best(game: Game) -> Fraction:
    """Return what a game is worth to its first seat, where both do their best."""
    return Optimum().worth(game)


def against_the_best(game: Game, player: Player) -> Fraction:
    """Return the share of a player who has each seat once, against the best answers."""
    first, second = (Optimum(player, seat).worth(game) for seat in game.seats)
    return HALF * (first + 1 - second)
