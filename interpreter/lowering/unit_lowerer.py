"""Lowering of units that may wait: statements flattened to steps with labels.

A step ends where a frame may stop or a jump may lead. Every step at which a frame can
wait has a name (`interpreter.plan.wait_labels`), so that positions need no step
numbers. Both engines print the same steps, so each continues the frames of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from interpreter.core.action_index import ActionSpace
from interpreter.kernel import operations as k
from interpreter.lowering.statement_effects import StatementLowerer, count_operation
from interpreter.plan.units import (
    Assignments,
    FrameStart,
    HiddenLoop,
    HiddenRepeat,
    Promise,
    Scope,
    Selection,
    Unit,
)
from interpreter.plan.wait_labels import StatementSteps, UnitSteps
from interpreter.plan.waiting import ImmediateCode
from interpreter.secrecy.disclosure_analysis import DisclosureAnalysis
from rulebook import model as m
from rulebook.secrecy import HIDDEN_FROM_ACTOR, KNOWN_TO_ACTOR, PUBLIC
from rulebook.signatures import (
    CardTransfer,
    Effects,
    Ending,
    VariablePlace,
    direct_parts,
    effects_of,
    effects_within,
    statements_in,
)

Flow = Callable[["UnitLowerer", Any, k.Label], None]
FlowTable = Mapping[type, Flow]

END = 0
"""Label of the end of a unit."""


@attrs.define(kw_only=True)
class UnitLowerer(StatementLowerer):
    """Lowerer of one unit to steps.

    `code` is the unit in the book, which names the steps. The lowerer also records in
    `unit` the information that seats may learn, for the analysis of secrets.
    `promised_bags` are the first cells of bags, one for each promise of the unit.
    `path` contains the numbers of the blocks around the current statement, and
    `present` the slots of variables that are not none there. `secret_bodies` are the
    identities of blocks that hidden information controls.
    `is_counted` is true if the engine counts the rules that games reach.
    """

    flows: FlowTable
    immediate_code: ImmediateCode
    unit: Unit
    code: m.Procedure | m.Action
    actions: ActionSpace
    disclosure: DisclosureAnalysis
    is_counted: bool = False
    step_names: UnitSteps = attrs.field(init=False)
    steps: list[k.Step] = attrs.field(factory=list)
    current: list[k.Statement | k.Control] | None = None
    places: dict[k.Label, int] = attrs.field(factory=dict)
    labels: int = 0
    names: list[tuple[k.Label, str]] = attrs.field(factory=list)
    bound_slots: list[int] = attrs.field(factory=list)
    bound_slots_by_step: list[frozenset[int]] = attrs.field(factory=list)
    path: tuple[int, ...] = ()
    present: frozenset[int] = frozenset()
    blocks: int = 0
    secret_bodies: set[int] = attrs.field(factory=set)
    scopes: list[tuple[k.Label, Scope]] = attrs.field(factory=list)
    starts: list[tuple[k.Label, FrameStart]] = attrs.field(factory=list)
    hidden_waits: list[k.Label] = attrs.field(factory=list)
    splits: list[k.Label] = attrs.field(factory=list)
    promised_bags: list[k.Value] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.step_names = UnitSteps(self.code, self.immediate_code)
        self.bound_slots = [parameter.slot for parameter in self.code.parameters]
        self.chooser = lambda member: choosing_seat(self.code, member)

    # ------------------------------------------------------------ steps and labels

    def add(self, *ops: k.Statement | k.Control) -> None:
        """Add operations to the current step."""
        if self.current is None:
            self.current = []
        self.current.extend(ops)

    def close(self, *ops: k.Statement | k.Control) -> None:
        """Add the last operations of the current step, and end the step."""
        self.add(*ops)
        assert self.current is not None
        self.steps.append(tuple(self.current))
        self.current = None

    def new_label(self) -> k.Label:
        """Return a new label that has not been placed yet."""
        self.labels += 1
        return self.labels

    def place(self, label: k.Label) -> k.Label:
        """Place a label here, at the beginning of a step."""
        if self.current is not None:
            self.close()
        self.places[label] = len(self.steps)
        return label

    def label_here(self) -> k.Label:
        """Place a new label here and return it."""
        return self.place(self.new_label())

    def statement_steps(self, node: Any) -> StatementSteps:
        """Return the names of the steps and the hidden locals of a statement."""
        return self.step_names.steps_of(node)

    def name_wait_point(self, node: Any, label: k.Label, number: int = 0) -> str:
        """Name a step after the statement's wait point *number*; return the name."""
        full = self.statement_steps(node).names[number]
        self.name_step(label, full)
        return full

    def name_step(self, label: k.Label, name: str) -> None:
        """Name the step at a label, and record the variables that have a value."""
        self.names.append((label, name))
        self.bound_slots_by_step.append(frozenset(self.bound_slots))
        self.record_scope(label)

    def record_scope(self, label: k.Label) -> None:
        """Record the scope of a step at which a frame waits."""
        self.scopes.append((label, self.scope))

    @property
    def scope(self) -> Scope:
        """Scope of the current statement."""
        return Scope(frozenset(self.bound_slots), self.path, self.present)

    # ------------------------------------------------------------ blocks

    @contextmanager
    def binding(self, *slots: int) -> Iterator[None]:
        """Treat slots as having a value inside the block."""
        self.bound_slots += slots
        yield
        del self.bound_slots[-len(slots) :]

    @contextmanager
    def condition(self, condition: m.Expr, block: Sequence[Any]) -> Iterator[None]:
        """Treat a condition as true inside a block."""
        before = self.present
        assigned = {
            slot for effects in effects_within(*block) for slot in effects.slots
        }
        self.present |= {*variables_present(condition)} - assigned
        yield
        self.present = before

    def flatten_block(self, block: Sequence[Any]) -> None:
        """Flatten a block, after the operation that counts its statements."""
        if block:
            self.add(*count_operation(block))
        self.flatten_part(block)

    def flatten_part(self, statements: Sequence[Any]) -> None:
        """Flatten statements that may jump to their end."""
        end, before, path = self.new_label(), len(self.bound_slots), self.path
        self.blocks += 1
        self.path = (*path, self.blocks)
        for node in statements:
            self.flatten(node, end)
            self.bound_slots += effects_of(node).always_bound_slots
        self.place(end)
        del self.bound_slots[before:]
        self.path = path
        if id(statements) in self.secret_bodies:
            self.forget(statements)

    def forget(self, statements: Iterable[Any]) -> None:
        """Unset the variables that only statements inside a block bind.

        Otherwise their values would show whether the block has run.
        """
        inside = effects_within(*statements)
        slots = dict.fromkeys(slot for effects in inside for slot in effects.slots)
        left = tuple([slot for slot in slots if slot not in self.bound_slots])
        if left:
            self.add(k.Unset(left))

    def secret_blocks(self, node: Any) -> Iterator[Sequence[Any]]:
        """Yield the blocks inside a statement that hidden information controls."""
        for _, effects in statements_in(node):
            for block in effects.blocks:
                grade = self.disclosure.variables.block_grade(self.code, effects, block)
                if grade != PUBLIC and block.body:
                    yield block.body

    def flatten(self, node: Any, end: k.Label) -> None:
        """Flatten one statement; `end` is the label at the end of its block."""
        first, open_ = len(self.steps), self.current is not None
        if self.immediate_code.is_immediate_statement(node):
            if self.disclosure.reveals_any(self.code, [node]):
                self.unit.disclosing_steps.add(first)
            self.record_effects(node, first)
            self.record_assignments(node, first)
            self.add(*self.statement(node))
            for block in self.secret_blocks(node):
                self.forget(block)
            return
        self.record_selections(node, first)
        self.secret_bodies.update(map(id, self.secret_blocks(node)))
        self.flows[type(node)](self, node, end)
        if self.disclosure.statement_reveals(self.code, node):
            self.unit.disclosing_steps.update(self.own_steps(node, first, open_))

    def settle_here(self, node: Any, label: k.Label, number: int) -> None:
        """Evaluate triggers at a label just placed, where a frame may wait."""
        self.name_wait_point(node, label, number)
        self.add(k.Settle(label))

    def finish(self) -> None:
        """Write the last step, and copy the facts about all steps to the unit."""
        end = self.place(END)
        self.name_step(end, "the end")
        self.close(k.Return(self.unit.woken_triggers))
        unit = self.unit
        unit.step_names = {self.places[label]: name for label, name in self.names}
        for (label, _), slots in zip(self.names, self.bound_slots_by_step, strict=True):
            step = self.places[label]
            unit.bound[step] = unit.bound.get(step, slots) & slots
        unit.scopes = {self.places[label]: scope for label, scope in self.scopes}
        unit.starts = {self.places[label]: start for label, start in self.starts}
        unit.hidden_waits = {self.places[label] for label in self.hidden_waits}
        unit.empty = [None] * len(unit.slots)
        for split, label in zip(unit.simultaneous_blocks, self.splits, strict=True):
            split.next_step = self.places[label]

    # ------------------------------------------------------------ disclosures

    def record_effects(self, node: Any, step: int) -> None:
        """Record the bound slots and card moves of a statement that never waits."""
        for effects in effects_within(node):
            self.unit.binders += [(slot, step) for slot in effects.slots]
            moved = effects.cards
            if not isinstance(moved, CardTransfer):
                continue
            bag, cards, count = moved.bag, moved.bag, 1
            if isinstance(bag, m.SingleBag):
                cards, count = bag.member, m.constant_value(bag.count)
            if not m.is_variable(cards):
                continue
            self.unit.moves.setdefault(cards.slot, (step, moved))
            if count is not None and moved.is_exact:
                self.record_promise(cards.slot, moved.source, step, count)

    def record_promise(
        self, slot: int, source: m.Expr | None, step: int, count: int = 1
    ) -> None:
        """Record that the cards in a local stay in a bag until a step."""
        if not m.is_field(source) or not isinstance(source.type, m.Bag):
            return
        owner = source.owner.slot if m.is_variable(source.owner) else None
        if owner is None and not (source.owner is None or m.is_constant(source.owner)):
            return
        size = self.low.facts.sizes[source.type.domain]
        self.promised_bags.append(self.low.first_cell(source))
        promise = Promise(step, slot, owner, None, size, count, source)
        self.unit.promises.append(promise)

    def is_hidden(self, *slots: int) -> bool:
        """Return whether some seat may not know the variable in one of these slots."""
        return any(self.unit.grades.get(slot, PUBLIC) != PUBLIC for slot in slots)

    def record_assignments(self, node: Any, step: int) -> None:
        """Record a statement that only assigns variables, if some are hidden."""
        inside = [*effects_within(node)]
        slots = [slot for effects in inside for slot in effects.slots]
        if self.is_hidden(*slots) and all(map(assigns_only, inside)):
            self.unit.history.append(Assignments(node, step, self.path))

    def record_selections(self, node: Any, step: int) -> None:
        """Record that a statement which waits selects hidden values."""
        effects = effects_of(node)
        if any(block.loop for block in effects.blocks):
            return
        for slot in filter(self.is_hidden, effects.slots):
            self.unit.history.append(Selection(slot, effects.asks))
            if effects.cards is not None:
                self.unit.moves.setdefault(slot, (step, effects.cards))

    def record_loop(self, node: m.EachMember, rest: int) -> None:
        """Record that hidden information decides the members of a loop."""
        grade = self.loop_grade(node)
        self.hide_slots(grade, rest)
        if grade != PUBLIC:
            self.unit.history.append(
                HiddenLoop(node.set, node.where, grade, node.slot, rest)
            )

    def record_repeat(self, node: m.Repeat, left: int) -> None:
        """Record that hidden information decides how often a block is repeated."""
        grade = self.disclosure.variables.grade(self.code, node.times)
        self.hide_slots(grade, left)
        if grade != PUBLIC:
            self.unit.history.append(HiddenRepeat(node.times, grade, left))

    def loop_grade(self, node: m.EachMember | m.Together) -> int:
        """Return the grade of the members of a loop."""
        return self.disclosure.variables.grade(self.code, node.set, node.where)

    def hide_slots(self, grade: int, *slots: int) -> None:
        """Hide slots of a loop from the seat of the frame if it may not know them."""
        if grade == HIDDEN_FROM_ACTOR:
            self.unit.hidden_slots.update(slots)

    def record_start(
        self,
        label: k.Label,
        player: m.Expr | None,
        arguments: dict[int, list[tuple[m.Expr, ...]]],
    ) -> None:
        """Record that the frame above starts at the statement before a label.

        `arguments` are the possible arguments by the number of its unit.
        """
        variables = self.disclosure.variables
        hidden = variables.variable_grade(self.code, player, ()) != PUBLIC
        self.starts.append((label, FrameStart(player, hidden, arguments, self.scope)))

    def record_wait(self, node: Any, label: k.Label) -> None:
        """Record a decision if it depends on information hidden from its seat.

        The choices themselves may only depend on hidden variables.
        """
        effects, variables = effects_of(node), self.disclosure.variables
        offered = [x for offer in effects.offers for x in offer.arguments]
        grade = max(
            variables.grade(self.code, effects.asks, *offered),
            variables.variable_grade(self.code, direct_parts(node), effects.slots),
        )
        own = KNOWN_TO_ACTOR if m.is_you(effects.asks) else PUBLIC
        if grade > own:
            self.hidden_waits.append(label)

    def own_steps(self, node: Any, first: int, open_: bool) -> range:
        """Return the steps of a statement, excluding those of its blocks.

        Its first step is *first*, which an earlier statement began if *open_* is true.
        """
        effects = effects_of(node)
        if effects.may_wait and not effects.blocks and effects.ends is Ending.NOTHING:
            return range(first, max(first + 1, len(self.steps)))
        more = any(block.loop for block in effects.blocks)  # a test before each round
        if effects.may_wait:
            more = open_ and effects.asks is not None
        return range(first, first + 1 + more)


