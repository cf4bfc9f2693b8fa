"""What happens by itself when the state has settled: awards and rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

import rulebook as rb
from interpreter.layout import ACTIVE
from interpreter.state import State

Cells = list[Any]


@attrs.define(eq=False)
class PlannedAward:
    """An award. `measure` gives a player's number, None for who does not compete.

    `gained` and `lost` are procedures by unit number. `mask` wakes what reads it.
    """

    award: rb.Award
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
            return rb.NONE
        most = max(competing)
        before: int = s[self.cell]
        if self.award.tie == "holder" and before >= 0 and numbers[before] == most:
            return before
        return numbers.index(most) if competing.count(most) == 1 else rb.NONE

    def settle(self, g: State) -> bool:
        """Give the award to its holder; true if what follows is on the stack."""
        before, now = g.s[self.cell], self.holder(g.s)
        if before == now:
            return False
        g.begins(self.award)
        g.s[self.cell] = now
        g.triggers |= self.mask
        you = g.active
        height = len(g.frames)
        if now >= 0 and self.gained is not None:
            g.frames.append(g.plan.units[self.gained].frame(you, now))
        if before >= 0 and self.lost is not None:
            g.frames.append(g.plan.units[self.lost].frame(you, before))
        return len(g.frames) > height


@attrs.define(eq=False)
class PlannedRule:
    """A rule. `find` gives the first member for which it holds, else -1.

    For a rule without a member it gives 0 when the rule holds. One that reads the
    active player (`reads_you`) never holds before the first turn.
    """

    rule: rb.Rule
    find: Callable[[Cells, list[Any]], int]
    procedure: int
    reads_you: bool

    def fires(self, g: State) -> bool:
        """Test the rule; where it holds, put its procedure on the stack.

        While it acts it is not tested: it wakes itself when it has ended.
        """
        if g.s[ACTIVE] < 0 and self.reads_you:
            return False
        if any(frame[0] == self.procedure for frame in g.frames):
            return False
        you = max(g.s[ACTIVE], 0)
        frame = [0, 0, you]
        found = self.find(g.s, frame)
        if found < 0:
            return False
        g.begins(self.rule)
        unit = g.plan.units[self.procedure]
        more = () if self.rule.slot is None else (found,)
        g.frames.append(unit.frame(you, *more))
        return True
