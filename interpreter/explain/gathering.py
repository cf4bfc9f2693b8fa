"""What a seat is gathering: people pick in any order, a record has one.

Cards are picked one by one in the order in which they are declared, so that each
gather is one list of actions. A person or a program says them in any order, or all at
once: `give(3 NAME, 1 NAME)` stands for four picks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from interpreter.core.action_index import (
    Action,
    ActionSpace,
    PlannedAction,
    split_text,
)
from interpreter.explanation import Explanation
from interpreter.phrases import say
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, GatherStep
from rulebook.model import Member

AMOUNT = re.compile(r"(?:(\d{1,4})\s+)?([^\s\d]\S*)")


@attrs.frozen
class Gathering:
    """What the seat to act can still pick, in any order.

    `left` has each pick with how often it can still be made; at least `fewest` and at
    most `most` picks are to follow those that are `made`. `ends` is the action that
    ends it before.
    """

    left: tuple[tuple[Action, int], ...]
    made: int
    fewest: int
    most: int
    ends: Action

    def after(self, picked: Mapping[str, int]) -> tuple[Action, ...]:
        """Return what can follow some picks (how often, by text) that are put aside.

        None can when there are as many as there may be.
        """
        count = sum(picked.values())
        if count >= self.most:
            return ()
        more = [pick for pick, left in self.left if picked.get(pick.text, 0) < left]
        return tuple(more + [self.ends] * (bool(more) and count >= self.fewest))

    def judged(self, text: str, picked: Mapping[str, int]) -> Explanation | None:
        """Return whether a pick can follow others; None: it is no pick of this."""
        for pick, left in self.left:
            if pick.text == text and picked.get(text, 0) < left:
                return Explanation(True, pick.seat, text)
            if pick.text == text:
                return Explanation(False, pick.seat, text, reason=say("all_picked"))
        return None

    def in_order(self, picked: Mapping[str, int]) -> tuple[str, ...]:
        """Return picks as texts in the order in which a record has them."""
        return tuple(
            pick.text for pick, _ in self.left for _ in range(picked.get(pick.text, 0))
        )


def gathering(space: ActionSpace, g: State) -> Gathering | None:
    """Return what the seat to act is gathering, None where it is not."""
    step = g.waiting
    if not isinstance(step, GatherStep):
        return None
    s, frame = g.s, g.frames[-1]
    seat, count = step.seat(g), sum(frame[step.bag])
    held, need, high = step.bounds(s, frame)
    left = [(member, held[member] - frame[step.bag][member]) for member in sorted(held)]
    picks = [
        (space.action(seat, step.base + member), min(number, high - count))
        for member, number in left
        if number > 0 and count < high
    ]
    total = sum(number for _, number in left)
    return Gathering(
        tuple(picks),
        count,
        max(need - count, 0),
        max(min(high - count, total), 0),
        space.action(seat, PASS),
    )


def selection(space: ActionSpace, text: str) -> tuple[PlannedAction, list[str]] | None:
    """Return the action of a text such as `give(2 NAME, 1 NAME)`, and the single picks.

    They come in the order of a record. None: the text is no selection. Several members
    are a selection without numbers too: `give(NAME, NAME)`, and without brackets.
    """
    name, parts = split_text(text)
    if not parts and "," in name:
        name, _, rest = name.partition(" ")
        parts = [part.strip() for part in rest.split(",")]
    action = space.by_name.get(name)
    amounts = [AMOUNT.fullmatch(part) for part in parts]
    if action is None or not amounts or len(action.places) != 1:
        return None
    if len(amounts) == 1 and amounts[0] is not None and amounts[0][1] is None:
        return None
    kind = action.places[0].type
    if not isinstance(kind, Member):
        return None
    picks: dict[int, int] = {}
    for amount in amounts:
        if amount is None:
            return None
        member = space.values.from_text(kind, amount[2])
        if member is None or member < 0:
            return None
        picks[member] = picks.get(member, 0) + int(amount[1] or 1)
    names = space.values.names[kind.domain]
    return action, [
        f"{name}({names[member]})"
        for member, number in sorted(picks.items())
        for _ in range(number)
    ]
