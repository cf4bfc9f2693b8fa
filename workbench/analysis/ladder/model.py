"""Ratings of bots, computed from the games of their line-ups.

The model follows Luce's axiom; for two bots it is the model of Bradley and Terry. A bot
in a seat wins with probability equal to its worth divided by the total worth of all
seats. A shared win counts in part for each winner. A game that nobody wins counts in
part for all: a draw of two is half a win each.

The ratings maximize the likelihood of the games with Firth's penalty (half of the
logarithm of the determinant of the information). The penalty removes most of the bias
of few games. It also gives a finite rating to a bot that has never lost. Intervals come
from the information (the Hessian), less what shared wins take from its spread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from typing import Any

import attrs

from workbench.analysis.ladder.lineups import Lineup
from workbench.extras import Extra, library

POINTS = 400 / log(10)
"""Elo points for a worth *e* times as large; 400 points mean ten times the worth."""
Z = 1.959964
"""Number of standard deviations that contain 95 % of a normal distribution."""
NEEDS = "a rating"


def numbers() -> Any:
    """Return numpy; raise `Refused` if it is not installed."""
    return library("numpy", Extra.DESK, NEEDS)


def minimize() -> Any:
    """Return scipy's minimizer; raise `Refused` if scipy is not installed."""
    return library("scipy.optimize", Extra.DESK, NEEDS).minimize


@attrs.frozen
class RatedGame:
    """Finished game: its line-up and the part of the win of each bot.

    Parts are in order of bot names.
    """

    lineup: Lineup
    won: tuple[float, ...]

    @property
    def parts(self) -> dict[str, float]:
        """Part of the win of each bot."""
        return dict(zip(dict.fromkeys(self.lineup), self.won, strict=True))


@attrs.frozen
class Estimate:
    """Estimated value with its 95 % interval.

    An end is None if no game bounds the value on that side.
    """

    value: float
    low: float | None
    high: float | None

    def mapped(self, function: Callable[[float], float]) -> Estimate:
        """Apply an increasing function to the value and both ends."""
        return Estimate(
            function(self.value),
            None if self.low is None else function(self.low),
            None if self.high is None else function(self.high),
        )

    def to_json(self, digits: int) -> dict[str, float | None]:
        """Return the value and its ends as plain data."""
        return {
            "value": round(self.value, digits),
            "low": None if self.low is None else round(self.low, digits),
            "high": None if self.high is None else round(self.high, digits),
        }


def gain(points: float, seats: int) -> float:
    """Return the win rate beyond its share of a bot *points* above all others.

    >>> round(gain(400, 2), 3), gain(0, 4)
    (0.409, 0.0)
    """
    return 1 / (1 + (seats - 1) * exp(-points / POINTS)) - 1 / seats


@attrs.frozen(eq=False)
class Ratings:
    """Ratings of bots in Elo points.

    Only differences between ratings have a meaning. 0 is the mean of the bots that have
    won from one another, weighted by `weights`: how much the games reveal about each. A
    bot that never wins has little weight and moves no other.

    `spread` is at least the spread that the ratings would have if only one of all games
    had a single winner. `above` is true for a pair of bots if the first has won against
    the second, directly or through other bots. Otherwise no game bounds how far the
    first is below the second.
    """

    bots: tuple[str, ...]
    values: Any
    weights: Any
    spread: Any
    least: Any
    above: Any

    def of(self, bot: str) -> Estimate:
        """Return the rating of a bot."""
        at, middle = self.bots.index(bot), self.weights > 0
        weighed = -self.weights
        weighed[at] += 1
        low, high = self.above[at, middle].all(), self.above[middle, at].all()
        return self._weighed(weighed, low=bool(low), high=bool(high))

    def chances(self, lineup: Lineup) -> dict[str, float]:
        """Return the probability that each bot of a line-up wins, by the ratings."""
        worths = dict(zip(self.bots, numbers().exp(self.values), strict=True))
        whole = sum(worths[bot] for bot in lineup)
        there = dict.fromkeys(lineup)
        return {bot: float(lineup.count(bot) * worths[bot] / whole) for bot in there}

    def between(self, better: str, worse: str) -> Estimate:
        """Return the difference in rating between two bots."""
        first, second = self.bots.index(better), self.bots.index(worse)
        weighed = 0 * self.weights
        weighed[first], weighed[second] = 1.0, -1.0
        low, high = self.above[first, second], self.above[second, first]
        return self._weighed(weighed, low=bool(low), high=bool(high))

    def _weighed(self, weighed: Any, *, low: bool, high: bool) -> Estimate:
        """Return a weighted sum of ratings; ends that no game bounds are None."""
        value = POINTS * float(weighed @ self.values)
        spreads = (float(weighed @ it @ weighed) for it in (self.spread, self.least))
        half = POINTS * Z * max(spreads) ** 0.5
        ends = value - half if low else None, value + half if high else None
        return Estimate(value, *ends)


