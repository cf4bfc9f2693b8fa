"""Ratings from games: how likely each bot of a line-up is to win, as one number a bot.

By Luce's axiom, which for two is the model of Bradley and Terry: in a game the bot of a
seat wins as often as its worth is of the worths in all seats. A win that several
part counts for each of them in part, and one of nobody for all: a draw of two is half.

The ratings are those under which the games are likeliest, with Firth's penalty (half of
the logarithm of the determinant of the information): it takes away most of the bias of
few games, and it is why a bot that has never lost has a rating at all. Intervals are
those of the information (the Hessian) less what parted wins take from its spread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from typing import Any

import attrs

from workbench.analysis.ladder.lineups import Lineup
from workbench.extras import Extra, library

POINTS = 400 / log(10)
"""Elo's points for a worth e times as large: 400 points are ten times."""
Z = 1.959964
"""Of the normal distribution, 95 % lie within so many deviations."""
NEEDS = "a rating"


def numbers() -> Any:
    """What reckons with many numbers; refused where numpy is not installed."""
    return library("numpy", Extra.DESK, NEEDS)


def minimize() -> Any:
    """What finds the likeliest ratings; refused where scipy is not installed."""
    return library("scipy.optimize", Extra.DESK, NEEDS).minimize


@attrs.frozen
class RatedGame:
    """A game that came to its end: its line-up, and what part of the win each bot of it
    had, in the order of their names."""

    lineup: Lineup
    won: tuple[float, ...]

    @property
    def parts(self) -> dict[str, float]:
        """What part of the win each bot had."""
        return dict(zip(dict.fromkeys(self.lineup), self.won, strict=True))


@attrs.frozen
class Estimate:
    """A number, and between what the truth lies with 95 %.

    An end is None where no game bounds it on that side, however many there are.
    """

    value: float
    low: float | None
    high: float | None

    def mapped(self, function: Callable[[float], float]) -> Estimate:
        """What a rising function makes of it."""
        return Estimate(
            function(self.value),
            None if self.low is None else function(self.low),
            None if self.high is None else function(self.high),
        )

    def to_json(self, digits: int) -> dict[str, float | None]:
        """The number and its ends as plain data."""
        return {
            "value": round(self.value, digits),
            "low": None if self.low is None else round(self.low, digits),
            "high": None if self.high is None else round(self.high, digits),
        }


def gain(points: float, seats: int) -> float:
    """What a bot wins beyond its share that is so many points above all the others.

    >>> round(gain(400, 2), 3), gain(0, 4)
    (0.409, 0.0)
    """
    return 1 / (1 + (seats - 1) * exp(-points / POINTS)) - 1 / seats


@attrs.frozen(eq=False)
class Ratings:
    """The ratings of some bots in Elo's points.

    Only how far they are apart says something. 0 is the mean of those that have won
    from one another, each counted by its part in `weights`: how much games say of it.
    So one that never wins, of which they say little, moves no other.

    Their `spread` is at least that which they would have if of all games one had been
    decided. `above` says of each two whether the first has won where the second sat, or
    where another sat that has, and so on: otherwise no game says how far below it is.
    """

    bots: tuple[str, ...]
    values: Any
    weights: Any
    spread: Any
    least: Any
    above: Any

    def of(self, bot: str) -> Estimate:
        """The rating of a bot."""
        at, middle = self.bots.index(bot), self.weights > 0
        weighed = -self.weights
        weighed[at] += 1
        low, high = self.above[at, middle].all(), self.above[middle, at].all()
        return self._weighed(weighed, low=bool(low), high=bool(high))

    def chances(self, lineup: Lineup) -> dict[str, float]:
        """What part of the games of a line-up each bot wins, by the ratings."""
        worths = dict(zip(self.bots, numbers().exp(self.values), strict=True))
        whole = sum(worths[bot] for bot in lineup)
        there = dict.fromkeys(lineup)
        return {bot: float(lineup.count(bot) * worths[bot] / whole) for bot in there}

    def between(self, better: str, worse: str) -> Estimate:
        """How far one bot is above another."""
        first, second = self.bots.index(better), self.bots.index(worse)
        weighed = 0 * self.weights
        weighed[first], weighed[second] = 1.0, -1.0
        low, high = self.above[first, second], self.above[second, first]
        return self._weighed(weighed, low=bool(low), high=bool(high))

    def _weighed(self, weighed: Any, *, low: bool, high: bool) -> Estimate:
        """A sum of ratings; an end that no game bounds is none."""
        value = POINTS * float(weighed @ self.values)
        spreads = (float(weighed @ it @ weighed) for it in (self.spread, self.least))
        half = POINTS * Z * max(spreads) ** 0.5
        ends = value - half if low else None, value + half if high else None
        return Estimate(value, *ends)


def rated(bots: Sequence[str], games: Mapping[RatedGame, int]) -> Ratings | None:
    """The ratings of bots by games, each with how often it was so.

    None where the games do not bring all of them together.

    Raises `Refused` where numpy or scipy is not installed.
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
    """What games come to, a row for each line-up and a column for each bot.

    `seats` are of each bot, `won` is its part of all wins, and `games` is how many
    there are. `parted` is by how much less wins vary that several part than if one of
    them had been drawn to have it.
    """

    numpy: Any
    seats: Any
    games: Any
    won: Any
    parted: Any

    @classmethod
    def of(cls, bots: Sequence[str], games: Mapping[RatedGame, int]) -> _Sums:
        """Add up games."""
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
        """How likely each bot is to win in each line-up."""
        worths = self.seats * self.numpy.exp(values - values.max())
        return worths / worths.sum(axis=1, keepdims=True)

    def information(self, chances: Any) -> Any:
        """How much the games say of the ratings."""
        weighed = chances * self.games[:, None]
        return self.numpy.diag(weighed.sum(axis=0)) - weighed.T @ chances

    def unlikely(self, values: Any, apart: Any) -> tuple[float, Any]:
        """How unlikely the games are by ratings, with Firth's penalty; and its slope.

        `apart` has a column for each way in which ratings with the mean 0 may differ.
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
    """Columns at right angles to one another and to what is the same for all."""
    corner = numpy.eye(number)[:, : number - 1]
    whole = numpy.hstack([numpy.ones((number, 1)), corner])
    return numpy.linalg.qr(whole)[0][:, 1:]


def _reached(links: Any, numpy: Any) -> Any:
    """Which can be reached from which, over any number of links."""
    reached = (links > 0) | numpy.eye(len(links), dtype=bool)
    for at in range(len(links)):
        reached |= reached[:, at, None] & reached[at]
    return reached
