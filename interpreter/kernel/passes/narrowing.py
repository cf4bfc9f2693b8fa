"""Passes that let a loop visit only members that can meet its condition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Functions, Unknown, evaluate
from interpreter.kernel.passes.tabulation import MEMBERS_MAX
from interpreter.kernel.traversal import reads_local, walk

ROWS_MAX = 8
"""Maximum number of rows of members, one for each value of a second local."""

MEMBERS_MIN = 16
"""Minimum number of members for which narrowing a loop is worthwhile."""


def conjuncts(e: k.Value | None) -> tuple[k.Value, ...]:
    """Return the conjuncts of a condition; None has no conjuncts."""
    return () if e is None else e.parts if isinstance(e, k.All) else (e,)


def conjunction(parts: Iterable[k.Value]) -> k.Value | None:
    """Return the conjunction of conditions, or None if there are none."""
    conditions = tuple(parts)
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return k.All(conditions)


def narrow_loop(e: Any) -> Any:
    """Rewrite a loop over all members to visit only those that can meet its condition.

    The loop is a `Fold` or a `FilteredSet`. The members are found by the value of a
    table entry, or by the content of a cell.
    """
    sequence = e.sequence
    if not isinstance(sequence, k.Range) or not isinstance(sequence.high, k.Int):
        return e
    if sequence.low != k.Int(0):
        return e
    size, fold = sequence.high.value + 1, isinstance(e, k.Fold)
    condition = e.where if fold else e.condition
    tests = conjuncts(condition)
    for test in (*tests, *implied_conditions(condition)):
        fitting = members_with(test, e.slot, size)
        if fitting is None:
            continue
        rest = conjunction([x for x in tests if x is not test])
        if fold:
            return attrs.evolve(e, sequence=fitting, where=rest)
        if rest is None:
            return fitting
        return attrs.evolve(e, sequence=fitting, condition=rest)
    return e


def implied_conditions(e: k.Value | None) -> list[k.Value]:
    """Return conditions that are true whenever a given condition is true."""
    match e:
        case k.All(parts=parts):
            return [test for part in parts for test in implied_conditions(part)]
        case k.Some(parts=(first, *others)):
            each = [implied_conditions(part) for part in others]
            return [
                x
                for x in implied_conditions(first)
                if all(x in tests for tests in each)
            ]
        case None:
            return []
        case _:
            return [e]


def members_with(test: k.Value, slot: int, size: int) -> k.Sequence | None:
    """Return the members that meet a test, as a sequence that is quick to iterate.

    Return None if there is no such sequence.
    """
    match test:
        case k.CompareValues(
            "==", k.Lookup(table=table, index=k.Var(slot=read)), wanted
        ) if read == slot and not reads_local(wanted, slot):
            low, high = min(table[:-1]), max(table[:-1])
            if high - low >= MEMBERS_MAX:
                return None
            rows = [
                tuple([n for n in range(size) if table[n] == value])
                for value in range(low, high + 1)
            ]
            index = k.Binary("-", wanted, k.Int(low)) if low else wanted
            inside = k.Between(k.Int(low), "<=", wanted, "<=", k.Int(high))
            return k.TableRow((*rows, ()), k.Select(inside, index, k.Int(-1)))
        case _:
            holding = holding_of(test, slot, size)
            if holding is None or size < MEMBERS_MIN:
                return None
            return holding


def holding_of(test: k.Value, slot: int, size: int) -> k.Holding | None:
    """Return the places whose cells pass a test that compares a cell with a value.

    Return None for other tests.
    """
    match test:
        case k.CompareValues("==", k.Load(cell), wanted):
            nowhere = False
        case k.Between(k.Int(-1), "!=", k.Load(cell), "==", wanted):
            nowhere = True
        case _:
            return None
    match cell:
        case k.Binary("+", k.Int(value=base), k.Var(slot=read)) if read == slot:
            pass
        case _:
            return None
    if reads_local(wanted, slot):
        return None
    return k.Holding(base, size, wanted, nowhere)


def merge_searches(e: k.Fold) -> k.Fold:
    """Rewrite a test of several searches over the board to one from all their starts.

    Some start from which a place with a property is reached exists exactly if such a
    place is reached from the set of all starts.
    """
    if e.kind is not k.FoldKind.ANY:
        return e
    tests = conjuncts(e.where)
    for test in tests:
        match test:
            case k.Fold(k.FoldKind.ANY, _, k.Reached(ways)) if (
                ways.is_plain and ways.start == k.Var(e.slot)
            ):
                rest = attrs.evolve(ways, start=k.Int(-1))
                inside = (k.Reached(rest), test.where)
                if any(reads_local(x, e.slot) for x in inside if x is not None):
                    continue
                own = conjunction([x for x in tests if x is not test])
                starts = e.sequence
                if own is not None:
                    starts = k.FilteredSet(e.slot, e.sequence, own)
                together = attrs.evolve(ways, start=starts)
                return attrs.evolve(test, sequence=k.Reached(together))
            case _:
                continue
    return e


def narrow_by_pairs(e: k.Fold, functions: Functions) -> k.Fold:
    """Rewrite a fold over the cells with a value to visit only possible members.

    Some condition must depend only on the member and on another local with few values,
    often a seat. A table has a row of members for each of these values.
    """
    sequence = e.sequence
    if not isinstance(sequence, k.Holding) or sequence.size > MEMBERS_MAX:
        return e
    for test in conjuncts(e.where):
        locals_ = {x for x in walk(test) if isinstance(x, k.Var)}
        others = [x for x in locals_ if x.slot != e.slot]
        if len(locals_) != 2 or len(others) != 1:
            continue
        sizes = [x.size for x in walk(test) if x == others[0] and isinstance(x, k.Var)]
        values = next((size for size in sizes if size), MEMBERS_MAX)
        if values > ROWS_MAX:
            continue
        rows = rows_for(test, e.slot, sequence.size, others[0].slot, values, functions)
        if rows is None:
            continue
        rest = [x for x in conjuncts(e.where) if x is not test]
        where = conjunction([holding_test(sequence, e.slot), *rest])
        return attrs.evolve(e, sequence=k.TableRow(rows, others[0]), where=where)
    return e


def holding_test(e: k.Holding, slot: int) -> k.Value:
    """Return the test that a `Holding` contains the place in *slot*."""
    cell = k.Load(k.Binary("+", k.Int(e.base), k.Var(slot)))
    if e.value is None:
        return k.CompareValues("!=", cell, k.Int(-1))
    if e.nowhere:
        return k.Between(k.Int(-1), "!=", cell, "==", e.value)
    return k.CompareValues("==", cell, e.value)


def rows_for(
    test: k.Value,
    slot: int,
    size: int,
    other_slot: int,
    value_count: int,
    functions: Functions,
) -> tuple[k.Table, ...] | None:
    """Return, for each value of another local, the row of members that pass a test.

    The last row is for none. Return None if the test reads the state.
    """
    rows = []
    try:
        for value in (*range(value_count), -1):
            given = {other_slot: value}
            row = [
                n for n in range(size) if evaluate(test, given | {slot: n}, functions)
            ]
            rows.append(tuple(row))
    except Unknown:
        return None
    return tuple(rows)
