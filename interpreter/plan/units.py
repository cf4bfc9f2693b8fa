"""Code units that are ready to run.

A unit is a procedure, an action, or the order of turns. It consists of steps, and of
data about the contents of its frame and what they reveal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m


@attrs.define
class SimultaneousBlock:
    """Frame places where a simultaneous block stores its progress, and its next step.

    `member` is the place of the player who is answering. `part` contains the variables
    bound in that player's part.
    """

    started: int
    rest: int
    all_members: int
    member: int
    part: tuple[int, ...]
    next_step: int = 0


@attrs.define
class HiddenLoop:
    """Loop whose remaining members, stored in the frame, depend on hidden information.

    `grade` specifies which seats know them; `member` and `rest` are places in the
    frame.
    """

    members: m.Expr
    grade: int
    member: int
    rest: int


@attrs.define
class Promise:
    """Cards in a local variable that were picked from a bag but not moved yet.

    The promise applies up to `step`. `slot` is the slot of the variable, and `owner`
    the slot of the bag's owner if that is a variable. `row` returns the first cell of
    the bag, which is `source`. `count` is the number of copies of a single card.
    """

    step: int
    slot: int
    owner: int | None
    row: Any
    size: int
    count: int
    source: m.FieldPlace


@attrs.define(eq=False)
class Unit:
    """Code unit that is ready to run.

    `step_names` are the names of steps by number. `slots` are the names of the local
    variables, including the hidden ones of loops, and `types` their types.
    `simultaneous_blocks` are its simultaneous blocks, and `tallies` the domains of its
    tallies by slot. `whole` is the function of a unit that never waits.
    `woken_triggers` are the triggers to evaluate when it ends.

    `disclosing_steps` are the steps by which a seat may learn hidden information.
    `hidden_slots` are the slots that the seat of a frame may not know, and `grades`
    specifies which seats know which slots. `promises` are cards that will be moved,
    `hidden_loops` are loops over hidden members, and `binders` are slots with the steps
    that bind them. `bound` are the variables that have a value at each named step.
    """

    name: str
    slots: tuple[str, ...]
    types: tuple[m.Type | None, ...]
    visible: int
    steps: list[Callable[..., int]] = attrs.field(factory=list)
    step_names: dict[int, str] = attrs.field(factory=dict)
    simultaneous_blocks: list[SimultaneousBlock] = attrs.field(factory=list)
    tallies: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    promises: list[Promise] = attrs.field(factory=list)
    hidden_loops: list[HiddenLoop] = attrs.field(factory=list)
    binders: list[tuple[int, int]] = attrs.field(factory=list)
    bound: dict[int, frozenset[int]] = attrs.field(factory=dict)
    grades: dict[int, int] = attrs.field(factory=dict)
    disclosing_steps: set[int] = attrs.field(factory=set)
    hidden_slots: set[int] = attrs.field(factory=set)
    whole: Callable[..., Any] | None = None
    code: m.Procedure | m.Action | None = None
    number: int = 0
    woken_triggers: int = 0
    empty: list[None] = attrs.field(factory=list)

    def frame(self, *values: Any) -> list[Any]:
        """Return a new frame with *values* in its first slots."""
        return [self.number, 0, *values, *self.empty[len(values) :]]
