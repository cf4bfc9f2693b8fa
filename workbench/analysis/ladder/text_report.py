"""Report of a ladder, as plain data and as table rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import NormalDist
from typing import Any

import attrs

from workbench.analysis.ladder.games import BotStanding, LadderTable, Meeting
from workbench.analysis.ladder.lineups import Lineup
from workbench.analysis.ladder.model import Estimate, Ratings, gain

STEP = 100
"""Rating difference in points for which the report states the gain."""
OF = 100
"""Number of games to which wins are scaled in the report."""
UNKNOWN = "not known"
MISSED = 0.05
"""Probability of reporting a deviation although all games follow the ratings."""


@attrs.frozen
class Step:
    """Two adjacent bots of a ladder: their rating difference, and the gain it implies.

    The gain is that of one better bot with the worse bot in all other seats.
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
    standing: BotStanding

    @property
    def won(self) -> float:
        """Bot's share of the wins in its games."""
        return self.standing.won / max(self.standing.games, 1)

    @property
    def gain(self) -> float:
        """Mean number of wins per game beyond the bot's share of the seats."""
        there = self.standing
        return (there.won - there.share) / max(there.games, 1)

    def to_json(self) -> dict[str, Any]:
        """Return the rung as plain data."""
        return {
            "bot": self.bot,
            "rating": None if self.rating is None else self.rating.to_json(1),
            "games": self.standing.games,
            "won": round(self.won, 4),
            "gain": round(self.gain, 4),
        }


@attrs.frozen
class Odd:
    """Bot whose win rate in a line-up differs significantly from its rating."""

    bot: str
    lineup: Lineup
    won: float
    said: float

    def __str__(self) -> str:
        others = list(self.lineup)
        others.remove(self.bot)
        won = f"{self.bot} won {OF * self.won:.1f} of {OF} games"
        there = f"{won} with {', '.join(others)}"
        return f"{there}; its rating predicts {OF * self.said:.1f}"


@attrs.frozen
class Ladder:
    """Ladder computed from games: its rungs, best first, and the steps between them."""

    table: LadderTable
    rungs: tuple[Rung, ...]
    steps: tuple[Step, ...]
    odd: Odd | None
    """Largest significant deviation of results from the ratings, or None."""

    @classmethod
    def of(cls, table: LadderTable) -> Ladder:
        """Return the ladder of all games in a table."""
        ratings = table.ratings
        order = sorted(table.lineups.bots)
        estimates = (
            dict.fromkeys(order, None)
            if ratings is None
            else {bot: ratings.of(bot) for bot in order}
        )
        rungs = [Rung(bot, estimates[bot], table.standing_of(bot)) for bot in order]
        rungs.sort(key=lambda rung: (-_height(rung), rung.bot))
        steps = () if ratings is None else _steps(ratings, rungs, len(table.seats))
        odd = None if ratings is None else _odd(ratings, list(table.meetings))
        return cls(table, tuple(rungs), tuple(steps), odd)

    @property
    def known(self) -> bool:
        """Whether the games determine ratings."""
        return bool(self.steps)

    def to_json(self) -> dict[str, Any]:
        """Return the ladder as plain data."""
        games = max(self.table.ended, 1)
        return {
            "bots": [rung.to_json() for rung in self.rungs],
            "steps": [step.to_json() for step in self.steps],
            "odd": None
            if self.odd is None
            else {
                "bot": self.odd.bot,
                "lineup": list(self.odd.lineup),
                "won": round(self.odd.won, 4),
                "said": round(self.odd.said, 4),
            },
            "gain_of_100_points": round(gain(STEP, len(self.table.seats)), 4),
            "seats": {
                seat: round(won / games, 4) for seat, won in self.table.won.items()
            },
            "lineups": [
                {
                    "bots": list(meeting.lineup),
                    "games": meeting.games,
                    "won": {
                        bot: round(won / meeting.games, 4)
                        for bot, won in meeting.won.items()
                    },
                }
                for meeting in self.table.meetings
            ],
        }


