"""Python program of counted games: the rules with counters.

It is written without rewrites (ADR 44), so that each part is evaluated where the rules
say so. Explanations, displays and tests use separate functions without counters.
"""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.core.action_index import PlannedAction
from interpreter.measure.counting.counts import Counts, Moved
from interpreter.measure.counting.sites import has_truth
from interpreter.plan.specialise.expressions import constant
from interpreter.plan.specialise.rules import Rules
from interpreter.plan.units import Unit
from interpreter.python.expressions.templates import TEMPLATES
from interpreter.python.expressions.writer import Templates, Writer
from interpreter.python.program import Program
from interpreter.python.statements.effects import Effect, Effects
from interpreter.python.statements.enumerators import (
    FREE,
    all_of_it,
    index,
    nested,
    within,
)
from interpreter.python.statements.flow import Flow, Tables
from interpreter.python.statements.tables import TABLES
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.lines import Lines, placed, unless
from rulebook import model as m

COUNTED = "counted_"
"""Name prefix of functions with counters that also exist without."""
MOVES = (m.MoveCards, m.MoveAll, m.DrawCard, m.SetField)
"""Statements that move cards."""


@attrs.frozen
class CountedExpression(m.Typed):
    """Expression whose evaluation is counted at a site; `truth` means that it is a
    condition.
    """

    part: m.Expr
    number: int
    truth: bool


def counted_expression(
    part: m.Expr, number: int | None, *, truth: bool = True
) -> m.Expr:
    """Return an expression with a counter, or unchanged if it has no site."""
    if number is None:
        return part
    return CountedExpression(part, number, truth, type=part.type, span=part.span)


