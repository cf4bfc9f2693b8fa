"""Actual ranges of numbers, which can be narrower or wider than declared.

A field stays within its declaration, since every write is checked. The ranges of
definitions, parameters and `let` variables are computed by iteration over all their
sources until nothing grows. A range that keeps growing becomes unbounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.declare.relation_degrees import RelationDegrees
from rulebook.check.declare.symbol_table import World
from rulebook.check.facts.fact_expansion import expand_facts
from rulebook.check.facts.holder_capacity import CardCapacity
from rulebook.check.facts.preconditions import conjuncts
from rulebook.check.typing.ranges import (
    ANY_NUMBER,
    ZERO,
    clip_range,
    extreme_range,
    join_ranges,
    result_range,
)
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Whole
from rulebook.queries.calls import POINTS, action_code, define_code, whenever_code
from rulebook.traversal import children

Loops = tuple[m.Expr, ...]
Key = tuple[str, object]
Range = Callable[[], Whole]

ROUNDS_BEFORE_UNBOUNDED = 8
"""Number of iterations after which a range that still grows becomes unbounded."""

RESULT_SLOT = "result"
"""Key of a definition's result, used in place of a variable's slot."""

ENDLESS_RANGE = Whole(0, 1_000_000_000)
"""Range of the number of cards of one kind in an endless bag."""

NUMBER_TYPES = Whole | Bag
"""Types whose values are numbers or counts, and therefore have a range."""


@attrs.define
class Source:
    """Sources of a variable's range: values assigned to it, and steps added to it."""

    values: list[Range] = attrs.Factory(list)
    steps: list[tuple[Range, Callable[[], int]]] = attrs.Factory(list)
    base: Whole = ZERO

    def range(self) -> Whole:
        """Return the range of all values known so far."""
        for value in self.values:
            self.base = join_ranges(self.base, value())
        bounds = self.base
        for change, rounds in self.steps:
            bounds = result_range(
                m.Reckoning.PLUS, bounds, sum_range(change(), rounds())
            )
        return bounds


def sum_range(bounds: Whole, count: int) -> Whole:
    """Return the range of a sum of up to *count* numbers in *bounds*."""
    return clip_range(min(0, bounds.low * count), max(0, bounds.high * count))


