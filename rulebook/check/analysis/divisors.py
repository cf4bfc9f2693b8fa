"""Check that no division can divide by 0.

A division by 0 would end a running game. The check therefore uses only what is certain:
conditions in the same body, the ranges of fields and columns, and variables that cannot
be none. The declared ranges of definitions and parameters are ignored, because their
values may be outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook.addresses import ACTION, DEFINE, Address
from rulebook.check.analysis.presence import PresentMembers
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.check.facts.effects import EffectChecker
from rulebook.check.facts.fact_expansion import expand_facts, expand_named_values
from rulebook.check.facts.loops import LoopAnalysis
from rulebook.check.facts.piece_positions import implies_existence
from rulebook.check.typing.ranges import Facts, comparisons, narrow, range_of
from rulebook.model.value_types import Whole
from rulebook.queries.calls import Code
from rulebook.signatures import (
    Block,
    FieldPlace,
    VariablePlace,
    direct_parts,
    effects_of,
    effects_within,
    is_statement,
)
from rulebook.signatures.expression_signatures import derived_range
from rulebook.signatures.range_arithmetic import (
    ANY_NUMBER,
    DIVISION_OPERATORS,
    ZERO,
    join_ranges,
)
from rulebook.traversal import children, find, walk

STATELESS = (
    *(m.Const, m.Local, m.OptionValue, m.PlayerCount, m.ColumnValue),
    *(m.Compare, m.And, m.Or, m.Not, m.Arith, m.Extreme, m.HalfOf, m.Conditional),
)
"""Classes of expressions that read no state of the game, apart from their operands."""


def check_divisors(world: SymbolTable) -> None:
    """Report every division whose divisor may be 0."""
    model = world.model
    if model is None or not any(_divisions(model)):
        return
    present, loops = PresentMembers(model, world.code), LoopAnalysis(model)
    checked: set[int] = set()
    for code in world.code.values():
        divisions = {id(node) for node in _divisions(code.parts)}
        if not divisions <= checked:
            checked |= divisions
            _check_code(world, DivisorCheck(world, code.name, present), code, loops)
    outside = DivisorCheck(world, None, present)
    for node in _divisions(model):
        if id(node) not in checked:
            outside.check_division(node, ())


def _divisions(*nodes: Any) -> Iterator[m.Arith]:
    """Yield all divisions in the nodes."""
    return (node for node in find(nodes, m.Arith) if node.op in DIVISION_OPERATORS)


def _check_code(
    world: SymbolTable, divisors: DivisorCheck, code: Code, loops: LoopAnalysis
) -> None:
    assert world.model is not None
    address = Address.parse(code.name)
    if address.sort == DEFINE:
        define = world.model.defines[code.name.removeprefix(f"{DEFINE}.")]
        _check_define(divisors, define)
        return
    facts: Facts = ()
    if address.sort == ACTION:
        needs = world.model.actions[address.name].requirements
        parts = (part for need in needs for part in m.conjuncts(need.condition))
        facts = tuple(filter(_is_stateless, parts))
    body = tuple(part for part in code.parts if is_statement(part))
    divisors.check([part for part in code.parts if part not in body], ())
    _BodyCheck(world, loops, divisors=divisors).check_block(body, facts)


def _check_define(divisors: DivisorCheck, define: m.Define) -> None:
    """Check the lines of a definition; a value is computed under its condition."""
    assert divisors.world.model is not None
    defines = divisors.world.model.defines
    facts: Facts = ()
    for line in define.lines:
        divisors.check([line.condition], ())
        known = facts
        if line.condition is not None:
            known = (*facts, *m.conjuncts(line.condition))
            if not define.adds:
                facts = (*facts, *m.negated_conjuncts(line.condition))
        known = (*known, *expand_named_values(defines, known))
        divisors.check([line.value], expand_facts(defines, known))


@attrs.frozen
class DivisorCheck:
    """Check of the divisions in one piece of code (None: outside of all code)."""

    world: SymbolTable
    code: str | None
    present: PresentMembers

    def check(self, nodes: Iterable[Any], facts: Facts) -> None:
        """Report the divisions in expressions whose divisor may be 0."""
        for node in nodes:
            if isinstance(node, m.Conditional):
                self.check([node.condition], facts)
                self.check([node.value], (*facts, *m.conjuncts(node.condition)))
                other = m.negated_conjuncts(node.condition)
                self.check([node.other], (*facts, *other))
                continue
            if isinstance(node, m.Arith) and node.op in DIVISION_OPERATORS:
                self.check_division(node, facts)
            self.check(children(node), facts)

    def check_division(self, node: m.Arith, facts: Facts) -> None:
        """Report a division if its divisor may be 0."""
        divisor = node.right
        if self.is_never_zero(divisor, facts):
            return
        with self.world.collect_errors():
            raise mistake(
                "RB174",
                divisor.span,
                "this may be 0, and division by 0 is not allowed",
                "divide by a number that is never 0, such as `larger of (…, 1)`, or "
                "divide under an `if` that tests this number",
            )

    def is_never_zero(self, divisor: m.Expr, facts: Facts) -> bool:
        """Return whether a divisor is certainly not 0, given the facts."""
        bounds = self.range_of(divisor, facts)
        if bounds.low > 0 or bounds.high < 0:
            return True
        return any(
            op is m.Comparison.UNEQUAL
            and left == divisor
            and m.constant_value(right) == 0
            for op, left, right in comparisons(facts)
        )

    def range_of(self, value: m.Expr, facts: Facts) -> Whole:
        """Return the range of a number that is certain, given the facts."""
        bounds = self._range_without_facts(value, facts)
        for op, left, right in comparisons(facts):
            if left == value and isinstance(right.type, Whole):
                bounds = narrow(bounds, op, self._range_without_facts(right, ()))
        return bounds

    def _range_without_facts(self, value: m.Expr, facts: Facts) -> Whole:
        """Return the range of a number; *facts* only narrow its operands."""
        match value:
            case m.Local(slot=slot) if self.code is not None:
                set_ = self.present.variables[self.code].sets.get(slot)
                if isinstance(set_, m.NumberSet):
                    low, high = (self.range_of(x, ()) for x in (set_.low, set_.high))
                    return Whole(low.low, max(low.low, high.high))
                return ANY_NUMBER
            case m.ColumnValue(of=member, type=Whole() as declared):
                exists = self._is_present(member, facts)
                return declared if exists else join_ranges(declared, ZERO)
            case m.FieldValue(owner=owner, type=Whole() as declared) if (
                owner is not None and self._is_present(owner, facts)
            ):
                return declared
        bounds = derived_range(value, lambda e: self.range_of(e, facts))
        if bounds is not None:
            return bounds
        assert self.world.model is not None
        return range_of(self.world.model, value)

    def _is_present(self, member: m.Expr, facts: Facts) -> bool:
        """Return whether a member is certainly not none."""
        present = self.present.is_present(self.code, member)
        return present or any(implies_existence(fact, member) for fact in facts)


@attrs.frozen
class _BodyCheck(EffectChecker):
    """Checker of the divisions in a body of statements.

    Called code and other players may change the state, so facts about it are dropped
    wherever that is possible.
    """

    divisors: DivisorCheck = attrs.field(kw_only=True)

    def check_statement(self, node: m.Stmt, facts: Facts) -> None:
        """Report the divisions of a statement, without those of its blocks."""
        if effects_of(node).is_loop:
            facts = self.facts_after(node, facts)
        self.divisors.check(direct_parts(node), facts)

    def facts_after(self, node: m.Stmt, facts: Facts) -> Facts:
        """Return the facts that are certainly still true after a statement."""
        facts = super().facts_after(node, facts)
        inside = tuple(effects_within(node))
        places = [write.place for effects in inside for write in effects.writes]
        if any(effects.may_wait or effects.runs for effects in inside):
            return tuple(filter(_is_stateless, facts))
        written = {place.field for place in places if isinstance(place, FieldPlace)}
        if all(isinstance(place, VariablePlace) for place in places):
            return facts
        return tuple(
            fact
            for fact in facts
            if _reads_only_numbers(fact) and not written & m.fields_read(fact)
        )

    def facts_added(self, node: m.Stmt, facts: Facts) -> Facts:
        """Return the facts that a statement adds, except about the state."""
        return tuple(filter(_is_stateless, super().facts_added(node, facts)))

    def round_facts(self, loop: Block) -> tuple[Facts, Facts]:
        """Return the facts in an iteration of a loop, tested in its turn."""
        facts, _ = super().round_facts(loop)
        assert loop.binder is not None
        where = loop.binder.where
        tested = () if where is None else tuple(m.conjuncts(where))
        return tuple(x for x in facts if x in tested or _is_stateless(x)), ()


def _is_stateless(fact: m.Expr) -> bool:
    """Return whether a fact reads no state of the game."""
    return all(isinstance(node, STATELESS) for node in walk(fact))


def _reads_only_numbers(fact: m.Expr) -> bool:
    """Return whether all that a fact reads of the state are fields with numbers."""
    return all(
        isinstance(node, STATELESS)
        or (m.is_field(node) and isinstance(node.type, Whole))
        for node in walk(fact)
    )
