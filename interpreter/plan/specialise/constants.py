"""Evaluation of constant expressions, whose values do not depend on the state.

`EVALUATORS` maps each class of expressions to a function that evaluates it if all its
parts are constant. Iterations over sets are in `SET_EVALUATORS`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from interpreter.core.facts import Facts
from interpreter.source.runtime import at, bag_of, best, covers, only, single
from rulebook import model as m

Value = Callable[[Facts, Any], Any]


def value_of(e: Any) -> Any:
    """Return the value of a constant."""
    return e.value


def number(e: Any) -> int:
    """Return a constant as an arithmetic operand; none counts as 0."""
    value: int = e.value
    return value if isinstance(e.type, m.Whole) else max(value, 0)


def members(facts: Facts, e: m.Expr) -> tuple[Any, ...] | None:
    """Return the members of a constant set, or None if it is not constant."""
    match e:
        case m.Const(value=tuple() as value):
            return value
        case m.AllOf(domain=domain):
            return tuple(range(facts.sizes[domain]))
        case m.NumberSet(low=m.Const(value=low), high=m.Const(value=high)):
            return tuple(range(low, high + 1))
        case _:
            return None


# ---------------------------------------------------------------- tables


def coordinates(facts: Facts, domain: str) -> dict[tuple[int, ...], int]:
    """Return the spaces of a domain by their coordinates."""
    axes = facts.model.domains[domain].axes
    places = itertools.product(
        *(range(axis.low, axis.low + axis.size) for axis in axes)
    )
    return {place: index for index, place in enumerate(places)}


def own_spaces(facts: Facts, domain: str) -> tuple[tuple[int, ...], ...]:
    """Return the own spaces of each player, and a last row for nobody."""
    size = len(facts.model.domains[domain].members)
    rows = [
        tuple(range(seat * size, seat * size + size)) for seat in range(facts.players)
    ]
    return (*rows, ())


def clockwise_rows(facts: Facts, e: m.Clockwise) -> tuple[tuple[int, ...], ...]:
    """Return the players clockwise from each seat, and a last row for nobody."""
    seats = range(facts.players)
    rows = [(*seats[start:], *seats[:start]) for start in seats]
    if e.after:
        rows = [tuple(seat for seat in row if seat != row[0]) for row in rows]
    rows.append(tuple(seats))
    return tuple([row[::-1] for row in rows]) if e.reverse else tuple(rows)


def _space_at(facts: Facts, e: m.SpaceAt) -> int:
    places = coordinates(facts, e.domain)
    index = places.get(tuple(map(value_of, e.coordinates)), m.NONE)
    if e.owner is None or index == m.NONE:
        return index
    owner = value_of(e.owner)
    return index + owner * len(places) if owner >= 0 else m.NONE


def _option(facts: Facts, e: m.OptionValue) -> Any:
    value = facts.options[e.name]
    return m.NONE if value is None else value


def _contains(facts: Facts, e: m.Contains) -> bool:
    member = value_of(e.member)
    if isinstance(e.set, m.AllOf):
        return bool(member >= 0)
    return member in (members(facts, e.set) or ())


def _count_in(facts: Facts, e: m.CountIn) -> int:
    del facts
    return at(value_of(e.holder), value_of(e.member))


def _size_of(facts: Facts, e: m.SizeOf) -> int:
    held = members(facts, e.holder)
    assert held is not None
    return sum(held) if isinstance(e.holder.type, m.Bag) else len(held)


def _kinds_in(facts: Facts, e: m.KindsIn) -> tuple[int, ...]:
    del facts
    return tuple([card for card, count in enumerate(value_of(e.holder)) if count])


def _single_bag(facts: Facts, e: m.SingleBag) -> tuple[int, ...]:
    assert isinstance(e.type, m.Bag)
    return single(facts.sizes[e.type.domain], value_of(e.member), value_of(e.count))


def _extreme(facts: Facts, e: m.Extreme) -> int:
    del facts
    pick = min if e.smaller else max
    return pick(number(e.left), number(e.right))


EVALUATORS: dict[type, Value] = {
    m.OptionValue: _option,
    m.PlayerCount: lambda facts, _: facts.players,
    m.ColumnValue: lambda facts, e: facts.column(e.domain, e.column)[value_of(e.of)],
    m.Related: lambda facts, e: facts.relations[e.relation][value_of(e.of)],
    m.SpaceAt: _space_at,
    m.OwnSpaces: lambda facts, e: own_spaces(facts, e.domain)[value_of(e.player)],
    m.Clockwise: lambda facts, e: clockwise_rows(facts, e)[value_of(e.start)],
    m.Arith: lambda _, e: e.op.meaning(number(e.left), number(e.right)),
    m.HalfOf: lambda _, e: number(e.value) // 2,
    m.Conditional: lambda _, e: value_of(e.value if value_of(e.condition) else e.other),
    m.Extreme: _extreme,
    m.Compare: lambda _, e: e.op.meaning(value_of(e.left), value_of(e.right)),
    m.Not: lambda _, e: not value_of(e.value),
    m.CountIn: _count_in,
    m.SizeOf: _size_of,
    m.Covers: lambda _, e: covers(value_of(e.holder), value_of(e.bag)),
    m.KindsIn: _kinds_in,
    m.SingleBag: _single_bag,
    m.SumBags: lambda _, e: tuple(map(sum, zip(*map(value_of, e.bags), strict=True))),
    m.Contains: _contains,
    m.OnlyMember: lambda facts, e: only(members(facts, e.set) or ()),
}
"""Functions that evaluate expressions whose parts are constant, by class."""

EvaluatedMembers = list[tuple[int, tuple[Any, ...]]]
"""Members that meet a condition, each with the values evaluated for it."""


def _best(e: m.BestMembers, judged: EvaluatedMembers) -> tuple[int, ...]:
    keys = {
        member: tuple(
            [
                -number(value) if measure.smallest else number(value)
                for measure, value in zip(e.by, values, strict=True)
            ]
        )
        for member, values in judged
    }
    return best([member for member, _ in judged], keys.__getitem__)


def _sorted(e: m.SortedMembers, judged: EvaluatedMembers) -> tuple[int, ...]:
    keys = {member: number(value) for member, (value,) in judged}
    listed = sorted(
        [member for member, _ in judged], key=keys.__getitem__, reverse=e.falling
    )
    return tuple(listed)


def _highest(e: m.Highest, judged: EvaluatedMembers) -> int:
    pick = min if e.smallest else max
    return pick([number(value) for _, (value,) in judged], default=0)


def _bag_over(facts: Facts, e: m.BagOver, judged: EvaluatedMembers) -> tuple[int, ...]:
    assert isinstance(e.type, m.Bag)
    size = facts.sizes[e.type.domain]
    return bag_of(size, [(member, number(value)) for member, (value,) in judged])


SET_EVALUATORS: dict[type, Callable[[Facts, Any, EvaluatedMembers], Any]] = {
    m.Exists: lambda _, __, judged: bool(judged),
    m.FindMember: lambda _, __, judged: judged[0][0] if judged else m.NONE,
    m.Filter: lambda _, __, judged: tuple([member for member, _ in judged]),
    m.CountMembers: lambda _, __, judged: len(judged),
    m.SumOver: lambda _, __, judged: sum([number(value) for _, (value,) in judged]),
    m.BagOver: _bag_over,
    m.BestMembers: lambda _, e, judged: _best(e, judged),
    m.SortedMembers: lambda _, e, judged: _sorted(e, judged),
    m.Highest: lambda _, e, judged: _highest(e, judged),
}
"""Functions that evaluate iterations whose values are constant for every member, by
class.
"""
