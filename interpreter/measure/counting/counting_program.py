"""Python program of counted games: the rules with counters.

It is written without passes, so that each part is evaluated where the rules
state it. Explanations, displays and tests use separate functions without counters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from interpreter.core.action_index import PlannedAction
from interpreter.expressions.constants import constant
from interpreter.expressions.lowerer import Lowerer
from interpreter.expressions.lowerer import Tables as Lowerings
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel import operations as k
from interpreter.lowering.enumerators import (
    all_values,
    enumerated_parameters,
    nested_loops,
)
from interpreter.lowering.named_values import BoundLine, bound_lines
from interpreter.lowering.rule_tables import STATEMENTS, StatementTables
from interpreter.lowering.statement_effects import Effect, StatementLowerer
from interpreter.lowering.unit_lowerer import Flow, UnitLowerer
from interpreter.measure.counting.counts import Counts, MoveDetector
from interpreter.measure.counting.sites import is_conditional
from interpreter.plan.units import Unit
from interpreter.python.python_program import Program
from interpreter.python.python_writer import Writer
from rulebook import model as m
from rulebook.signatures import callees_of, effects_of

COUNTED_PREFIX = "counted_"
"""Name prefix of functions with counters that also exist without counters."""
UNCOUNTED = ("visible_points",)
"""Functions that exist only without counters."""


Rule = Callable[[Lowerer, Any], Any]


@attrs.frozen
class CountedExpression(m.Typed):
    """Condition whose true and false evaluations are counted at a site."""

    part: m.Expr
    number: int


def counted_expression(part: m.Expr, number: int | None) -> m.Expr:
    """Return a condition, wrapped in a counter if it has a site."""
    if number is None:
        return part
    return CountedExpression(part, number, type=part.type, span=part.span)


@attrs.define(eq=False)
class CountingProgram(Program):
    """Writer of the rules of one game as Python functions with counters."""

    counts: Counts = attrs.field(kw_only=True)
    uncounted: Program = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        fields = [field for field in attrs.fields(Program) if field.init]
        self.uncounted = Program(*[getattr(self, field.name) for field in fields])
        self.tables = statement_tables(self.counts)
        moved = MoveDetector.for_facts(self.counts, self.facts)
        self.source.names.update(
            held=self.counts.true_counts,
            asked=self.counts.count_condition,
            row=self.counts.count_row,
            moving=moved.begin,
            moved=moved.end,
        )

    def writer(self) -> Writer:
        """Return a writer whose generated code contains counters."""
        plain = super().writer()
        low = Lowerer(self.facts, counting_rules(self.counts))
        return attrs.evolve(plain, low=low, folds_constants=False)

    @property
    def is_counting(self) -> bool:
        """Whether games count how often each rule is reached."""
        return True

    def enumerator(
        self, lowerer: Lowerer, action: PlannedAction, fixed: tuple[int, ...]
    ) -> k.Block:
        """Return the operations that list the legal indices of an action."""
        numbers = self.counts.sites.numbers
        return counting_enumerator(lowerer, action, fixed, numbers)

    def function_name(self, define: str) -> str:
        """Return the name of the counting function of a definition."""
        return COUNTED_PREFIX + super().function_name(define)

    # ------------------------------------------------------------ values

    def write_defines(self) -> None:
        """Write each definition twice: with counters for the rules, and without."""
        self.uncounted.write_defines()
        for name, define in self.facts.model.defines.items():
            with self.for_clause(define, name):
                slots = "".join(f", v{given.slot}" for given in define.parameters)
                counted = attrs.evolve(define, lines=self.lines(define.lines))
                body = self.define_lines(counted)
                self.source.function(self.function_name(name), f"s{slots}", body)

    def bound_lines(self, define: m.Define) -> list[BoundLine]:
        """Return the lines of a definition, with the values to bind before each.

        A named value is called, because its function counts it.
        """
        return bound_lines(self.facts, define, calls=True)

    def write_points(self) -> None:
        """Write the points of players twice: with counters and without."""
        self.uncounted.write_points()
        with self.source.for_clause("points"):
            lines = self.lines(self.facts.model.points.lines)
            self.write_total(f"{COUNTED_PREFIX}points", lines)

    def write_measures(self) -> list[str]:
        """Write measures without counters, because they are not rules."""
        return self.uncounted.write_measures()

    def lines(self, lines: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return lines of definitions or points, with counters."""
        return tuple([self.line(line) for line in lines])

    def line(self, line: Any) -> Any:
        """Return a line with a counter on its condition, or else on its value."""
        number = self.counts.sites.numbers.get(id(line))
        if line.condition is not None:
            return attrs.evolve(
                line, condition=counted_expression(line.condition, number)
            )
        if is_conditional(line):
            return attrs.evolve(line, value=counted_expression(line.value, number))
        return attrs.evolve(line, condition=counted_expression(m.truth(True), number))

    def write_hint_values(self, on_result: Any) -> None:
        """Write the values of hints without counters, because they are not rules."""
        self.uncounted.write_hint_values(on_result)

    # --------------------------------------------------- units and triggers

    def write_unit(
        self, clause: m.Procedure | m.Action, number: int, woken_triggers: int
    ) -> Unit:
        """Write a clause of the rules with counters, or a test without counters."""
        model = self.facts.model
        units = (model.procedures.get(clause.name), model.actions.get(clause.name))
        if any(unit is clause for unit in units):
            return super().write_unit(clause, number, woken_triggers)
        return self.uncounted.write_unit(clause, number, woken_triggers)

    def write_tests(self) -> None:
        """Write the requirements of actions without counters, for explanations."""
        self.uncounted.write_tests()

    def write_award(self, award: m.Award) -> str:
        """Write the measure of an award, with a count of the players who compete."""
        if award.only_if is not None:
            number = self.counts.sites.numbers.get(id(award.only_if))
            award = attrs.evolve(
                award, only_if=counted_expression(award.only_if, number)
            )
        return super().write_award(award)

    def write_rule(self, rule: m.Rule) -> str:
        """Write the condition of a rule, with a counter."""
        number = self.counts.sites.numbers.get(id(rule.condition))
        condition = counted_expression(rule.condition, number)
        return super().write_rule(attrs.evolve(rule, condition=condition))


