"""What a variable holds of hidden things, when the hidden things are drawn anew.

A variable that was filled from what a seat cannot see tells that seat of it. In a
sample a `let` is made again, of what is hidden there. What was chosen is left as it is:
promises and answers see to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import rulebook as rb
from interpreter.expressions import FIRST_LOCAL
from interpreter.flow import Unit
from interpreter.promises import Due
from interpreter.reasons import Reader
from interpreter.secrecy import NOTHING, OWN
from interpreter.state import Frame, State


def fill_again(g: State, seat: int, promised: Sequence[Due]) -> None:
    """Fill the variables that a seat may not know, but those drawn already."""
    drawn = {(id(one.frame), one.place) for one in promised}
    for frame in g.frames:
        unit = g.plan.units[frame[0]]
        for slot, grade in unit.grades.items():
            place = slot + FIRST_LOCAL
            own = grade == OWN and frame[2] == seat
            if grade == NOTHING or own or frame[place] is None:
                continue
            if (id(frame), place) not in drawn:
                refill(g, frame, unit, slot)


def refill(g: State, frame: Frame, unit: Unit, slot: int) -> None:
    """Fill one variable of a frame as its `let` does."""
    assert unit.code is not None
    reader = Reader(g.plan, g.plan.facts, g.s, frame)
    for node in rb.find(unit.code.body, rb.SetLocal):
        if node.slot == slot:
            frame[slot + FIRST_LOCAL] = reader.value(node.value)
            return