def assigns_only(effects: Effects) -> bool:
    """Return whether a statement without its blocks only assigns variables."""
    loops = [block for block in effects.blocks if block.loop]
    return (
        all(isinstance(write.place, VariablePlace) for write in effects.writes)
        and all(block.binder is not None for block in loops)
        and effects
        == Effects(
            writes=effects.writes,
            bindings=effects.bindings,
            blocks=effects.blocks,
            label=effects.label,
        )
    )


def variables_present(condition: m.Expr) -> Iterator[int]:
    """Yield the slots of variables that are not none if a condition is true."""
    match condition:
        case m.And(parts=parts):
            for part in parts:
                yield from variables_present(part)
        case m.Compare(
            op=m.Comparison.UNEQUAL,
            left=m.Local(slot=slot),
            right=m.Const(value=m.NONE),
        ):
            yield slot


def choosing_seat(code: m.Procedure | m.Action, member: m.Expr) -> m.Expr | None:
    """Return the seat that chose a moved card, or None if no seat did.

    `you` chose the cards in the parameters of an action. Nobody chose what a loop or
    chance has bound, and a procedure may be called with such a card.
    """
    if not m.is_variable(member):
        return m.you(member.span)
    for effects in effects_within(*code.body):
        if effects.asks is not None and member.slot in effects.slots:
            return effects.asks
    if not isinstance(code, m.Action):
        return None
    slots = {parameter.slot for parameter in code.parameters}
    return m.you(member.span) if member.slot in slots else None
