"""Secrecy of variables: whether some seat may not know their values.

A variable is hidden if its value is computed from hidden fields, if it is an unseen
choice, or if a condition or loop that reads hidden fields decides whether it is set
again. A rule that applies is visible, so the member to which it applies is public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook.queries.calls import code_names
from rulebook.queries.reads import part_owner
from rulebook.secrecy.audience import Code, is_public_choice
from rulebook.secrecy.hidden_reads import HiddenReadFinder
from rulebook.signatures import (
    Binding,
    Block,
    Effects,
    Pause,
    direct_parts,
    effects_of,
)
from rulebook.traversal import children, walk

PUBLIC, KNOWN_TO_ACTOR, HIDDEN_FROM_ACTOR = range(3)
"""Grades of secrecy: known to all, known to the acting seat, hidden from it."""

Slot = tuple[str, int]
"""Key of a variable: the name of its unit and its slot."""


@attrs.frozen
class Bound:
    """Grades that a binding gives a variable: of its value and its number of cards."""

    variable: Slot
    value: int
    size: int = PUBLIC


class VariableSecrecy:
    """Grades of secrecy of the variables and expressions in all code of a model.

    The grade of a variable is the highest grade of its bindings. With `grades_you`,
    `you` is a variable too, which calls can bind to another player.
    """

    def __init__(self, model: m.Model, *, grades_you: bool = False) -> None:
        self.model = model
        self.grades_you = grades_you
        self.reader = HiddenReadFinder(model)
        self.codes: dict[str, Code] = {**model.procedures, **model.actions}
        self.slots: dict[str, dict[int, int]] = {name: {} for name in self.codes}
        self.sizes: dict[Slot, int] = {}
        while sum(map(self._store, self._bindings())):  # until no grade rises
            pass

    def grade(self, code: Code, *parts: Any) -> int:
        """Return the highest grade of the values of expressions in a unit."""
        given = [part for part in parts if part is not None]
        read = [
            KNOWN_TO_ACTOR if m.is_you(secret.owner) else HIDDEN_FROM_ACTOR
            for secret in self.reader.hidden_reads(given)
        ]
        held = [self._variable_grade(code, part) for part in given]
        return max((*read, *held), default=PUBLIC)

    def variable_grade(self, code: Code, part: Any, without: Iterable[int]) -> int:
        """Return the highest grade of the variables that a part reads.

        The slots in `without` do not count.
        """
        slots = {
            node.slot
            for node in walk(part)
            if m.is_variable(node) or isinstance(node, m.TallyValue)
        }
        known = self.slots.get(code.name, {})
        read = slots.difference(without)
        return max((known.get(slot, PUBLIC) for slot in read), default=PUBLIC)

    def holder_grade(self, holder: m.Expr | None) -> int:
        """Return the grade of the contents of a holder."""
        return self.field_grade(holder) if m.is_field(holder) else PUBLIC

    def field_grade(self, place: m.FieldPlace) -> int:
        """Return the grade of the value of a field."""
        seen_by = self.model.fields[place.field].seen_by
        if seen_by is m.Audience.ALL:
            return PUBLIC
        own = seen_by is m.Audience.OWNER and m.is_you(part_owner(place.owner))
        return KNOWN_TO_ACTOR if own else HIDDEN_FROM_ACTOR

    # ------------------------------------------------------------ expressions

    def _variable_grade(self, code: Code, part: Any) -> int:
        """Return the highest grade of the variables that an expression reads."""
        if isinstance(part, m.SizeOf) and not isinstance(part.holder.type, m.SetOf):
            return self._size_grade(code, part.holder)
        known = self.reader.counted_holder(part)
        if known is not None:
            return self._variable_grade(code, known.owner)
        inner = [self._variable_grade(code, child) for child in children(part)]
        if m.is_variable(part) or isinstance(part, m.TallyValue):
            known_slots = self.slots.get(code.name, {})  # empty for tests
            inner.append(known_slots.get(part.slot, PUBLIC))
        return max(inner, default=PUBLIC)

    def _size_grade(self, code: Code, holder: m.Expr) -> int:
        """Return the grade of a number of cards; `PUBLIC` for values without cards."""
        if not isinstance(holder.type, m.Bag | m.Stack):
            return PUBLIC
        if m.is_variable(holder):
            return self.sizes.get((code.name, holder.slot), PUBLIC)
        if m.is_field(holder):
            return self.grade(code, holder.owner)
        return self.grade(code, holder)

    # -------------------------------------------------------------- bindings

    def _store(self, bound: Bound) -> bool:
        """Store the grades that are higher than before; return whether any is."""
        name, slot = bound.variable
        known, size = self.slots[name], self.sizes.get(bound.variable, PUBLIC)
        is_higher = bound.value > known.get(slot, PUBLIC) or bound.size > size
        known[slot] = max(bound.value, known.get(slot, PUBLIC))
        self.sizes[bound.variable] = max(bound.size, size)
        return is_higher

    def _bindings(self) -> Iterator[Bound]:
        """Yield the grades that result from each binding of a variable."""
        for code in self.codes.values():
            depths = {parameter.slot: 0 for parameter in code.parameters}
            if isinstance(code, m.Action):
                for parameter in code.parameters:
                    secret = not is_public_choice(self.model, code, parameter.slot)
                    variable = (code.name, parameter.slot)
                    yield Bound(variable, KNOWN_TO_ACTOR if secret else PUBLIC)
            yield from self._bindings_in(code, code.body, (), depths)

    def _bindings_in(
        self,
        code: Code,
        body: tuple[m.Stmt, ...],
        around: tuple[int, ...],
        depths: dict[int, int],
    ) -> Iterator[Bound]:
        """Yield the grades from bindings in a block, and from arguments of its calls.

        `around` contains the grades of the enclosing blocks. `depths` contains the
        number of blocks around the first binding of each variable.
        """
        for node in body:
            effects = effects_of(node)
            for binding in effects.bindings:
                depth = depths.setdefault(binding.slot, len(around))
                bound = self._bound(code, node, effects, binding)
                value, size = bound.value, bound.size
                enclosing = max(around[depth:], default=PUBLIC)
                yield Bound(bound.variable, max(value, enclosing), max(size, enclosing))
            yield from self._arguments(code, effects)
            for block in effects.blocks:
                grade = self.block_grade(code, effects, block)
                yield from self._bindings_in(code, block.body, (*around, grade), depths)

    def block_grade(self, code: Code, effects: Effects, block: Block) -> int:
        """Return the grade of the conditions and members that control a block."""
        if effects.pause in (Pause.CHANCE, Pause.DECISION):
            return PUBLIC
        each = block.binder
        members = () if each is None else (each.set, each.where)
        return self.grade(code, *block.holds, *block.fails, block.times, *members)

    def _arguments(self, code: Code, effects: Effects) -> Iterator[Bound]:
        for run in effects.runs:
            own = (
                KNOWN_TO_ACTOR
                if run.seat is None or m.is_you(run.seat)
                else HIDDEN_FROM_ACTOR
            )
            if self.grades_you and run.offer is None:
                you = m.you() if run.seat is None else run.seat
                for callee in code_names(self.model, (run,)):
                    if callee in self.codes:
                        yield Bound((callee, m.YOU), self.grade(code, you))
            name = run.offer.action if run.offer else str(run.code)
            parameters = self.codes[name].parameters if run.arguments else ()
            for parameter, value in zip(parameters, run.arguments, strict=False):
                given, size = self.grade(code, value), self._size_grade(code, value)
                yield Bound(
                    (name, parameter.slot),
                    own if given == KNOWN_TO_ACTOR else given,
                    own if size == KNOWN_TO_ACTOR else size,
                )

    def _bound(
        self, code: Code, node: Any, effects: Effects, binding: Binding
    ) -> Bound:
        """Return the grades that a statement gives a variable by binding it."""
        variable = (code.name, binding.slot)
        if effects.pause is Pause.DECISION:
            if is_public_choice(self.model, code, binding.slot):
                return Bound(variable, PUBLIC)
            return Bound(
                variable,
                KNOWN_TO_ACTOR if m.is_you(effects.asks) else HIDDEN_FROM_ACTOR,
            )
        if effects.cards is not None:
            return Bound(variable, min(map(self.holder_grade, effects.cards.holders)))
        if effects.may_wait:
            return Bound(variable, PUBLIC)
        given = binding.value
        size = PUBLIC if given is None else self._size_grade(code, given)
        return Bound(variable, self.grade(code, *direct_parts(node)), size)