def _height(rung: Rung) -> float:
    """Return the sort key of a rung: its rounded rating, or else its gain."""
    return rung.gain if rung.rating is None else round(rung.rating.value, 1)


def _steps(ratings: Ratings, rungs: list[Rung], seats: int) -> Iterator[Step]:
    """Yield the step from each rung to the next one below."""
    for upper, lower in pairwise(rungs):
        apart = ratings.between(upper.bot, lower.bot)
        told = apart.mapped(lambda points: gain(points, seats))
        yield Step(upper.bot, lower.bot, apart, told)


def _odd(ratings: Ratings, meetings: Sequence[Meeting]) -> Odd | None:
    """Return the largest deviation from the ratings if it is significant at 5 %.

    The threshold is corrected for all bots of all line-ups (Bonferroni), and half a
    game is subtracted as a continuity correction.
    """
    number = sum(len(meeting.won) for meeting in meetings)
    farthest, bound = None, NormalDist().inv_cdf(1 - MISSED / 2 / number)
    for meeting in meetings:
        games = meeting.games
        for bot, chance in ratings.chances(meeting.lineup).items():
            off = abs(meeting.won[bot] - games * chance) - 1 / 2
            apart = off / sqrt(games * chance * (1 - chance))
            if apart > bound:
                bound = apart
                farthest = Odd(bot, meeting.lineup, meeting.won[bot] / games, chance)
    return farthest


# ---------------------------------------------------------------- table cells


RUNG_HEADS = ("bot", "rating", "95 %", "games", "won of 100", "beyond its share")
STEP_HEADS = ("step", "rating", "95 %", "gains of 100 games", "95 %")


def rung_cells(rung: Rung) -> tuple[str, ...]:
    """Return the table cells of a rung."""
    rating = rung.rating
    return (
        rung.bot,
        "-" if rating is None else _points(rating.value),
        UNKNOWN if rating is None else between(rating, _points),
        f"{rung.standing.games:,}",
        f"{OF * rung.won:.1f}",
        f"{OF * rung.gain:+.1f}",
    )


def step_cells(step: Step) -> tuple[str, ...]:
    """Return the table cells of a step."""
    return (
        f"{step.better} over {step.worse}",
        _points(step.rating.value),
        between(step.rating, _points),
        _games(step.gain.value),
        between(step.gain, _games),
    )


def between(estimate: Estimate, told: Any) -> str:
    """Return the interval of an estimate in words; *told* formats a bound.

    >>> between(Estimate(5, 1, None), str), between(Estimate(5, None, None), str)
    ('at least 1', 'not known')
    """
    low, high = estimate.low, estimate.high
    if low is None and high is None:
        return UNKNOWN
    if high is None:
        return f"at least {told(low)}"
    return f"at most {told(high)}" if low is None else f"{told(low)} to {told(high)}"


def _points(value: float) -> str:
    """Return rating points as a signed whole number."""
    return f"{round(value):+d}" if round(value) else "0"


def _games(value: float) -> str:
    """Return a share of games as a signed number of games out of 100."""
    return f"{OF * value:+.1f}"


def in_seats(ladder: Ladder) -> str:
    """Return how many of 100 games each seat wins, as text."""
    table = ladder.table
    games = max(table.ended, 1)
    each = (f"{seat} {OF * won / games:.1f}" for seat, won in table.won.items())
    return ", ".join(each)


def of_a_step(seats: int) -> str:
    """Return a sentence that explains what a rating difference means.

    >>> of_a_step(2)
    '100 points above all others, a bot wins 64.0 of 100 games instead of 50.0: +14.0'
    """
    more, share = gain(STEP, seats), 1 / seats
    won = f"{OF * (share + more):.1f} of {OF} games instead of {OF * share:.1f}"
    return f"{STEP} points above all others, a bot wins {won}: {OF * more:+.1f}"