# ---------------------------------------------------------------- expressions


def counting_rules(counts: Counts) -> Lowerings:
    """Return the lowering rules for all expressions, with counters."""
    rows = {**counts.sites.cards, **counts.sites.rows}

    def counted(rule: Rule, t: Lowerer, e: m.Expr) -> Any:
        lowered = rule(t, e)
        if m.is_column(e) and rows.get(e.domain):
            probe = k.Probe(tuple(rows[e.domain]), lowered.index)
            return attrs.evolve(lowered, index=probe)
        if any(callees_of(e)) and lowered.function not in UNCOUNTED:
            return attrs.evolve(lowered, function=COUNTED_PREFIX + lowered.function)
        return lowered

    def condition(t: Lowerer, e: CountedExpression) -> k.Value:
        return k.Probe(e.number, t.value(e.part))

    values, sequences, others = [
        {kind: partial(counted, rule) for kind, rule in rules.items()}
        for rules in (EXPRESSIONS.values, EXPRESSIONS.sequences, EXPRESSIONS.rows)
    ]
    return Lowerings({**values, CountedExpression: condition}, sequences, others)


# ---------------------------------------------------------------- statements


def statement_tables(counts: Counts) -> StatementTables:
    """Return the lowering rules of all statements, each counting its executions."""
    numbers = counts.sites.numbers

    def effect(rule: Effect) -> Effect:
        def counted(t: StatementLowerer, node: Any) -> k.Block:
            number = numbers.get(id(node))
            if effects_of(node).condition is not None:
                return rule(t, with_counted_condition(node, number))
            return (
                *operations_before(counts, t, node, number),
                *rule(t, node),
                *operations_after(counts, t, node, number),
            )

        return counted

    def flow(rule: Flow) -> Flow:
        def counted(t: UnitLowerer, node: Any, end: k.Label) -> None:
            number = numbers.get(id(node))
            if effects_of(node).condition is not None:
                rule(t, with_counted_condition(node, number), end)
                return
            t.add(*operations_before(counts, t, node, number))
            rule(t, node, end)
            t.add(*operations_after(counts, t, node, number))

        return counted

    return StatementTables(
        {kind: effect(rule) for kind, rule in STATEMENTS.effects.items()},
        {kind: flow(rule) for kind, rule in STATEMENTS.flows.items()},
    )