class NumberRanges:
    """Actual ranges of all numbers in a model, by code name and variable slot."""

    def __init__(self, world: World) -> None:
        assert world.model is not None
        self.world = world
        self.model = world.model
        self.stores = CardCapacity(world)
        self.degrees = None if world.board is None else RelationDegrees(world.board)
        self.known: dict[Key, Whole] = {}
        self.sources: dict[Key, Source] = {}
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
        """Record all values assigned to variables in a node inside *loops*."""
        self.collect_node_sources(code, node, loops)
        match node:
            case m.EachMember(set=loop) | m.Together(set=loop) | m.Repeat(times=loop):
                loops = (*loops, loop)
        for child in children(node):
            self.collect_sources(code, child, loops)

    def collect_node_sources(self, code: str, node: Any, loops: Loops) -> None:
        """Record the values that one node assigns to variables, not its children's."""
        match node:
            case m.SetLocal(slot=slot, value=value):
                self.add_assignment((code, slot), value, m.Local, loops)
            case m.SetTally(slot=slot, value=value) if value is not None:
                self.add_assignment((code, slot), value, m.TallyValue, loops)
            case m.Gather(bag=bag, high=high):
                self.add_value((code, bag), partial(self.range_of, code, high))
            case m.CallDefine(define=name, arguments=arguments):
                self.add_arguments(code, define_code(name), arguments, 1)
            case m.CallProcedure(procedure=name, arguments=arguments):
                self.add_arguments(code, name, arguments, 1)
            case m.Offer(action=name, arguments=arguments):
                self.add_arguments(code, action_code(name), arguments, 2)
            case m.SetField(field=key, value=value) if isinstance(value.type, Bag):
                self.add_value(("field", key), partial(self.range_of, code, value))
        if isinstance(node, m.Binder | m.ChanceChoose):
            self.add_members((code, node.slot), code, node.set)

    def add_members(self, key: Key, code: str, set_: m.Expr) -> None:
        """Record the members of a set as possible values of the loop variable."""
        if set_.type == SetOf(None):
            self.add_value(key, partial(self.member_range, code, set_))

    def add_value(self, key: Key, value: Range) -> None:
        """Record a range of possible values of a variable."""
        self.sources.setdefault(key, Source()).values.append(value)

    def add_arguments(
        self, code: str, callee: str, arguments: Iterable[m.Expr], first: int
    ) -> None:
        """Record the arguments of a call as values of the callee's parameters."""
        for slot, value in enumerate(arguments, first):
            if isinstance(value.type, NUMBER_TYPES):
                self.add_value((callee, slot), partial(self.range_of, code, value))

    def add_assignment(
        self, key: Key, value: m.Expr, variable: type[m.Typed], loops: Loops
    ) -> None:
        """Record an assignment to a variable: a new value, or a step added to it."""
        code, slot = key
        match value:
            case m.Arith(
                op=op, left=m.Local() | m.TallyValue() as left, right=right
            ) if (
                op is not m.Reckoning.TIMES
                and isinstance(left, variable)
                and left.slot == slot
            ):
                change = partial(self.step_range, code, op, right)
                source = self.sources.setdefault(key, Source())
                source.steps.append((change, partial(self.max_runs, code, loops)))
            case m.Typed(type=Whole() | Bag()):
                self.add_value(key, partial(self.range_of, code, value))
            case m.Typed(type=SetOf(domain=None)):
                self.add_value(key, partial(self.count_range, code, value))

    def step_range(self, code: str, op: m.Reckoning, by: m.Expr) -> Whole:
        """Return the range of the amount that one step adds to a variable."""
        return result_range(op, ZERO, self.range_of(code, by))

    def max_runs(self, code: str, loops: Loops) -> int:
        """Return the maximum number of runs of a statement inside nested loops."""
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
        """Compute the ranges of all variables by iteration."""
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
        return RANGE_RULES.get(type(e), _declared)(self, code, e)

    def bag_range(self, code: str, holder: m.Expr) -> Whole:
        """Return the range of the count of one kind of card in a bag or stack."""
        if isinstance(holder.type, Stack):
            return Whole(0, self.stores.stack_capacity(holder.type.domain))
        return self.range_of(code, holder)

    def definition_range(self, define: m.Define) -> Whole:
        """Return the range of the value of a definition."""
        code, bounds = define_code(define.name), ZERO
        for line in define.lines:
            value = self.range_of(code, line.value)
            bounds = (
                result_range(m.Reckoning.PLUS, bounds, value)
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
            case (
                m.Filter(set=inner)
                | m.BestMembers(set=inner)
                | m.SortedMembers(set=inner)
            ):
                return self.member_range(code, inner)
        return ANY_NUMBER

    def count_range(self, code: str, set_: m.Expr) -> Whole:
        """Return the range of the number of members of a set."""
        return Whole(0, self.max_size(code, set_))

    def max_size(self, code: str, set_: m.Expr) -> int:
        """Return the maximum number of members of a set."""
        match set_:
            case m.NumberSet():
                low = self.range_of(code, set_.low).low
                return max(0, self.range_of(code, set_.high).high - low + 1)
            case m.Related(relation=name) if self.degrees is not None:
                return self.degrees.degree_of(self.model.relations[name])
            case m.Filter() | m.BestMembers() | m.SortedMembers():
                return self.max_matching(code, set_)
            case m.ColumnValue(domain=domain, column=name) if (
                name in self.world.domains[domain].columns
            ):
                values = self.world.domains[domain].columns[name].values
                return max(map(len, values), default=0)
            case m.PieceSpaces(domain=domain):
                return min(self.world.member_count(domain), self.max_pieces(code, set_))
            case m.OwnSpaces(domain=domain):
                return len(self.world.domains[domain].members)
            case m.Local(slot=slot, type=SetOf(domain=None)):
                return self.known.get((code, slot), ZERO).high
        assert isinstance(set_.type, SetOf)
        return self.world.member_count(set_.type.domain or "")

    def max_matching(self, code: str, binder: m.Binder) -> int:
        """Return the maximum number of members that meet the condition of a binder.

        If the condition requires a piece on each space, the number of pieces is a bound
        too.
        """
        size = self.max_size(code, binder.set)
        wanted = () if binder.where is None else tuple(conjuncts(binder.where))
        for fact in expand_facts(self.model.defines, wanted):
            match fact:
                case m.PieceOn(space=m.Local(slot=slot)) if slot == binder.slot:
                    size = min(size, self.max_pieces(code, fact))
        return size

    def max_links(self, code: str, trail: m.LongestTrail) -> int:
        """Return the maximum number of links that a longest trail searches."""
        assert self.world.board is not None
        sizes = [self.max_size(code, links) for links in (trail.links, *trail.also)]
        return min(sum(sizes), len(self.world.board.link_ends))

    def max_pieces(self, code: str, e: m.PieceSpaces | m.PieceCount | m.PieceOn) -> int:
        """Return the maximum number of pieces of the owner, or of all owners."""
        piece = self.model.pieces[e.piece]
        others = not isinstance(e, m.PieceSpaces) and e.another
        every = piece.each_player and (e.owner is None or others)
        owners = self.world.players[1] if every else 1
        return max(0, self.range_of(code, piece.count).high) * owners

    def max_cards(self, code: str, holder: m.Expr) -> int:
        """Return the maximum number of cards in a bag, a stack or a slot."""
        kind = holder.type
        if isinstance(kind, Stack):
            return self.stores.stack_capacity(kind.domain)
        assert isinstance(kind, Bag)
        each = self.range_of(code, holder).high
        if isinstance(holder, m.FieldValue) and not self.may_change(holder):
            return self.stores.bag_capacity(kind.domain)
        return min(each * self.world.member_count(kind.domain), NUMBER_MAX)

    def may_change(self, holder: m.FieldValue) -> bool:
        """Return whether a bag is endless or assigned to, so its cards may change."""
        endless = self.world.fields[holder.field].endless
        return endless or ("field", holder.field) in self.sources


Rule = Callable[[NumberRanges, str, Any], Whole]


def _declared(reals: NumberRanges, code: str, e: m.Expr) -> Whole:
    del reals, code
    if isinstance(e.type, Whole):
        return clip_range(e.type.low, e.type.high)
    return ANY_NUMBER


def _constant(reals: NumberRanges, code: str, e: m.Const) -> Whole:
    del reals, code
    values = e.value if isinstance(e.value, tuple) else (e.value,)
    return clip_range(min(values, default=0), max(values, default=0))


def _variable(reals: NumberRanges, code: str, e: m.Local | m.TallyValue) -> Whole:
    return reals.known.get((code, e.slot), ZERO)


def _field(reals: NumberRanges, code: str, e: m.FieldValue) -> Whole:
    del code
    field = reals.world.fields[e.field]
    if isinstance(field.type, Bag):
        if field.endless:
            return ENDLESS_RANGE
        each = Whole(0, reals.stores.max_of_kind(field.type.domain))
        return join_ranges(each, reals.known.get(("field", e.field), ZERO))
    return join_ranges(_declared(reals, "", e), ZERO)  # 0 if the owner is none


def _column(reals: NumberRanges, code: str, e: m.ColumnValue) -> Whole:
    bounds = _declared(reals, code, e)
    if isinstance(e.type, Bag):
        values = reals.world.domains[e.domain].columns[e.column].values
        bounds = Whole(0, max((max(bag, default=0) for bag in values), default=0))
    return join_ranges(bounds, ZERO)


def _call(reals: NumberRanges, code: str, e: m.CallDefine) -> Whole:
    del code
    return reals.known.get((define_code(e.define), RESULT_SLOT), ZERO)


def _points(reals: NumberRanges, code: str, e: m.PlayerPoints) -> Whole:
    del code, e
    bounds = ZERO
    for line in reals.model.points.lines:
        bounds = result_range(
            m.Reckoning.PLUS,
            bounds,
            join_ranges(reals.range_of(POINTS, line.value), ZERO),
        )
    return bounds


def _round(reals: NumberRanges, code: str, e: m.RoundNumber) -> Whole:
    del code, e
    return Whole(0, reals.model.turns)


def _pieces(reals: NumberRanges, code: str, e: m.PieceCount) -> Whole:
    if reals.model.pieces[e.piece].room is not None:
        return Whole(0, reals.max_pieces(code, e))
    if e.spaces is not None and isinstance(e.spaces.type, Member):
        return Whole(0, 1)
    if e.spaces is not None:
        return reals.count_range(code, e.spaces)
    return Whole(
        0, sum(map(reals.world.member_count, reals.model.pieces[e.piece].stands_on))
    )


def _left(reals: NumberRanges, code: str, e: m.PieceLeft) -> Whole:
    piece = reals.model.pieces[e.piece]
    standing = sum(map(reals.world.member_count, piece.stands_on))
    if piece.room is not None:
        return Whole(0, max(0, reals.range_of(code, piece.count).high))
    return result_range(
        m.Reckoning.MINUS, reals.range_of(code, piece.count), Whole(0, standing)
    )


def _arith(reals: NumberRanges, code: str, e: m.Arith) -> Whole:
    return result_range(
        e.op, reals.range_of(code, e.left), reals.range_of(code, e.right)
    )


def _half(reals: NumberRanges, code: str, e: m.HalfOf) -> Whole:
    whole = reals.range_of(code, e.value)
    return Whole(whole.low // 2, whole.high // 2)


def _conditional(reals: NumberRanges, code: str, e: m.Conditional) -> Whole:
    return join_ranges(reals.range_of(code, e.value), reals.range_of(code, e.other))


def _extreme(reals: NumberRanges, code: str, e: m.Extreme) -> Whole:
    return extreme_range(
        e.smaller, reals.range_of(code, e.left), reals.range_of(code, e.right)
    )


def _count_in(reals: NumberRanges, code: str, e: m.CountIn) -> Whole:
    return join_ranges(reals.bag_range(code, e.holder), ZERO)


def _size(reals: NumberRanges, code: str, e: m.SizeOf) -> Whole:
    if isinstance(e.holder.type, SetOf):
        return reals.count_range(code, e.holder)
    return Whole(0, reals.max_cards(code, e.holder))


def _number(reals: NumberRanges, code: str, e: m.CountMembers) -> Whole:
    return reals.count_range(code, e.set)


def _sum(reals: NumberRanges, code: str, e: m.SumOver) -> Whole:
    return sum_range(reals.range_of(code, e.value), reals.max_size(code, e.set))


def _highest(reals: NumberRanges, code: str, e: m.Highest) -> Whole:
    return join_ranges(reals.range_of(code, e.value), ZERO)  # 0 for an empty set


def _trail(reals: NumberRanges, code: str, e: m.LongestTrail) -> Whole:
    links = reals.max_links(code, e)
    each = 1 if e.weight is None else max(0, reals.range_of(code, e.weight.value).high)
    return clip_range(0, links * each)


def _single(reals: NumberRanges, code: str, e: m.SingleBag) -> Whole:
    return join_ranges(reals.range_of(code, e.count), ZERO)


def _together(reals: NumberRanges, code: str, e: m.SumBags) -> Whole:
    bounds = ZERO
    for bag in e.bags:
        bounds = result_range(m.Reckoning.PLUS, bounds, reals.bag_range(code, bag))
    return bounds


def _bag_over(reals: NumberRanges, code: str, e: m.BagOver) -> Whole:
    return Whole(0, max(0, reals.range_of(code, e.value).high))


RANGE_RULES: dict[type[Any], Rule] = {
    m.Const: _constant,
    m.Local: _variable,
    m.TallyValue: _variable,
    m.FieldValue: _field,
    m.ColumnValue: _column,
    m.CallDefine: _call,
    m.PlayerPoints: _points,
    m.RoundNumber: _round,
    m.PieceCount: _pieces,
    m.PieceLeft: _left,
    m.Arith: _arith,
    m.HalfOf: _half,
    m.Conditional: _conditional,
    m.Extreme: _extreme,
    m.CountIn: _count_in,
    m.SizeOf: _size,
    m.CountMembers: _number,
    m.SumOver: _sum,
    m.Highest: _highest,
    m.LongestTrail: _trail,
    m.SingleBag: _single,
    m.SumBags: _together,
    m.BagOver: _bag_over,
}
"""Range functions by expression class; other expressions use their declared range."""
