"""Gain of each bot: its wins beyond its share of the seats."""

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

import attrs

from workbench.analysis.measures.game_course import win_gains
from workbench.analysis.simulation.statistics import Result

NORMAL_95 = 1.959964
"""Half-width of a 95 % interval of the normal distribution, in standard deviations."""


@attrs.frozen
class BotGain:
    """Mean gain of a bot per game, with its 95 % interval.

    `low` and `high` are None for fewer than two games.
    """

    bot: str
    seats: int
    mean: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the gain as plain data."""
        numbers = {name: getattr(self, name) for name in ("mean", "low", "high")}
        rounded = {
            name: None if number is None else round(number, 6)
            for name, number in numbers.items()
        }
        return {"bot": self.bot, "seats": self.seats, **rounded}

    def __str__(self) -> str:
        amount = f"{100 * self.mean:.1f}"
        if self.low is not None and self.high is not None:
            amount = f"{100 * self.low:.1f} to {100 * self.high:.1f}"
        return f"{self.bot} wins {amount} of 100 games beyond its share of the seats"


class BotGains:
    """Gains of several bots; games are added one at a time."""

    def __init__(self, bots: Mapping[str, str]) -> None:
        self._places = {seat: place for place, seat in enumerate(bots)}
        self._bots = tuple(bots.values())
        self._games = 0
        names = win_gains((), self._bots)
        self._sums = dict.fromkeys(names, 0.0)
        self._squares = dict.fromkeys(names, 0.0)

    def add(self, result: Result) -> None:
        """Add a game; without a winner, the gain of each bot is 0."""
        places = [self._places[seat] for seat in result.winners]
        self._games += 1
        for name, gain in win_gains(places, self._bots).items():
            self._sums[name] += gain
            self._squares[name] += gain * gain

    @property
    def gains(self) -> Iterator[BotGain]:
        """Yield each bot's gain, in seating order; nothing if all bots are the same."""
        for name, total in self._sums.items():
            games, seats = self._games, self._bots.count(name)
            mean = total / games if games else 0.0
            if games < 2:
                yield BotGain(name, seats, mean, None, None)
                continue
            squares = max(self._squares[name] - games * mean * mean, 0.0)
            half_width = NORMAL_95 * sqrt(squares / (games - 1) / games)
            yield BotGain(name, seats, mean, mean - half_width, mean + half_width)

    @property
    def nonnegative_gains(self) -> Iterator[BotGain]:
        """Yield the gains that are not negative."""
        return (gain for gain in self.gains if gain.mean >= 0)
