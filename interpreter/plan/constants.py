"""Values that no state of a game changes: what constant parts come to.

`VALUES` has for each class of expressions what it gives when all its parts are
constants. What reads the state is not in it; what runs through a set is in
`interpreter.plan.specialise`, which goes through the members.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import rulebook as rb
from interpreter.source.runtime import at, bag_of, best, covers, only, single
from interpreter.tables.facts import Facts

COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RECKONED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "//up": lambda one, other: -(-one // other),
    "%": operator.mod,
}
Value = Callable[[Facts, Any], Any]


def value_of(e: Any) -> Any:
    """Return the value of a constant."""
    return e.value


def number(e: Any) -> int:
    """Return a constant as an operand of arithmetic; none counts as 0."""
    value: int = e.value
    return value if isinstance(e.type, rb.Whole) else max(value, 0)


def members(facts: Facts, e: rb.Expr) -> tuple[Any, ...] | None:
    """Return the members of a set that is always the same; None: it is not."""
    match e:
        case rb.Const(value=tuple() as value):
            return value
        case rb.AllOf(domain=domain):
            return tuple(range(facts.sizes[domain]))
        case rb.Numbers(low=rb.Const(value=low), high=rb.Const(value=high)):
            return tuple(range(low, high + 1))
        case _:
            return None


# ---------------------------------------------------------------- tables


def coordinates(facts: Facts, domain: str) -> dict[tuple[int, ...], int]:
    """Return the spaces of a domain by their coordinates."""
    axes = facts.model.domains[domain].axes
    places = itertools.product(*(range(one.low, one.low + one.size) for one in axes))
    return {place: index for index, place in enumerate(places)}


def own_spaces(facts: Facts, domain: str) -> tuple[tuple[int, ...], ...]:
    """Return the spaces of each player, with a last row for nobody."""
    size = len(facts.model.domains[domain].members)
    rows = [
        tuple(range(seat * size, seat * size + size)) for seat in range(facts.players)
    ]
    return (*rows, ())


def seating(facts: Facts, e: rb.Clockwise) -> tuple[tuple[int, ...], ...]:
    """Return the players from each seat on, with a last row for nobody."""
    seats = range(facts.players)
    rows = [(*seats[start:], *seats[:start]) for start in seats]
    if e.after:
        rows = [tuple(seat for seat in row if seat != row[0]) for row in rows]
    rows.append(tuple(seats))
    return tuple([row[::-1] for row in rows]) if e.reverse else tuple(rows)


def _space_at(facts: Facts, e: rb.SpaceAt) -> int:
    places = coordinates(facts, e.domain)
    found = places.get(tuple(map(value_of, e.coordinates)), rb.NONE)
    if e.owner is None or found == rb.NONE:
        return found
    owner = value_of(e.owner)
    return found + owner * len(places) if owner >= 0 else rb.NONE


def _option(facts: Facts, e: rb.OptionValue) -> Any:
    value = facts.options[e.name]
    return rb.NONE if value is None else value


def _contains(facts: Facts, e: rb.Contains) -> bool:
    member = value_of(e.member)
    if isinstance(e.set, rb.AllOf):
        return bool(member >= 0)
    return member in (members(facts, e.set) or ())


def _count_in(facts: Facts, e: rb.CountIn) -> int:
    del facts
    return at(value_of(e.holder), value_of(e.member))


def _size_of(facts: Facts, e: rb.SizeOf) -> int:
    found = members(facts, e.holder)
    assert found is not None
    return sum(found) if isinstance(e.holder.type, rb.Bag) else len(found)


def _kinds_in(facts: Facts, e: rb.KindsIn) -> tuple[int, ...]:
    del facts
    return tuple([card for card, count in enumerate(value_of(e.holder)) if count])


def _single_bag(facts: Facts, e: rb.SingleBag) -> tuple[int, ...]:
    assert isinstance(e.type, rb.Bag)
    return single(facts.sizes[e.type.domain], value_of(e.member), value_of(e.count))


def _extreme(facts: Facts, e: rb.Extreme) -> int:
    del facts
    pick = min if e.smaller else max
    return pick(number(e.left), number(e.right))


VALUES: dict[type, Value] = {
    rb.OptionValue: _option,
    rb.PlayerCount: lambda facts, _: facts.players,
    rb.ColumnValue: lambda facts, e: facts.column(e.domain, e.column)[value_of(e.of)],
    rb.Related: lambda facts, e: facts.relations[e.relation][value_of(e.of)],
    rb.SpaceAt: _space_at,
    rb.OwnSpaces: lambda facts, e: own_spaces(facts, e.domain)[value_of(e.player)],
    rb.Clockwise: lambda facts, e: seating(facts, e)[value_of(e.start)],
    rb.Arith: lambda _, e: RECKONED[e.op](number(e.left), number(e.right)),
    rb.Half: lambda _, e: number(e.value) // 2,
    rb.Extreme: _extreme,
    rb.Compare: lambda _, e: COMPARED[e.op](value_of(e.left), value_of(e.right)),
    rb.Not: lambda _, e: not value_of(e.value),
    rb.CountIn: _count_in,
    rb.SizeOf: _size_of,
    rb.Covers: lambda _, e: covers(value_of(e.holder), value_of(e.bag)),
    rb.KindsIn: _kinds_in,
    rb.SingleBag: _single_bag,
    rb.SumBags: lambda _, e: tuple(map(sum, zip(*map(value_of, e.bags), strict=True))),
    rb.Contains: _contains,
    rb.Only: lambda facts, e: only(members(facts, e.set) or ()),
}
"""What an expression comes to when all its parts are constant."""

Judged = list[tuple[int, tuple[Any, ...]]]
"""Members that meet a condition, each with the constants that are asked of it."""


def _best(e: rb.Best, found: Judged) -> tuple[int, ...]:
    keys = {
        member: tuple(
            [
                -number(value) if one.smallest else number(value)
                for one, value in zip(e.by, values, strict=True)
            ]
        )
        for member, values in found
    }
    return best([member for member, _ in found], keys.__getitem__)


def _sorted(e: rb.Sorted, found: Judged) -> tuple[int, ...]:
    keys = {member: number(value) for member, (value,) in found}
    listed = sorted(
        [member for member, _ in found], key=keys.__getitem__, reverse=e.falling
    )
    return tuple(listed)


def _highest(e: rb.Highest, found: Judged) -> int:
    pick = min if e.smallest else max
    return pick([number(value) for _, (value,) in found], default=0)


def _bag_over(facts: Facts, e: rb.BagOver, found: Judged) -> tuple[int, ...]:
    assert isinstance(e.type, rb.Bag)
    size = facts.sizes[e.type.domain]
    return bag_of(size, [(member, number(value)) for member, (value,) in found])


OVER_SETS: dict[type, Callable[[Facts, Any, Judged], Any]] = {
    rb.Exists: lambda _, __, found: bool(found),
    rb.Find: lambda _, __, found: found[0][0] if found else rb.NONE,
    rb.Filter: lambda _, __, found: tuple([member for member, _ in found]),
    rb.Count: lambda _, __, found: len(found),
    rb.Sum: lambda _, __, found: sum([number(value) for _, (value,) in found]),
    rb.BagOver: _bag_over,
    rb.Best: lambda _, e, found: _best(e, found),
    rb.Sorted: lambda _, e, found: _sorted(e, found),
    rb.Highest: lambda _, e, found: _highest(e, found),
}
"""What runs through a set comes to, when all that it asks of members is constant."""
