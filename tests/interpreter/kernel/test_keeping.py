"""Costly values of seldom written cells are marked as kept, and mean the same.

The cells of block 0 are places with the seat that holds them, those of block 1 change
often. Results are compared in random states.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Function
from interpreter.kernel.passes.keeping import CellBlocks, Keeper, key_of_counts
from interpreter.kernel.passes.narrowing import merge_searches
from interpreter.kernel.passes.rewriter import Rewriter
from interpreter.kernel.passes.untouched import skip_change_by_zero
from interpreter.kernel.traversal import walk
from tests.support.kernel_evaluator import Evaluator, KernelProgram

X, Y, SEAT = 10, 11, 0
"""Slots of two loop members, and of a seat."""

COUNT, SEATS = 20, 3
BASE, PURSE = 4, 30
"""First cells of the places and of the purses, which change often."""

RING = (*[((n - 1) % COUNT, (n + 1) % COUNT) for n in range(COUNT)], ())
SUITS = (*[n % 4 for n in range(COUNT)], -1)
BLOCKS = CellBlocks(
    lambda cell: 0 if BASE <= cell < BASE + COUNT else 1 if cell == PURSE else None,
    frozenset({0}),
    lambda cell: SEATS - 1 if BASE <= cell < BASE + COUNT else None,
)
DOUBLE = Function((X,), ((None, k.Binary("*", k.Var(X), k.Int(2))),), 0)
PROGRAM = KernelProgram({"d0": DOUBLE}, {})


def i(value: int) -> k.Int:
    return k.Int(value)


def x() -> k.Var:
    return k.Var(X, COUNT)


def seat() -> k.Var:
    return k.Var(SEAT, SEATS)


def plus(left: k.Value, right: k.Value) -> k.Binary:
    return k.Binary("+", left, right)


def held(place: k.Value, by: k.Value) -> k.Value:
    return k.CompareValues("==", k.Load(plus(i(BASE), place)), by)


def places(where: k.Value, kind: k.FoldKind = k.FoldKind.COUNT) -> k.Fold:
    return k.Fold(kind, X, k.Range(i(0), i(COUNT - 1)), where)


OWN = places(held(x(), seat()))
SUITED = k.CompareValues("==", k.Lookup(SUITS, x()), i(2))
PURSE_OF_SEAT = k.Load(plus(i(PURSE), seat()))


def keep(e: Any, sizes: dict[int, int] | None = None) -> Any:
    keeper = Keeper(Rewriter((), {"d0": DOUBLE}.get), BLOCKS)
    return keeper.keep(e, {SEAT: SEATS} if sizes is None else sizes)


def check_same(before: Any, after: Any) -> None:
    """Compare the results of two operations in random states."""
    numbers = Random(7)
    for _ in range(30):
        cells = [numbers.randrange(-1, SEATS) for _ in range(40)]
        state: dict[str, Any] = {"s": cells, "f": [0, 0, numbers.randrange(SEATS)]}
        results = [Evaluator(PROGRAM, **state).evaluate(e) for e in (before, after)]
        assert results[0] == results[1]


def test_a_count_of_stable_cells_is_kept_for_each_seat() -> None:
    kept = keep(OWN)

    assert kept == k.KeptValue((SEAT,), (seat(),), (SEATS,), (0,), (SEAT,), OWN)
    check_same(OWN, kept)


@pytest.mark.parametrize(
    ("value", "sizes"),
    [
        (plus(OWN, PURSE_OF_SEAT), {}),
        (OWN, {}),
        (k.Fold(k.FoldKind.SUM, X, k.Range(i(0), i(19)), None, PURSE_OF_SEAT), None),
        (held(i(3), seat()), None),
        (OWN, {SEAT: 5_000}),
        (
            k.Fold(k.FoldKind.COUNT, X, k.Range(i(0), i(19)), held(x(), k.Load(i(99)))),
            None,
        ),
    ],
    ids=[
        "unknown seat",
        "unknown size",
        "changes often",
        "cheap",
        "many",
        "unknown cell",
    ],
)
def test_other_values_are_computed_each_time(
    value: k.Value, sizes: dict[int, int] | None
) -> None:
    assert not any(isinstance(e, k.KeptValue) for e in walk(keep(value, sizes)))


def test_the_costly_part_of_a_cheap_value_is_kept() -> None:
    value = k.CompareValues(">", OWN, i(3))

    kept = keep(value)

    assert isinstance(kept, k.CompareValues)
    assert isinstance(kept.left, k.KeptValue)
    check_same(value, kept)


def test_counts_by_a_property_are_kept_together() -> None:
    value = places(k.All((held(x(), seat()), SUITED)))

    kept = keep(value)

    assert i(2) in kept.keys
    assert kept.slots[-1] == key_of_counts(kept.value, kept.slots)
    check_same(value, kept)
    other = keep(
        places(
            k.All(
                (held(x(), seat()), k.CompareValues("==", k.Lookup(SUITS, x()), i(1)))
            )
        )
    )
    assert i(1) in other.keys
    assert other.sizes == kept.sizes


def test_a_count_over_a_long_row_is_kept() -> None:
    row = k.CellRow(i(BASE), COUNT)
    value = k.Fold(k.FoldKind.COUNT, X, k.Nonzero(row, COUNT), SUITED)

    assert isinstance(keep(value), k.KeptValue)
    check_same(value, keep(value))


def test_places_that_meet_stable_conditions_are_kept() -> None:
    rich = k.CompareValues("==", PURSE_OF_SEAT, i(1))
    free = held(x(), i(-1))
    body = (k.Offered(x(), rich),)
    loop = k.ForEach(X, k.Range(i(0), i(COUNT - 1)), free, body, frozen=False)

    kept = keep(loop)

    assert isinstance(kept.sequence, k.KeptPlaces)
    assert (kept.where, kept.body) == (None, body)
    check_same(k.FilteredSet(X, loop.sequence, free), kept.sequence)


def test_a_value_compared_with_a_stable_cell_becomes_a_key() -> None:
    wanted = k.Load(i(PURSE))
    value = k.FilteredSet(X, k.Range(i(0), i(COUNT - 1)), held(x(), wanted))

    kept = keep(value)

    assert isinstance(kept, k.KeptPlaces)
    assert (kept.keys, kept.sizes) == ((wanted,), (SEATS,))
    check_same(value, kept)


def test_members_are_compared_with_cells_only_if_nothing_else_reads_these() -> None:
    both = k.All(
        (held(x(), seat()), k.CompareValues(">", k.Load(plus(i(BASE), x())), i(0)))
    )

    assert keep(places(both)).owners == (None,)


@pytest.mark.parametrize("read", [k.LocalSet(7, 9), k.WinnerSet()])
def test_values_that_read_more_than_cells_are_computed_each_time(
    read: k.Sequence,
) -> None:
    value = k.Fold(k.FoldKind.COUNT, Y, read, k.CompareValues(">", OWN, k.Var(Y)))
    alone = k.Fold(k.FoldKind.SUM, X, k.Range(i(0), i(19)), held(x(), seat()), value)

    assert not isinstance(keep(alone), k.KeptValue)


def test_a_local_that_a_loop_assigns_is_no_key() -> None:
    body = (k.Assign(SEAT, i(1)),)
    loop = k.ForEach(
        X, k.Range(i(0), i(COUNT - 1)), held(x(), seat()), body, frozen=False
    )

    assert keep(loop) == loop


@pytest.mark.parametrize("written", [plus(i(BASE), x()), k.Var(SEAT), i(PURSE)])
def test_conditions_that_a_loop_changes_are_tested_in_each_round(
    written: k.Value,
) -> None:
    wanted = k.Load(i(PURSE))
    body = (k.Store(written, i(1)),)
    test = held(x(), wanted)
    loop = k.ForEach(X, k.Range(i(0), i(COUNT - 1)), test, body, frozen=False)

    assert keep(loop) == loop


def test_searches_from_several_starts_become_one() -> None:
    ways = k.Ways(
        COUNT,
        x(),
        RING,
        None,
        k.PerElement(Y, held(k.Var(Y, COUNT), seat())),
        None,
        None,
    )
    goal = k.CompareValues("==", k.Var(Y, COUNT), i(9))
    reaches = k.Fold(k.FoldKind.ANY, Y, k.Reached(ways), goal)
    start = k.CompareValues("<", x(), i(4))
    value = places(k.All((start, reaches)), k.FoldKind.ANY)

    after = merge_searches(value)

    assert isinstance(after.sequence, k.Reached)
    check_same(value, after)
    near = k.Fold(
        k.FoldKind.ANY, Y, k.Reached(ways), k.CompareValues("<", k.Var(Y), x())
    )
    unlike = places(near, k.FoldKind.ANY)
    assert merge_searches(unlike) == unlike


def test_a_change_by_nothing_is_skipped() -> None:
    cell = plus(i(PURSE), seat())
    change = k.Store(cell, plus(k.Load(cell), k.Var(X)))
    bind = k.Bind(X, OWN)

    after = skip_change_by_zero(k.Scope((bind, change)))

    test = k.CompareValues("!=", k.Var(X), i(0))
    assert after == k.Scope((bind, k.When(test, (change,))))


@pytest.mark.parametrize(
    "other",
    [
        k.Wake(1),
        k.Store(i(PURSE), k.Var(X)),
        k.Store(i(PURSE), plus(k.Load(i(PURSE + 1)), k.Var(X))),
        k.Store(i(PURSE), k.Binary("*", k.Load(i(PURSE)), k.Var(X))),
    ],
    ids=["wakes", "sets", "other cell", "multiplies"],
)
def test_other_statements_always_run(other: k.Statement) -> None:
    scope = k.Scope((k.Bind(X, OWN), other))

    assert skip_change_by_zero(scope) == scope
