"""All parts of a game that never wait, lowered to the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from interpreter.expressions.definitions import Definitions, default_value
from interpreter.expressions.lowerer import ZERO, Lowerer, exists
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Function, Line
from interpreter.kernel.passes.pipeline import EVERY_PASS, Optimiser, Pass
from interpreter.lowering.enumerators import enumerator
from interpreter.plan.plan import Plan
from rulebook import model as m
from rulebook.secrecy import HiddenReadFinder
from tests.support.kernel_evaluator import KernelProgram, KernelUnit

Measured = tuple[k.Value | None, k.Operation, k.Value | None]
"""Condition of an award, its measure, and the least number that counts."""

SEAT = 1
"""Slot of the player in lines of points and in awards."""


def unchanged(e: Any) -> Any:
    """Return an operation without any pass."""
    return e


def passes(plan: Plan, on: frozenset[Pass] = EVERY_PASS) -> Callable[[Any], Any]:
    """Return the function that applies passes to an operation."""
    return Optimiser(on, Definitions(plan.facts).function).optimise


@attrs.define
class LoweredGame:
    """Rules of a plan in the kernel; `change` is applied to every operation."""

    plan: Plan
    change: Callable[[Any], Any] = unchanged
    program: KernelProgram = attrs.field(init=False)
    low: Lowerer = attrs.field(init=False)
    requirements: dict[str, list[k.Operation]] = attrs.field(init=False)
    awards: dict[str, Measured] = attrs.field(init=False)
    rules: dict[str, k.Operation] = attrs.field(init=False)
    enumerators: dict[Any, k.Block] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.low = Lowerer(self.plan.facts, EXPRESSIONS)
        self.program = KernelProgram(self.functions(), self.units())
        ready = self.plan.model
        self.requirements = {
            name: [self.operation(need.condition) for need in action.requirements]
            for name, action in ready.actions.items()
        }
        self.awards = {name: self.award(award) for name, award in ready.awards.items()}
        self.rules = {name: self.rule(rule) for name, rule in ready.rules.items()}

    def operation(self, e: m.Expr) -> k.Operation:
        """Return an expression as an operation of the sort of its type."""
        return self.change(self.low.argument(e))  # type: ignore[no-any-return]

    def condition(self, e: m.Expr | None) -> k.Value | None:
        """Return an optional condition."""
        return None if e is None else self.change(self.low.value(e))

    def lines(self, lines: Iterable[m.DefineLine | m.PointLine]) -> tuple[Line, ...]:
        """Return the lines of a definition or of points."""
        return tuple(
            [(self.condition(x.condition), self.operation(x.value)) for x in lines]
        )

    # ------------------------------------------------------------ parts of the rules

    def functions(self) -> dict[str, Function]:
        """Return all functions of the program, by name."""
        plan, model = self.plan, self.plan.model
        functions = {
            plan.facts.definition_functions[name]: Function(
                tuple([parameter.slot for parameter in define.parameters]),
                self.lines(define.lines),
                default_value(plan.facts, define.type),
                define.adds,
            )
            for name, define in model.defines.items()
        }
        reader = HiddenReadFinder(model)
        seen = [x for x in model.points.lines if not any(reader.hidden_reads(x))]
        functions["points"] = self.points(model.points.lines)
        functions["visible_points"] = self.points(seen)
        return functions

    def points(self, lines: Iterable[m.PointLine]) -> Function:
        """Return the sum of lines for a player, or 0 for none."""
        seated = exists(k.Var(SEAT))
        tested = [
            (seated if test is None else k.All((seated, test)), value)
            for test, value in self.lines(lines)
        ]
        return Function((SEAT,), tuple(tested), 0, adds=True)

    def units(self) -> dict[int, KernelUnit]:
        """Return the units that never wait, by number."""
        return {
            unit.number: KernelUnit(
                tuple(map(self.change, self.plan.lowered_units[unit.number].block)),
                len(unit.slots),
            )
            for unit in self.plan.units
            if unit.whole is not None
        }

    def award(self, award: m.Award) -> Measured:
        """Return the measure of an award, with the conditions on a seat."""
        measure = self.operation(award.measure)
        return (
            self.condition(award.only_if),
            measure,
            self.condition(award.at_least),
        )

    def rule(self, rule: m.Rule) -> k.Operation:
        """Return the first member for which a rule is true, or -1."""
        test = self.low.value(rule.condition)
        member: k.Value = k.Select(test, ZERO, k.Int(-1))
        if rule.slot is not None and rule.set is not None:
            member = k.Fold(
                k.FoldKind.FIRST, rule.slot, self.low.sequence(rule.set), test
            )
        return self.change(member)  # type: ignore[no-any-return]

    def enumerator(self, offer: k.ActionOffer) -> k.Block:
        """Return the operations that list the instances of an offered action."""
        key = offer.action.name, offer.slots
        if key not in self.enumerators:
            block = enumerator(
                self.low, Optimiser(frozenset()), offer.action, offer.slots
            )
            self.enumerators[key] = tuple(map(self.change, block))
        return self.enumerators[key]
