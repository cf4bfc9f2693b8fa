"""Gathers: choices of several cards in any order, although records have a fixed order.

The engine picks cards one by one in the order of their declaration, so that each gather
is a single sequence of actions. Callers may pick in any order, or all at once: `give(3
NAME, 1 NAME)` stands for four picks.
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
from interpreter.phrases import make_message
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, GatherStep
from rulebook.model import Member

AMOUNT = re.compile(r"(?:(\d{1,4})\s+)?([^\s\d]\S*)")


@attrs.frozen
class Gathering:
    """Picks that the seat to act can still make, in any order.

    `left` contains each possible pick with its maximum number. After the `made`
    picks, at least `fewest` and at most `most` more follow. `ends` is the action
    that ends the gather early.
    """

    left: tuple[tuple[Action, int], ...]
    made: int
    fewest: int
    most: int
    ends: Action

    def after(self, picked: Mapping[str, int]) -> tuple[Action, ...]:
        """Return the actions that can follow the selected picks.

        `picked` maps action texts to counts. Once the maximum is selected, no pick can
        follow.
        """
        count = sum(picked.values())
        if count >= self.most:
            return ()
        more = [pick for pick, left in self.left if picked.get(pick.text, 0) < left]
        return tuple(more + [self.ends] * (bool(more) and count >= self.fewest))

    def judged(self, text: str, picked: Mapping[str, int]) -> Explanation | None:
        """Explain whether a pick can follow the selected picks.

        Return None if the text is not a pick of this gather.
        """
        for pick, left in self.left:
            if pick.text == text and picked.get(text, 0) < left:
                return Explanation(True, pick.seat, text)
            if pick.text == text:
                return Explanation(
                    False, pick.seat, text, reason=make_message("all_picked")
                )
        return None

    def in_order(self, picked: Mapping[str, int]) -> tuple[str, ...]:
        """Return the selected picks as action texts, in the order of a record."""
        return tuple(
            pick.text for pick, _ in self.left for _ in range(picked.get(pick.text, 0))
        )


def current_gathering(space: ActionSpace, g: State) -> Gathering | None:
    """Return the gather of the seat to act, or None if the seat is not gathering."""
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


def parse_selection(
    space: ActionSpace, text: str
) -> tuple[PlannedAction, list[str]] | None:
    """Parse a text such as `give(2 NAME, 1 NAME)` into its action and single picks.

    The picks are in the order of a record. Numbers and brackets may be omitted:
    `give(NAME, NAME)`. Return None if the text does not select several cards.
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
