"""Computed ranges of numbers, which can be narrower or wider than declared.

A field stays within its declared range, since every write is checked. The ranges of
definitions, parameters and `let` variables are computed from all values assigned to
them, until no range grows. A range that keeps growing becomes unbounded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.declare.relation_degrees import RelationDegrees
from rulebook.check.declare.symbol_table import SymbolTable
from rulebook.check.facts.fact_expansion import expand_facts
from rulebook.check.facts.holder_capacity import CardCapacity
from rulebook.check.typing.ranges import range_given_facts
from rulebook.model.limits import HOLDER_MAX, NUMBER_MAX
from rulebook.model.value_types import Bag, SetOf, Stack, Whole
from rulebook.queries.calls import define_code, whenever_code
from rulebook.signatures import (
    Effects,
    FieldPlace,
    Run,
    VariablePlace,
    Write,
    callees_of,
    direct_parts,
    effects_of,
    is_statement,
)
from rulebook.signatures.expression_signatures import (
    ENDLESS_RANGE,
    range_rule,
    size_rule,
)
from rulebook.signatures.range_arithmetic import (
    ANY_NUMBER,
    ZERO,
    clip_range,
    count_selections,
    join_ranges,
    result_range,
    sum_range,
)
from rulebook.traversal import children

Loops = tuple[m.Expr, ...]
Key = tuple[str, object]
Range = Callable[[], Whole]

ROUNDS_BEFORE_UNBOUNDED = 8
"""Number of iterations after which a range that still grows becomes unbounded."""

RESULT_SLOT = "result"
"""Key of a definition's result, used in place of a variable's slot."""

NUMBER_TYPES = Whole | Bag
"""Types whose values are numbers or counts, and therefore have a range."""


@attrs.define
class ValueSources:
    """Values assigned to a variable and steps added to it, which give its range."""

    values: list[Range] = attrs.Factory(list)
    steps: list[tuple[Range, Callable[[], int]]] = attrs.Factory(list)
    base: Whole = ZERO

    def range(self) -> Whole:
        """Return the range of the variable, from the ranges computed so far."""
        for value in self.values:
            self.base = join_ranges(self.base, value())
        bounds = self.base
        for change, rounds in self.steps:
            bounds = result_range(
                m.ArithmeticOperator.PLUS, bounds, sum_range(change(), rounds())
            )
        return bounds


class NumberRanges:
    """Computed ranges of all numbers in a model, by code name and variable slot."""

    def __init__(self, world: SymbolTable) -> None:
        assert world.model is not None
        self.world = world
        self.model = world.model
        self.capacity = CardCapacity(world)
        self.degrees = None if world.board is None else RelationDegrees(world.board)
        self.known: dict[Key, Whole] = {}
        self.sources: dict[Key, ValueSources] = {}
        self.combinations: dict[Key, m.Combinations] = {}
        for code in world.code.values():
            for parameter in code.parameters:
                if isinstance(parameter.type, Whole):
                    self.known[code.name, parameter.slot] = parameter.type
            self.collect_sources(code.name, code.parts, ())
        for name, define in self.model.defines.items():
            if isinstance(define.type, NUMBER_TYPES):
                self.add_value(
                    (define_code(name), RESULT_SLOT),
                    partial(self.definition_range, define),
                )
        for name, rule in self.model.rules.items():
            if rule.set is not None:
                waits = whenever_code(name)
                self.add_members((waits, rule.slot), waits, rule.set)
                self.add_members((rule.procedure, 1), waits, rule.set)
        self.compute()

    # ------------------------------------------------------------ sources of values

    def collect_sources(self, code: str, node: Any, loops: Loops) -> None:
        """Record all values that a node inside *loops* assigns to variables."""
        if isinstance(node, m.Binder):
            self.add_members((code, node.slot), code, node.set)
        if isinstance(node, m.Combinations):
            self.combinations[code, node.slot] = node
            cards = partial(self.bag_range, code, node.holder)
            self.add_value((code, node.slot), cards)
        if not is_statement(node):
            for run in callees_of(node):
                self.add_arguments(code, run)
            for child in children(node):
                self.collect_sources(code, child, loops)
            return
        effects = effects_of(node)
        self.collect_effects(code, effects, loops)
        for part in direct_parts(node):
            self.collect_sources(code, part, loops)
        for block in effects.blocks:
            inside = loops
            if block.loop:
                repeats = block.times
                if repeats is None and block.binder is not None:
                    repeats = block.binder.set
                assert repeats is not None
                inside = (*loops, repeats)
            for statement in block.body:
                self.collect_sources(code, statement, inside)

    def collect_effects(self, code: str, effects: Effects, loops: Loops) -> None:
        """Record the values that one statement assigns to variables and fields."""
        for write in effects.writes:
            match write:
                case Write(place=VariablePlace(slot=slot), value=m.Typed() as value):
                    self.add_assignment((code, slot), value, loops)
                case Write(place=FieldPlace(field=name), value=m.Typed() as value) if (
                    isinstance(value.type, Bag)
                ):
                    self.add_value(("field", name), partial(self.range_of, code, value))
        for binding in effects.bindings:
            key = (code, binding.slot)
            if binding.members is not None:
                self.add_members(key, code, binding.members)
            if binding.maximum is not None:
                self.add_value(key, partial(self.range_of, code, binding.maximum))
        for run in effects.runs:
            self.add_arguments(code, run)

    def add_members(self, key: Key, code: str, set_: m.Expr) -> None:
        """Record the members of a set of numbers as possible values of a variable."""
        if set_.type == SetOf(None):
            self.add_value(key, partial(self.member_range, code, set_))

    def add_value(self, key: Key, value: Range) -> None:
        """Record a range of possible values of a variable."""
        self.sources.setdefault(key, ValueSources()).values.append(value)

    def add_arguments(self, code: str, run: Run) -> None:
        """Record the arguments of a call as values of the callee's parameters."""
        for slot, value in enumerate(run.arguments, run.first):
            if run.code is not None and isinstance(value.type, NUMBER_TYPES):
                self.add_value((run.code, slot), partial(self.range_of, code, value))

    def add_assignment(self, key: Key, value: m.Expr, loops: Loops) -> None:
        """Record an assignment to a variable: a new value, or a step added to it."""
        code, slot = key
        match value:
            case m.Arith(
                op=op, left=m.Local() | m.TallyValue() as left, right=right
            ) if op is not m.ArithmeticOperator.TIMES and left.slot == slot:
                change = partial(self.step_range, code, op, right)
                source = self.sources.setdefault(key, ValueSources())
                source.steps.append((change, partial(self.max_runs, code, loops)))
            case m.Typed(type=Whole() | Bag()):
                self.add_value(key, partial(self.range_of, code, value))
            case m.Typed(type=SetOf(domain=None)):
                self.add_value(key, partial(self.count_range, code, value))

    def step_range(self, code: str, op: m.ArithmeticOperator, by: m.Expr) -> Whole:
        """Return the range of the amount that one step adds to a variable."""
        return result_range(op, ZERO, self.range_of(code, by))

    def max_runs(self, code: str, loops: Loops) -> int:
        """Return the maximum number of times that a statement inside *loops* runs."""
        rounds = 1
        for loop in loops:
            number = isinstance(loop.type, Whole)
            rounds *= (
                self.range_of(code, loop).high if number else self.max_size(code, loop)
            )
            rounds = max(0, min(rounds, NUMBER_MAX))
        return rounds

    # ------------------------------------------------------------ fixed point

    def compute(self) -> None:
        """Compute the ranges of all variables, iterating until none grows."""
        keys, rounds, grown = list(self.sources), 0, True
        while grown:
            rounds += 1
            grown = False
            for key in keys:
                before = self.known.get(key, ZERO)
                if before != ANY_NUMBER:
                    now = join_ranges(before, self.sources[key].range())
                    if now != before:
                        self.known[key] = (
                            ANY_NUMBER if rounds > ROUNDS_BEFORE_UNBOUNDED else now
                        )
                        grown = True
            keys.reverse()  # values flow to callees and back

    # ------------------------------------------------------------ ranges

    def range_of(self, code: str, e: m.Expr) -> Whole:
        """Return the range of a number, or of the count of each card in a bag."""
        return range_rule(type(e))(self, code, e)

    def variable_range(self, code: str, slot: int) -> Whole:
        """Return the range of a variable."""
        return self.known.get((code, slot), ZERO)

    def result_of(self, define: str) -> Whole:
        """Return the range of the value of a definition."""
        return self.known.get((define_code(define), RESULT_SLOT), ZERO)

    def field_range(self, e: m.FieldValue) -> Whole:
        """Return the range of a field, ignoring the 0 that a missing owner yields."""
        field = self.world.fields[e.field]
        if not isinstance(field.type, Bag):
            return (
                clip_range(e.type.low, e.type.high)
                if isinstance(e.type, Whole)
                else ANY_NUMBER
            )
        if field.endless:
            return ENDLESS_RANGE
        each = Whole(0, self.capacity.max_of_kind(field.type.domain))
        return join_ranges(each, self.known.get(("field", e.field), ZERO))

    def member_count(self, domain: str) -> int:
        """Return the number of members of a domain in a game with the most players."""
        return self.world.member_count(domain)

    def max_related(self, relation: str) -> int:
        """Return the maximum number of members that a relation links to one member."""
        related = self.model.relations[relation]
        if related.rows is not None:
            return max(map(len, related.rows), default=0)
        if self.degrees is None:
            return self.member_count(related.target)
        return self.degrees.degree_of(related)

    def bag_range(self, code: str, holder: m.Expr) -> Whole:
        """Return the range of the count of one kind of card in a bag or stack."""
        if isinstance(holder.type, Stack):
            return Whole(0, self.capacity.stack_capacity(holder.type.domain))
        return self.range_of(code, holder)

    def definition_range(self, define: m.Define) -> Whole:
        """Return the range of the value of a definition."""
        code, bounds = define_code(define.name), ZERO
        for line in define.lines:
            value = self.range_of(code, line.value)
            bounds = (
                result_range(m.ArithmeticOperator.PLUS, bounds, value)
                if define.adds
                else join_ranges(bounds, value)
            )
        return bounds

    def member_range(self, code: str, set_: m.Expr) -> Whole:
        """Return the range of the members of a set of numbers."""
        match set_:
            case m.NumberSet(low=low, high=high):
                lowest = self.range_of(code, low).low
                return Whole(lowest, max(lowest, self.range_of(code, high).high))
            case m.Subset(set=inner):
                return self.member_range(code, inner)
        return ANY_NUMBER

    def count_range(self, code: str, set_: m.Expr) -> Whole:
        """Return the range of the number of members of a set."""
        return Whole(0, self.max_size(code, set_))

    def max_size(self, code: str, set_: m.Expr) -> int:
        """Return the maximum number of members of a set."""
        return size_rule(type(set_))(self, code, set_)

    def max_matching(self, code: str, binder: m.Binder) -> int:
        """Return the maximum number of members that meet the condition of a binder.

        If the condition requires a piece on each space, the number of pieces is an
        upper bound too.
        """
        size = self.max_size(code, binder.set)
        wanted = () if binder.where is None else tuple(m.conjuncts(binder.where))
        for fact in expand_facts(self.model.defines, wanted):
            match fact:
                case m.PieceOn(space=m.Local(slot=slot)) if slot == binder.slot:
                    size = min(size, self.max_pieces(code, fact))
        return size

    def max_links(self, code: str, trail: m.LongestTrail) -> int:
        """Return the maximum number of links that a longest-trail search considers."""
        assert self.world.board is not None
        sizes = [self.max_size(code, links) for links in (trail.links, *trail.also)]
        return min(sum(sizes), len(self.world.board.link_ends))

    def max_combined_cards(self, code: str, e: m.Combinations) -> int:
        """Return the maximum number of cards from which combinations are made.

        A condition on the number of cards in the holder can lower this maximum.
        """
        given = () if e.given is None else tuple(m.conjuncts(e.given))
        size = m.SizeOf(holder=e.holder, type=Whole(0, HOLDER_MAX))
        known = range_given_facts(size, expand_facts(self.model.defines, given)).high
        held = self.max_cards(code, e.holder)
        return min(held, known) if known < HOLDER_MAX else held

    def max_combinations(self, code: str, e: m.Combinations) -> int:
        """Return the maximum number of combinations, ignoring their condition.

        Equal cards of the holder count as different cards.
        """
        cards = self.max_combined_cards(code, e)
        most = cards if e.most is None else self.range_of(code, e.most).high
        return count_selections(cards, most)

    def max_pieces(self, code: str, e: m.PieceSpaces | m.PieceCount | m.PieceOn) -> int:
        """Return the maximum number of pieces of the owner in *e*, or of all owners."""
        piece = self.model.pieces[e.piece]
        others = not isinstance(e, m.PieceSpaces) and e.another
        owners = self.world.owner_count(piece) if e.owner is None or others else 1
        return max(0, self.range_of(code, piece.count).high) * owners

    def max_cards(self, code: str, holder: m.Expr) -> int:
        """Return the maximum number of cards in a bag, a stack or a slot."""
        kind = holder.type
        if isinstance(kind, Stack):
            return self.capacity.stack_capacity(kind.domain)
        assert isinstance(kind, Bag)
        if m.is_variable(holder) and (code, holder.slot) in self.combinations:
            combined = self.combinations[code, holder.slot]
            return self.max_combined_cards(code, combined)
        each = self.range_of(code, holder).high
        if m.is_field(holder) and not self.may_gain_cards(holder):
            return self.capacity.bag_capacity(kind.domain)
        return min(each * self.world.member_count(kind.domain), NUMBER_MAX)

    def may_gain_cards(self, holder: m.FieldValue) -> bool:
        """Return whether a bag can gain new cards: it is endless or assigned to."""
        endless = self.world.fields[holder.field].endless
        return endless or ("field", holder.field) in self.sources
