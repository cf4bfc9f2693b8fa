"""Code units that are ready to run, as plain data.

A unit is a procedure, an action, or the order of turns. What it does are its steps;
all else here says what a frame of it holds, and what that tells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m


@attrs.define
class Split:
    """Where a simultaneous block keeps its players: places in the frame, a step.

    `member` is the player whose part it is, `part` the places of what is bound in it.
    """

    began: int
    rest: int
    everybody: int
    member: int
    part: tuple[int, ...]
    again: int = 0

    @property
    def own(self) -> tuple[int, ...]:
        """The places that tell who is asked, which everybody knows."""
        return (self.began, self.rest, self.everybody, self.member)


@attrs.define
class Round:
    """A loop that keeps who is left, where it hangs on something hidden who that is.

    `grade` says who knows it; `member` and `rest` are places in the frame.
    """

    set: m.Expr
    grade: int
    member: int
    rest: int


@attrs.define
class Promise:
    """Cards in a local that lie in a bag: they are picked there, or will be moved.

    `step` is up to where, `slot` the local's, `owner` the slot of the bag's owner
    if that is a local, `row` gives the first cell of the bag, which is `source`, and
    `count` how many of a card.
    """

    step: int
    slot: int
    owner: int | None
    row: Any
    size: int
    count: int
    source: m.FieldValue


@attrs.define(eq=False)
class Unit:
    """A code unit that is ready to run. `points` are names of steps by number.

    `slots` are the names of the locals, the hidden ones of loops included; `types` are
    their types, where they have one that is a value's. `splits` are its simultaneous
    blocks, `tallies` the domains of its tallies by slot, `whole` the function that a
    unit is which never waits. `wakes` are the triggers that are woken when it ends: the
    rule whose procedure it is.
    `teaches` are the steps by which a seat may learn what was hidden from it,
    `hidden_from` the slots that the seat of a frame may not know, `grades` who knows
    which. `promises` are cards that will be moved, `rounds` loops over what is hidden,
    `binders` slots with their steps. `bound` are the places of the locals that have a
    value wherever a step has a name.
    """

    name: str
    slots: tuple[str, ...]
    types: tuple[m.Type | None, ...]
    visible: int
    steps: list[Callable[..., int]] = attrs.field(factory=list)
    points: dict[int, str] = attrs.field(factory=dict)
    splits: list[Split] = attrs.field(factory=list)
    tallies: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    promises: list[Promise] = attrs.field(factory=list)
    rounds: list[Round] = attrs.field(factory=list)
    binders: list[tuple[int, int]] = attrs.field(factory=list)
    bound: dict[int, frozenset[int]] = attrs.field(factory=dict)
    grades: dict[int, int] = attrs.field(factory=dict)
    teaches: set[int] = attrs.field(factory=set)
    hidden_from: set[int] = attrs.field(factory=set)
    whole: Callable[..., Any] | None = None
    code: m.Procedure | m.Action | None = None
    number: int = 0
    wakes: int = 0
    empty: list[None] = attrs.field(factory=list)

    @property
    def hidden(self) -> int:
        """How many locals belong to loops."""
        return len(self.slots) - self.visible

    def frame(self, *values: Any) -> list[Any]:
        """Return a new frame; the values are of the first slots."""
        return [self.number, 0, *values, *self.empty[len(values) :]]
