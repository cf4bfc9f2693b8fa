"""Report of a ladder, as plain data and as table rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import NormalDist
from typing import Any

import attrs

from workbench.analysis.ladder.ladder_games import (
    BotResults,
    LadderResults,
    LineupResults,
)
from workbench.analysis.ladder.lineups import Lineup
from workbench.analysis.ladder.rating_model import Estimate, Ratings, win_gain

STEP_POINTS = 100
"""Rating difference in points for which the report states the gain."""
SCALE_GAMES = 100
"""Number of games to which wins are scaled in the report."""
UNKNOWN = "not known"
FALSE_ALARM_PROBABILITY = 0.05
"""Probability of reporting a deviation although all games follow the ratings."""


@attrs.frozen
class RatingStep:
    """Two adjacent bots of a ladder: their rating difference, and the gain it implies.

    The gain is that of the better bot in one seat, with the worse bot in all others.
    """

    better: str
    worse: str
    rating: Estimate
    gain: Estimate

    def to_json(self) -> dict[str, Any]:
        """Return the step as plain data."""
        return {
            "better": self.better,
            "worse": self.worse,
            "rating": self.rating.to_json(1),
            "gain": self.gain.to_json(4),
        }


@attrs.frozen
class Rung:
    """Bot of a ladder, with its rating and results."""

    bot: str
    rating: Estimate | None
    results: BotResults

    @property
    def win_rate(self) -> float:
        """Number of wins of the bot, divided by the number of its games."""
        return self.results.wins / max(self.results.games, 1)

    @property
    def gain(self) -> float:
        """Mean number of wins per game beyond the bot's share of the seats."""
        results = self.results
        return (results.wins - results.expected_wins) / max(results.games, 1)

    def to_json(self) -> dict[str, Any]:
        """Return the rung as plain data."""
        return {
            "bot": self.bot,
            "rating": None if self.rating is None else self.rating.to_json(1),
            "games": self.results.games,
            "won": round(self.win_rate, 4),
            "gain": round(self.gain, 4),
        }


@attrs.frozen
class RatingDeviation:
    """Bot whose win rate in a line-up differs significantly from its rating."""

    bot: str
    lineup: Lineup
    win_rate: float
    expected_rate: float

    def __str__(self) -> str:
        others = list(self.lineup)
        others.remove(self.bot)
        won = f"{self.bot} won {SCALE_GAMES * self.win_rate:.1f} of {SCALE_GAMES} games"
        observed = f"{won} with {', '.join(others)}"
        return f"{observed}; its rating predicts {SCALE_GAMES * self.expected_rate:.1f}"


@attrs.frozen
class Ladder:
    """Ladder computed from games: its rungs, best first, and the steps between them."""

    results: LadderResults
    rungs: tuple[Rung, ...]
    steps: tuple[RatingStep, ...]
    largest_deviation: RatingDeviation | None
    """Largest significant deviation of results from the ratings, or None."""

    @classmethod
    def from_results(cls, results: LadderResults) -> Ladder:
        """Return the ladder computed from these results."""
        ratings = results.ratings
        order = sorted(results.lineups.bots)
        estimates = (
            dict.fromkeys(order, None)
            if ratings is None
            else {bot: ratings.rating_of(bot) for bot in order}
        )
        rungs = [Rung(bot, estimates[bot], results.results_of(bot)) for bot in order]
        rungs.sort(key=lambda rung: (-_sort_value(rung), rung.bot))
        steps = () if ratings is None else _steps(ratings, rungs, len(results.seats))
        deviation = (
            None
            if ratings is None
            else _largest_deviation(ratings, list(results.lineup_results))
        )
        return cls(results, tuple(rungs), tuple(steps), deviation)

    @property
    def has_ratings(self) -> bool:
        """True if the games determine ratings."""
        return bool(self.steps)

    def to_json(self) -> dict[str, Any]:
        """Return the ladder as plain data."""
        games = max(self.results.finished_games, 1)
        return {
            "bots": [rung.to_json() for rung in self.rungs],
            "steps": [step.to_json() for step in self.steps],
            "odd": None
            if self.largest_deviation is None
            else {
                "bot": self.largest_deviation.bot,
                "lineup": list(self.largest_deviation.lineup),
                "won": round(self.largest_deviation.win_rate, 4),
                "said": round(self.largest_deviation.expected_rate, 4),
            },
            "gain_of_100_points": round(
                win_gain(STEP_POINTS, len(self.results.seats)), 4
            ),
            "seats": {
                seat: round(won / games, 4) for seat, won in self.results.won.items()
            },
            "lineups": [
                {
                    "bots": list(meeting.lineup),
                    "games": meeting.games,
                    "won": {
                        bot: round(won / meeting.games, 4)
                        for bot, won in meeting.wins.items()
                    },
                }
                for meeting in self.results.lineup_results
            ],
        }


