"""Test on a copy of the game whether an action reveals hidden information.

An action reveals nothing if all that a seat sees follows from what it knew before and
from open actions. The plan lists the steps that read hidden values. Awards and rules
that read hidden values are compared in other games that a seat considers possible. In
case of doubt, the action counts as revealing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.core.chance import Stream
from interpreter.core.layout import ACTIVE
from interpreter.knowledge.extremes import extreme_cells
from interpreter.knowledge.samples import redraw
from interpreter.state.state import Frame, State
from interpreter.state.wait_points import (
    PASS,
    AskStep,
    ChanceStep,
    Decision,
    GatherStep,
)

SAMPLED_WORLDS = 4
"""Number of sampled games compared for each seat, in addition to the extremes."""


class DisclosureState(State):
    """State that records whether its execution reveals hidden information."""

    __slots__ = ("has_revealed",)

    def __init__(self, g: State) -> None:
        g.copy_to(self)
        self.has_revealed = False

    def run_unit(self, frame: Frame) -> int:
        """Execute steps like `State.run_unit`; record whether one reveals anything."""
        unit = self.plan.units[frame[0]]
        steps, teaches = unit.steps, unit.disclosing_steps
        step: int = frame[1]
        while step >= 0:
            if step in teaches:
                self.has_revealed = True
            step = steps[step](self, self.s, frame)
        return step

    def settle(self, frame: Frame, step: int) -> bool:
        """Settle like `State.settle`, and record whether this reveals anything."""
        plan = self.plan
        due = self.triggers
        for number, award in enumerate(plan.awards):
            due |= award.mask if due >> number & 1 else 0
        due &= plan.hidden.revealing_triggers
        if self.split is None and not self.has_revealed and due:
            self.has_revealed = any(self.reveals(number) for number in bits(due))
        return super().settle(frame, step)

    def reveals(self, number: int) -> bool:
        """Return whether trigger *number* would act differently in a possible game."""
        now = self.trigger_result(number, self.s)
        return any(self.trigger_result(number, s) != now for s in self.worlds())

    def trigger_result(self, number: int, s: list[Any]) -> int:
        """Return who would hold an award, or on which member a rule acts (-1: none)."""
        awards, rules = self.plan.awards, self.plan.rules
        if number < len(awards):
            return awards[number].holder(s)
        rule = rules[number - len(awards)]
        if s[ACTIVE] < 0 and rule.reads_you:
            return -1
        return rule.find_member(s, [0, 0, max(s[ACTIVE], 0)])

    def worlds(self) -> Iterator[list[Any]]:
        """Yield the cells of games possible for each seat, and of extreme games."""
        for seat in range(self.plan.players):
            for number in range(SAMPLED_WORLDS):
                world = self.copy()
                redraw(world, seat, Stream(number, "witness"), None, in_action=True)
                yield world.s
            for extremes in extreme_cells(self.plan, self.s, self.s, seat):
                yield from extremes


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the set bits."""
    for number in range(mask.bit_length()):
        if mask >> number & 1:
            yield number


def reveals_information(g: State, index: int) -> bool:
    """Return whether a legal action of the deciding seat reveals hidden information."""
    waiting, plan = g.waiting, g.plan
    assert isinstance(waiting, Decision)
    observers = waiting.audience(g, index)
    if observers != plan.all_seats and observers & ~(1 << waiting.seat(g)):
        return True
    trial = DisclosureState(g)
    trial.clear_events()
    if isinstance(waiting, AskStep) and index != PASS:
        action, _ = plan.actions.decode(index)
        trial.has_revealed = action.compiled_body is not None and bool(
            plan.units[action.unit].disclosing_steps
        )
    if isinstance(waiting, GatherStep) and index != PASS:
        trial.has_revealed = waiting.reveals_more(g.s, g.frames[-1])
    waiting.decide(trial, index)
    return (
        trial.has_revealed
        or (g.split is not None and trial.split is not g.split)
        or isinstance(trial.waiting, ChanceStep)
        or any(known for _, _, known in trial.events)
    )