def rated(bots: Sequence[str], games: Mapping[RatedGame, int]) -> Ratings | None:
    """Return the ratings of bots from games, each with its number of occurrences.

    Returns None if the games do not connect all bots. Raises `Refused` if numpy or
    scipy is not installed.
    """
    numpy = numbers()
    sums = _Sums.of(bots, games)
    met = _reached((sums.seats > 0).T.astype(float) @ (sums.seats > 0), numpy)
    if len(bots) < 2 or not met.all():
        return None
    apart = _orthogonal_columns(len(bots), numpy)
    values = (
        apart
        @ minimize()(
            lambda free: sums.unlikely(apart @ free, apart),
            numpy.zeros(len(bots) - 1),
            jac=True,
            method="BFGS",
        ).x
    )
    information = sums.information(sums.chances(values))
    inverse = apart @ numpy.linalg.inv(apart.T @ information @ apart) @ apart.T
    spread = inverse @ (information - sums.parted) @ inverse
    above = _reached((sums.won > 0).T.astype(float) @ (sums.seats > 0), numpy)
    both = above & above.T & ~numpy.eye(len(bots), dtype=bool)
    weights = numpy.diag(information) * (both.any(axis=1) if both.any() else 1)
    least = inverse / (sums.games.sum() + 1)
    whole = weights.sum()
    return Ratings(tuple(bots), values, weights / whole, spread, least, above)


@attrs.frozen(eq=False)
class _Sums:
    """Totals of games, with a row for each line-up and a column for each bot.

    `seats` counts the seats of each bot, `won` is its part of all wins, and `games`
    counts the games. `parted` is the reduction in variance of shared wins, compared
    with drawing one of the winners.
    """

    numpy: Any
    seats: Any
    games: Any
    won: Any
    parted: Any

    @classmethod
    def of(cls, bots: Sequence[str], games: Mapping[RatedGame, int]) -> _Sums:
        """Return the totals of games."""
        numpy = numbers()
        lineups = dict.fromkeys(game.lineup for game in games)
        places = {lineup: place for place, lineup in enumerate(lineups)}
        seats = [[lineup.count(bot) for bot in bots] for lineup in places]
        shape = len(places), len(bots)
        number, won = numpy.zeros(len(places)), numpy.zeros(shape)
        parted = numpy.zeros((len(bots), len(bots)))
        for game, times in games.items():
            parts = game.parts
            part = numpy.array([parts.get(bot, 0.0) for bot in bots])
            number[places[game.lineup]] += times
            won[places[game.lineup]] += times * part
            parted += times * (numpy.diag(part) - part[:, None] * part)
        return cls(numpy, numpy.array(seats).reshape(shape), number, won, parted)

    def chances(self, values: Any) -> Any:
        """Return the probability that each bot wins, for each line-up."""
        worths = self.seats * self.numpy.exp(values - values.max())
        return worths / worths.sum(axis=1, keepdims=True)

    def information(self, chances: Any) -> Any:
        """Return the information matrix of the ratings."""
        weighed = chances * self.games[:, None]
        return self.numpy.diag(weighed.sum(axis=0)) - weighed.T @ chances

    def unlikely(self, values: Any, apart: Any) -> tuple[float, Any]:
        """Return the penalized negative log-likelihood of ratings, and its gradient.

        *apart* has a column for each way in which ratings with mean 0 may differ.
        """
        numpy = self.numpy
        chances = self.chances(values)
        told = apart.T @ self.information(chances) @ apart
        inverse = apart @ numpy.linalg.inv(told) @ apart.T
        there = self.seats > 0
        likely = float((self.won * numpy.log(numpy.where(there, chances, 1))).sum())
        likely += float(numpy.linalg.slogdet(told)[1]) / 2
        moved, own = chances @ inverse, numpy.diag(inverse)
        bent = own - (chances @ own)[:, None] - 2 * moved
        bent += 2 * (chances * moved).sum(axis=1, keepdims=True)
        weighed = chances * self.games[:, None]
        slope = (self.won - weighed + weighed * bent / 2).sum(axis=0)
        return -likely, -apart.T @ slope


def _orthogonal_columns(number: int, numpy: Any) -> Any:
    """Return orthonormal columns that are also orthogonal to the constant vector."""
    corner = numpy.eye(number)[:, : number - 1]
    whole = numpy.hstack([numpy.ones((number, 1)), corner])
    return numpy.linalg.qr(whole)[0][:, 1:]


def _reached(links: Any, numpy: Any) -> Any:
    """Return the reflexive transitive closure of a relation."""
    reached = (links > 0) | numpy.eye(len(links), dtype=bool)
    for at in range(len(links)):
        reached |= reached[:, at, None] & reached[at]
    return reached
