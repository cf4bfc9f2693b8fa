"""Generator of the Python program of a plan, with functions for each clause."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import attrs

from interpreter.core.action_index import ActionSpace, PlannedAction
from interpreter.core.facts import Facts
from interpreter.core.slots import slot_types
from interpreter.expressions.definitions import (
    Definitions,
    default_value,
    table_lookup,
)
from interpreter.expressions.lowerer import Lowerer
from interpreter.kernel import operations as k
from interpreter.kernel.passes.pipeline import Optimiser, Pass
from interpreter.lowering.choice_audience import audience
from interpreter.lowering.enumerators import enumerator
from interpreter.lowering.named_values import BoundLine, NamedValue, bound_lines
from interpreter.lowering.rule_tables import STATEMENTS, StatementTables
from interpreter.lowering.statement_effects import StatementLowerer
from interpreter.lowering.unit_lowerer import END, UnitLowerer
from interpreter.plan.addresses import Addresses
from interpreter.plan.heuristic import PositionValue, is_slow, ranges
from interpreter.plan.triggers import PlannedAward, PlannedRule
from interpreter.plan.units import Unit
from interpreter.plan.waiting import ImmediateCode
from interpreter.python.python_statements import StatementPrinter
from interpreter.python.python_units import UnitPrinter
from interpreter.python.python_writer import Writer, writer
from interpreter.secrecy.disclosure_analysis import DisclosureAnalysis
from interpreter.source import code
from interpreter.source.code import Code
from interpreter.source.lines import (
    Lines,
    if_lines,
    jump_to,
    resolve_lines,
    unless_lines,
)
from interpreter.source.source import Source
from interpreter.state.state import SWITCH
from rulebook import model as m
from rulebook import tooling
from rulebook.secrecy import HIDDEN_FROM_ACTOR, HiddenReadFinder

ZERO = code.literal(0)


@attrs.frozen
class LoweredUnit:
    """Lowered unit: a block if it never waits, else steps.

    `places` maps labels to step numbers, and `rewritten` is the unit after the passes
    that all engines use.
    """

    block: k.Block = ()
    steps: tuple[k.Step, ...] = ()
    places: dict[k.Label, int] = attrs.field(factory=dict)
    rewritten: LoweredUnit | None = None

    def with_passes(self, optimiser: Optimiser) -> LoweredUnit:
        """Return the unit with its rewritten form."""
        block = tuple(map(optimiser.rewrite, self.block))
        steps = tuple([tuple(map(optimiser.rewrite, step)) for step in self.steps])
        return attrs.evolve(self, rewritten=LoweredUnit(block, steps, self.places))


@attrs.define(eq=False)
class Program:
    """Generator of the functions for the rules of one game.

    The functions can be used only once the source has been compiled.
    """

    source: Source
    facts: Facts
    passes: frozenset[Pass]
    numbers: dict[str, int]
    immediate_code: ImmediateCode
    actions: ActionSpace
    disclosure: DisclosureAnalysis
    addresses: Addresses
    tables: StatementTables = STATEMENTS
    lowered_units: dict[int, LoweredUnit] = attrs.field(factory=dict)
    shared_optimiser: Optimiser = attrs.field(init=False)
    optimiser: Optimiser = attrs.field(init=False)

    @property
    def is_counting(self) -> bool:
        """Whether games count how often each rule is reached."""
        return False

    def __attrs_post_init__(self) -> None:
        functions = Definitions(self.facts).function
        self.shared_optimiser = Optimiser(self.passes, functions)
        passes = self.passes - {Pass.CANDIDATES}  # it helps only in C
        self.optimiser = attrs.evolve(self.shared_optimiser, passes=passes)

    def writer(self) -> Writer:
        """Return a writer for code that reads slots from a frame."""
        return writer(self.source, self.facts, self.optimiser)

    def for_clause(self, part: m.Part, name: str) -> AbstractContextManager[None]:
        """Assign the functions written inside the block to the clause of a part."""
        return self.source.for_clause(self.addresses.address_of(part, name))

    def function_name(self, define: str) -> str:
        """Return the name of the Python function of a definition."""
        return self.facts.definition_functions[define]

    # ------------------------------------------------------------ values

    def write_defines(self) -> None:
        """Write definitions as functions."""
        model, names = self.facts.model, self.facts.definition_functions
        for name, define in model.defines.items():
            with self.for_clause(define, name):
                slots = "".join(
                    f", v{parameter.slot}" for parameter in define.parameters
                )
                lines = self.define_lines(define)
                self.source.function(names[name], f"s{slots}", lines)

    def bound_lines(self, define: m.Define) -> list[BoundLine]:
        """Return the lines of a definition, with the values to bind before each."""
        return bound_lines(self.facts, define)

    def define_lines(self, define: m.Define) -> list[str]:
        """Return the body of the function of a definition."""
        w = self.writer().with_variables()
        bound, lines = self.bound_lines(define), Lines()
        table = (
            table_lookup(self.facts, define)
            if Pass.TABLES in w.optimiser.passes
            else None
        )
        if table is not None:
            lookup: Lines = [f"return {w.value(table.value).text}"]
            if table.applies is None:
                return resolve_lines(lookup, {})
            lines += if_lines(w.value(table.applies), lookup)
        if define.adds:
            for each in bound:
                lines += assignments(w, each.named)
            sum_ = total(w, (each.line for each in bound))
            return resolve_lines([*lines, f"return {sum_.text}"], {})
        for each in bound:
            lines += assignments(w, each.named)
            line = each.line
            returned: Lines = [f"return {w.code(line.value).text}"]
            if line.condition is None:
                return resolve_lines([*lines, *returned], {})
            condition = w.code(line.condition)
            lines += if_lines(condition, returned)
            if condition.is_constant and condition.constant:
                return resolve_lines(lines, {})
        value = self.source.literal(default_value(self.facts, define.type))
        return resolve_lines([*lines, f"return {value.text}"], {})

    def write_points(self) -> None:
        """Write the functions for a player's points and publicly visible points."""
        lines, reader = (
            self.facts.model.points.lines,
            HiddenReadFinder(self.facts.model),
        )
        with self.source.for_clause("points"):
            self.write_total("points", lines)
            seen = [line for line in lines if not any(reader.hidden_reads(line))]
            self.write_total("visible_points", seen)

    def write_total(self, name: str, lines: Iterable[m.PointLine]) -> None:
        """Write a function *name* that returns the sum of lines for a player."""
        sum_ = total(self.writer().with_variables(), lines)
        body = ["if v1 < 0:", "    return 0", f"return {sum_.text}"]
        self.source.function(name, "s, v1", body)

    def write_hint_values(self, on_result: Any) -> None:
        """Write the functions of the hints, with one function for each slow line.

        `on_result` is called with the `PositionValue` once the functions are compiled.
        """
        facts, names = self.facts, self.source.names
        quick: list[m.PointLine] = []
        slow_lines: dict[str, tuple[slice, ...]] = {}
        with self.source.for_clause("hint.value"):
            for line in facts.model.values.lines:
                if is_slow(facts.model, line, facts.sizes):
                    name = self.source.new_name("w")
                    self.write_total(name, [line])
                    reads = facts.read_finder.parts_read(line)
                    slow_lines[name] = ranges(facts.layout, reads)
                else:
                    quick.append(line)
            self.write_total("values", quick)

        def link() -> None:
            lines = {names[name]: read for name, read in slow_lines.items()}
            on_result(PositionValue(names["values"], lines))

        self.source.linkers.append(link)

    def write_measures(self) -> list[str]:
        """Write the declared measures as functions; return their names.

        Each is a function of a player, or of -1 for the game.
        """
        names: list[str] = []
        for name, measure in self.facts.model.measures.items():
            with self.for_clause(measure, name):
                value = self.writer().with_variables().code(measure.value)
                names.append(self.source.new_name("m"))
                self.source.function(names[-1], "s, v1", [f"return int({value.text})"])
        return names

    def write_conditions(self, conditions: Iterable[m.Expr]) -> list[str]:
        """Write conditions as functions of cells and active player; return names."""
        names: list[str] = []
        with self.source.for_clause("invariants"):
            for condition in conditions:
                value = self.writer().with_variables().code(condition)
                names.append(self.source.new_name("i"))
                self.source.function(names[-1], "s, v0", [f"return bool({value.text})"])
        return names

    # ------------------------------------------------------------ units

    def write_unit(
        self, clause: m.Procedure | m.Action, number: int, woken_triggers: int
    ) -> Unit:
        """Write a procedure or action, as steps or as a function if it never waits."""
        unit = Unit(clause.name, clause.slots, slot_types(clause), len(clause.slots))
        unit.number = number
        unit.empty = [None] * len(clause.slots)
        unit.code = clause
        unit.woken_triggers = woken_triggers
        unit.grades = self.disclosure.variables.slots.get(clause.name, {})
        unit.binders = [(parameter.slot, -1) for parameter in clause.parameters]
        unit.hidden_slots = {
            slot for slot, grade in unit.grades.items() if grade == HIDDEN_FROM_ACTOR
        }
        unit.tallies = {
            slot: kind.domains
            for slot, kind in enumerate(unit.types)
            if isinstance(kind, m.Tally)
        }
        self.facts.tallies = unit.tallies
        with self.for_clause(clause, clause.name):
            if self.immediate_code.is_immediate_block(clause.body):
                self.write_immediate_unit(unit, clause)
            else:
                self.write_steps(unit, clause)
        return unit

    def add_unit(self, unit: Unit, lowered: LoweredUnit) -> LoweredUnit:
        """Store a lowered unit, and return it after the passes that engines share."""
        ready = lowered.with_passes(self.optimiser)
        self.lowered_units[unit.number] = ready
        assert ready.rewritten is not None
        return ready.rewritten

    def write_steps(self, unit: Unit, clause: m.Procedure | m.Action) -> None:
        """Write a unit that may wait as steps."""
        w = self.writer()
        flat = UnitLowerer(
            w.low,
            self.tables.effects,
            self.numbers,
            flows=self.tables.flows,
            immediate_code=self.immediate_code,
            unit=unit,
            code=clause,
            actions=self.actions,
            disclosure=self.disclosure,
            is_counted=self.is_counting,
        )
        for name, kind in flat.step_names.hidden:
            unit.slots, unit.types = (*unit.slots, name), (*unit.types, kind)
        flat.flatten_block(clause.body)
        flat.finish()
        lowered = LoweredUnit(steps=tuple(flat.steps), places=flat.places)
        steps = self.add_unit(unit, lowered).steps
        printer = UnitPrinter(
            w,
            jump_to(END),
            unit=unit.number,
            places=flat.places,
            enumerate=self.write_enumerator,
        )
        names = [self.source.new_name("p") for _ in steps]
        for number, (name, step) in enumerate(zip(names, steps, strict=True)):
            ready = tuple(map(self.optimiser.narrow, step))
            lines = resolve_lines(printer.step(number, ready), flat.places)
            self.source.function(name, "g, s, f", lines)
        rows = [
            self.source.add_expression_function("s, f", w.value(w.optimise(row)).text)
            for row in flat.promised_bags
        ]

        def link() -> None:
            fetch = self.source.names
            unit.steps = [fetch[name] for name in names]
            for promise, row in zip(unit.promises, rows, strict=True):
                promise.row = fetch[row]

        self.source.linkers.append(link)

    def write_enumerator(self, action: PlannedAction, fixed: tuple[int, ...]) -> str:
        """Write the function that appends the legal indices of an action.

        Its parameters are (s, out, v0, v1, fixed...). Return its name.
        """
        w = self.writer().with_variables()
        ops = map(self.optimiser.narrow, self.enumerator(w.low, action, fixed))
        lines = StatementPrinter(w, "return").lines(ops) or ["pass"]
        given = "".join(f", v{slot}" for slot in fixed)
        name = self.source.new_name("e")
        head = f"s, out, v0, v1{given}"
        return self.source.function(name, head, resolve_lines(lines, {}))

    def enumerator(
        self, lowerer: Lowerer, action: PlannedAction, fixed: tuple[int, ...]
    ) -> k.Block:
        """Return the operations that list the legal indices of an action."""
        return enumerator(lowerer, self.optimiser, action, fixed)

    def write_immediate_unit(self, unit: Unit, clause: m.Procedure | m.Action) -> None:
        """Write a unit that never waits as one function."""
        if self.disclosure.reveals_any(clause, clause.body):
            unit.disclosing_steps.add(0)
        name, w = f"q{unit.number}", self.writer()
        low = StatementLowerer(w.low, self.tables.effects, self.numbers)
        lowered = LoweredUnit(block=low.block(clause.body))
        block = self.add_unit(unit, lowered).block
        printer = StatementPrinter(w, "return")
        lines = printer.lines(map(self.optimiser.narrow, block)) or ["pass"]
        self.source.function(name, "g, s, f", resolve_lines(lines, {}))

        def link() -> None:
            function = self.source.names[name]

            def whole(g: Any, s: Any, f: Any) -> int:
                function(g, s, f)
                g.frames.pop()
                g.triggers |= unit.woken_triggers
                return SWITCH

            unit.steps = [whole]
            unit.step_names = {0: "the beginning"}
            unit.whole = function
            if isinstance(clause, m.Action):
                self.actions.by_name[clause.name].compiled_body = function

        self.source.linkers.append(link)

    # ------------------------------------------------------------ requirements

    def write_tests(self) -> None:
        """Write the requirements of all actions as functions that test one instance."""
        for action in self.actions.listed:
            with self.for_clause(action.action, action.name):
                needs = self.facts.model.actions[action.name].requirements
                names = [self.writer().function_of(need.condition) for need in needs]
                slots = tuple(place.slot for place in action.places)
                observers = self.write_audience(action.action, slots)
            self.source.linkers.append(
                partial(self.link_tests, action, names, observers)
            )

    def write_audience(
        self, clause: m.Procedure | m.Action, slots: tuple[int, ...]
    ) -> str | None:
        """Write the function that returns the seats that learn the values of slots.

        Return its name, or None if all seats learn them.
        """
        seats = audience(self.facts, clause, slots)
        if seats is None:
            return None
        return self.source.add_expression_function(
            "s, f", self.writer().value(seats).text
        )

    def link_tests(
        self, action: PlannedAction, names: list[str], observers: str | None
    ) -> None:
        """Set the tests and observers of an action to the compiled functions."""
        fetch = self.source.names
        if observers is not None:
            action.observers = fetch[observers]
        functions = [fetch[name] for name in names]
        action.tests = tuple(zip(action.action.requirements, functions, strict=True))

    # ------------------------------------------------------------ awards and rules

    def write_award(self, award: m.Award) -> str:
        """Write a function for the measure of an award; return its name.

        The measure is None for players who do not compete.
        """
        w = self.writer().with_variables()
        with self.for_clause(award, award.name):
            lines: Lines = []
            if award.only_if is not None:
                lines += unless_lines(w.code(award.only_if), ["return None"])
            lines.append(f"n = {w.code(award.measure).text}")
            if award.at_least is not None:
                least = w.code(award.at_least)
                few = code.compare(code.name("n"), "<", least)
                lines += if_lines(few, ["return None"])
            name = self.source.new_name("w")
            return self.source.function(
                name, "s, v1", resolve_lines([*lines, "return n"], {})
            )

    def write_rule(self, rule: m.Rule) -> str:
        """Write a function that finds a rule's first member or -1; return its name."""
        w = self.writer()
        with self.for_clause(rule, rule.name):
            if rule.slot is None or rule.set is None:
                holds = w.code(rule.condition)
                member = code.conditional(holds, ZERO, code.literal(m.NONE))
            else:
                members = w.iterable(rule.set)
                with w.binding(rule.slot) as v:
                    loop = code.comprehension_clause(v, members, w.code(rule.condition))
                    first = code.comprehension(code.name(v), loop, v)
                    member = code.combine(f"next(({first.text}), -1)", first)
            return self.source.add_expression_function("s, f", member.text, "w")

    def write_triggers(
        self,
        awards: list[PlannedAward],
        rules: list[PlannedRule],
        units: dict[str, int],
    ) -> None:
        """Write the functions of awards and rules.

        Once the functions are compiled, *awards* and *rules* receive the planned awards
        and rules.
        """
        model, fetch = self.facts.model, self.source.names
        ready = self.facts.model
        measures = {
            award.name: self.write_award(award) for award in ready.awards.values()
        }
        finds = {rule.name: self.write_rule(rule) for rule in ready.rules.values()}

        def link() -> None:
            for award in model.awards.values():
                measure = fetch[measures[award.name]]
                awards.append(planned_award(self.facts, award, measure, units))
            for rule in model.rules.values():
                you = tooling.StatePart(
                    tooling.PartSort.ACTIVE
                ) in self.facts.read_finder.parts_read(rule.condition, rule.set)
                find, unit = fetch[finds[rule.name]], units[rule.procedure]
                rules.append(PlannedRule(rule, find, unit, you))

        self.source.linkers.append(link)


def planned_award(
    facts: Facts, award: m.Award, measure: Any, units: dict[str, int]
) -> PlannedAward:
    """Return an award that is ready to be evaluated."""
    return PlannedAward(
        award,
        facts.layout.awards[award.name],
        facts.players,
        measure,
        None if award.gained is None else units[award.gained],
        None if award.lost is None else units[award.lost],
        facts.masks.get(tooling.StatePart.award(award.name), 0),
    )


def assignments(w: Writer, named: Iterable[NamedValue]) -> Lines:
    """Return the lines that bind named values to variables."""
    return [f"v{each.slot} = {w.code(each.value).text}" for each in named]


def total(w: Writer, lines: Iterable[m.DefineLine | m.PointLine]) -> Code:
    """Return the code of the sum of lines; a line with a false condition counts 0."""
    sum_ = ZERO
    for line in lines:
        value = w.code(line.value)
        if line.condition is not None:
            value = code.conditional(w.code(line.condition), value, ZERO)
        sum_ = code.add(sum_, value)
    return sum_
