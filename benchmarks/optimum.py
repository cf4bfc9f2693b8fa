"""Optimal play in a small game for two without hidden information.

The interpreter visits every choice and every chance outcome, without samples, playouts
or our own search.
"""

from __future__ import annotations

from fractions import Fraction

from benchmarks.players import Player
from interpreter import Chance, Game

HALF = Fraction(1, 2)


class Optimum:
    """Value of a game for two to its first seat, under optimal play.

    If a `player` is given, it plays `seat`, and the other seat plays optimally.
    """

    def __init__(self, player: Player | None = None, seat: str | None = None) -> None:
        self.player, self.seat, self.key = player, seat, 0
        self.known: dict[bytes, Fraction] = {}

    def worth(self, game: Game) -> Fraction:
        """Return the first seat's share: its wins, and half of the draws."""
        position = game.packed
        if position not in self.known:
            self.known[position] = self.worked_out(game)
        return self.known[position]

    def worked_out(self, game: Game) -> Fraction:
        """Compute the share from all positions that may follow."""
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
        """Return the game after the player's decision."""
        assert self.player is not None
        self.key += 1
        after = game.copy()
        after.apply(self.player(game.sample(str(self.seat), 0), self.key))
        return after


def best(game: Game) -> Fraction:
    """Return the value of a game to its first seat, under optimal play by both."""
    return Optimum().worth(game)


def against_the_best(game: Game, player: Player) -> Fraction:
    """Return the share of a player who plays each seat once against optimal play."""
    first, second = (Optimum(player, seat).worth(game) for seat in game.seats)
    return HALF * (first + 1 - second)
