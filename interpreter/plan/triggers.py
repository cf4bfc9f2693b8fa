"""What happens by itself when the state has settled: awards and rules, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m

Cells = list[Any]


@attrs.define(eq=False)
class PlannedAward:
    """An award. `measure` gives a player's number, None for who does not compete.

    `gained` and `lost` are procedures by unit number. `mask` wakes what reads it.
    """

    award: m.Award
    cell: int
    players: int
    measure: Callable[[Cells, int], int | None]
    gained: int | None
    lost: int | None
    mask: int

    def holder(self, s: Cells) -> int:
        """Return who holds the award by the rules, as the state is."""
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
    """A rule. `find` gives the first member for which it holds, else -1.

    For a rule without a member it gives 0 when the rule holds. One that reads the
    active player (`reads_you`) never holds before the first turn.
    """

    rule: m.Rule
    find: Callable[[Cells, list[Any]], int]
    procedure: int
    reads_you: bool
