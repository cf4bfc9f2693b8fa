"""Lowering of the enumeration of legal actions, and of the test of a single action.

An action is enumerated by nested loops over its parameters. Each part of a requirement
is tested as soon as the parameters that it reads are bound. A parameter that must be in
a set ranges over that set.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.core.action_index import ParameterRange, PlannedAction
from interpreter.expressions.lowerer import YES, Lowerer, add, all_of, times
from interpreter.kernel import operations as k
from interpreter.kernel.passes.narrowing import conjuncts
from interpreter.kernel.passes.pipeline import Optimiser
from interpreter.kernel.traversal import locals_of
from rulebook import model as m

Levels = Sequence[Sequence[k.Value]]
"""Tests by nesting level: those before all loops, then those inside each loop."""


def enumerator(
    lowerer: Lowerer,
    optimiser: Optimiser,
    planned: PlannedAction,
    fixed: tuple[int, ...],
) -> k.Block:
    """Return the rewritten operations that add the legal indices of an action.

    The slots in `fixed` are given; all others are enumerated.
    """
    waiting = conditions(lowerer, optimiser, planned)
    places = enumerated_parameters(planned, fixed)
    levels: list[list[k.Value]] = []
    ranges: list[k.Sequence] = []
    for number in range(len(places) + 1):
        later = {place.slot for place in places[number:]}
        now = [test for test in waiting if not later & locals_of(test)]
        waiting = [test for test in waiting if later & locals_of(test)]
        if number:
            ranges.append(range_of(lowerer, places[number - 1], now))
        levels.append(now)
    return nested_loops(planned, fixed, ranges, levels)


def conditions(
    lowerer: Lowerer, optimiser: Optimiser, planned: PlannedAction
) -> list[k.Value]:
    """Return the conditions of an action, rewritten and split into parts.

    Payment conditions are ignored if the action is free.
    """
    free, parts = k.Var(m.FREE), list[k.Value]()
    for requirement in planned.action.requirements:
        whole = optimiser.rewrite_once(lowerer.value, requirement.condition)
        pays = requirement.sort is m.RequirementSort.PAYS
        parts += [k.Some((free, x)) if pays else x for x in conjuncts(whole)]
    together = optimiser.improve(k.All(tuple(map(optimiser.improve, parts))))
    return [x for x in conjuncts(together) if x != YES]


def enumerated_parameters(
    planned: PlannedAction, fixed: tuple[int, ...]
) -> list[ParameterRange]:
    """Return the parameters of an action except those in the slots *fixed*."""
    return [place for place in planned.places if place.slot not in fixed]


def nested_loops(
    planned: PlannedAction,
    fixed: tuple[int, ...],
    ranges: Sequence[k.Sequence],
    levels: Levels,
) -> k.Block:
    """Return the nested loops with their tests.

    The last test of the innermost loop is left to the operation that adds the index.
    """
    places = enumerated_parameters(planned, fixed)
    *others, last = [list(level) for level in levels]
    final = last.pop() if last else None
    levels = [*others, last]
    body: k.Block = (k.Offered(index_of(planned), final),)
    for place, sequence, tests in reversed(
        list(zip(places, ranges, levels[1:], strict=True))
    ):
        where = all_of(*tests)
        body = (k.ForEach(place.slot, sequence, where, body, frozen=False),)
    inside = [
        k.Between(k.Int(p.low), "<=", k.Var(p.slot), "<", k.Int(p.low + p.size))
        for p in planned.places
        if p.slot in fixed
    ]
    first = all_of(*inside, *levels[0])
    return body if first is None else (k.When(first, body),)


def range_of(
    lowerer: Lowerer, parameter: ParameterRange, tests: list[k.Value]
) -> k.Sequence:
    """Return the values to try for a parameter, in the order of its domain.

    If a test limits the parameter to a set, the test is removed from *tests*.
    """
    for test in tests if isinstance(parameter.type, m.Member) else ():
        match test:
            case k.ContainsElement(members, k.Var(slot=parameter.slot)) if (
                parameter.slot not in locals_of(members)
            ):
                tests.remove(test)
                if is_in_order(members):
                    return members
                return in_domain_order(lowerer, members)
            case _:
                continue
    return all_values(parameter)


def all_values(parameter: ParameterRange) -> k.Sequence:
    """Return all values of a parameter."""
    return k.Range(k.Int(parameter.low), k.Int(parameter.low + parameter.size - 1))


def in_domain_order(lowerer: Lowerer, members: k.Sequence) -> k.Sequence:
    """Return members in the order of their domain."""
    slot = lowerer.new_slot()
    return k.SortedSet(slot, members, None, k.Var(slot), falling=False)


def is_in_order(members: k.Sequence) -> bool:
    """Return whether a sequence is certainly in ascending order."""
    match members:
        case (
            k.Range() | k.Nonzero() | k.Holding() | k.Reached() | k.Around() | k.Union()
        ):
            return True
        case k.Listed(members=listed):
            return list(listed) == sorted(listed)
        case k.TableRow(rows=rows):
            return all(list(row) == sorted(row) for row in rows)
        case k.FilteredSet() | k.Guarded() | k.BestSet():
            return is_in_order(members.sequence)
        case _:
            return False


def index_of(planned: PlannedAction) -> k.Value:
    """Return the action index, computed from the locals of the parameters."""
    first = planned.base - sum(place.low * place.stride for place in planned.places)
    index: k.Value = k.Int(first)
    for place in planned.open_parameters:
        index = add(index, times(k.Var(place.slot), place.stride))
    return index


def instance_test(lowerer: Lowerer, planned: PlannedAction) -> k.Value:
    """Return the test whether the action with the parameters in its frame is legal."""
    return k.All(tuple(conditions(lowerer, Optimiser(frozenset()), planned)))
