"""Trial games, played at random to refute false relations.

An accepted relation was true in every position between actions of all trial games. In
addition, each statement that can change one of its fields or pieces was executed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import attrs

import rulebook as rb
from interpreter.core.chance import Stream
from interpreter.core.layout import ROUND, Block
from interpreter.measure.counting.counts import Counts
from interpreter.plan.plan import Plan, units
from interpreter.relations.implications import Implication, implications
from interpreter.relations.indexed_fields import Cells, IndexedField, indexed_field
from interpreter.relations.totals import Total, totals
from interpreter.relations.work_estimate import WorkEstimate
from interpreter.state.state import State
from interpreter.state.wait_points import Decision
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import statements_in
from rulebook.tooling import StatePart

TRIAL_GAMES = 12
"""Number of trial games."""

MAX_TRIAL_DECISIONS = 120
"""Maximum number of decisions in a trial game."""

MAX_STEPS_OF_TRIALS = 40_000_000
"""Maximum number of estimated steps in all trial games."""

MIN_EXECUTIONS = 3
"""Minimum number of times that a statement must have been executed."""

R = TypeVar("R", Implication, Total)


@attrs.define(eq=False)
class Candidates:
    """Relations that no position has refuted."""

    implications: list[Implication]
    totals: list[Total]

    @property
    def has_any(self) -> bool:
        """Whether any relation is left."""
        return bool(self.implications or self.totals)

    def begin(self) -> None:
        """Call `begin` of all totals at the start of a game."""
        for total in self.totals:
            total.begin()

    def observe(self, s: Cells) -> None:
        """Remove the relations that are false in a position."""
        for implication in self.implications:
            implication.observe(s)
        for total in self.totals:
            total.observe(s)
        self.implications = [x for x in self.implications if x.holds]
        self.totals = [x for x in self.totals if x.holds]

    def requirements(self, executed: frozenset[StatePart]) -> Iterator[m.Stmt]:
        """Yield `require` statements for the relations that were tested enough.

        Relations that follow from others are omitted. `executed` are the fields and
        pieces for which every statement that changes them was executed.
        """
        tested = [x for x in self.implications if x.is_supported]
        for implication in independent_relations(tested, executed):
            yield implication.statement()
        for total in independent_relations(
            [x for x in self.totals if x.is_supported], executed
        ):
            yield from total.statements()


def independent_relations(
    relations: list[R], executed: frozenset[StatePart]
) -> Iterator[R]:
    """Yield the relations about *executed* parts that follow from no other relation."""
    eligible = [relation for relation in relations if relation.parts <= executed]
    for relation in eligible:
        if not any(other.implies(relation) for other in eligible):
            yield relation


class Trial(State):
    """State of a trial game, which counts its estimated steps in `work`.

    `decision` is the estimated number of steps for one decision; statements count in
    addition.
    """

    __slots__ = ("decision", "work")

    def __init__(self, plan: Plan, seed: int, decision_steps: int) -> None:
        super().__init__(plan, seed, chance_given=False)
        self.decision = decision_steps
        self.work = 0
        self.s = list(plan.start_cells)
        self.triggers = plan.all_triggers
        self.frames.append(plan.units[0].frame(0))

    def end_run(self) -> None:
        """End a run, and add its steps to the count."""
        self.work += self.executed + self.decision
        super().end_run()


def candidates(plan: Plan) -> Candidates:
    """Return the relations that the fields of a plan may satisfy."""
    facts = plan.facts
    hidden = [*supported_fields(plan, plan.hidden.values)]
    keys = {field.key for field in hidden}
    public = [
        field
        for field in supported_fields(plan, facts.layout.fields.values())
        if field.key not in keys and field.block.field.seen_by is m.Audience.ALL
    ]
    return Candidates(
        [*implications(facts, hidden, public)], [*totals(facts, hidden, public)]
    )


def supported_fields(plan: Plan, blocks: Iterable[Block]) -> Iterator[IndexedField]:
    """Yield the fields that relations can be about."""
    for block in blocks:
        scalar = isinstance(block.field.type, m.Truth | m.Whole | m.Member)
        field = indexed_field(plan.facts, block) if scalar else None
        if field is not None:
            yield field


def find_relations(plan: Plan, counts: Counts) -> tuple[m.Stmt, ...]:
    """Play trial games; return `require` statements for the relations found in them.

    The plan must belong to a book whose games are counted. If the rules fail, no
    relation is found.
    """
    remaining, work, decision = candidates(plan), 0, WorkEstimate(plan).decision_steps()
    for seed in range(TRIAL_GAMES):
        if work >= MAX_STEPS_OF_TRIALS or not remaining.has_any:
            break
        remaining.begin()
        try:
            work += play(
                Trial(plan, seed, decision), remaining, MAX_STEPS_OF_TRIALS - work
            )
        except rb.RulesError:
            return ()
    executed = executed_parts(plan.model, counts)
    required = tuple(remaining.requirements(executed))
    has_begun = m.at_least(m.RoundNumber(type=m.Whole(0, 1)), 1)
    return (m.IfElse(has_begun, required),) if required else ()


def play(state: Trial, candidates: Candidates, max_steps: int) -> int:
    """Play a game at random up to a number of steps; return its number of steps."""
    chance = Stream(state.seed, "trial")
    state.run()
    for _ in range(MAX_TRIAL_DECISIONS):
        waiting = state.waiting
        if (
            not isinstance(waiting, Decision)
            or state.work >= max_steps
            or not candidates.has_any
        ):
            break
        cells = state.s if state.split is None else state.split
        if cells[ROUND] >= 1:
            candidates.observe(list(cells))
        legal = state.legal
        if legal is None:
            legal = waiting.legal(state, state.s, state.frames[-1])
        waiting.decide(state, legal[chance.next_below(len(legal))])
    return state.work


def executed_parts(model: m.Model, counts: Counts) -> frozenset[StatePart]:
    """Return the fields and pieces all of whose changes were executed."""
    parts = {
        *map(StatePart.field, model.fields),
        *map(StatePart.piece, model.pieces),
    }
    for unit in units(model):
        for node, effects in statements_in(*unit.body):
            number = counts.sites.numbers.get(id(node))
            if number is not None and counts.true_counts[number] < MIN_EXECUTIONS:
                writes = tooling.Writes(model, ())
                writes.add(effects)
                parts -= writes.parts.keys()
    return frozenset(parts)
