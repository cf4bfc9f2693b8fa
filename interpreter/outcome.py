"""How a game ended, and the chance outcomes that a caller may choose among."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs


@attrs.frozen
class Outcome:
    """The end of a game; `winners` is empty for a draw, `points` are by seat."""

    winners: tuple[str, ...]
    winner: str | None
    reason: str
    points: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """Return the end as the last line of a record has it."""
        return {
            "winners": list(self.winners),
            "reason": self.reason,
            "points": self.points,
        }


@attrs.frozen
class Chance:
    """One outcome of the chance event that is due, with its exact probability."""

    name: str
    outcome: Any
    probability: Fraction

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as a record has it."""
        return {"chance": self.name, "outcome": self.outcome}
