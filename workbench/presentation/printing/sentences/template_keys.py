"""Choice of the template for a part of the rules, among those of its class.

`template_key` returns its key: the class, followed by a dot and the special case.
"""

from collections.abc import Callable
from typing import Any, TypeGuard

import attrs

from rulebook import model as m

DOT = "."
"""Separator between home and field in the name of a domain of pairs."""

Operands = Callable[[Any], tuple[Any, Any]]


def template_key(node: Any, *, fails: bool = False) -> str:
    """Return the template key of a part; with `fails`, that of a negated condition."""
    variant = SPECIAL_CASES.get(type(node), _only_case)(node)
    tail = "_".join(filter(None, (variant, "fails" * fails)))
    name = type(node).__name__
    return f"{name}.{tail}" if tail else name


def _only_case(node: Any) -> str:
    return ""


def _marks(**marks: bool) -> str:
    """Return the names of all marks that are true, in order."""
    return "_".join(name for name, there in marks.items() if there)


def _owned_case(node: Any) -> str:
    return _marks(owner=node.owner is not None)


def _piece_case(node: Any) -> str:
    return "another" if node.another else _owned_case(node)


def _space_at_case(node: m.SpaceAt) -> str:
    return _marks(pair=DOT in node.domain, owner=node.owner is not None)


def _clockwise_case(node: m.Clockwise) -> str:
    reverse = node.reverse and not node.turning
    return _marks(turning=node.turning, after=node.after, reverse=reverse)


def _find_case(node: m.FindMember) -> str:
    """Return the case of a search: next player, first in an order, or any member."""
    set, _ = flatten_binder(node)
    if isinstance(set, m.Clockwise) and set.turning and set.after:
        return "next"
    return _marks(
        first=isinstance(
            set, m.Clockwise | m.SortedMembers | m.BestMembers | m.NumberSet
        )
    )


def _contains_case(node: m.Contains) -> str:
    return _marks(cards=isinstance(node.set, m.KindsIn))


def _is_number(node: Any, *numbers: int) -> bool:
    return (
        isinstance(node, m.Const)
        and isinstance(node.type, m.Whole)
        and node.value in numbers
    )


FILLED = {m.Comparison.MORE: 0, m.Comparison.UNEQUAL: 0, m.Comparison.AT_LEAST: 1}
EMPTY = {m.Comparison.EQUAL: 0, m.Comparison.AT_MOST: 0, m.Comparison.LESS: 1}
"""Numbers with which each comparison means “none”; those of `FILLED` mean “some”."""


def _compare_case(node: m.Compare) -> str:
    left, right, op = node.left, node.right, node.op
    holds_cards = isinstance(left, m.SizeOf) and not isinstance(
        left.holder.type, m.SetOf
    )
    if holds_cards and op in EMPTY and _is_number(right, EMPTY[op]):
        return "empty"
    if holds_cards and op in FILLED and _is_number(right, FILLED[op]):
        return "filled"
    if isinstance(left, m.CountIn):
        if op in FILLED and _is_number(right, FILLED[op]):
            return "there"
        if op is m.Comparison.AT_LEAST:
            return "enough"
        if op in EMPTY and _is_number(right, EMPTY[op]):
            return "missing"
    if isinstance(left, m.PieceLeft) and op is m.Comparison.AT_LEAST:
        return "left"
    is_none = isinstance(right, m.Const) and right.value == m.NONE
    if op.is_sameness and is_none and not _may_equal(left.type, m.NONE):
        return _none_case(right.type, same=op is m.Comparison.EQUAL)
    return op.name


def _may_equal(type: Any, number: int) -> bool:
    """Return whether a value may be an actual *number*, rather than none."""
    is_number = isinstance(type, m.Whole) and not type.optional
    return is_number and type.low <= number <= type.high


def _none_case(type: Any, *, same: bool) -> str:
    """Return the case of a comparison with none."""
    if isinstance(type, m.Whole) and type.optional:
        return "unset" if same else "set"
    if getattr(type, "domain", None) == m.DomainSort.PLAYER:
        return "nobody" if same else "somebody"
    return "none" if same else "some"


