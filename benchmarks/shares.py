"""Share of the games that a player won, and the time of its decisions."""

from __future__ import annotations

from math import sqrt
from typing import Any

import attrs

from workbench.analysis.statistics.quantiles import normal_quantile

SURE = 0.95


@attrs.define
class Share:
    """Games and wins: 1 for a win, and the fair part of a win for a draw."""

    games: int = 0
    won: float = 0.0

    def add(self, won: float) -> None:
        """Count a game."""
        self.games += 1
        self.won += won

    @property
    def mean(self) -> float:
        """Share of the games that was won."""
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval for the share, by Wilson's method.

        The method assumes wins and losses. Draws vary less, so with draws the interval
        is wider than necessary.
        """
        if not self.games:
            return 0.0, 1.0
        z = normal_quantile((1 + SURE) / 2)
        share, weight = self.mean, z * z / self.games
        middle = (share + weight / 2) / (1 + weight)
        spread = share * (1 - share) / self.games + weight / self.games / 4
        half = z * sqrt(spread) / (1 + weight)
        return max(0.0, middle - half), min(1.0, middle + half)

    def beside(self, fair: float) -> str:
        """Return in words how the interval compares with a share."""
        low, high = self.interval
        return "above" if low > fair else "below" if high < fair else "not apart from"

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{100 * self.mean:.1f} % of {self.games} games "
            f"({100 * low:.1f} to {100 * high:.1f})"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the share as plain data."""
        return {"games": self.games, "share": self.mean, "interval": self.interval}


@attrs.define
class Thinking:
    """Number of decisions with a choice, and their processor seconds."""

    decisions: int = 0
    seconds: float = 0.0

    def add(self, more: Thinking) -> None:
        """Add the decisions of another game."""
        self.decisions += more.decisions
        self.seconds += more.seconds

    @property
    def milliseconds(self) -> float:
        """Milliseconds per decision."""
        return 1000 * self.seconds / max(self.decisions, 1)

    def __str__(self) -> str:
        return f"{self.milliseconds:.3g} ms"
