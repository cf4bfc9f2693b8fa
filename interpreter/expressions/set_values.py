"""Lowering of sets, and of values over sets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from interpreter.core.facts import Facts
from interpreter.core.layout import BACKWARDS
from interpreter.expressions.card_values import is_endless, is_in_cells
from interpreter.expressions.lowerer import (
    ZERO,
    Lowerer,
    Rules,
    add,
    exists,
    plus,
    times,
)
from interpreter.kernel import operations as k
from rulebook import model as m

NUMBERS_MAX = 256
"""Maximum size of a set of numbers stored in C; the interpreter has no such limit."""


def size_of(t: Lowerer, e: m.Expr) -> int:
    """Return the maximum number of members of a set."""
    assert isinstance(e.type, m.SetOf)
    return NUMBERS_MAX if e.type.domain is None else t.facts.sizes[e.type.domain]


# ---------------------------------------------------------------- sets


def own_spaces(facts: Facts, domain: str) -> tuple[tuple[int, ...], ...]:
    """Return the spaces that belong to each player; the last row is for nobody."""
    size = len(facts.model.domains[domain].members)
    rows = [
        tuple(range(seat * size, seat * size + size)) for seat in range(facts.players)
    ]
    return (*rows, ())


def clockwise_rows(facts: Facts, e: m.Clockwise) -> tuple[tuple[int, ...], ...]:
    """Return the players clockwise from each seat; the last row is for nobody."""
    seats = range(facts.players)
    rows = [(*seats[start:], *seats[:start]) for start in seats]
    if e.after:
        rows = [tuple(seat for seat in row if seat != row[0]) for row in rows]
    rows.append(tuple(seats))
    return tuple([row[::-1] for row in rows]) if e.reverse else tuple(rows)


def _table_row(
    rows: Callable[[Facts, Any], Any], attribute: str, t: Lowerer, e: Any
) -> k.Sequence:
    return k.TableRow(tuple(rows(t.facts, e)), t.value(getattr(e, attribute)))


def _clockwise(t: Lowerer, e: m.Clockwise) -> k.Sequence:
    rows, start = clockwise_rows(t.facts, e), t.value(e.start)
    if not (e.turning and t.facts.can_reverse_turns):
        return k.TableRow(rows, start)
    turned = tuple([row[::-1] for row in rows])
    both = [row for each in (rows, turned) for row in (each[-1], *each[:-1])]
    backwards = times(k.Load(k.Int(BACKWARDS)), len(rows))
    return k.TableRow((*both, ()), add(plus(1, start), backwards))


def _numbers(t: Lowerer, e: m.NumberSet) -> k.Sequence:
    ends = [
        (x.value, x.value) if m.is_constant(x) else bounds_of(x.type)
        for x in (e.low, e.high)
    ]
    (low, _), (_, high) = ends
    size = None if low is None or high is None else max(0, high - low + 1)
    return k.Range(t.literal_number(e.low), t.literal_number(e.high), size)


def bounds_of(kind: m.Type) -> tuple[int | None, int | None]:
    """Return the smallest and largest number of a type, or None if unbounded."""
    return getattr(kind, "low", None), getattr(kind, "high", None)


def _best(t: Lowerer, e: m.BestMembers) -> k.Sequence:
    keys = tuple([ranking_key(t, x) for x in e.by])
    return k.BestSet(e.slot, t.sequence(e.set), t.condition(e.where), keys)


def ranking_key(t: Lowerer, e: m.RankMeasure) -> k.Value:
    """Return the key of a member; the largest is best."""
    number = t.number(e.value)
    return k.Binary("-", ZERO, number) if e.smallest else number


def _sorted(t: Lowerer, e: m.SortedMembers) -> k.Sequence:
    members, where = t.sequence(e.set), t.condition(e.where)
    most = None if e.count is None else t.number(e.count)
    return k.SortedSet(e.slot, members, where, t.number(e.value), e.falling, most)


SEQUENCES: Rules = {
    m.AllOf: lambda t, e: k.Range(ZERO, k.Int(t.facts.sizes[e.domain] - 1)),
    m.NumberSet: _numbers,
    m.Related: partial(_table_row, lambda facts, e: facts.relations[e.relation], "of"),
    m.OwnSpaces: partial(
        _table_row, lambda facts, e: own_spaces(facts, e.domain), "player"
    ),
    m.Clockwise: _clockwise,
    m.Filter: lambda t, e: k.FilteredSet(e.slot, t.sequence(e.set), t.value(e.where)),
    m.BestMembers: _best,
    m.SortedMembers: _sorted,
    m.Winners: lambda _, __: k.WinnerSet(),
}

# ---------------------------------------------------------------- values


def _contains(t: Lowerer, e: m.Contains) -> k.Value:
    member = t.value(e.member)
    match e.set:
        case m.NumberSet(low=low, high=high):
            return k.Between(t.value(low), "<=", member, "<=", t.value(high))
        case _ if m.is_all_of(e.set):
            return exists(member)
        case m.KindsIn(holder=holder) if is_in_cells(holder):
            if is_endless(t, holder):
                return exists(member)
            return k.CompareValues(">", k.Load(add(t.first_cell(holder), member)), ZERO)
        case _:
            return k.ContainsElement(t.sequence(e.set), member)


def _fold(kind: k.FoldKind, t: Lowerer, e: Any) -> k.Value:
    value = t.number(e.value) if hasattr(e, "value") else None
    return k.Fold(kind, e.slot, t.sequence(e.set), t.condition(e.where), value)


def _highest(t: Lowerer, e: m.Highest) -> k.Value:
    return _fold(k.FoldKind.MIN if e.smallest else k.FoldKind.MAX, t, e)


VALUES: Rules = {
    m.Contains: _contains,
    m.Exists: partial(_fold, k.FoldKind.ANY),
    m.FindMember: partial(_fold, k.FoldKind.FIRST),
    m.CountMembers: partial(_fold, k.FoldKind.COUNT),
    m.SumOver: partial(_fold, k.FoldKind.SUM),
    m.Highest: _highest,
    m.OnlyMember: lambda t, e: k.Fold(k.FoldKind.ONLY, t.new_slot(), t.sequence(e.set)),
}
