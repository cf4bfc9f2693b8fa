"""Outcomes: how a game ended, and the chance outcomes that a caller may choose."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs


@attrs.frozen
class Outcome:
    """End of a game; `winners` is empty for a draw, `points` are by seat.

    `winner` is the only winner, if there is just one. `ranks` are by seat, 1 for
    winners and, in a draw, for all.
    """

    winners: tuple[str, ...]
    winner: str | None
    reason: str
    points: dict[str, int]
    ranks: dict[str, int] = attrs.field(factory=dict)

    @property
    def ranked(self) -> bool:
        """Whether the ranks say more than the winners."""
        last = len(self.winners) + 1 if self.winners else 1
        plain = {seat: 1 if seat in self.winners else last for seat in self.ranks}
        return self.ranks != plain

    def to_json(self) -> dict[str, Any]:
        """Return the end as the last line of a record."""
        document: dict[str, Any] = {
            "winners": list(self.winners),
            "reason": self.reason,
            "points": self.points,
        }
        return {**document, "ranks": self.ranks} if self.ranked else document


@attrs.frozen
class Chance:
    """One outcome of the due chance event, with its exact probability."""

    name: str
    outcome: Any
    probability: Fraction

    def to_json(self) -> dict[str, Any]:
        """Return the outcome in the format of a record."""
        return {"chance": self.name, "outcome": self.outcome}
