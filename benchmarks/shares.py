"""What a player won of many games, and what a decision of it took."""

from __future__ import annotations

from math import sqrt
from typing import Any

import attrs

from workbench.analysis.statistics.quantiles import normal

SURE = 0.95


@attrs.define
class Share:
    """How much was won in how many games: 1 for a win, something less for a draw."""

    games: int = 0
    won: float = 0.0

    def add(self, won: float) -> None:
        """Count a game."""
        self.games += 1
        self.won += won

    @property
    def mean(self) -> float:
        """The share that was won."""
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The share's interval of 95 %, by Wilson.

        His is for wins and losses; games that are drawn spread less, so it is rather
        too wide for them than too narrow.
        """
        if not self.games:
            return 0.0, 1.0
        z = normal((1 + SURE) / 2)
        share, weight = self.mean, z * z / self.games
        middle = (share + weight / 2) / (1 + weight)
        spread = share * (1 - share) / self.games + weight / self.games / 4
        half = z * sqrt(spread) / (1 + weight)
        return max(0.0, middle - half), min(1.0, middle + half)

    def beside(self, fair: float) -> str:
        """Return how the interval lies to a share."""
        low, high = self.interval
        return "above" if low > fair else "below" if high < fair else "not apart from"

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{100 * self.mean:.1f} % of {self.games} games "
            f"({100 * low:.1f} to {100 * high:.1f})"
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"games": self.games, "share": self.mean, "interval": self.interval}


@attrs.define
class Thinking:
    """How many decisions with a choice there were, and the processor's seconds."""

    decisions: int = 0
    seconds: float = 0.0

    def add(self, more: Thinking) -> None:
        """Count what was thought in another game."""
        self.decisions += more.decisions
        self.seconds += more.seconds

    @property
    def milliseconds(self) -> float:
        """What a decision took."""
        return 1000 * self.seconds / max(self.decisions, 1)

    def __str__(self) -> str:
        return f"{self.milliseconds:.3g} ms"