def operations_before(
    counts: Counts, t: StatementLowerer, node: Any, number: int | None
) -> k.Block:
    """Return the operations that count a statement and note where cards are."""
    if number is None:
        return ()
    ops: k.Block = (k.Visit(number),)
    if may_move_cards(node):
        ops += (k.CompareCards(begins=True),)
    for run in effects_of(node).runs:
        if run.card is not None:
            ops += count_shown_card(counts, t, run.card.type, t.low.value(run.card))
    return ops


def operations_after(
    counts: Counts, t: StatementLowerer, node: Any, number: int | None
) -> k.Block:
    """Return the operations that count the cards that a statement moved or showed."""
    if number is None:
        return ()
    ops: k.Block = ()
    effects = effects_of(node)
    if may_move_cards(node):
        ops += (k.CompareCards(begins=False),)
    for reveal in effects.reveals:
        if reveal.top:
            card = k.Var(effects.bindings[0].slot)
            ops += count_shown_card(counts, t, reveal.holder.type, card)
    if effects.dealt_domain is not None:
        sites = counts.sites.cards.get(effects.dealt_domain, ())
        domain = t.low.facts.model.domains[effects.dealt_domain]
        copy_counts = [constant(t.low.facts, copies) for copies in domain.copies]
        dealt = [
            site for site, copies in zip(sites, copy_counts, strict=False) if copies
        ]
        ops += tuple([k.Visit(site) for site in dealt if site >= 0])
    return ops


def may_move_cards(node: Any) -> bool:
    """Return whether a statement moves cards, or sets a field that may contain some."""
    effects = effects_of(node)
    return effects.cards is not None or bool(effects.assigned_fields)


def count_shown_card(
    counts: Counts, t: StatementLowerer, kind: Any, card: k.Value
) -> k.Block:
    """Return the operations that count a card that is shown."""
    sites = counts.sites.cards.get(kind.domain, ())
    if not sites:
        return ()
    return (k.Bind(t.low.new_slot(), k.Probe(tuple(sites), card)),)


def with_counted_condition(node: Any, number: int | None) -> Any:
    """Return an `if` statement whose condition is counted."""
    return attrs.evolve(node, condition=counted_expression(node.condition, number))


def counting_enumerator(
    lowerer: Lowerer,
    planned: PlannedAction,
    fixed: tuple[int, ...],
    numbers: dict[int, int],
) -> k.Block:
    """Return operations that list the indices of an action and count its requirements.

    Requirements are tested in the order of the book. A requirement is tested once for
    all indices that agree in everything that it and the earlier ones read.
    """
    places = enumerated_parameters(planned, fixed)
    depths = {place.slot: depth for depth, place in enumerate(places, 1)}
    levels: list[list[k.Value]] = [[] for _ in range(len(places) + 1)]
    deep = 0
    for requirement in planned.action.requirements:
        reads = m.variables_read(requirement.condition)
        deep = max([deep, *[depths.get(slot, 0) for slot in reads]])
        number = numbers.get(id(requirement))
        test = lowerer.value(counted_expression(requirement.condition, number))
        if requirement.sort is m.RequirementSort.PAYS:
            test = k.Some((k.Var(m.FREE), test))
        levels[deep].append(test)
    return nested_loops(planned, fixed, [all_values(place) for place in places], levels)
