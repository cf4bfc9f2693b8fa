"""Ratings of bots, estimated from the games of their line-ups.

The model follows Luce's choice axiom; for two bots it is the Bradley-Terry model. A bot
in a seat wins with a probability equal to its worth divided by the total worth of all
seats. Several winners share a win. If nobody wins, all seats share it: a draw of two is
half a win each.

The ratings maximize the likelihood of the games with Firth's penalty (half of the
logarithm of the determinant of the information). The penalty removes most of the bias
of small samples, and gives a finite rating to a bot that has never lost. Intervals come
from the information (the Hessian), reduced by the variance that shared wins remove.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from typing import Any

import attrs

from workbench.analysis.ladder.lineups import Lineup
from workbench.extras import Extra, import_library

POINTS_PER_E = 400 / log(10)
"""Elo points that correspond to a factor *e* in worth; 400 points are a factor of 10.
"""
NORMAL_95 = 1.959964
"""Half-width of a 95 % interval of the normal distribution, in standard deviations."""
FEATURE = "a rating"


def import_numpy() -> Any:
    """Return numpy; raise `RequestError` if it is not installed."""
    return import_library("numpy", Extra.DESK, FEATURE)


def import_minimize() -> Any:
    """Return `scipy.optimize.minimize`, or raise `RequestError` without scipy."""
    return import_library("scipy.optimize", Extra.DESK, FEATURE).minimize


@attrs.frozen
class RatedGame:
    """Finished game: its line-up, and each bot's fraction of the win.

    The fractions are in alphabetical order of the bots.
    """

    lineup: Lineup
    win_shares: tuple[float, ...]

    @property
    def shares_by_bot(self) -> dict[str, float]:
        """Each bot's fraction of the win, by name."""
        return dict(zip(dict.fromkeys(self.lineup), self.win_shares, strict=True))


@attrs.frozen
class Estimate:
    """Estimated value with its 95 % interval.

    `low` or `high` is None if no game bounds the value on that side.
    """

    value: float
    low: float | None
    high: float | None

    def transform(self, function: Callable[[float], float]) -> Estimate:
        """Return the estimate after applying an increasing function to its numbers."""
        return Estimate(
            function(self.value),
            None if self.low is None else function(self.low),
            None if self.high is None else function(self.high),
        )

    def to_json(self, digits: int) -> dict[str, float | None]:
        """Return the value and its bounds as plain data, rounded to *digits* places."""
        return {
            "value": round(self.value, digits),
            "low": None if self.low is None else round(self.low, digits),
            "high": None if self.high is None else round(self.high, digits),
        }


def win_gain(points: float, seats: int) -> float:
    """Return the win rate, minus 1 / *seats*, of a bot *points* above all others.

    >>> round(win_gain(400, 2), 3), win_gain(0, 4)
    (0.409, 0.0)
    """
    return 1 / (1 + (seats - 1) * exp(-points / POINTS_PER_E)) - 1 / seats


@attrs.frozen(eq=False)
class Ratings:
    """Elo ratings of bots.

    Only differences between ratings have a meaning. 0 is a weighted mean of the bots
    that have won against one another, directly or through others. `values` are the
    logarithms of worths, and `weights` the shares of statistical information, by bot. A
    bot that never wins has little weight and hardly affects the others.

    `covariance` is the covariance matrix, and `min_covariance` a lower bound of it, as
    if exactly one game had a single winner. `has_beaten` is true for a pair of bots if
    the first has won against the second, directly or through other bots. Otherwise no
    game bounds how far the first is below the second.
    """

    bots: tuple[str, ...]
    values: Any
    weights: Any
    covariance: Any
    min_covariance: Any
    has_beaten: Any

    def rating_of(self, bot: str) -> Estimate:
        """Return the rating of a bot."""
        row, rated = self.bots.index(bot), self.weights > 0
        factors = -self.weights
        factors[row] += 1
        low, high = self.has_beaten[row, rated].all(), self.has_beaten[rated, row].all()
        return self._weighted_sum(
            factors, bounded_below=bool(low), bounded_above=bool(high)
        )

    def win_probabilities(self, lineup: Lineup) -> dict[str, float]:
        """Return each bot's probability of winning in a line-up, from the ratings."""
        worths = dict(zip(self.bots, import_numpy().exp(self.values), strict=True))
        total = sum(worths[bot] for bot in lineup)
        distinct = dict.fromkeys(lineup)
        return {bot: float(lineup.count(bot) * worths[bot] / total) for bot in distinct}

    def difference_between(self, better: str, worse: str) -> Estimate:
        """Return the rating difference between two bots."""
        first, second = self.bots.index(better), self.bots.index(worse)
        factors = 0 * self.weights
        factors[first], factors[second] = 1.0, -1.0
        low, high = self.has_beaten[first, second], self.has_beaten[second, first]
        return self._weighted_sum(
            factors, bounded_below=bool(low), bounded_above=bool(high)
        )

    def _weighted_sum(
        self, weights: Any, *, bounded_below: bool, bounded_above: bool
    ) -> Estimate:
        """Return a weighted sum of ratings.

        *bounded_below* and *bounded_above* say whether games bound the value on that
        side.
        """
        value = POINTS_PER_E * float(weights @ self.values)
        spreads = (
            float(weights @ matrix @ weights)
            for matrix in (self.covariance, self.min_covariance)
        )
        half_width = POINTS_PER_E * NORMAL_95 * max(spreads) ** 0.5
        ends = (
            value - half_width if bounded_below else None,
            value + half_width if bounded_above else None,
        )
        return Estimate(value, *ends)


