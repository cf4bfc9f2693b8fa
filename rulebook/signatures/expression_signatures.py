"""Signature of each class of expressions.

It lists the places that an expression reads, the code that it runs, the range of its
value, the size of its set and its number of steps. A class without an entry for what it
reads, or for its steps, is an error at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulebook import model as m
from rulebook.addresses import DEFINE, Address
from rulebook.completeness import check_complete, concrete_classes
from rulebook.model.value_types import Bag, Member, SetOf, Whole
from rulebook.shared_enums import ArithmeticOperator
from rulebook.signatures.bound_environments import NumberBounds, StepBounds
from rulebook.signatures.effect_values import (
    AwardPlace,
    FieldPlace,
    Inputs,
    PiecePlace,
    Place,
    Run,
    TurnState,
    VariablePlace,
)
from rulebook.signatures.range_arithmetic import (
    ANY_NUMBER,
    ZERO,
    clip_range,
    extreme_range,
    join_ranges,
    result_range,
    sum_range,
    total_range,
)
from rulebook.traversal import children

POINTS = "points"
"""Name of the code that counts points."""

PURE_CLASSES: frozenset[type[Any]] = frozenset(
    {m.AllOf, m.And, m.Arith, m.BagOver, m.BestMembers, m.CallDefine, m.ColumnValue}
    | {m.Compare, m.Conditional, m.Const, m.CountMembers, m.Distance, m.Exists}
    | {m.CombinationExists, m.CountCombinations, m.HighestCombination}
    | {m.Extreme, m.Filter, m.FindMember, m.HalfOf, m.Highest, m.KindsIn}
    | {
        m.LongestTrail,
        m.MemberAfter,
        m.Not,
        m.NumberSet,
        m.OnlyMember,
        m.OptionValue,
        m.Or,
    }
    | {m.OwnSpaces, m.PlayerCount, m.PlayerPoints, m.Reach, m.Related, m.SingleBag}
    | {m.SizeOf, m.SortedMembers, m.SpaceAt, m.SumBags, m.SumOver, m.StackCard}
)
"""Classes of expressions that read places only through operands and called code."""


def inputs_of(node: Any) -> Inputs:
    """Return the inputs of an expression, or of a node that contains expressions."""
    rule = INPUTS.get(type(node))
    if rule is None:
        return Inputs((), tuple(children(node)))
    given = rule(node)
    return given if isinstance(given, Inputs) else Inputs(given, tuple(children(node)))


def callees_of(node: Any) -> Iterator[Run]:
    """Yield the definition that an expression calls, or the points that it counts."""
    match node:
        case m.CallDefine(define=name, arguments=given):
            yield Run(str(Address(DEFINE, name)), given)
        case m.PlayerPoints(player=player):
            yield Run(POINTS, (player,))


def _piece(node: Any) -> tuple[Place, ...]:
    """Return the pieces that an expression reads, of one owner or on some spaces."""
    owner = None if getattr(node, "another", False) else getattr(node, "owner", None)
    space = getattr(node, "space", None) or getattr(node, "spaces", None)
    return (PiecePlace(node.piece, owner, space),)


def _count_in(node: m.CountIn | m.Covers | m.Contains) -> Inputs:
    """Return the inputs of a count or test of the cards of one kind in a field."""
    match node:
        case (
            m.CountIn(holder=m.FieldValue() as held, member=card)
            | m.Contains(set=m.KindsIn(holder=m.FieldValue() as held), member=card)
        ):
            operands = [card]
        case m.Covers(
            holder=m.FieldValue() as held, bag=m.SingleBag(member=card) as bag
        ):
            operands = [bag]
        case _:
            return Inputs((), tuple(children(node)))
    if held.owner is not None:
        operands.append(held.owner)
    return Inputs((FieldPlace(held.field, held.owner, card),), tuple(operands))


def _clockwise(node: m.Clockwise) -> tuple[Place, ...]:
    return (TurnState.DIRECTION,) if node.turning else ()


INPUTS: dict[type[Any], Callable[[Any], tuple[Place, ...] | Inputs]] = {
    m.Local: lambda node: (VariablePlace(node.slot),),
    m.TallyValue: lambda node: (VariablePlace(node.slot, node.indices),),
    m.FieldValue: lambda node: (FieldPlace(node.field, node.owner),),
    m.AwardHolder: lambda node: (AwardPlace(node.award),),
    m.ActivePlayer: lambda _: (TurnState.ACTIVE,),
    m.RoundNumber: lambda _: (TurnState.ROUND,),
    m.Winner: lambda _: (TurnState.WINNER,),
    m.Winners: lambda _: (TurnState.WINNER,),
    m.Clockwise: _clockwise,
    **dict.fromkeys((m.CountIn, m.Covers, m.Contains), _count_in),
    **dict.fromkeys((m.PieceOn, m.PieceOwner, m.PieceCount), _piece),
    **dict.fromkeys((m.PieceLeft, m.PieceSpaces, m.PieceSpace), _piece),
}
"""Functions that return the inputs of an expression, by class of expression."""


check_complete(
    "the table of inputs of expressions",
    [*INPUTS, *PURE_CLASSES],
    concrete_classes(m.Typed, m),
)

# ---------------------------------------------------------------- ranges of numbers

ENDLESS_RANGE = Whole(0, 1_000_000_000)
"""Range of the number of cards of one kind in an endless bag."""

RangeRule = Callable[[NumberBounds, str, Any], Whole]


def range_rule(kind: type[Any]) -> RangeRule:
    """Return the range rule for a class; the default returns the declared range."""
    return RANGES.get(kind, _declared_range)


def derived_range(e: m.Expr, range_of: Callable[[m.Expr], Whole]) -> Whole | None:
    """Return a range derived from those of the operands, or None if not arithmetic."""
    match e:
        case m.Arith(op=op, left=left, right=right):
            return result_range(op, range_of(left), range_of(right))
        case m.Extreme(smaller=smaller, left=left, right=right):
            return extreme_range(smaller, range_of(left), range_of(right))
        case m.Conditional(value=left, other=right):
            return join_ranges(range_of(left), range_of(right))
        case m.HalfOf(value=whole):
            bounds = range_of(whole)
            return Whole(bounds.low // 2, bounds.high // 2)
        case _:
            return None


def _declared_range(_: NumberBounds, __: str, e: m.Expr) -> Whole:
    if isinstance(e.type, Whole):
        return clip_range(e.type.low, e.type.high)
    return ANY_NUMBER


def _operand_range(n: NumberBounds, code: str, e: m.Expr) -> Whole:
    bounds = derived_range(e, lambda part: n.range_of(code, part))
    assert bounds is not None
    return bounds


def _constant(_: NumberBounds, __: str, e: m.Const) -> Whole:
    values = e.value if isinstance(e.value, tuple) else (e.value,)
    return clip_range(min(values, default=0), max(values, default=0))


def _column(n: NumberBounds, code: str, e: m.ColumnValue) -> Whole:
    bounds = _declared_range(n, code, e)
    if isinstance(e.type, Bag):
        values = n.model.domains[e.domain].columns[e.column].values
        bounds = Whole(0, max((max(bag, default=0) for bag in values), default=0))
    return join_ranges(bounds, ZERO)


def _points(n: NumberBounds, _: str, __: m.PlayerPoints) -> Whole:
    lines = n.model.points.lines
    values = [join_ranges(n.range_of(POINTS, line.value), ZERO) for line in lines]
    return total_range(values)


def _pieces(n: NumberBounds, code: str, e: m.PieceCount) -> Whole:
    piece = n.model.pieces[e.piece]
    if piece.room is not None:
        return Whole(0, n.max_pieces(code, e))
    if e.spaces is None:
        return Whole(0, sum(map(n.member_count, piece.stands_on)))
    single = isinstance(e.spaces.type, Member)
    return Whole(0, 1 if single else n.max_size(code, e.spaces))


def _supply_range(n: NumberBounds, code: str, e: m.PieceLeft) -> Whole:
    piece = n.model.pieces[e.piece]
    count = n.range_of(code, piece.count)
    if piece.room is not None:
        return Whole(0, max(0, count.high))
    standing = sum(map(n.member_count, piece.stands_on))
    return result_range(ArithmeticOperator.MINUS, count, Whole(0, standing))


def _card_count(n: NumberBounds, code: str, e: m.SizeOf) -> Whole:
    is_set = isinstance(e.holder.type, SetOf)
    most = n.max_size if is_set else n.max_cards
    return Whole(0, most(code, e.holder))


def _trail_length(n: NumberBounds, code: str, e: m.LongestTrail) -> Whole:
    each = 1 if e.weight is None else max(0, n.range_of(code, e.weight.value).high)
    return clip_range(0, n.max_links(code, e) * each)


RANGES: dict[type[Any], RangeRule] = {
    m.Const: _constant,
    m.Local: lambda n, code, e: n.variable_range(code, e.slot),
    m.TallyValue: lambda n, code, e: n.variable_range(code, e.slot),
    m.FieldValue: lambda n, _, e: join_ranges(n.field_range(e), ZERO),
    m.ColumnValue: _column,
    m.CallDefine: lambda n, _, e: n.result_of(e.define),
    m.PlayerPoints: _points,
    m.RoundNumber: lambda n, _, __: Whole(0, n.model.turns),
    m.PieceCount: _pieces,
    m.PieceLeft: _supply_range,
    **dict.fromkeys((m.Arith, m.HalfOf, m.Conditional, m.Extreme), _operand_range),
    m.CountIn: lambda n, code, e: join_ranges(n.bag_range(code, e.holder), ZERO),
    m.SizeOf: _card_count,
    m.CountMembers: lambda n, code, e: Whole(0, n.max_size(code, e.set)),
    m.SumOver: lambda n, code, e: sum_range(
        n.range_of(code, e.value), n.max_size(code, e.set)
    ),
    m.Highest: lambda n, code, e: join_ranges(n.range_of(code, e.value), ZERO),
    m.CountCombinations: lambda n, code, e: clip_range(0, n.max_combinations(code, e)),
    m.HighestCombination: lambda n, code, e: join_ranges(
        n.range_of(code, e.value), ZERO
    ),
    m.LongestTrail: _trail_length,
    m.SingleBag: lambda n, code, e: join_ranges(n.range_of(code, e.count), ZERO),
    m.SumBags: lambda n, code, e: total_range(n.bag_range(code, b) for b in e.bags),
    m.BagOver: lambda n, code, e: Whole(0, max(0, n.range_of(code, e.value).high)),
}
"""Rules for the range of a number, or of the count of each card in a bag, by class.

