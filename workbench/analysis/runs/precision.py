"""Stopping rule: play until the mean of a measure is known precisely enough.

The interval is checked in the order of seeds: after 100 games, and then after every 10
% more. The run ends at the first check at which the interval is narrow enough. It
depends only on the games, not on the order or time in which they finish.

At 95 %, the half-width for a mean is t s / √n. For a share, Wilson's interval is used,
whose width is positive even if all values are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf, sqrt
from typing import Any, Self

import attrs

from rulebook.tooling import nearest
from workbench.analysis.runs.columns import TRUTH, Column
from workbench.errors import RequestError

FIRST_CHECK = 100
MIN_CONSTANT_GAMES = 1_000
"""Minimum number of values after which a constant measure counts as known."""
NORMAL_95 = 1.959964
"""Half-width of a 95 % interval of the normal distribution, in standard deviations."""
GOAL_PATTERN = re.compile(r"\s*(\S+?)\s*(?:±|\+-|\+/-)\s*(\d{1,12}(?:\.\d{1,12})?)\s*")
EXAMPLE = 'such as --until "turns ±0.5"'


@attrs.frozen
class PrecisionGoal:
    """Goal of a run: a measure and the maximum half-width of its 95 % interval."""

    column: Column
    width: float

    @classmethod
    def parse(cls, text: str, columns: Iterable[Column]) -> Self:
        """Return the goal that a text such as `turns ±0.5` describes.

        Raise `RequestError` if the text is invalid or the measure is unknown.
        """
        parsed = GOAL_PATTERN.fullmatch(text)
        if parsed is None:
            raise RequestError(f"`--until {text}` is not MEASURE ±WIDTH", EXAMPLE)
        name, width = parsed[1], float(parsed[2])
        by_name = {column.name: column for column in columns}
        if name not in by_name:
            near = nearest(name, by_name)
            examples = ", ".join([*by_name][:6])
            help = f"did you mean `{near}`?" if near else f"measures are {examples}, …"
            raise RequestError(f"there is no measure `{name}`", help)
        if not width:
            problem = f"`--until {text}` is narrower than any number of games can reach"
            raise RequestError(problem, EXAMPLE)
        return cls(by_name[name], width)


class RunningInterval:
    """Interval of a measure, updated with each game in order."""

    def __init__(self, goal: PrecisionGoal) -> None:
        self.goal = goal
        self.games = 0
        self.next_check = FIRST_CHECK
        self.end: int | None = None
        self._number = 0
        self._sum: float = 0
        self._squares: float = 0  # both sums are exact for whole numbers

    def add(self, value: float | None) -> None:
        """Add the value of the next game, and check the interval if a check is due.

        `value` is None if the measure does not apply to the game.
        """
        assert self.end is None
        self.games += 1
        if value is not None:
            self._number += 1
            self._sum += value
            self._squares += value * value
        if self.games == self.next_check:
            self.next_check += self.games // 10
            if self.half_width <= self.goal.width:
                self.end = self.games

    @property
    def mean(self) -> float:
        """Mean of the values so far."""
        return self._sum / self._number if self._number else 0.0

    @property
    def half_width(self) -> float:
        """Half-width of the 95 % interval."""
        number = self._number
        if number < 2:
            return inf
        if self.goal.column.type == TRUTH:
            inner = (
                self.mean * (1 - self.mean) / number + (NORMAL_95 / (2 * number)) ** 2
            )
            return NORMAL_95 * sqrt(inner) / (1 + NORMAL_95 * NORMAL_95 / number)
        variation = max(number * self._squares - self._sum * self._sum, 0)
        if not variation:
            return 0.0 if number >= MIN_CONSTANT_GAMES else inf
        degrees = number - 1
        factor = NORMAL_95 + (NORMAL_95**3 + NORMAL_95) / (4 * degrees)
        return factor * sqrt(variation / degrees) / number

    def estimated_games(self, max_games: int) -> int:
        """Return an estimate of the number of games needed, at most `max_games`."""
        if self.end is not None:
            return self.end
        if self.games < FIRST_CHECK or self.half_width == inf:
            return max_games
        wanted = self.games * (self.half_width / self.goal.width) ** 2
        return min(max_games, max(self.games, round(wanted)))

    def to_json(self) -> dict[str, Any]:
        """Return the measure, its interval and the goal as plain data."""
        half = self.half_width
        return {
            "measure": self.goal.column.name,
            "wanted": self.goal.width,
            "reached": self.end is not None,
            "mean": round(self.mean, 6),
            "half_width": None if half == inf else round(half, 6),
        }
