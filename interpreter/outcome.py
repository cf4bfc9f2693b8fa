"""Results of games, and outcomes of chance events that a caller may choose."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs


@attrs.frozen
class Outcome:
    """Result of a game.

    `winners` is empty for a draw, and `winner` is the only winner or None. `points` and
    `ranks` are by seat; winners have rank 1, and in a draw all seats have rank 1.
    """

    winners: tuple[str, ...]
    winner: str | None
    reason: str
    points: dict[str, int]
    ranks: dict[str, int] = attrs.field(factory=dict)

    @property
    def ranked(self) -> bool:
        """Whether the ranks distinguish more than winning and losing."""
        last = len(self.winners) + 1 if self.winners else 1
        plain = {seat: 1 if seat in self.winners else last for seat in self.ranks}
        return self.ranks != plain

    def to_json(self) -> dict[str, Any]:
        """Return the result in the format of the last line of a record."""
        document: dict[str, Any] = {
            "winners": list(self.winners),
            "reason": self.reason,
            "points": self.points,
        }
        return {**document, "ranks": self.ranks} if self.ranked else document


@attrs.frozen
class Chance:
    """Outcome of the pending chance event, with its exact probability."""

    name: str
    outcome: Any
    probability: Fraction

    def to_json(self) -> dict[str, Any]:
        """Return the outcome in the format of a record."""
        return {"chance": self.name, "outcome": self.outcome}