def rate_bots(bots: Sequence[str], games: Mapping[RatedGame, int]) -> Ratings | None:
    """Return ratings computed from games, given how often each game occurred.

    Returns None if the games do not connect all bots. Raises `RequestError` if numpy or
    scipy is not installed.
    """
    numpy = import_numpy()
    totals = _GameTotals.of_games(bots, games)
    linked = _transitive_closure(
        (totals.seats > 0).T.astype(float) @ (totals.seats > 0), numpy
    )
    if len(bots) < 2 or not linked.all():
        return None
    basis = _mean_zero_basis(len(bots), numpy)
    values = (
        basis
        @ import_minimize()(
            lambda free: totals.negative_log_likelihood(basis @ free, basis),
            numpy.zeros(len(bots) - 1),
            jac=True,
            method="BFGS",
        ).x
    )
    information = totals.information(totals.win_probabilities(values))
    inverse = basis @ numpy.linalg.inv(basis.T @ information @ basis) @ basis.T
    spread = inverse @ (information - totals.shared_variance) @ inverse
    has_beaten = _transitive_closure(
        (totals.wins > 0).T.astype(float) @ (totals.seats > 0), numpy
    )
    mutual = has_beaten & has_beaten.T & ~numpy.eye(len(bots), dtype=bool)
    weights = numpy.diag(information) * (mutual.any(axis=1) if mutual.any() else 1)
    min_spread = inverse / (totals.games.sum() + 1)
    total = weights.sum()
    return Ratings(tuple(bots), values, weights / total, spread, min_spread, has_beaten)


@attrs.frozen(eq=False)
class _GameTotals:
    """Totals of games: arrays with a row for each line-up and a column for each bot.

    `seats` is the number of seats of each bot, and `wins` its number of wins, with
    fractions for shared ones. `games` is the number of games of each line-up.
    `shared_variance` is how much shared wins reduce the variance, compared with a
    single winner drawn by lot.
    """

    numpy: Any
    seats: Any
    games: Any
    wins: Any
    shared_variance: Any

    @classmethod
    def of_games(
        cls, bots: Sequence[str], games: Mapping[RatedGame, int]
    ) -> _GameTotals:
        """Return the totals of games, given how often each game occurred."""
        numpy = import_numpy()
        lineups = dict.fromkeys(game.lineup for game in games)
        rows = {lineup: row for row, lineup in enumerate(lineups)}
        seats = [[lineup.count(bot) for bot in bots] for lineup in rows]
        shape = len(rows), len(bots)
        number, won = numpy.zeros(len(rows)), numpy.zeros(shape)
        shared_variance = numpy.zeros((len(bots), len(bots)))
        for game, times in games.items():
            shares_by_bot = game.shares_by_bot
            shares = numpy.array([shares_by_bot.get(bot, 0.0) for bot in bots])
            number[rows[game.lineup]] += times
            won[rows[game.lineup]] += times * shares
            shared_variance += times * (numpy.diag(shares) - shares[:, None] * shares)
        return cls(
            numpy, numpy.array(seats).reshape(shape), number, won, shared_variance
        )

    def win_probabilities(self, log_worths: Any) -> Any:
        """Return the probability that each bot (column) wins in each line-up (row)."""
        worths = self.seats * self.numpy.exp(log_worths - log_worths.max())
        return worths / worths.sum(axis=1, keepdims=True)

    def information(self, chances: Any) -> Any:
        """Return the information matrix of the ratings, given all win probabilities."""
        expected_wins = chances * self.games[:, None]
        return self.numpy.diag(expected_wins.sum(axis=0)) - expected_wins.T @ chances

    def negative_log_likelihood(self, values: Any, basis: Any) -> tuple[float, Any]:
        """Return the penalized negative log-likelihood of ratings, and its gradient.

        *basis* is an orthonormal basis (columns) of the rating vectors with mean 0.
        """
        numpy = self.numpy
        chances = self.win_probabilities(values)
        info = basis.T @ self.information(chances) @ basis
        inverse = basis @ numpy.linalg.inv(info) @ basis.T
        seated = self.seats > 0
        fit = float((self.wins * numpy.log(numpy.where(seated, chances, 1))).sum())
        fit += float(numpy.linalg.slogdet(info)[1]) / 2
        moved, diag = chances @ inverse, numpy.diag(inverse)
        bias = diag - (chances @ diag)[:, None] - 2 * moved
        bias += 2 * (chances * moved).sum(axis=1, keepdims=True)
        expected = chances * self.games[:, None]
        gradient = (self.wins - expected + expected * bias / 2).sum(axis=0)
        return -fit, -basis.T @ gradient


def _mean_zero_basis(number: int, numpy: Any) -> Any:
    """Return an orthonormal basis (columns) of the vectors with mean 0."""
    corner = numpy.eye(number)[:, : number - 1]
    columns = numpy.hstack([numpy.ones((number, 1)), corner])
    return numpy.linalg.qr(columns)[0][:, 1:]


def _transitive_closure(links: Any, numpy: Any) -> Any:
    """Return the reflexive transitive closure of a relation, as a boolean matrix."""
    reached = (links > 0) | numpy.eye(len(links), dtype=bool)
    for index in range(len(links)):
        reached |= reached[:, index, None] & reached[index]
    return reached
