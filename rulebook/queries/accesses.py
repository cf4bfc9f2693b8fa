"""Reads and writes of code, and whether they concern only one member of a loop.

A loop runs its body for one member after another. If the iteration for a member changes
only that member's own parts, no iteration affects what other iterations read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

import attrs

from rulebook import model as m
from rulebook.queries.calls import body_of, code_names
from rulebook.queries.reads import definition_lines
from rulebook.queries.state_parts import StatePart, part_of
from rulebook.signatures import (
    FieldPlace,
    PiecePlace,
    Place,
    Run,
    VariablePlace,
    callees_of,
    effects_within,
    inputs_of,
)
from rulebook.traversal import walk

MemberSlots = frozenset[int]
"""Slots of the variables that certainly hold the current loop member."""

NO_SLOTS: MemberSlots = frozenset()


@attrs.frozen
class Access:
    """Read or write of a part of the state, or of a variable (by its slot).

    `own_keys` are the keys (owner, space, …) that equal the current loop member. Two
    accesses with a common key concern only the cells of their own members, so the
    accesses of two different members never conflict.
    """

    part: StatePart | int
    own_keys: frozenset[str] = frozenset()

    @property
    def is_variable(self) -> bool:
        """True if it is an access to a variable and not to the state."""
        return isinstance(self.part, int)

    def conflicts_with(self, other: Access) -> bool:
        """Return whether two accesses, for two different members, can conflict."""
        return self.part == other.part and not self.own_keys & other.own_keys


@attrs.frozen
class CodeRun:
    """Piece of code that runs, with its slots that hold the current loop member."""

    name: str
    member_slots: MemberSlots = NO_SLOTS


class AccessAnalysis:
    """Analysis of the reads and writes of a model's code."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.known: dict[tuple[Callable[..., Any], CodeRun], Any] = {}

    # ------------------------------------------------------------ reads

    def reads(self, expression: Any, member_slot: int) -> set[Access]:
        """Return the reads of an expression, including definitions that it calls."""
        mine = frozenset({member_slot})
        accesses = set(self.node_reads(expression, mine))
        for run in self.reachable_runs(
            self.defines_in(expression, mine), self.defines_of
        ):
            lines = self.cached_result(self.definition_reads, run)
            accesses.update(access for access in lines if not access.is_variable)
        return accesses

    def definition_reads(self, run: CodeRun) -> tuple[Access, ...]:
        """Return the direct reads of a definition's lines."""
        lines = definition_lines(self.model, run.name)
        return tuple(dict.fromkeys(self.node_reads(lines, run.member_slots)))

    def defines_of(self, run: CodeRun) -> tuple[CodeRun, ...]:
        """Return the definitions that a definition calls directly."""
        lines = definition_lines(self.model, run.name)
        return tuple(self.defines_in(lines, run.member_slots))

    def defines_in(self, node: Any, member_slots: MemberSlots) -> Iterator[CodeRun]:
        """Yield the definitions that an expression calls directly."""
        for inner in walk(node):
            for run in callees_of(inner):
                yield from self.code_runs(run, NO_SLOTS, member_slots)

    def node_reads(self, node: Any, member_slots: MemberSlots) -> Iterator[Access]:
        """Yield the reads of an expression itself, without those of called code."""
        inputs = inputs_of(node)
        for place in inputs.places:
            if not isinstance(place, VariablePlace) or place.indices:
                yield from self.accesses(place, member_slots)
            elif place.slot != m.YOU and place.slot not in member_slots:
                yield Access(place.slot)
        for operand in inputs.operands:
            yield from self.node_reads(operand, member_slots)

    # ------------------------------------------------------------ writes

    def writes(self, body: tuple[m.Stmt, ...], member_slot: int) -> set[Access]:
        """Return the writes of statements, including those of all code that they run.

        Awards and rules may act at every decision and chance event, so their writes are
        included if there is one.
        """
        mine = frozenset({member_slot})
        accesses = set(self.node_writes(body, mine))
        waits = may_trigger_rules(body)
        for run in self.reachable_runs(self.units_in(body, mine), self.units_of):
            waits = waits or self.cached_result(self.may_trigger, run)
            accesses |= self.cached_result(self.unit_writes, run)
        return accesses | self.trigger_writes if waits else accesses

    @cached_property
    def trigger_writes(self) -> set[Access]:
        """Writes that awards and rules can cause."""
        accesses = {Access(StatePart.award(name)) for name in self.model.awards}
        for run in self.reachable_runs(self.trigger_procedures(), self.units_of):
            accesses |= self.cached_result(self.unit_writes, run)
        return accesses

    def trigger_procedures(self) -> Iterator[CodeRun]:
        """Yield the procedures that awards and rules run."""
        for award in self.model.awards.values():
            for name in (award.gained, award.lost):
                if name is not None:
                    yield CodeRun(name)
        for rule in self.model.rules.values():
            yield CodeRun(rule.procedure)

    def may_trigger(self, run: CodeRun) -> bool:
        """Return whether awards and rules may act while a unit runs."""
        return may_trigger_rules(body_of(self.model, run.name))

    def unit_writes(self, run: CodeRun) -> set[Access]:
        """Return the direct writes of a unit, except those to its own variables."""
        accesses = self.node_writes(body_of(self.model, run.name), run.member_slots)
        return {access for access in accesses if not access.is_variable}

    def units_of(self, run: CodeRun) -> tuple[CodeRun, ...]:
        """Return the units that a unit runs directly."""
        return tuple(self.units_in(body_of(self.model, run.name), run.member_slots))

    def units_in(self, body: Any, member_slots: MemberSlots) -> Iterator[CodeRun]:
        """Yield the units that statements run, including offered actions."""
        own = member_slots & {m.YOU}
        for effects in effects_within(body):
            for run in effects.runs:
                seat = (
                    own
                    if run.seat is None
                    else member_parameters((run.seat,), member_slots)
                )
                yield from self.code_runs(run, seat, member_slots)

    def code_runs(
        self, run: Run, seat_slots: MemberSlots, member_slots: MemberSlots
    ) -> Iterator[CodeRun]:
        """Yield the code that a `Run` may execute, with the loop member's slots."""
        given = member_parameters(run.arguments, member_slots, run.first)
        return (
            CodeRun(name, seat_slots | given) for name in code_names(self.model, (run,))
        )

    def node_writes(self, body: Any, member_slots: MemberSlots) -> Iterator[Access]:
        """Yield the direct writes of statements."""
        for effects in effects_within(body):
            for write in effects.writes:
                if not write.knowledge_only:
                    yield from self.accesses(write.place, member_slots)

    # ------------------------------------------------------------ places

    def accesses(self, place: Place, member_slots: MemberSlots) -> Iterator[Access]:
        """Yield the access to a place, unless no expression can read the place."""
        part = part_of(place)
        match place:
            case VariablePlace(slot=slot, indices=indices):
                yield Access(slot, member_indices(indices, member_slots))
            case FieldPlace(owner=owner, card=card):
                by = member_keys(member_slots, owner=owner, card=card)
                if isinstance(owner, m.SpaceAt):
                    by |= member_keys(member_slots, player=owner.owner)
                    by |= member_indices(owner.coordinates, member_slots)
                assert part is not None
                yield Access(part, by)
            case PiecePlace(piece=piece, owner=owner, space=space):
                by = member_keys(member_slots, player=owner)
                if not self.model.pieces[piece].moves:  # the piece leaves its old space
                    by |= member_keys(member_slots, space=space)
                assert part is not None
                yield Access(part, by)
            case _ if part is not None:
                yield Access(part)

    # ------------------------------------------------------------ runs

    def reachable_runs(
        self,
        start_runs: Iterable[CodeRun],
        successors: Callable[[CodeRun], tuple[CodeRun, ...]],
    ) -> Iterator[CodeRun]:
        """Yield the given runs and all code that they run, each once."""
        waiting = list(start_runs)
        met = set(waiting)
        while waiting:
            run = waiting.pop()
            yield run
            new = set(self.cached_result(successors, run)) - met
            met |= new
            waiting.extend(new)

    def cached_result(self, compute: Callable[[CodeRun], Any], run: CodeRun) -> Any:
        """Return the result of a function for a run, from the cache if possible."""
        if (compute, run) not in self.known:
            self.known[compute, run] = compute(run)
        return self.known[compute, run]


def is_member(value: m.Expr | None, member_slots: MemberSlots) -> bool:
    """Return whether an expression is the current loop member."""
    return m.is_variable(value) and value.slot in member_slots


def member_parameters(
    arguments: tuple[m.Expr, ...], member_slots: MemberSlots, first_slot: int = 0
) -> MemberSlots:
    """Return the parameter slots, from *first_slot* on, that get the loop member."""
    return frozenset(
        slot
        for slot, value in enumerate(arguments, first_slot)
        if is_member(value, member_slots)
    )


def member_keys(member_slots: MemberSlots, **values: m.Expr | None) -> frozenset[str]:
    """Return the names of the keys whose value is the loop member."""
    return frozenset(
        key for key, value in values.items() if is_member(value, member_slots)
    )


def member_indices(
    values: tuple[m.Expr, ...], member_slots: MemberSlots
) -> frozenset[str]:
    """Return as texts the positions, from 0, of the values that are the loop member."""
    return frozenset(map(str, member_parameters(values, member_slots, 0)))


def may_trigger_rules(body: tuple[m.Stmt, ...]) -> bool:
    """Return whether a body itself may wait for an event, so that rules may act."""
    return any(effects.may_wait for effects in effects_within(body))
