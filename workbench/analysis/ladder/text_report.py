"""What a ladder says: as plain data, and in rows for people."""

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
"""Points of rating of which it is said what they gain."""
OF = 100
"""Games of which it is said how many are won."""
UNKNOWN = "not known"
MISSED = 0.05
"""How often games that are as ratings say are told to be otherwise."""


@attrs.frozen
class Step:
    """Two bots next to one another: how far the better is above, and what it gains.

    The gain is that of one such bot where all others at the table are the worse one.
    """

    better: str
    worse: str
    rating: Estimate
    gain: Estimate

    def to_json(self) -> dict[str, Any]:
        """The step as plain data."""
        return {
            "better": self.better,
            "worse": self.worse,
            "rating": self.rating.to_json(1),
            "gain": self.gain.to_json(4),
        }


@attrs.frozen
class Rung:
    """A bot, its rating, and what it has won."""

    bot: str
    rating: Estimate | None
    standing: BotStanding

    @property
    def won(self) -> float:
        """The part of its games that it has won."""
        return self.standing.won / max(self.standing.games, 1)

    @property
    def gain(self) -> float:
        """What it has won beyond its share, of each game."""
        there = self.standing
        return (there.won - there.share) / max(there.games, 1)

    def to_json(self) -> dict[str, Any]:
        """The rung as plain data."""
        return {
            "bot": self.bot,
            "rating": None if self.rating is None else self.rating.to_json(1),
            "games": self.standing.games,
            "won": round(self.won, 4),
            "gain": round(self.gain, 4),
        }


@attrs.frozen
class Odd:
    """A bot that won of a line-up what its rating does not say."""

    bot: str
    lineup: Lineup
    won: float
    said: float

    def __str__(self) -> str:
        others = list(self.lineup)
        others.remove(self.bot)
        won = f"{self.bot} won {OF * self.won:.1f} of {OF} games"
        return f"{won} with {', '.join(others)}, and by its rating {OF * self.said:.1f}"


@attrs.frozen
class Ladder:
    """What the games of a ladder say: its rungs, the best first, and its steps."""

    table: LadderTable
    rungs: tuple[Rung, ...]
    steps: tuple[Step, ...]
    odd: Odd | None
    """What is farthest from what ratings say, where that is hardly by chance."""

    @classmethod
    def of(cls, table: LadderTable) -> Ladder:
        """Rate the bots by all games."""
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
        """Whether the games say enough for ratings."""
        return bool(self.steps)

    def to_json(self) -> dict[str, Any]:
        """The ladder as plain data."""
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
    """By what a rung stands above others: its rating, as far as it is told."""
    return rung.gain if rung.rating is None else round(rung.rating.value, 1)


def _steps(ratings: Ratings, rungs: list[Rung], seats: int) -> Iterator[Step]:
    """From each bot to the next below it."""
    for upper, lower in pairwise(rungs):
        apart = ratings.between(upper.bot, lower.bot)
        told = apart.mapped(lambda points: gain(points, seats))
        yield Step(upper.bot, lower.bot, apart, told)


def _odd(ratings: Ratings, meetings: Sequence[Meeting]) -> Odd | None:
    """What is farthest from what ratings say, if chance does it once in 20 ladders.

    All bots of all line-ups are looked at, and the bound allows for that (Bonferroni);
    half a game is taken off, for wins are whole.
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


# ---------------------------------------------------------------- for people


RUNG_HEADS = ("bot", "rating", "95 %", "games", "won of 100", "beyond its share")
STEP_HEADS = ("step", "rating", "95 %", "gains of 100 games", "95 %")


def rung_cells(rung: Rung) -> tuple[str, ...]:
    """A bot as a row."""
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
    """A step as a row."""
    return (
        f"{step.better} over {step.worse}",
        _points(step.rating.value),
        between(step.rating, _points),
        _games(step.gain.value),
        between(step.gain, _games),
    )


def between(estimate: Estimate, told: Any) -> str:
    """Between what the truth lies, in words.

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
    """Points of rating: whole, with their sign."""
    return f"{round(value):+d}" if round(value) else "0"


def _games(value: float) -> str:
    """Games of a hundred, with their sign."""
    return f"{OF * value:+.1f}"


def in_seats(ladder: Ladder) -> str:
    """What was won in each seat, of a hundred games."""
    table = ladder.table
    games = max(table.ended, 1)
    each = (f"{seat} {OF * won / games:.1f}" for seat, won in table.won.items())
    return ", ".join(each)


def of_a_step(seats: int) -> str:
    """What a step of rating gains, in a sentence.

    >>> of_a_step(2)
    '100 points above all others, a bot wins 64.0 of 100 games instead of 50.0: +14.0'
    """
    more, share = gain(STEP, seats), 1 / seats
    won = f"{OF * (share + more):.1f} of {OF} games instead of {OF * share:.1f}"
    return f"{STEP} points above all others, a bot wins {won}: {OF * more:+.1f}"