def _minimum_cards(node: m.Compare) -> tuple[Any, Any]:
    """Return a holder, and the cards that it must at least contain."""
    counted = node.left
    assert isinstance(counted, m.CountIn)
    bag = m.SingleBag(
        count=node.right,
        member=counted.member,
        type=m.Bag(_domain(counted.member)),
    )
    return counted.holder, bag


def _domain(node: Any) -> str:
    domain = node.type.domain
    assert isinstance(domain, str)
    return domain


COMPARISON_OPERANDS: dict[str, Operands] = {
    "Compare.empty": lambda node: (node.left.holder, None),
    "Compare.filled": lambda node: (node.left.holder, None),
    "Compare.there": lambda node: (node.left.holder, node.left.member),
    "Compare.enough": _minimum_cards,
    "Compare.missing": lambda node: (node.left.holder, node.left.member),
    **dict.fromkeys(
        (
            *("Compare.none", "Compare.some", "Compare.nobody", "Compare.somebody"),
            *("Compare.unset", "Compare.set"),
        ),
        lambda node: (node.left, None),
    ),
}
"""Functions that return the operands of comparisons not filled by both sides."""


def negation(node: Any) -> Any:
    """Return the negation of a condition."""
    if isinstance(node, m.Compare):
        return attrs.evolve(node, op=node.op.contrary)
    return m.Not(value=node, type=m.Truth())


def _or_case(node: m.Or) -> str:
    """Return `unless` if the first part only excludes a single member, else ""."""
    first = node.parts[0]
    return _marks(
        unless=isinstance(first, m.Compare)
        and first.op is m.Comparison.UNEQUAL
        and isinstance(first.left, m.Local)
        and isinstance(first.right, m.Const)
        and isinstance(first.right.type, m.Member)
    )


def flatten_binder(node: Any) -> tuple[Any, list[Any]]:
    """Return the set and all conditions of a binder, including filters of its set."""
    where = getattr(node, "where", None)
    set, conditions = node.set, [] if where is None else [where]
    while isinstance(set, m.Filter) and set.slot == node.slot:
        conditions.insert(0, set.where)
        set = set.set
    return set, conditions


# -------------------------------------------------------------------- statements


def _amount(node: m.SetField) -> tuple[str, Any]:
    """Return how a field changes, and by how much; ("", value) if it is set."""
    value, tail = node.value, ""
    if isinstance(value, m.Const) and isinstance(value.type, m.Bag):
        return ("" if any(value.value) else "clear"), value
    if _is_capped(value):
        value, tail = value.right, "_to"
    if isinstance(value, m.Arith):
        same = m.FieldValue(field=node.field, owner=node.owner, type=value.left.type)
        ways = {m.Reckoning.PLUS: "up", m.Reckoning.MINUS: "down"}
        is_same = isinstance(value.left, m.FieldValue) and (
            (value.left.field, value.left.owner) == (same.field, same.owner)
        )
        if is_same and value.op in ways:
            return f"{ways[value.op]}{tail}", value.right
    return "", node.value


def _is_capped(value: Any) -> TypeGuard[m.Extreme]:
    """Return whether a value is a changed field, limited to the field's range."""
    match value:
        case m.Extreme(
            left=m.Const(value=limit),
            right=m.Arith(op=op, left=m.FieldValue(type=m.Whole(low=low, high=high))),
        ):
            increases = op is m.Reckoning.PLUS
            edge = high if increases else low
            return value.smaller is increases and limit == edge
    return False


def _single_bag_case(node: m.SingleBag) -> str:
    known = isinstance(node.count, m.Const) and isinstance(node.member, m.Const)
    return _marks(times=not known)


def _set_tally_case(node: m.SetTally) -> str:
    return _marks(new=not node.indices, up=added_amount(node) is not None)


def added_amount(node: m.SetTally) -> Any:
    """Return the number added to an entry of a tally, or None if the entry is set."""
    match node.value:
        case m.Arith(op=m.Reckoning.PLUS, left=m.TallyValue() as left, right=right):
            same = (left.slot, left.indices) == (node.slot, node.indices)
            return right if same else None
    return None