The field of an owner that is none, and the highest value of no member, are 0.
"""


# ---------------------------------------------------------------- sizes of sets

SizeRule = Callable[[NumberBounds, str, Any], int]


def size_rule(kind: type[Any]) -> SizeRule:
    """Return the size rule for a class of sets, by default that of a whole domain."""
    return SIZES.get(kind, _whole_domain)


def _whole_domain(n: NumberBounds, _: str, e: m.Expr) -> int:
    assert isinstance(e.type, SetOf)
    return n.member_count(e.type.domain or "")


def _number_set(n: NumberBounds, code: str, e: m.NumberSet) -> int:
    low, high = n.range_of(code, e.low).low, n.range_of(code, e.high).high
    return max(0, high - low + 1)


def _largest_value(n: NumberBounds, code: str, e: m.ColumnValue) -> int:
    columns = n.model.domains[e.domain].columns
    if e.column not in columns:
        return _whole_domain(n, code, e)
    return max(map(len, columns[e.column].values), default=0)


def _set_variable(n: NumberBounds, code: str, e: m.Local) -> int:
    if e.type == SetOf(None):
        return n.variable_range(code, e.slot).high
    return _whole_domain(n, code, e)


def _sorted_size(n: NumberBounds, code: str, e: m.SortedMembers) -> int:
    size = n.max_matching(code, e)
    return (
        size if e.count is None else min(size, max(0, n.range_of(code, e.count).high))
    )


SIZES: dict[type[Any], SizeRule] = {
    m.NumberSet: _number_set,
    m.Related: lambda n, _, e: n.max_related(e.relation),
    m.ColumnValue: _largest_value,
    m.PieceSpaces: lambda n, code, e: min(
        n.member_count(e.domain), n.max_pieces(code, e)
    ),
    m.OwnSpaces: lambda n, _, e: len(n.model.domains[e.domain].members),
    m.Local: _set_variable,
    **dict.fromkeys(
        (m.Filter, m.BestMembers), lambda n, code, e: n.max_matching(code, e)
    ),
    m.SortedMembers: _sorted_size,
}
"""Rules for the maximum number of members, by class of set."""


# ---------------------------------------------------------------- steps

PLACES_PER_STEP = 16
"""Number of adjacent places (cards in a bag, pieces on spaces) read in one step."""

StepRule = Callable[[StepBounds, str, Any], int]


def plain_steps(w: StepBounds, code: str, node: Any) -> int:
    """Return the number of steps of a node: one, plus those of its children."""
    return isinstance(node, m.Part) + w.child_steps(code, node)


def _element_steps(w: StepBounds, code: str, node: m.FieldValue | m.Contains) -> int:
    """Return the number of steps needed to read the places of a bag or a set."""
    value = node.set if isinstance(node, m.Contains) else node
    rows = w.count_kinds(value.type) // PLACES_PER_STEP
    return rows + plain_steps(w, code, node)


def _quantifier(w: StepBounds, code: str, node: Any) -> int:
    value = getattr(node, "value", None)
    return w.loop_steps(code, node, () if value is None else (value,))


def _best_steps(w: StepBounds, code: str, node: m.BestMembers) -> int:
    """Return the number of steps needed to measure all members and collect the best."""
    size = w.numbers.max_size(code, node.set)
    return size + w.loop_steps(code, node, (measure.value for measure in node.by))


def _sorting_steps(w: StepBounds, code: str, node: m.SortedMembers) -> int:
    """Return the number of steps needed to measure all members and sort them."""
    size = w.numbers.max_size(code, node.set)
    most = w.steps(code, node.count)
    return most + size * size.bit_length() + w.loop_steps(code, node, (node.value,))


def _combination_steps(w: StepBounds, code: str, node: Any) -> int:
    """Return the number of steps needed to test all combinations."""
    once = (node.holder, node.least, node.most, node.given)
    kinds = w.count_kinds(node.holder.type)
    each = 1 + kinds // PLACES_PER_STEP + w.steps(code, node.where)
    each += w.steps(code, getattr(node, "value", None))
    return 1 + w.total_steps(code, once) + w.combination_steps(code, node, each)


def call_steps(w: StepBounds, code: str, node: Any) -> int:
    """Return the number of steps of a call, including the code that it runs."""
    return 1 + w.call_steps(node) + w.child_steps(code, node)


def _per(w: StepBounds, code: str, node: m.Per | None) -> int:
    """Return the number of steps to evaluate a value for one member; 0 if None."""
    return 0 if node is None else w.steps(code, node.value)


def _trail(w: StepBounds, code: str, node: m.LongestTrail) -> int:
    links = w.numbers.max_links(code, node)
    assert w.model.board is not None
    corners = min(2 * links, w.numbers.member_count(w.model.board.corner))
    tests = corners * (1 + w.steps(code, node.closed) + _per(w, code, node.joint))
    tests += links * _per(w, code, node.weight)
    sets = (node.links, *node.also)
    return w.total_steps(code, sets) + tests + w.trail_steps(code, node)


def _reach(w: StepBounds, code: str, node: m.Reach) -> int:
    degree = w.numbers.max_related(f"{node.domain}.neighbours")
    condition = w.steps(code, node.where)
    crossed = degree * (1 + condition) if node.links else degree + condition
    crossed += degree * _per(w, code, node.step)
    each = 1 + crossed + _per(w, code, node.through)
    places = w.numbers.member_count(node.domain)
    return w.total_steps(code, (node.start, node.within)) + places * each


def _distance(w: StepBounds, code: str, node: m.Distance) -> int:
    """Return the number of steps of a search for a shortest or cheapest path."""
    places = w.numbers.member_count(node.way.domain)
    steps = 1 + places + w.total_steps(code, (node.way, node.goal))
    if node.price is None:
        return steps
    degree = w.numbers.max_related(f"{node.way.domain}.neighbours")
    return steps + places * (places + degree * (1 + _per(w, code, node.price)))


def piece_steps(w: StepBounds, code: str, node: Any) -> int:
    """Return the number of steps needed to count or move pieces."""
    named = getattr(node, "spaces", None)
    if named is None:
        rows = w.piece_cells(node.piece) // PLACES_PER_STEP
    else:
        single = isinstance(named.type, Member)
        rows = 1 if single else w.numbers.max_size(code, named)
    return rows + plain_steps(w, code, node)


def _all_spaces(w: StepBounds, code: str, node: Any) -> int:
    return w.numbers.member_count(node.domain) + plain_steps(w, code, node)


def _bag(w: StepBounds, code: str, node: Any) -> int:
    """Return the number of steps of a node that visits a whole bag or stack."""
    holder = getattr(node, "holder", node)
    many = w.count_kinds(holder.type) + w.stack_cards(holder)
    return many + plain_steps(w, code, node)


def _size(w: StepBounds, code: str, node: m.SizeOf) -> int:
    is_set = isinstance(node.holder.type, SetOf)
    kinds = w.count_kinds(node.holder.type)
    many = w.numbers.max_size(code, node.holder) if is_set else kinds
    return many // PLACES_PER_STEP + plain_steps(w, code, node)


EXPRESSION_STEPS: dict[type[Any], StepRule] = {
    **dict.fromkeys((m.Const, m.OptionValue, m.Local, m.TallyValue), plain_steps),
    **dict.fromkeys((m.PlayerCount, m.ActivePlayer, m.RoundNumber), plain_steps),
    **dict.fromkeys((m.Winner, m.Winners, m.AwardHolder), plain_steps),
    **dict.fromkeys((m.ColumnValue, m.SpaceAt, m.OwnSpaces), plain_steps),
    **dict.fromkeys((m.PieceOn, m.PieceOwner, m.StackCard, m.OnlyMember), plain_steps),
    **dict.fromkeys((m.Arith, m.Extreme, m.HalfOf, m.Conditional), plain_steps),
    m.MemberAfter: plain_steps,
    **dict.fromkeys((m.Compare, m.And, m.Or, m.Not), plain_steps),
    **dict.fromkeys((m.AllOf, m.Clockwise), plain_steps),
    **dict.fromkeys((m.FieldValue, m.Contains), _element_steps),
    **dict.fromkeys((m.Exists, m.FindMember, m.Filter, m.CountMembers), _quantifier),
    **dict.fromkeys((m.SumOver, m.Highest), _quantifier),
    **dict.fromkeys((m.CallDefine, m.PlayerPoints), call_steps),
    **dict.fromkeys((m.PieceCount, m.PieceLeft), piece_steps),
    **dict.fromkeys((m.PieceSpaces, m.PieceSpace), _all_spaces),
    **dict.fromkeys((m.KindsIn, m.Covers, m.SingleBag), _bag),
    m.CountIn: lambda w, code, e: w.stack_cards(e.holder) + w.child_steps(code, e),
    m.SizeOf: _size,
    m.BagOver: lambda w, code, e: (
        w.count_kinds(e.type) + w.loop_steps(code, e, (e.value,))
    ),
    m.SumBags: lambda w, code, e: (
        w.count_kinds(e.type) * len(e.bags) + w.child_steps(code, e)
    ),
    m.BestMembers: _best_steps,
    m.SortedMembers: _sorting_steps,
    m.NumberSet: lambda w, code, e: (
        w.numbers.max_size(code, e) + w.child_steps(code, e)
    ),
    m.Related: lambda w, code, e: 1 + w.steps(code, e.of),
    **dict.fromkeys((m.CombinationExists, m.CountCombinations), _combination_steps),
    m.HighestCombination: _combination_steps,
    m.LongestTrail: _trail,
    m.Reach: _reach,
    m.Distance: _distance,
}
"""Rules for the number of steps, by class of expression."""

check_complete(
    "the table of steps of expressions", EXPRESSION_STEPS, concrete_classes(m.Typed, m)
)
