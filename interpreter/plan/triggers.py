"""Triggers of a plan: awards and rules, evaluated when the state has settled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m

Cells = list[Any]


@attrs.define(eq=False)
class PlannedAward:
    """Award that is ready to be evaluated.

    `measure` returns a player's number, or None for a player who does not compete.
    `on_gaining` and `on_losing` are procedures, by unit number. `mask` contains the
    triggers, as bits, that read the holder.
    """

    award: m.Award
    cell: int
    players: int
    measure: Callable[[Cells, int], int | None]
    on_gaining: int | None
    on_losing: int | None
    mask: int

    def holder(self, s: Cells) -> int:
        """Return the player who should hold the award in a state, or -1 for nobody."""
        numbers = [self.measure(s, seat) for seat in range(self.players)]
        competing = [number for number in numbers if number is not None]
        if not competing:
            return m.NONE
        most = max(competing)
        before: int = s[self.cell]
        if self.award.tie is m.Tie.HOLDER and before >= 0 and numbers[before] == most:
            return before
        return numbers.index(most) if competing.count(most) == 1 else m.NONE


@attrs.define(eq=False)
class PlannedRule:
    """Rule that is ready to be evaluated.

    `find_member` returns the first member for which the condition is true, or -1. A
    rule without a member returns 0 if its condition is true. A rule that reads the
    active player (`reads_you`) is never true before the first turn.
    """

    rule: m.Rule
    find_member: Callable[[Cells, list[Any]], int]
    procedure: int
    reads_you: bool
