"""Notes: hidden values that actions write, and the choices that decide these values.

Hidden numbers, members, sets and yes/no values are notes. An argument of an action is
as hidden as the notes it decides, unless it decides something else as well. The same
applies to an action that only writes notes, and to a choice inside a clause if the rest
of its block never waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulebook import model as m
from rulebook.queries.reads import is_interruption, part_owner
from rulebook.signatures import (
    FieldPlace,
    Run,
    VariablePlace,
    Write,
    direct_parts,
    effects_of,
)
from rulebook.traversal import walk

ArgumentValues = Mapping[int, m.Expr]
"""Arguments of a procedure by slot, as expressions of the action that calls it."""

LOOP_PASSES = 2
"""Number of times a loop is analysed, since it may read variables set further down."""

MAX_CALL_DEPTH = 32
"""Maximum depth of calls that the analysis follows."""


class VisibleDecision(Exception):
    """Exception for a choice that may decide something other than a hidden value."""


def notes_decided_by_argument(
    model: m.Model, action: m.Action, slot: int
) -> list[FieldPlace]:
    """Return the notes that an argument decides, or [] if it does anything else."""
    return Notes(model).decided_notes(
        action, frozenset({slot}), depends_on_choice=False
    )


def notes_written(model: m.Model, action: m.Action) -> list[FieldPlace]:
    """Return the notes that an action writes, or [] if it does anything else."""
    slots = frozenset(parameter.slot for parameter in action.parameters)
    return Notes(model).decided_notes(action, slots, depends_on_choice=True)


def notes_decided_by_choice(
    model: m.Model, code: m.Procedure | m.Action, slot: int
) -> list[FieldPlace]:
    """Return the notes that a choice in a clause decides, or [] if it decides more."""
    given = known_variables(code)
    places = [*choices_in(code.body, slot, given)]
    if len(places) != 1:
        return []
    node, rest, known = places[0]
    after = (*node.body, *node.otherwise, *rest)
    if count_reads(slot, code.body) > count_reads(slot, node.set, node.where, after):
        return []
    analysis, chosen = Notes(model), {slot}
    try:
        written = [*analysis.notes_in_block(node.body, chosen, known, node.optional)]
        written += analysis.notes_in_block(node.otherwise, chosen, known, node.optional)
        written += analysis.notes_in_block(rest, chosen, known, depends_on_choice=False)
    except VisibleDecision:
        return []
    return written if chosen == {slot} else []


ChoicePoint = tuple[Any, tuple[Any, ...], ArgumentValues]
"""Choice, the statements after it in its block, and the variables with known values."""


def choices_in(
    body: tuple[Any, ...], slot: int, arguments: ArgumentValues
) -> Iterator[ChoicePoint]:
    """Yield the points in a body where a choice is stored in *slot*."""
    for number, node in enumerate(body):
        effects = effects_of(node)
        if slot in effects.slots and effects.asks is not None and effects.blocks:
            yield node, body[number + 1 :], arguments
        for block in effects.blocks:
            inside, loop = arguments, block.binder
            if block.loop and loop is not None:
                member = m.variable(loop.slot, loop.name, loop.set.type)
                inside = {**arguments, loop.slot: member}
            yield from choices_in(block.body, slot, inside)


class Notes:
    """Analysis of the values that a choice decides in statements that never wait."""

    def __init__(self, model: m.Model) -> None:
        self.model = model

    def decided_notes(
        self, action: m.Action, choice_slots: frozenset[int], *, depends_on_choice: bool
    ) -> list[FieldPlace]:
        """Return the notes that a choice decides, or [] if it does anything else.

        `choice_slots` are the slots that contain the choice. With
        `depends_on_choice`, every statement depends on the choice.
        """
        try:
            given = known_variables(action)
            return [
                *self.notes_in_block(
                    action.body, {*choice_slots}, given, depends_on_choice
                )
            ]
        except VisibleDecision:
            return []

    def notes_in_block(
        self,
        body: Iterable[Any],
        choice_slots: set[int],
        arguments: ArgumentValues,
        depends_on_choice: bool,
        depth: int = 0,
    ) -> Iterator[FieldPlace]:
        """Yield the notes that statements write, if the writes depend on a choice.

        Slots of variables that depend on the choice are added to `choice_slots`.
        """
        for node in body:
            effects = effects_of(node)
            if is_interruption(effects):
                raise VisibleDecision
            decided = depends_on_choice or reads_any(choice_slots, direct_parts(node))
            match effects.writes:
                case [Write(VariablePlace(slot, ()), value)] if value is not None:
                    if decided:
                        choice_slots.add(slot)
                    continue
                case [Write(FieldPlace() as place, value)] if value is not None:
                    if decided:
                        yield self.written_note(place, arguments)
                    continue
            if decided and (effects.writes or not (effects.calls or effects.blocks)):
                raise VisibleDecision
            for run in effects.calls:
                yield from self.notes_in_call(
                    run, choice_slots, arguments, depends_on_choice, depth + 1
                )
            yield from self.notes_in_blocks(
                node, choice_slots, arguments, depends_on_choice, depth
            )

    def notes_in_blocks(
        self,
        node: Any,
        choice_slots: set[int],
        arguments: ArgumentValues,
        depends_on_choice: bool,
        depth: int,
    ) -> list[FieldPlace]:
        """Return the notes that the blocks inside a statement write."""
        written: list[FieldPlace] = []
        effects = effects_of(node)
        for _ in range(
            LOOP_PASSES if any(block.loop for block in effects.blocks) else 1
        ):
            decided = depends_on_choice or reads_any(choice_slots, direct_parts(node))
            if decided:
                choice_slots.update(binding.slot for binding in effects.bindings)
            written = [
                note
                for block in effects.blocks
                for note in self.notes_in_block(
                    block.body, choice_slots, arguments, decided, depth
                )
            ]
        return written

    def notes_in_call(
        self,
        run: Run,
        choice_slots: set[int],
        arguments: ArgumentValues,
        depends_on_choice: bool,
        depth: int,
    ) -> Iterator[FieldPlace]:
        """Yield the notes that a procedure writes if the write depends on a choice."""
        by_another = run.seat is not None and not m.is_you(run.seat)
        if depth > MAX_CALL_DEPTH or by_another:
            raise VisibleDecision
        code = self.model.procedures[str(run.code)]
        inside: set[int] = set()
        passed: dict[int, m.Expr] = {}
        for parameter, value in zip(code.parameters, run.arguments, strict=True):
            if reads_any(choice_slots, value):
                inside.add(parameter.slot)
            if m.is_variable(value) and value.slot in arguments:
                passed[parameter.slot] = arguments[value.slot]
        if m.YOU in arguments:
            passed.setdefault(m.YOU, arguments[m.YOU])
        yield from self.notes_in_block(
            code.body, inside, passed, depends_on_choice, depth
        )

    def written_note(self, place: FieldPlace, arguments: ArgumentValues) -> FieldPlace:
        """Return the note to which a statement writes.

        Raise `VisibleDecision` if the field is visible.
        """
        field = self.model.fields[place.field]
        if field.seen_by is m.Audience.ALL:
            raise VisibleDecision
        owner = part_owner(place.owner)
        if m.is_variable(owner):
            owner = arguments.get(owner.slot)
        return FieldPlace(place.field, owner)


def known_variables(code: m.Procedure | m.Action) -> ArgumentValues:
    """Return the variables that have a value when code starts, by slot."""
    parameters = [m.variable(x.slot, x.name, x.type) for x in code.parameters]
    return {x.slot: x for x in (m.you(), *parameters)}


def reads_any(slots: set[int], *nodes: Any) -> bool:
    """Return whether expressions or statements read a variable in *slots*."""
    return not slots.isdisjoint(m.variables_read(nodes))


def count_reads(slot: int, *nodes: Any) -> int:
    """Return how often expressions or statements read the variable in *slot*."""
    return sum(m.is_variable(part, slot) for part in walk(nodes))
