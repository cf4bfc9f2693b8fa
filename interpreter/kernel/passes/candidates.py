"""Pass that finds the members that can meet a condition about places.

For example, a condition may require a place next to a place that contains a value. The
members are then found from the few places with that value, so a loop need not test all
members.
"""

from __future__ import annotations

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.passes.narrowing import (
    MEMBERS_MIN,
    conjunction,
    conjuncts,
    holding_of,
)
from interpreter.kernel.traversal import reads_local


def loop_over_candidates(e: k.ForEach) -> k.ForEach:
    """Rewrite a loop over all members to visit only those that its conditions allow."""
    if not isinstance(e.sequence, k.Range) or not only_offers(e.body):
        return e
    if e.sequence.low != k.Int(0) or not isinstance(e.sequence.high, k.Int):
        return e
    for test in loop_conditions(e):
        candidates = candidates_of(test, e.slot, e.sequence.high.value + 1)
        if candidates is not None:
            narrowed = attrs.evolve(e, sequence=candidates[0])
            return without_test(narrowed, test) if candidates[1] else narrowed
    return e


def only_offers(body: k.Block) -> bool:
    """Return whether a block only adds action indices, so that no condition changes."""
    return all(
        isinstance(op, k.Offered)
        or (isinstance(op, k.ForEach) and only_offers(op.body))
        for op in body
    )


def loop_conditions(e: k.ForEach) -> tuple[k.Value, ...]:
    """Return the conditions of a loop and of the single action index in its body."""
    tests = conjuncts(e.where)
    match e.body:
        case (k.Offered(condition=condition),):
            return (*tests, *conjuncts(condition))
        case _:
            return tests


def without_test(e: k.ForEach, test: k.Value) -> k.ForEach:
    """Return a loop without one of its conditions.

    The last remaining condition moves to the index that the loop offers.
    """

    def rest(condition: k.Value | None) -> list[k.Value]:
        return [x for x in conjuncts(condition) if x is not test]

    where, body = rest(e.where), e.body
    match body:
        case (k.Offered() as offered,):
            final = rest(offered.condition)
            if not final:
                where, final = where[:-1], where[-1:]
            body = (attrs.evolve(offered, condition=conjunction(final)),)
        case _:
            pass
    return attrs.evolve(e, where=conjunction(where), body=body)


Candidates = tuple[k.Sequence, bool]
"""Values that may meet a condition, and whether all of them certainly meet it."""


def candidates_of(condition: k.Value, slot: int, size: int) -> Candidates | None:
    """Return the values below `size` that may meet a condition; None if unknown."""
    if size < MEMBERS_MIN:
        return None
    return candidate_members(condition, (slot,), size)


def candidate_members(
    e: k.Value, slots: tuple[int, ...], size: int
) -> Candidates | None:
    """Return the values of the last slot for which *e* may be true; None if unknown.

    For each value of a slot in `slots`, a table lists the possible values of the next.
    """
    match e:
        case k.All(parts=parts):
            return members_of_conjunction(parts, slots, size)
        case k.Some(parts=parts) if parts:
            each = [candidate_members(part, slots, size) for part in parts]
            sure = [result for result in each if result is not None]
            if len(sure) < len(each):
                return None
            union = k.Union(tuple([result[0] for result in sure]), size)
            return union, all(result[1] for result in sure)
        case k.Fold(k.FoldKind.ANY, slot, k.TableRow(rows, k.Var(slot=of)), where) if (
            of == slots[-1] and where is not None
        ):
            far = max((place for row in rows for place in row), default=-1) + 1
            candidates = candidate_members(where, (*slots, slot), far)
            return candidates and (k.Around(rows[:size], candidates[0]), candidates[1])
        case _:
            holding = holding_of(e, slots[-1], size)
            if holding is None or not isinstance(holding.value, k.Var):
                return None
            if holding.value.slot in slots:
                return None
            return holding, True


def members_of_conjunction(
    parts: tuple[k.Value, ...], slots: tuple[int, ...], size: int
) -> Candidates | None:
    """Return the members that a conjunction allows, or None if they are unknown.

    The first usable condition finds the members, and the others filter them. A
    condition that also reads the previous locals cannot be evaluated yet.
    """
    for part in parts:
        candidates = candidate_members(part, slots, size)
        if candidates is None:
            continue
        others = [other for other in parts if other is not part]
        ready = [
            x for x in others if not any(reads_local(x, slot) for slot in slots[:-1])
        ]
        exact = candidates[1] and len(ready) == len(others)
        test = conjunction(ready)
        if test is None:
            return candidates[0], exact
        return k.FilteredSet(slots[-1], candidates[0], test), exact
    return None
