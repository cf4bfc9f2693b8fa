"""Positions packed into few bytes, for storing very many of them.

Packed positions of a plan are equal if and only if the games are. They omit data that
all games of a plan share: rules, options, number of players, seed and limit of turns.
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

MARSHAL_VERSION = 2
"""Version of the marshal format. Later versions may encode equal values differently."""

CELL_TYPE = "q"
"""Type code of the array of cells; it stores true and false as 1 and 0."""

Cells = tuple[bytes, list[Any]]

OTHERS: WeakKeyDictionary[Plan, list[int]] = WeakKeyDictionary()


def pack(state: State) -> bytes:
    """Return a state as packed bytes."""
    others = non_number_cells(state.plan)
    parts = (
        pack_cells(state.s, others),
        [list(map(bool_to_int, frame)) for frame in state.frames],
        state.triggers,
        None if state.split is None else pack_cells(state.split, others),
        [attrs.astuple(answer) for answer in state.answered],
        sorted(state.counts.items()),
    )
    return marshal.dumps(parts, MARSHAL_VERSION)


def unpack(position: bytes, template: State) -> State:
    """Return the state of a packed position, not yet advanced to its wait point.

    Data that the bytes do not contain is copied from *template*, a state of the same
    plan.
    """
    plan = template.plan
    others = non_number_cells(plan)
    parts = marshal.loads(position)  # noqa: S302  (written by this process)
    cells, frames, triggers, split, answers, counts = parts
    state = State(plan, template.seed, chance_given=template.given)
    state.turns = template.turns
    state.s = unpack_cells(cells, others)
    state.frames = [unpack_frame(plan, frame) for frame in frames]
    state.triggers = triggers
    state.split = None if split is None else tuple(unpack_cells(split, others))
    state.answered = tuple([make_answer(answer) for answer in answers])
    state.counts = dict(counts)
    return state


def non_number_cells(plan: Plan) -> list[int]:
    """Return the indices of the cells that contain no number."""
    if (places := OTHERS.get(plan)) is None:
        cells = enumerate(plan.start_cells)
        places = [place for place, cell in cells if not isinstance(cell, int)]
        OTHERS[plan] = places
    return places


def pack_cells(s: Sequence[Any], object_cells: Sequence[int]) -> Cells:
    """Return the numbers of the cells as bytes, and the other contents as a list."""
    numbers, rest = list(s), []
    for place in object_cells:
        rest.append(numbers[place])
        numbers[place] = 0
    return array(CELL_TYPE, numbers).tobytes(), rest


def unpack_cells(cells: Cells, object_cells: Sequence[int]) -> list[Any]:
    """Return the contents of the cells."""
    numbers = array(CELL_TYPE)
    numbers.frombytes(cells[0])
    s: list[Any] = numbers.tolist()
    for place, value in zip(object_cells, cells[1], strict=True):
        s[place] = value
    s[BACKWARDS] = bool(s[BACKWARDS])
    return s


def unpack_frame(plan: Plan, frame: Sequence[Any]) -> list[Any]:
    """Return a frame with 0 and 1 converted back to false and true where needed."""
    unit, step, *values = frame
    for slot, kind in enumerate(plan.units[unit].types):
        if isinstance(kind, m.Truth) and values[slot] is not None:
            values[slot] = bool(values[slot])
    return [unit, step, *values]


def make_answer(answer: tuple[Any, ...]) -> Answer | ChanceAnswer:
    """Convert the tuple form of an answer in a simultaneous block to an object."""
    kind = Answer if len(answer) == len(attrs.fields(Answer)) else ChanceAnswer
    return kind(*answer)


def bool_to_int(value: Any) -> Any:
    """Return true and false as 1 and 0, and any other value unchanged."""
    return int(value) if isinstance(value, bool) else value