@attrs.define(eq=False)
class CountingProgram(Program):
    """Writer of the rules of one game as functions with counters."""

    counts: Counts = attrs.field(kw_only=True)
    plain: Program = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        fields = attrs.fields(Program)
        self.plain = Program(*[getattr(self, field.name) for field in fields])
        self.tables = tables(self.counts)
        moved = Moved.of(self.counts, self.facts)
        self.source.names.update(
            held=self.counts.held,
            asked=self.counts.count_condition,
            passed=self.counts.passed,
            row=self.counts.row,
            moving=moved.begins,
            moved=moved.ends,
        )

    def writer(self) -> Writer:
        """Return a writer whose code contains counters."""
        return Writer(self.source, self.facts, templates(self.counts))

    def called(self, define: str) -> str:
        """Return the name of the counting function of a definition."""
        return COUNTED + super().called(define)

    # ------------------------------------------------------------ values

    def write_defines(self) -> None:
        """Write each definition as two functions: with counters for the rules, and
        without.
        """
        self.plain.write_defines()
        for name, define in self.rules.model.defines.items():
            with self.under(define, name):
                slots = "".join(f", v{given.slot}" for given in define.parameters)
                counted = attrs.evolve(define, lines=self.lines(define.lines))
                body = self.define_lines(counted)
                self.source.function(self.called(name), f"s{slots}", body)

    def write_points(self) -> None:
        """Write the points of players as two functions: with counters, and without."""
        self.plain.write_points()
        with self.source.under("points"):
            lines = self.lines(self.rules.model.points.lines)
            self.write_total(f"{COUNTED}points", lines)

    def write_measures(self) -> list[str]:
        """Write measures without counters, because they are not rules."""
        return self.plain.write_measures()

    def lines(self, lines: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return lines with counters."""
        return tuple([self.line(line) for line in lines])

    def line(self, line: Any) -> Any:
        """Return a line with a counter on its condition, or on its value if it has
        none.
        """
        number = self.counts.sites.numbers.get(id(line))
        if line.condition is not None:
            return attrs.evolve(
                line, condition=counted_expression(line.condition, number)
            )
        value = counted_expression(line.value, number, truth=has_truth(line))
        return attrs.evolve(line, value=value)

    def write_worth(self, give: Any) -> None:
        """Write the values of hints without counters, because they are not rules."""
        self.plain.write_worth(give)

    # --------------------------------------------------- units and triggers

    def write_unit(
        self, clause: m.Procedure | m.Action, number: int, wakes: int
    ) -> Unit:
        """Write a clause of the rules with counters, or a test without."""
        model = self.facts.model
        units = (model.procedures.get(clause.name), model.actions.get(clause.name))
        if any(unit is clause for unit in units):
            return super().write_unit(clause, number, wakes)
        return self.plain.write_unit(clause, number, wakes)

    def write_tests(self) -> None:
        """Write the requirements of actions without counters, for explanations."""
        self.plain.write_tests()

    def write_award(self, award: m.Award) -> str:
        """Write the measure of an award, with a counter of the players who compete."""
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


def templates(counts: Counts) -> Templates:
    """Return the template of every expression, with counters.

    Conditions that are always true or false are evaluated too.
    """

    def column(w: Writer, e: m.ColumnValue) -> Code:
        table = w.source.table(w.facts.column(e.domain, e.column))
        return code.looked_up(table, in_row(w, e.domain, e.of))

    def in_row(w: Writer, domain: str, of: m.Expr) -> Code:
        sites = counts.sites.rows.get(domain) or counts.sites.cards.get(domain)
        if not sites:
            return w.code(of)
        return code.call("row", Code(w.source.table(sites)), w.code(of))

    return {
        **TEMPLATES,
        m.ColumnValue: column,
        m.OptionValue: unknown,
        m.Const: unknown,
        m.CallDefine: _call,
        m.Points: _points,
        CountedExpression: _asked,
    }


def unknown(w: Writer, e: m.Expr) -> Code:
    """Return the code of an expression without its constant value, so that it is
    evaluated.
    """
    written = TEMPLATES[type(e)](w, e)
    if isinstance(e.type, m.Truth):
        return attrs.evolve(written, constant=code.UNKNOWN)
    return written


def _asked(w: Writer, e: CountedExpression) -> Code:
    word = "asked" if e.truth else "passed"
    return code.call(word, code.literal(e.number), w.code(e.part))


def _call(w: Writer, e: m.CallDefine) -> Code:
    arguments = [w.code(argument) for argument in e.arguments]
    return code.call(COUNTED + w.facts.defines[e.define], code.CELLS, *arguments)


def _points(w: Writer, e: m.Points) -> Code:
    name = "visible_points" if e.visible else f"{COUNTED}points"
    return code.call(name, code.CELLS, w.code(e.player))


# ---------------------------------------------------------------- statements


def tables(counts: Counts) -> Tables:
    """Return the template of every statement, with counters."""
    numbers = counts.sites.numbers

    def effect(write: Effect) -> Effect:
        def counted(t: Effects, node: Any) -> Lines:
            number = numbers.get(id(node))
            if isinstance(node, m.If):
                return write(t, with_condition(node, number))
            lines = [*before(t, node, number), *write(t, node)]
            return [*lines, *after(t, node, number)]

        return counted

    def flow(write: Any) -> Any:
        def counted(t: Flow, node: Any, end: int) -> None:
            number = numbers.get(id(node))
            if isinstance(node, m.If):
                write(t, with_condition(node, number), end)
                return
            t.add(*before(t, node, number))
            write(t, node, end)
            t.add(*after(t, node, number))

        return counted

    def before(t: Effects, node: Any, number: int | None) -> Lines:
        """Return the lines that count a statement and remember the places of cards."""
        if number is None:
            return []
        lines: Lines = [f"held[{number}] += 1"]
        if isinstance(node, MOVES):
            lines.append("moving(s)")
        if isinstance(node, m.CarryOut):
            lines.append(shown(t, node.card.type, t.w.code(node.card)))
        return lines

    def after(t: Effects, node: Any, number: int | None) -> Lines:
        """Return the lines that count the cards that a statement has moved or shown."""
        if number is None:
            return []
        lines: Lines = ["moved(s)"] if isinstance(node, MOVES) else []
        if isinstance(node, m.Reveal):
            lines.append(shown(t, node.stack.type, t.w.slot(node.slot)))
        if isinstance(node, m.Spread):
            sites = counts.sites.cards.get(node.cards, ())
            domain = t.w.facts.model.domains[node.cards]
            many = [constant(t.w.facts, copies) for copies in domain.copies]
            dealt = [site for site, copies in zip(sites, many, strict=False) if copies]
            lines += [f"held[{site}] += 1" for site in dealt if site >= 0]
        return lines

    def shown(t: Effects, kind: Any, card: Code) -> str:
        sites = counts.sites.cards.get(kind.domain, ())
        return f"row({t.w.source.table(sites)}, {card.text})" if sites else "pass"

    def lists(
        w: Writer, rules: Rules, planned: PlannedAction, fixed: tuple[int, ...]
    ) -> str:
        return write_enumerator(w, rules, planned, fixed, numbers)

    return Tables(
        effects={kind: effect(write) for kind, write in TABLES.effects.items()},
        flows={kind: flow(write) for kind, write in TABLES.flows.items()},
        lists=lists,
        tried=tried,
    )


def tried(w: Writer, condition: m.Expr) -> str:
    """Return code that counts the parts of a deal's condition in each tried
    arrangement.
    """
    return f"lambda s: {w.code(condition).text}"


def with_condition(node: m.If, number: int | None) -> m.If:
    """Return an `if` statement whose condition is counted."""
    return attrs.evolve(node, condition=counted_expression(node.condition, number))


def write_enumerator(
    w: Writer,
    rules: Rules,
    planned: PlannedAction,
    fixed: tuple[int, ...],
    numbers: dict[int, int],
) -> str:
    """Write the function that lists legal actions, with its requirements in file order.

    For every combination of the parameters, the requirements are evaluated one after
    another until one fails. A requirement is evaluated once for all combinations that
    agree in everything that it and the earlier ones read.
    """
    name = w.source.new_name("e")
    inner = w.with_variables()
    open_places = [place for place in planned.places if place.slot not in fixed]
    depths = {place.slot: n for n, place in enumerate(open_places, 1)}
    lines: Lines = [line for place in planned.places for line in within(place, fixed)]
    deep, leave = 0, "return"
    for requirement in rules.model.actions[planned.name].requirements:
        reads = rules.note(requirement.condition).slots
        wanted = max([deep, *[depths.get(slot, 0) for slot in reads]])
        lines += loops(open_places[deep:wanted], deep)
        deep, leave = wanted, "continue" if wanted else "return"
        test = inner.code(
            counted_expression(requirement.condition, numbers.get(id(requirement)))
        )
        if requirement.sort is m.RequirementSort.PAYS:
            test = code.chain("or", [FREE, test])
        lines += nested(unless(test, [leave]), deep)
    lines += loops(open_places[deep:], deep)
    lines += nested([f"out.append({index(planned)})"], len(open_places))
    given = "".join(f", v{slot}" for slot in fixed)
    return w.source.function(name, f"s, out, v0, v1{given}", placed(lines, {}))


def loops(places: list[Any], deep: int) -> Lines:
    """Return the heads of the nested loops over parameters."""
    lines: Lines = []
    for number, place in enumerate(places, deep):
        lines += nested([f"for v{place.slot} in {all_of_it(place)}:"], number)
    return lines