def change_amount(node: m.SetField) -> Any:
    """Return the amount by which a field changes, or its new value."""
    return _amount(node)[1]


def _move_cards_case(node: m.MoveCards) -> str:
    if node.destination is None:
        return "out"
    return _marks(**{"in": node.source is None}, **_end(node))


def _end(node: Any) -> dict[str, bool]:
    """Return which end of a stack cards are put on, as template marks."""
    under = node.destination is not None and node.end is m.StackEnd.BOTTOM
    holder = None if node.destination is None else node.destination.type
    return {"bottom": under, "onto": isinstance(holder, m.Stack) and not under}


def _move_all_case(node: m.MoveAll) -> str:
    return _marks(member=node.member is not None, out=node.destination is None)


def _draw_case(node: m.DrawCard) -> str:
    top = isinstance(node.source.type, m.Stack)
    return _marks(top=top, **_end(node), out=node.destination is None)


def _choose_case(node: m.Choose) -> str:
    if node.optional:
        return "optional" if node.body else "optional_bare"
    return _marks(several=node.if_several)


def _ask_case(node: m.Ask) -> str:
    if node.until is not None:
        return "until"
    single = "several" if len(node.offers) > 1 else "single"
    return f"optional_{single}" if node.optional else single


def _wins_case(node: m.Wins) -> str:
    if node.ranking is not None:
        return "ranking"
    if node.who is None:
        return "nobody"
    return _marks(several=isinstance(node.who.type, m.SetOf))


def _repeat_case(node: m.Repeat) -> str:
    """Return the case of a loop: until a condition, or a number of times."""
    if node.until is not None:
        return "until"
    return _marks(reckoned=not isinstance(node.times, m.Const | m.OptionValue))


SPECIAL_CASES: dict[type[Any], Callable[[Any], str]] = {
    m.FieldValue: _owned_case,
    m.SpaceAt: _space_at_case,
    m.PlayerPoints: lambda node: _marks(visible=node.visible),
    m.PieceOn: _piece_case,
    m.PieceCount: _piece_case,
    m.PieceLeft: _owned_case,
    m.PieceSpaces: _owned_case,
    m.PieceSpace: _owned_case,
    m.Arith: lambda node: node.op.name,
    m.Extreme: lambda node: "smaller" if node.smaller else "larger",
    m.Compare: _compare_case,
    m.Or: _or_case,
    m.SizeOf: lambda node: _marks(set=isinstance(node.holder.type, m.SetOf)),
    m.AllOf: lambda node: _marks(player=node.domain == m.DomainSort.PLAYER),
    m.Clockwise: _clockwise_case,
    m.Contains: _contains_case,
    m.FindMember: _find_case,
    m.RankMeasure: lambda node: _marks(smallest=node.smallest),
    m.Highest: lambda node: _marks(smallest=node.smallest),
    m.SortedMembers: lambda node: _marks(falling=node.falling),
    m.SingleBag: _single_bag_case,
    m.SetTally: _set_tally_case,
    m.SetField: lambda node: _amount(node)[0],
    m.MoveCards: _move_cards_case,
    m.MoveAll: _move_all_case,
    m.DrawCard: _draw_case,
    m.PlacePiece: lambda node: _marks(instead=node.instead),
    m.MovePiece: lambda node: _marks(instead=node.instead),
    m.RollDice: lambda node: _marks(condition=node.condition is not None),
    m.Spread: lambda node: _marks(condition=node.condition is not None),
    m.Choose: _choose_case,
    m.Gather: lambda node: _marks(same=node.low == node.high),
    m.Ask: _ask_case,
    m.CarryOut: lambda node: _marks(who=node.who is not None),
    m.Wins: _wins_case,
    m.TurnsGo: lambda node: node.way.name,
    m.Whole: lambda node: _marks(optional=node.optional),
    m.Repeat: _repeat_case,
}
"""Functions that return the special case of a part, by its class."""
