"""Each pass makes an operation faster, and does not change its result.

The operations are written by hand. A change is compared with the expected operation,
and both are evaluated in random states.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Function
from interpreter.kernel.passes.candidates import loop_over_candidates
from interpreter.kernel.passes.narrowing import narrow_by_pairs, narrow_loop
from interpreter.kernel.passes.pipeline import Pass, optimise
from interpreter.kernel.passes.tabulation import MEMBERS_MAX, tabulate
from tests.support.kernel_evaluator import Evaluator, KernelProgram

X, Y, SEAT, FAR = 10, 11, 0, 1
"""Slots of two loop members, and of two locals with a value."""

COUNT = 18
"""Number of places."""

BASE = 4
"""First cell of the places; each cell contains the seat that holds the place, or -1."""

STATES = 40
"""Number of random states in which results are compared."""

ONE_OF_THREE = Function((X,), ((None, k.Binary("%", k.Var(X), k.Int(3))),), 0)
PROGRAM = KernelProgram({"d0": ONE_OF_THREE}, {})


def i(value: int) -> k.Int:
    return k.Int(value)


def x(size: int | None = COUNT) -> k.Var:
    return k.Var(X, size)


def y() -> k.Var:
    return k.Var(Y, COUNT)


def seat() -> k.Var:
    return k.Var(SEAT, 3)


def same(left: k.Value, right: k.Value) -> k.CompareValues:
    return k.CompareValues("==", left, right)


def plus(left: k.Value, right: k.Value) -> k.Binary:
    return k.Binary("+", left, right)


def cell(place: k.Value) -> k.Load:
    return k.Load(plus(i(BASE), place))


def held(place: k.Value, by: k.Value | None = None) -> k.Value:
    """Return whether a seat holds a place."""
    return k.Between(i(-1), "!=", cell(place), "==", by or seat())


def everything(size: int = COUNT) -> k.Range:
    return k.Range(i(0), i(size - 1))


def state(numbers: Random) -> dict[str, Any]:
    """Return cells and a frame for an evaluator, in which few places are held."""
    cells = [numbers.choice((-1, -1, -1, 0, 1, 2)) for _ in range(BASE + COUNT)]
    return {"s": cells, "f": [0, 0, numbers.randrange(-1, 3), numbers.randrange(9)]}


def evaluate(e: k.Operation, given: dict[str, Any]) -> Any:
    """Return the result of an operation, or the indices that it offers."""
    t = Evaluator(PROGRAM, given["s"][:], given["f"][:])
    result = t.evaluate(e)
    return t.out if isinstance(e, k.Statement) else result


def check_same(before: k.Operation, after: k.Operation) -> None:
    """Compare the results of two operations in random states."""
    numbers = Random(1)
    results = set()
    for _ in range(STATES):
        given = state(numbers)
        result = evaluate(before, given)
        assert evaluate(after, given) == result, given
        results.add(str(result))
    assert len(results) > 1, "the states do not matter"


# ---------------------------------------------------------------- tables

COLUMN = (0, 1, 2, 0, 1, 2, 0)
ROW = (0, 0, 0, 1, 1, 1, 0)
"""Coordinates of six places in two rows; the last entry is for none."""

GRID = ((0, 3), (0, 2))


OVER = (1, 3, 5, -1, -1, -1, 1)
"""For each place, the index of the place in the next row; GRID is ordered by columns.
"""


def moved(columns: int, rows: int, of: k.Value) -> k.GridIndex:
    """Return the place that is some columns and rows away from another."""
    column = plus(k.Lookup(COLUMN, of), i(columns))
    return k.GridIndex(GRID, (column, plus(k.Lookup(ROW, of), i(rows))), None, 0)


def check_table(e: k.Value, size: int) -> None:
    """Compare a value with its table for each member, and for none."""
    table = tabulate(e)
    assert table is not None
    for member in (*range(size), -1):
        t = Evaluator(PROGRAM, [], bound={X: member})
        assert t.evaluate(table) == t.evaluate(e)


def test_a_value_of_one_member_is_read_from_a_table() -> None:
    place = moved(0, 1, x(6))
    end = same(k.Lookup(COLUMN, x(6)), k.Lookup(ROW, x(6)))

    assert tabulate(place) == k.Lookup(OVER, x(6))
    assert tabulate(end) == k.Lookup((1, 0, 0, 0, 1, 0, 1), x(6))
    check_table(place, 6)
    check_table(end, 6)


def test_a_table_that_changes_nothing_is_the_member_itself() -> None:
    column, row = (0, 0, 1, 1, 2, 2, 9), (0, 1, 0, 1, 0, 1, 0)
    place = k.GridIndex(GRID, (k.Lookup(column, x(6)), k.Lookup(row, x(6))), None, 0)

    assert tabulate(place) == x(6)
    check_table(place, 6)


def test_a_table_with_one_value_is_a_constant() -> None:
    outside, never = moved(9, 0, x(6)), k.CompareValues("<", k.Lookup(ROW, x(6)), i(0))

    assert tabulate(outside) == i(-1)
    assert tabulate(never) == k.Int(0, truth=True)


def test_a_table_that_differs_for_one_member_or_for_none_is_a_table() -> None:
    column, row = (0, 0, 1, 1, 2, 2, 1), (0, 1, 0, 1, 0, 1, 1)
    place = k.GridIndex(GRID, (k.Lookup(column, x(6)), k.Lookup(row, x(6))), None, 0)
    first = k.CompareValues(
        "<", plus(k.Lookup(column, x(6)), k.Lookup(row, x(6))), i(1)
    )

    assert tabulate(place) == k.Lookup((0, 1, 2, 3, 4, 5, 3), x(6))
    assert tabulate(first) == k.Lookup((1, 0, 0, 0, 0, 0, 0), x(6))


@pytest.mark.parametrize(
    "e",
    [
        moved(0, 1, x(None)),
        moved(0, 1, cell(x(6))),
        k.GridIndex(GRID, (k.Lookup(COLUMN, x(6)), k.Lookup(ROW, seat())), None, 0),
        same(k.Lookup(COLUMN, x(6)), i(1)),
        plus(k.Lookup(COLUMN, x(6)), k.Lookup(ROW, x(6))),
        moved(0, 1, x(MEMBERS_MAX + 1)),
    ],
    ids=[
        *("number of members unknown", "reads a cell", "two locals"),
        *("only one lookup", "arithmetic", "too many members"),
    ],
)
def test_other_values_have_no_table(e: k.Value) -> None:
    assert tabulate(e) is None


def test_the_table_pass_runs_only_if_named() -> None:
    test = held(moved(0, 1, x(6)))
    whole = k.Fold(k.FoldKind.COUNT, X, everything(6), test)

    assert optimise(whole, frozenset({Pass.TABLES})) == k.Fold(
        k.FoldKind.COUNT, X, everything(6), held(k.Lookup(OVER, x(6)))
    )
    assert optimise(whole, frozenset({Pass.NARROW})) == whole
    check_same(whole, optimise(whole))


# ---------------------------------------------------------------- narrowing

SORT = (*[2 + n % 3 for n in range(COUNT)], 0)
"""Number of each place: 2, 3 or 4."""

ROWS = (*[tuple(range(n, COUNT, 3)) for n in range(3)], ())


def sorted_row(wanted: k.Value) -> k.TableRow:
    """Return the places with a number in SORT."""
    inside = k.Between(i(2), "<=", wanted, "<=", i(4))
    index = k.Select(inside, k.Binary("-", wanted, i(2)), i(-1))
    return k.TableRow(ROWS, index)


def test_members_with_a_value_in_a_table_are_a_row() -> None:
    sort = same(k.Lookup(SORT, x()), k.Var(FAR))
    far = k.CompareValues(">", x(), k.Var(FAR))
    fold = k.Fold(k.FoldKind.COUNT, X, everything(), k.All((far, sort)))
    members = k.FilteredSet(X, everything(), sort)

    assert narrow_loop(fold) == k.Fold(k.FoldKind.COUNT, X, sorted_row(k.Var(FAR)), far)
    assert narrow_loop(members) == sorted_row(k.Var(FAR))
    check_same(fold, narrow_loop(fold))
    check_same(members, narrow_loop(members))


@pytest.mark.parametrize("nowhere", [True, False])
def test_places_whose_cells_hold_a_value_are_found_at_once(nowhere: bool) -> None:
    test = held(x()) if nowhere else same(cell(x()), seat())
    far = k.CompareValues("<", k.Var(FAR), x())
    first = k.Fold(k.FoldKind.FIRST, X, everything(), k.All((test, far)))
    members = k.FilteredSet(X, everything(), test)
    holding = k.Holding(BASE, COUNT, seat(), nowhere)

    assert narrow_loop(first) == k.Fold(k.FoldKind.FIRST, X, holding, far)
    assert narrow_loop(members) == holding
    check_same(first, narrow_loop(first))
    check_same(members, narrow_loop(members))


def test_a_condition_common_to_all_alternatives_narrows_and_is_still_tested() -> None:
    low, high = k.CompareValues("<", x(), i(5)), k.CompareValues(">", x(), k.Var(FAR))
    either = k.Some((k.All((low, held(x()))), k.All((held(x()), high))))
    members = k.FilteredSet(X, everything(), either)

    ready = narrow_loop(members)

    assert ready == k.FilteredSet(X, k.Holding(BASE, COUNT, seat()), either)
    check_same(members, ready)
    partly = k.FilteredSet(X, everything(), k.Some((*either.parts, k.All((low, high)))))
    assert narrow_loop(partly) == partly


def test_a_table_with_sparse_numbers_creates_no_rows() -> None:
    far = (*[n * MEMBERS_MAX for n in range(COUNT)], 0)
    members = k.FilteredSet(X, everything(), same(k.Lookup(far, x()), k.Var(FAR)))

    assert narrow_loop(members) == members


@pytest.mark.parametrize(
    ("sequence", "test"),
    [
        (everything(15), held(x())),
        (k.Range(i(1), i(17)), held(x())),
        (k.Range(i(0), k.Var(FAR)), held(x())),
        (everything(), held(y())),
        (everything(), same(k.Lookup(SORT, y()), seat())),
        (everything(), held(x(), x())),
        (everything(), k.CompareValues("!=", cell(x()), seat())),
        (everything(), same(k.Lookup(SORT, x()), x())),
        (everything(), k.Negate(held(x()))),
    ],
    ids=[
        *("few members", "not from 0", "up to a local", "another local"),
        *(
            "table of another local",
            "compared with itself",
            "unequal",
            "table and member",
            "negation",
        ),
    ],
)
def test_other_loops_are_not_narrowed(sequence: k.Sequence, test: k.Value) -> None:
    members = k.FilteredSet(X, sequence, test)

    assert narrow_loop(members) == members


# ---------------------------------------------------------------- pairs


def functions(name: str) -> Function | None:
    return ONE_OF_THREE if name == "d0" else None


@pytest.mark.parametrize("by_call", [True, False])
def test_places_matching_a_seat_become_rows_by_seat(by_call: bool) -> None:
    of_three = k.CallFunction("d0", (x(),)) if by_call else k.Binary("%", x(), i(3))
    suits, far = same(of_three, seat()), k.CompareValues(">", x(), k.Var(FAR))
    fold = k.Fold(
        k.FoldKind.SUM, X, k.Holding(BASE, COUNT, i(1)), k.All((far, suits)), x()
    )

    ready = narrow_by_pairs(fold, functions)

    where = k.All((held(x(), i(1)), far))
    assert ready == k.Fold(k.FoldKind.SUM, X, k.TableRow(ROWS, seat()), where, x())
    check_same(fold, ready)


@pytest.mark.parametrize(
    ("value", "nowhere", "test"),
    [
        (i(1), True, held(x(), i(1))),
        (i(1), False, same(cell(x()), i(1))),
        (None, True, k.CompareValues("!=", cell(x()), i(-1))),
    ],
)
def test_rows_by_seat_still_test_who_holds_a_place(
    value: k.Value | None, nowhere: bool, test: k.Value
) -> None:
    suits = same(k.Binary("%", x(), i(3)), seat())
    fold = k.Fold(k.FoldKind.COUNT, X, k.Holding(BASE, COUNT, value, nowhere), suits)

    ready = narrow_by_pairs(fold, functions)

    assert ready == k.Fold(k.FoldKind.COUNT, X, k.TableRow(ROWS, seat()), test)
    check_same(fold, ready)


@pytest.mark.parametrize(
    "test",
    [
        same(k.Binary("%", x(), i(3)), k.Var(FAR)),
        same(k.Binary("%", x(), i(3)), k.Var(FAR, 9)),
        same(plus(k.Var(FAR, 3), x()), seat()),
        same(cell(x()), seat()),
        k.CompareValues(">", x(), i(3)),
        same(seat(), i(1)),
        k.CallFunction("unknown", (x(), seat())),
    ],
    ids=[
        *("number of values unknown", "many values", "three locals"),
        *("reads a cell", "only the member", "not the member", "unknown function"),
    ],
)
def test_other_conditions_create_no_rows_by_seat(test: k.Value) -> None:
    fold = k.Fold(k.FoldKind.COUNT, X, k.Holding(BASE, COUNT, i(1)), test)

    assert narrow_by_pairs(fold, functions) == fold


def test_creates_no_rows_for_too_many_places() -> None:
    holding = k.Holding(BASE, MEMBERS_MAX + 1, i(1))
    fold = k.Fold(k.FoldKind.COUNT, X, holding, same(k.Binary("%", x(), i(3)), seat()))

    assert narrow_by_pairs(fold, functions) == fold


# ---------------------------------------------------------------- near loops

RING = (*[tuple(sorted({(n - 1) % COUNT, (n + 1) % COUNT})) for n in range(COUNT)], ())
"""Neighbours of places in a ring, with an empty row for none."""

OWN = k.Holding(BASE, COUNT, seat())


def next_to(place: k.Var, slot: int, where: k.Value) -> k.Fold:
    """Return whether a neighbour of a place meets a condition."""
    return k.Fold(k.FoldKind.ANY, slot, k.TableRow(RING, place), where)


def offers(where: k.Value | None, condition: k.Value | None = None) -> k.ForEach:
    """Return a loop that offers each place that meets two conditions."""
    body = (k.Offered(x(), condition),)
    return k.ForEach(X, everything(), where, body, frozen=False)


def over(
    sequence: k.Sequence, where: k.Value | None, condition: k.Value | None = None
) -> k.ForEach:
    """Return a loop that offers the members of a sequence."""
    return k.ForEach(X, sequence, where, (k.Offered(x(), condition),), frozen=False)


FREE = same(cell(x()), i(-1))
BEYOND = k.CompareValues(">", y(), k.Var(FAR))
NEIGHBOURS = k.Around(RING[:COUNT], OWN)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (offers(next_to(x(), Y, held(y()))), over(NEIGHBOURS, None)),
        (
            offers(k.All((FREE, next_to(x(), Y, held(y()))))),
            over(NEIGHBOURS, None, FREE),
        ),
        (
            offers(FREE, next_to(x(), Y, held(y()))),
            over(NEIGHBOURS, None, FREE),
        ),
        (
            offers(next_to(x(), Y, k.All((BEYOND, held(y()))))),
            over(k.Around(RING[:COUNT], k.FilteredSet(Y, OWN, BEYOND)), None),
        ),
        (
            offers(k.Some((next_to(x(), Y, held(y())), held(x())))),
            over(k.Union((NEIGHBOURS, OWN), COUNT), None),
        ),
        (
            offers(next_to(x(), Y, next_to(y(), 12, held(k.Var(12, COUNT))))),
            over(k.Around(RING[:COUNT], NEIGHBOURS), None),
        ),
    ],
    ids=[
        *("neighbours", "and another condition", "in the offer"),
        *("neighbours that meet a condition", "or", "two steps"),
    ],
)
def test_a_loop_visits_only_places_next_to_a_seats_places(
    before: k.ForEach, after: k.ForEach
) -> None:
    assert loop_over_candidates(before) == after
    check_same(before, after)
    nested = k.When(k.CompareValues(">=", k.Var(FAR), i(0)), (before,))
    candidates = frozenset({Pass.CANDIDATES})
    assert optimise(nested, candidates) == k.When(nested.condition, (after,))


def test_a_condition_on_both_places_is_still_tested() -> None:
    lower = k.CompareValues("<", x(), y())
    test = next_to(x(), Y, k.All((held(y()), lower)))
    before = offers(test)

    after = loop_over_candidates(before)

    assert after == over(NEIGHBOURS, test)
    check_same(before, after)
    either = k.Some((test, held(x())))
    assert loop_over_candidates(offers(either)) == over(
        k.Union((NEIGHBOURS, OWN), COUNT), either
    )


@pytest.mark.parametrize(
    "test",
    [
        next_to(x(), Y, held(y(), i(1))),
        next_to(x(), Y, held(y(), x())),
        next_to(k.Var(FAR), Y, held(y())),
        k.Some((next_to(x(), Y, held(y())), FREE)),
        k.Fold(k.FoldKind.COUNT, Y, k.TableRow(RING, x()), held(y())),
        next_to(x(), Y, BEYOND),
    ],
    ids=[
        *("fixed value", "value of the loop", "near another place", "or anything"),
        *("counted", "no place is held"),
    ],
)
def test_other_loops_visit_all_places(test: k.Value) -> None:
    before = offers(test)

    assert loop_over_candidates(before) == before


@pytest.mark.parametrize(
    "sequence", [everything(15), k.Range(i(1), i(17)), k.Range(i(0), k.Var(FAR))]
)
def test_loops_over_few_or_selected_places_are_unchanged(sequence: k.Range) -> None:
    before = over(sequence, next_to(x(), Y, held(y())))

    assert loop_over_candidates(before) == before


def test_a_loop_whose_rounds_write_visits_all_places() -> None:
    """A round of the loop may make the condition true for a later member."""
    write = k.Store(plus(i(BASE), x()), seat())
    test = next_to(x(), Y, held(y()))
    before = k.ForEach(X, everything(), test, (write,), frozen=False)

    assert loop_over_candidates(before) == before


# ---------------------------------------------------------------- switches


def test_each_pass_runs_only_if_enabled() -> None:
    suits = same(k.Binary("%", x(), i(3)), seat())
    test = k.All((held(x(), i(1)), suits))
    fold = k.Fold(k.FoldKind.COUNT, X, everything(), test)
    loop = offers(next_to(x(), Y, held(y())))
    tables, narrow, near = (
        frozenset({name}) for name in (Pass.TABLES, Pass.NARROW, Pass.CANDIDATES)
    )

    assert optimise(fold, tables | near) == fold
    assert optimise(loop, tables | narrow) == loop
    row = k.TableRow(ROWS, seat())
    assert optimise(fold, narrow) == k.Fold(k.FoldKind.COUNT, X, row, held(x(), i(1)))
    assert optimise(loop, near) == over(NEIGHBOURS, None)
