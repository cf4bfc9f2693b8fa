"""Positions packed into few bytes, equal exactly if the games of a plan are equal.

Intended for storing very many positions. Data that all games of a plan share is left
out: rules, options, number of players, seed and limit of turns.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import attrs

from interpreter.core.layout import BACKWARDS
from interpreter.plan.plan import Plan
from interpreter.state.simultaneous import Answer, ChanceAnswer
from interpreter.state.state import State
from rulebook import model as m

FORM = 2
"""Version of the marshal format; later versions may write equal values differently."""

NUMBERS = "q"
"""Array type of the cells, in which a truth and the equal number look the same."""

Cells = tuple[bytes, list[Any]]

OTHERS: WeakKeyDictionary[Plan, list[int]] = WeakKeyDictionary()


def packed(state: State) -> bytes:
    """Return the packed position of a state."""
    others = others_of(state.plan)
    parts = (
        packed_cells(state.s, others),
        [list(map(plain, frame)) for frame in state.frames],
        state.triggers,
        None if state.split is None else packed_cells(state.split, others),
        [attrs.astuple(answer) for answer in state.answered],
        sorted(state.counts.items()),
    )
    return marshal.dumps(parts, FORM)


def unpacked(position: bytes, like: State) -> State:
    """Return a packed position as a state that has not yet reached its wait point.

    Data that the position does not contain is copied from another state of the plan.
    """
    plan = like.plan
    others = others_of(plan)
    parts = marshal.loads(position)  # noqa: S302  (our own, of this process)
    cells, frames, triggers, split, answers, counts = parts
    state = State(plan, like.seed, given=like.given)
    state.turns = like.turns
    state.s = unpacked_cells(cells, others)
    state.frames = [unpacked_frame(plan, frame) for frame in frames]
    state.triggers = triggers
    state.split = None if split is None else tuple(unpacked_cells(split, others))
    state.answered = tuple([answered(answer) for answer in answers])
    state.counts = dict(counts)
    return state


def others_of(plan: Plan) -> list[int]:
    """Return the positions of the cells that do not contain a number."""
    if (places := OTHERS.get(plan)) is None:
        cells = enumerate(plan.start)
        places = [place for place, cell in cells if not isinstance(cell, int)]
        OTHERS[plan] = places
    return places


def packed_cells(s: Sequence[Any], others: Sequence[int]) -> Cells:
    """Return the cells as numbers, and separately those that are not numbers."""
    numbers, rest = list(s), []
    for place in others:
        rest.append(numbers[place])
        numbers[place] = 0
    return array(NUMBERS, numbers).tobytes(), rest


def unpacked_cells(cells: Cells, others: Sequence[int]) -> list[Any]:
    """Return the cells as a state contains them."""
    numbers = array(NUMBERS)
    numbers.frombytes(cells[0])
    s: list[Any] = numbers.tolist()
    for place, value in zip(others, cells[1], strict=True):
        s[place] = value
    s[BACKWARDS] = bool(s[BACKWARDS])
    return s


def unpacked_frame(plan: Plan, frame: Sequence[Any]) -> list[Any]:
    """Return a frame, with its truths restored."""
    unit, step, *values = frame
    for slot, kind in enumerate(plan.units[unit].types):
        if isinstance(kind, m.Truth) and values[slot] is not None:
            values[slot] = bool(values[slot])
    return [unit, step, *values]


def answered(answer: tuple[Any, ...]) -> Answer | ChanceAnswer:
    """Return an event of a simultaneous block as an object."""
    kind = Answer if len(answer) == len(attrs.fields(Answer)) else ChanceAnswer
    return kind(*answer)


def plain(value: Any) -> Any:
    """Return a truth as the equal number."""
    return int(value) if isinstance(value, bool) else value
