"""Notes: hidden values that actions write, and the seats that learn those choices.

Hidden numbers, members, sets and yes/no values are notes. An argument of an action is
as hidden as the notes it decides, unless it decides something else as well. The action
itself is as hidden if it only writes notes. So is a choice inside a clause, if the rest
of its block never waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import (
    FieldPlace,
    Run,
    VariablePlace,
    Write,
    effects_of,
    own_parts,
)

ArgumentValues = Mapping[int, m.Expr]
"""Arguments of a procedure, as expressions of the calling action, by slot."""

ROUNDS = 2
"""Number of passes through a loop in the analysis, because a variable may be read
before it is set.
"""

CALLS = 32
"""Maximum depth of calls that the analysis follows."""


class DecidesVisible(Exception):
    """Raised if a choice decides something that is not hidden."""


def notes_decided(model: m.Model, action: m.Action, slot: int) -> list[FieldPlace]:
    """Return the notes that an argument decides; empty if it also decides something
    visible.
    """
    return Notes(model).decided_notes(action, frozenset({slot}), decided=False)


def notes_written(model: m.Model, action: m.Action) -> list[FieldPlace]:
    """Return the notes that an action writes; empty if it does anything else."""
    slots = frozenset(parameter.slot for parameter in action.parameters)
    return Notes(model).decided_notes(action, slots, decided=True)


def notes_chosen(
    model: m.Model, code: m.Procedure | m.Action, slot: int
) -> list[FieldPlace]:
    """Return the notes that a choice inside a clause decides; empty if it also decides
    something visible.
    """
    given = known_variables(code)
    places = [*choices_in(code.body, slot, given)]
    if len(places) != 1:
        return []
    node, rest, known = places[0]
    after = (*node.body, *node.otherwise, *rest)
    if times_read(slot, code.body) > times_read(slot, node.set, node.where, after):
        return []
    analysis, chosen = Notes(model), {slot}
    try:
        written = [*analysis.block(node.body, chosen, known, node.optional)]
        written += analysis.block(node.otherwise, chosen, known, node.optional)
        written += analysis.block(rest, chosen, known, decided=False)
    except DecidesVisible:
        return []
    return written if chosen == {slot} else []


Place = tuple[Any, tuple[Any, ...], ArgumentValues]
"""Choice, the statements after it in its block, and the values of variables that are
known there.
"""


def choices_in(
    body: tuple[Any, ...], slot: int, known: ArgumentValues
) -> Iterator[Place]:
    """Yield the choices that are stored in a slot."""
    for number, node in enumerate(body):
        effects = effects_of(node)
        if slot in effects.slots and effects.asks is not None and effects.blocks:
            yield node, body[number + 1 :], known
        for block in effects.blocks:
            inside, loop = known, block.binder
            if block.loop and loop is not None:
                member = m.variable(loop.slot, loop.name, loop.set.type)
                inside = {**known, loop.slot: member}
            yield from choices_in(block.body, slot, inside)


class Notes:
    """Analysis of what a choice decides in the statements of an action that never
    waits.
    """

    def __init__(self, model: m.Model) -> None:
        self.model = model

    def decided_notes(
        self, action: m.Action, chosen: frozenset[int], *, decided: bool
    ) -> list[FieldPlace]:
        """Return the notes that a choice decides; empty if it decides something
        visible.

        `chosen` are the slots that contain the choice. If `decided`, the choice decides
        every statement.
        """
        try:
            given = known_variables(action)
            return [*self.block(action.body, {*chosen}, given, decided)]
        except DecidesVisible:
            return []

    def block(
        self,
        body: Iterable[Any],
        chosen: set[int],
        given: ArgumentValues,
        decided: bool,
        depth: int = 0,
    ) -> Iterator[FieldPlace]:
        """Yield the notes that statements write depending on a choice.

        Slots of variables that depend on the choice are added to `chosen`.
        """
        for node in body:
            effects = effects_of(node)
            if tooling.is_interruption(effects):
                raise DecidesVisible
            by = decided or reads_any(chosen, own_parts(node))
            match effects.writes:
                case [Write(VariablePlace(slot, ()), value)] if value is not None:
                    if by:
                        chosen.add(slot)
                    continue
                case [Write(FieldPlace() as place, value)] if value is not None:
                    if by:
                        yield self.note(place, given)
                    continue
            if by and (effects.writes or not (effects.calls or effects.blocks)):
                raise DecidesVisible
            for run in effects.calls:
                yield from self.notes_in_call(run, chosen, given, decided, depth + 1)
            yield from self.notes_in_blocks(node, chosen, given, decided, depth)

    def notes_in_blocks(
        self,
        node: Any,
        chosen: set[int],
        given: ArgumentValues,
        decided: bool,
        depth: int,
    ) -> list[FieldPlace]:
        """Return the notes that the blocks inside a statement write."""
        written: list[FieldPlace] = []
        effects = effects_of(node)
        for _ in range(ROUNDS if any(block.loop for block in effects.blocks) else 1):
            by = decided or reads_any(chosen, own_parts(node))
            if by:
                chosen.update(binding.slot for binding in effects.bindings)
            written = [
                note
                for block in effects.blocks
                for note in self.block(block.body, chosen, given, by, depth)
            ]
        return written

    def notes_in_call(
        self,
        run: Run,
        chosen: set[int],
        given: ArgumentValues,
        decided: bool,
        depth: int,
    ) -> Iterator[FieldPlace]:
        """Yield the notes that a procedure writes if the write depends on a choice."""
        if depth > CALLS:
            raise DecidesVisible
        code = self.model.procedures[str(run.code)]
        inside: set[int] = set()
        passed: dict[int, m.Expr] = {}
        for parameter, value in zip(code.parameters, run.arguments, strict=True):
            if reads_any(chosen, value):
                inside.add(parameter.slot)
            if m.is_variable(value) and value.slot in given:
                passed[parameter.slot] = given[value.slot]
        if m.YOU in given:
            passed.setdefault(m.YOU, given[m.YOU])
        yield from self.block(code.body, inside, passed, decided, depth)

    def note(self, place: FieldPlace, given: ArgumentValues) -> FieldPlace:
        """Return the note that is written in a place.

        Raise `DecidesVisible` if the field is visible.
        """
        field = self.model.fields[place.field]
        if field.seen_by is m.Audience.ALL:
            raise DecidesVisible
        owner = tooling.whose(place.owner)
        if m.is_variable(owner):
            owner = given.get(owner.slot)
        return FieldPlace(place.field, owner)


def known_variables(code: m.Procedure | m.Action) -> ArgumentValues:
    """Return the variables that have a value when code begins, by slot."""
    parameters = [m.variable(x.slot, x.name, x.type) for x in code.parameters]
    return {x.slot: x for x in (m.you(), *parameters)}


def reads_any(slots: set[int], *nodes: Any) -> bool:
    """Return whether expressions or statements read any of some variables."""
    return not slots.isdisjoint(m.variables_read(nodes))


def times_read(slot: int, *nodes: Any) -> int:
    """Return how often expressions or statements read a variable."""
    return sum(m.is_variable(part, slot) for part in tooling.walk(nodes))