def _sort_value(rung: Rung) -> float:
    """Return the sort key of a rung: its rounded rating, or else its gain."""
    return rung.gain if rung.rating is None else round(rung.rating.value, 1)


def _steps(ratings: Ratings, rungs: list[Rung], seats: int) -> Iterator[RatingStep]:
    """Yield the step from each rung to the next one below."""
    for upper, lower in pairwise(rungs):
        rating = ratings.difference_between(upper.bot, lower.bot)
        gain = rating.transform(lambda points: win_gain(points, seats))
        yield RatingStep(upper.bot, lower.bot, rating, gain)


def _largest_deviation(
    ratings: Ratings, lineup_results: Sequence[LineupResults]
) -> RatingDeviation | None:
    """Return the largest deviation from the ratings if it is significant at 5 %.

    The threshold is corrected for all bots of all line-ups (Bonferroni), and half a
    game is subtracted as a continuity correction.
    """
    number = sum(len(meeting.wins) for meeting in lineup_results)
    largest, bound = (
        None,
        NormalDist().inv_cdf(1 - FALSE_ALARM_PROBABILITY / 2 / number),
    )
    for meeting in lineup_results:
        games = meeting.games
        for bot, chance in ratings.win_probabilities(meeting.lineup).items():
            excess = abs(meeting.wins[bot] - games * chance) - 1 / 2
            deviation = excess / sqrt(games * chance * (1 - chance))
            if deviation > bound:
                bound = deviation
                largest = RatingDeviation(
                    bot, meeting.lineup, meeting.wins[bot] / games, chance
                )
    return largest


# ---------------------------------------------------------------- table cells


RUNG_HEADS = ("bot", "rating", "95 %", "games", "won of 100", "beyond its share")
STEP_HEADS = ("step", "rating", "95 %", "gains of 100 games", "95 %")


def rung_cells(rung: Rung) -> tuple[str, ...]:
    """Return the table cells of a rung."""
    rating = rung.rating
    return (
        rung.bot,
        "-" if rating is None else _points_text(rating.value),
        UNKNOWN if rating is None else interval_text(rating, _points_text),
        f"{rung.results.games:,}",
        f"{SCALE_GAMES * rung.win_rate:.1f}",
        f"{SCALE_GAMES * rung.gain:+.1f}",
    )


def step_cells(step: RatingStep) -> tuple[str, ...]:
    """Return the table cells of a step."""
    return (
        f"{step.better} over {step.worse}",
        _points_text(step.rating.value),
        interval_text(step.rating, _points_text),
        _games_text(step.gain.value),
        interval_text(step.gain, _games_text),
    )


def interval_text(estimate: Estimate, format_bound: Any) -> str:
    """Return the interval of an estimate in words; *format_bound* formats a bound.

    >>> interval_text(Estimate(5, 1, None), str)
    'at least 1'
    """
    low, high = estimate.low, estimate.high
    if low is None and high is None:
        return UNKNOWN
    if high is None:
        return f"at least {format_bound(low)}"
    return (
        f"at most {format_bound(high)}"
        if low is None
        else f"{format_bound(low)} to {format_bound(high)}"
    )


def _points_text(value: float) -> str:
    """Return rating points as a signed whole number."""
    return f"{round(value):+d}" if round(value) else "0"


def _games_text(value: float) -> str:
    """Return a share of games as a signed number of games out of 100."""
    return f"{SCALE_GAMES * value:+.1f}"


def seat_wins_text(ladder: Ladder) -> str:
    """Return how many of 100 games each seat wins, as text."""
    table = ladder.results
    games = max(table.finished_games, 1)
    each = (
        f"{seat} {SCALE_GAMES * won / games:.1f}" for seat, won in table.won.items()
    )
    return ", ".join(each)


def step_explanation(seats: int) -> str:
    """Return a sentence that explains what a rating difference means.

    >>> step_explanation(2)
    '100 points above all others, a bot wins 64.0 of 100 games instead of 50.0: +14.0'
    """
    gain, share = win_gain(STEP_POINTS, seats), 1 / seats
    won = f"{SCALE_GAMES * (share + gain):.1f} of {SCALE_GAMES} games"
    even = f"{SCALE_GAMES * share:.1f}"
    return (
        f"{STEP_POINTS} points above all others, a bot wins {won} instead of {even}:"
        f" {SCALE_GAMES * gain:+.1f}"
    )
