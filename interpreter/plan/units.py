"""Code units that are ready to run.

A unit is a procedure, an action, or the order of turns. It consists of steps, and of
data about the contents of its frame and what they reveal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import model as m
from rulebook.signatures import CardTransfer


@attrs.define
class SimultaneousBlock:
    """Frame places where a simultaneous block stores its progress, and its next step.

    `member` is the place of the player who is answering. `part` contains the variables
    bound in that player's part. `grade` specifies which seats know who answers; `set`
    and `where` are the players who answer and their condition.
    """

    started: int
    rest: int
    all_members: int
    member: int
    part: tuple[int, ...]
    grade: int
    set: m.Expr
    where: m.Expr | None
    next_step: int = 0


@attrs.frozen(eq=False)
class Assignments:
    """Statement that only assigns variables, some of them hidden.

    `step` is the step that runs it, and `path` the numbers of the blocks around it.
    """

    node: Any
    step: int
    path: tuple[int, ...]


@attrs.frozen
class Selection:
    """Selection of a hidden value: the slot that stores it, and the seat that selects.

    The seat is None if chance selects.
    """

    slot: int
    seat: m.Expr | None


@attrs.frozen
class HiddenLoop:
    """Loop whose members depend on hidden information.

    `grade` specifies which seats know them. `slot` stores the current member, and
    `rest` the remaining members.
    """

    members: m.Expr
    where: m.Expr | None
    grade: int
    slot: int
    rest: int


@attrs.frozen
class HiddenRepeat:
    """Loop whose number of rounds depends on hidden information.

    `grade` specifies which seats know it. `left` stores the number of rounds left.
    """

    times: m.Expr
    grade: int
    left: int


HiddenBinding = Assignments | Selection | HiddenLoop | HiddenRepeat
"""Part of a unit that gives hidden variables their values."""


@attrs.frozen
class HiddenDeal:
    """Deal of cards to a hidden field: the slot that stores the remaining cards.

    `is_holder` is true if the field stores the cards themselves.
    """

    slot: int
    cards: str
    is_holder: bool


@attrs.frozen
class Scope:
    """Variables that have a value at a step, and the numbers of the blocks around it.

    A condition around the step ensures that those in `present` are not none.
    """

    slots: frozenset[int]
    path: tuple[int, ...]
    present: frozenset[int] = frozenset()


@attrs.frozen
class FrameStart:
    """Statement that starts the frame above: a call, an offer or the text of a card.

    `player` is the seat that becomes `you` there, or None if `you` stays the same; if
    `has_hidden_player`, a hidden variable decides it. `arguments` are the lists of
    arguments that the frame may have, by the number of its unit. `scope` is the scope
    of the statement.
    """

    player: m.Expr | None
    has_hidden_player: bool
    arguments: dict[int, list[tuple[m.Expr, ...]]]
    scope: Scope


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
    specifies which seats know which slots. `hidden_waits` are the steps at which hidden
    information decides who is asked, or a hidden variable what is offered. `promises`
    are cards that will be moved, and `binders` are slots with the steps that bind them.
    `bound` are the variables that have a value at each named step.

    `history` are the parts that bind hidden variables, in order, and `hidden_deals` the
    deals to hidden fields. `moves` are the card moves by the slot of their cards, each
    with its step. `scopes` are the scopes of the steps at which a frame waits, and
    `starts` the statements that start other frames, by the step at which the unit
    continues.
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
    history: list[HiddenBinding] = attrs.field(factory=list)
    hidden_deals: list[HiddenDeal] = attrs.field(factory=list)
    moves: dict[int, tuple[int, CardTransfer]] = attrs.field(factory=dict)
    scopes: dict[int, Scope] = attrs.field(factory=dict)
    starts: dict[int, FrameStart] = attrs.field(factory=dict)
    binders: list[tuple[int, int]] = attrs.field(factory=list)
    bound: dict[int, frozenset[int]] = attrs.field(factory=dict)
    grades: dict[int, int] = attrs.field(factory=dict)
    disclosing_steps: set[int] = attrs.field(factory=set)
    hidden_slots: set[int] = attrs.field(factory=set)
    hidden_waits: set[int] = attrs.field(factory=set)
    whole: Callable[..., Any] | None = None
    code: m.Procedure | m.Action | None = None
    number: int = 0
    woken_triggers: int = 0
    empty: list[None] = attrs.field(factory=list)

    def frame(self, *values: Any) -> list[Any]:
        """Return a new frame with *values* in its first slots."""
        return [self.number, 0, *values, *self.empty[len(values) :]]
