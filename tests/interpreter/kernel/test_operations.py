"""Each operation that never waits gives the same result in the evaluator and in Python.

The examples are written by hand, one or more for each class, with their results.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import pytest

import rulebook as rb
from interpreter.algorithms.shortest_paths import SEARCHES
from interpreter.algorithms.trails import Trails
from interpreter.core.announcement import Announcement
from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Function
from interpreter.kernel.traversal import walk
from interpreter.plan.units import Unit
from interpreter.python.python_expressions import Printer
from interpreter.python.python_statements import StatementPrinter
from interpreter.source.failures import RequireFailed
from interpreter.source.lines import resolve_lines
from interpreter.source.runtime import RUNTIME
from interpreter.source.source import Source
from rulebook import model as m
from rulebook.signatures import Failure
from rulebook.tooling import NOWHERE
from tests.support.kernel_evaluator import (
    NEVER_WAITING,
    Evaluator,
    KernelProgram,
    KernelUnit,
)

SENTENCE = Announcement("{you} has {n}", ("you", "n"), (m.Truth(), m.Truth()))

# ---------------------------------------------------------------- a small state

SEATS = ("red", "blue", "green")
SPAN = rb.Span("a.rules", 1, 1, 1, 2)
PURSE = m.Field("purse", None, m.Whole(0, 9), span=SPAN)

STACK = 20
"""Cell of a stack: a card 2 on top, which all seats know, and two unknown cards."""

UNKNOWN = (-1, 0)
TOP = (2, 7)

CELLS: list[Any] = [
    *(-1, -1, 0, -1, (1, 3, 1), 0, None),
    *(0, -1, 0, False, 5, 6, -1),
    *(2, 0, 2, -1, 1),
    *((0, 2), ((TOP, UNKNOWN, UNKNOWN), (1, 1, 0))),
    *(0, 3, 1, 4),
]
"""Cells: counters, five places from 14, a set at 19, a stack, and numbers from 21."""

FRAME: list[Any] = [0, 0, 1, 2, (4, 5, 6), (2, 0), None]
"""Frame with the slots 0 to 4: two numbers, a row, a set, and nothing."""

X, Y = 100, 101

ENDS = ((0, 1), (1, 2), (2, 3), (1, 3))
"""Corners of the links of a board with four corners."""

NEIGHBOURS = ((1,), (0, 2, 3), (1, 3), (1, 2), ())
LINKS = (
    ((0, 1),),
    ((0, 0), (1, 2), (3, 3)),
    ((1, 1), (2, 3)),
    ((2, 2), (3, 1)),
    (),
)

DOUBLE = Function((X,), ((None, k.Binary("*", k.Var(X), k.Int(2))),), 0)
ODD = Function(
    (X,),
    (
        (k.CompareValues("<", k.Var(X), k.Int(0)), k.Listed(())),
        (None, k.Listed((1, 3))),
    ),
    (),
)
ROW = Function((X,), ((None, k.SumRow((k.LocalRow(X, 2), k.LocalRow(X, 2)), 2)),), ())

STEP = KernelUnit((k.Store(k.Int(21), k.Var(0)), k.Leave(), k.Leave()), 2)

PROGRAM = KernelProgram({"d0": DOUBLE, "d1": ODD, "d2": ROW}, {1: STEP})


# ---------------------------------------------------------------- shorthands


def i(value: int) -> k.Int:
    return k.Int(value)


def x() -> k.Var:
    return k.Var(X)


def at(cell: int) -> k.Load:
    return k.Load(k.Int(cell))


def at_x(base: int) -> k.Load:
    return k.Load(k.Binary("+", k.Int(base), x()))


def same(left: k.Value, right: k.Value) -> k.CompareValues:
    return k.CompareValues("==", left, right)


def less(left: k.Value, right: k.Value) -> k.CompareValues:
    return k.CompareValues("<", left, right)


def listed(*members: int) -> k.Listed:
    return k.Listed(members)


def ways(**changes: Any) -> k.Ways:
    plain = k.Ways(4, i(0), NEIGHBOURS, None, None, None, None)
    return attrs.evolve(plain, **changes)


def ascending() -> k.StepCondition:
    return k.StepCondition(Y, X, less(k.Var(Y), x()))


def selections(
    kind: k.FoldKind,
    low: int = 1,
    high: int = 9,
    where: k.Value | None = None,
    value: k.Value | None = None,
) -> k.FoldSelections:
    counts = k.ConstantRow((2, 0, 3, 1), None)
    return k.FoldSelections(kind, X, counts, i(low), i(high), 99, NOWHERE, where, value)


def drawn(index: int) -> k.Element:
    return k.Element(k.LocalRow(X, 4), i(index))


def trail(*sorts: k.Sequence, **changes: Any) -> k.TrailLength:
    never = k.PerElement(X, k.Int(0, truth=True))
    return attrs.evolve(
        k.TrailLength(sorts, never, None, None, ENDS, None, 999, NOWHERE), **changes
    )


def only(member: k.Value) -> k.Range:
    return k.Range(member, member)


def plus(left: k.Value, right: k.Value) -> k.Binary:
    return k.Binary("+", left, right)


YES, NO = k.Int(1, truth=True), k.Int(0, truth=True)
PLACES = k.CellRow(i(14), 5)
SEVERAL = listed(3, 1, 2)
OWN_STACK = k.Stack(STACK - 1, i(1), 3)
PILE = k.Stack(STACK, None, 3)
GRID = ((1, 2), (5, 3))

RESULTS: list[tuple[k.Operation, Any]] = [
    (k.Int(7), 7),
    (k.Amount(3, None), 3),
    (k.Absent(2), 2),
    (k.Var(1), 2),
    (k.Load(k.Var(0)), -1),
    (k.Lookup((8, 9, -1), i(1)), 9),
    (k.Lookup((8, 9, -1), i(-1)), -1),
    (k.GridIndex(GRID, (i(2), i(6)), None, 0), 4),
    (k.GridIndex(GRID, (i(3), i(6)), None, 0), -1),
    (k.GridIndex(GRID, (i(1), i(7)), i(2), 3), 14),
    (k.GridIndex(GRID, (i(1), i(7)), i(-1), 3), -1),
    (k.Binary("//", i(-7), i(2)), -4),
    (k.Binary("%", i(-7), i(2)), 1),
    (k.Binary("-", i(0), k.Binary("-", i(2), i(5))), 3),
    (k.Binary("max", i(3), i(-3)), 3),
    (k.Binary("&", i(6), k.Binary("|", i(1), i(2))), 2),
    (less(i(2), i(2)), False),
    (k.Between(i(0), "<=", k.Var(1), "<", i(2)), False),
    (k.Between(i(-1), "!=", k.Var(1), "==", i(2)), True),
    (k.Negate(k.Var(1)), False),
    (k.All((less(i(1), k.Var(1)), less(k.Var(1), i(3)))), True),
    (k.All(()), True),
    (k.Some((less(k.Var(1), i(1)), less(k.Var(1), i(3)))), True),
    (k.Some(()), False),
    (k.CountTrue((less(k.Var(1), i(1)), less(k.Var(1), i(3)), YES)), 2),
    (k.CountTrue((less(k.Var(1), i(3)),)), 1),
    (k.Select(less(k.Var(1), i(3)), i(5), i(6)), 5),
    (k.SeatBit(i(2)), 4),
    (k.SeatBit(i(-1)), 0),
    (k.CallFunction("d0", (k.CallFunction("d0", (k.Var(1),)),)), 8),
    (k.KeptValue((1,), (k.Var(1),), (4,), (), (), less(k.Var(1), i(3))), True),
    (k.KeptValue((9,), (i(5),), (4,), (), (), less(k.Var(9), i(3))), False),
    (k.Probe(0, less(k.Var(1), i(3))), True),
    (k.Probe((4, 5), k.Var(0)), 1),
    # values over sequences
    (k.Fold(k.FoldKind.ANY, X, SEVERAL, less(i(2), x())), True),
    (k.Fold(k.FoldKind.ANY, X, listed()), False),
    (k.Fold(k.FoldKind.FIRST, X, SEVERAL, less(x(), i(3))), 1),
    (k.Fold(k.FoldKind.FIRST, X, SEVERAL, less(x(), i(0))), -1),
    (k.Fold(k.FoldKind.COUNT, X, SEVERAL, less(x(), i(3))), 2),
    (k.Fold(k.FoldKind.COUNT, X, SEVERAL), 3),
    (k.Fold(k.FoldKind.SUM, X, SEVERAL, less(x(), i(3)), at_x(14)), 2),
    (k.Fold(k.FoldKind.MAX, X, SEVERAL, None, k.Binary("-", i(0), x())), -1),
    (k.Fold(k.FoldKind.MAX, X, listed(), None, x()), 0),
    (k.Fold(k.FoldKind.MIN, X, SEVERAL, less(i(1), x()), x()), 2),
    (k.Fold(k.FoldKind.ONLY, X, listed(2)), 2),
    (k.Fold(k.FoldKind.ONLY, X, SEVERAL), -1),
    (k.Fold(k.FoldKind.ONLY, X, SEVERAL, less(i(2), x())), 3),
    (
        k.Fold(
            k.FoldKind.ANY,
            X,
            k.TableRow(((0, 1), (1, 3), ()), i(1)),
            same(at_x(14), k.Var(0)),
        ),
        False,
    ),
    (
        k.Fold(
            k.FoldKind.COUNT,
            X,
            k.TableRow(((0, 2), (1, 3), ()), i(0)),
            same(at_x(14), k.Var(1)),
        ),
        2,
    ),
    # selections: from counts 2, 0, 3 and 1 (six items)
    (selections(k.FoldKind.COUNT), 63),
    (selections(k.FoldKind.COUNT, 2, 2), 15),
    (selections(k.FoldKind.COUNT, 5, 9), 7),
    (selections(k.FoldKind.COUNT, -1, 1), 6),
    (selections(k.FoldKind.COUNT, 1, 0), 0),
    (selections(k.FoldKind.COUNT, 1, 9, same(drawn(2), i(2))), 3 * 8),
    (selections(k.FoldKind.COUNT, 2, 3, same(drawn(0), drawn(2))), 2 * 3 + 2 * 3),
    (selections(k.FoldKind.ANY, 1, 9, same(drawn(0), i(2))), True),
    (selections(k.FoldKind.ANY, 1, 2, less(i(2), drawn(2))), False),
    (selections(k.FoldKind.SUM, 6, 6, None, drawn(2)), 3),
    (selections(k.FoldKind.SUM, 2, 2, None, drawn(2)), 2 * 3 + 3 * 3),
    (selections(k.FoldKind.MAX, 1, 2, None, drawn(2)), 2),
    (selections(k.FoldKind.MAX, 1, 2, less(i(2), drawn(2)), drawn(2)), 0),
    (selections(k.FoldKind.MIN, 5, 6, None, drawn(2)), 2),
    (
        k.FoldSelections(
            k.FoldKind.COUNT, X, k.StackRow(PILE), i(1), i(9), 99, NOWHERE
        ),
        7,
    ),
    (k.ContainsElement(k.LocalSet(3, 4), i(2)), True),
    (k.SameSequence(k.LocalSet(3, 4), listed(0, 2)), False),
    (k.SameSequence(k.Range(i(1), k.Var(1)), listed(1, 2)), True),
    # rows
    (k.Element(k.LocalRow(2, 3), i(1)), 5),
    (k.Element(k.CellRow(i(14), 3, 2), i(2)), 1),
    (k.Element(k.StackRow(PILE), i(2)), 1),
    (k.Element(k.StackRow(PILE), i(-1)), 0),
    (k.Total(k.LocalRow(2, 3)), 15),
    (k.CountEqual(PLACES, i(2)), 2),
    (k.CoversRow(k.LocalRow(2, 3), k.ConstantRow((4, 5, 6), None)), True),
    (k.CoversRow(k.ConstantRow((4, 4, 6), None), k.LocalRow(2, 3)), False),
    (PLACES, (2, 0, 2, -1, 1)),
    (k.CellRow(i(14), 2, 3), (2, -1)),
    (k.ConstantRow((1, 2), None), (1, 2)),
    (k.LookupRow(((1, 2), (3, 4), (0, 0)), k.Var(0), "cost"), (3, 4)),
    (k.LocalRow(2, 3), (4, 5, 6)),
    (
        k.BuiltRow(4, X, SEVERAL, less(x(), i(3)), k.Binary("-", x(), i(1))),
        (0, 0, 1, 0),
    ),
    (k.BuiltRow(3, X, only(k.Var(0)), None, i(3)), (0, 3, 0)),
    (k.BuiltRow(3, X, only(at(0)), k.CompareValues(">=", x(), i(0)), i(3)), (0, 0, 0)),
    (k.BuiltRow(3, X, only(k.Var(0)), less(x(), i(1)), i(3)), (0, 0, 0)),
    (k.BuiltRow(3, X, only(k.Var(0)), None, plus(x(), i(1))), (0, 2, 0)),
    (k.SumRow((k.LocalRow(2, 3), k.StackRow(PILE)), 3), (5, 6, 7)),
    (k.CallRow("d2", (k.ConstantRow((1, 2), None),), 2), (2, 4)),
    (k.StackRow(OWN_STACK), (1, 1, 1)),
    (k.StackPool(PILE), (1, 1, 0)),
    (k.StackSize(PILE), 3),
    (k.StackEntry(OWN_STACK, i(0)), 2),
    (k.StackEntry(OWN_STACK, i(-1)), -1),
    (k.StackEntry(OWN_STACK, i(9)), -1),
    # sequences
    (k.Range(k.Var(0), i(3)), (1, 2, 3)),
    (k.Range(i(3), k.Var(0)), ()),
    (SEVERAL, (3, 1, 2)),
    (k.TableRow(((0, 1), (1, 2), ()), i(-1)), ()),
    (k.Holding(14, 5, i(2)), (0, 2)),
    (k.Holding(14, 5, None), (0, 1, 2, 4)),
    (k.Holding(14, 5, i(-1)), ()),
    (k.Holding(14, 5, i(-1), nowhere=False), (3,)),
    (k.Nonzero(k.ConstantRow((0, 4, 0, 1), None), 4), (1, 3)),
    (k.Nonzero(k.StackRow(PILE), 3), (0, 1, 2)),
    (k.FilteredSet(X, SEVERAL, less(i(1), x())), (3, 2)),
    (k.Guarded(less(k.Var(1), i(3)), SEVERAL), (3, 1, 2)),
    (k.Guarded(less(k.Var(1), i(2)), SEVERAL), ()),
    (k.LocalSet(3, 3), (2, 0)),
    (k.CellSet(i(19)), (0, 2)),
    (k.CallSet("d1", (i(0),), 4), (1, 3)),
    (k.CallSet("d1", (i(-1),), 4), ()),
    (
        k.BestSet(X, SEVERAL, None, (less(x(), i(3)), k.Binary("min", x(), i(1)))),
        (1, 2),
    ),
    (k.BestSet(X, SEVERAL, less(x(), i(0)), (x(),)), ()),
    (k.SortedSet(X, SEVERAL, None, x(), falling=False), (1, 2, 3)),
    (k.SortedSet(X, SEVERAL, less(i(1), x()), NO, falling=True), (3, 2)),
    (k.SortedSet(X, SEVERAL, None, x(), True, i(2)), (3, 2)),
    (k.SortedSet(X, SEVERAL, None, x(), False, i(-1)), ()),
    (k.SortedSet(X, SEVERAL, None, x(), False, i(9)), (1, 2, 3)),
    (k.WinnerSet(), (0, 2)),
    (k.Around(((1,), (0, 2), (1, 3), ()), listed(1, 3)), (0, 2)),
    (k.Union((listed(4, 1), k.LocalSet(3, 3), listed(1)), 5), (0, 1, 2, 4)),
    (k.KeptPlaces((9,), (i(2),), (4,), (), (), listed(1, 3), 4), (1, 3)),
    # searches
    (k.Reached(ways()), (0, 1, 2, 3)),
    (
        k.Reached(ways(start=listed(-1, 3), fits=k.PerElement(X, less(i(1), x())))),
        (2, 3),
    ),
    (k.Reached(ways(through=k.PerElement(X, same(x(), i(3))))), (0, 1)),
    (k.Reached(ways(start=i(2), within=i(1))), (1, 2, 3)),
    (k.Reached(ways(links=LINKS, fits=k.PerElement(X, less(x(), i(2))))), (0, 1, 2)),
    (k.Reached(ways(step=ascending())), (0, 1, 2, 3)),
    (k.Reached(ways(start=i(2), step=ascending())), (2, 3)),
    (k.LinkDistance(ways(start=i(3), step=ascending()), i(0), 4), 4),
    (
        k.LinkDistance(
            ways(start=i(2), step=ascending()), i(3), 9, k.PerElement(X, x())
        ),
        3,
    ),
    (k.LinkDistance(ways(), i(3), 4), 2),
    (k.LinkDistance(ways(start=i(-1)), i(3), 4), 4),
    (k.LinkDistance(ways(start=listed(2, 0)), SEVERAL, 4), 0),
    (k.LinkDistance(ways(), listed(), 4), 4),
    # with prices: of places 2 and 3, of links 3 to 0, and without a way
    (k.LinkDistance(ways(), i(3), 9, k.PerElement(X, x())), 4),
    (k.LinkDistance(ways(start=listed(2, 0)), listed(1), 9, k.PerElement(X, x())), 1),
    (
        k.LinkDistance(
            ways(links=LINKS), i(3), 9, k.PerElement(X, k.Binary("-", i(3), x()))
        ),
        3,
    ),
    (
        k.LinkDistance(
            ways(
                links=LINKS,
                fits=k.PerElement(X, less(x(), i(3))),
                through=k.PerElement(X, less(x(), i(3))),
            ),
            i(3),
            9,
            k.PerElement(X, x()),
        ),
        3,
    ),
    (
        k.LinkDistance(
            ways(through=k.PerElement(X, less(x(), i(1)))),
            i(3),
            9,
            k.PerElement(X, x()),
        ),
        9,
    ),
    (
        k.LinkDistance(
            ways(fits=k.PerElement(X, less(x(), i(3)))), i(3), 9, k.PerElement(X, x())
        ),
        9,
    ),
    (trail(k.Range(i(0), i(3))), 4),
    (trail(listed(1, 0), closed=k.PerElement(X, same(x(), i(1)))), 1),
    (trail(listed(0, 3), listed(1)), 2),
    (trail(listed(0, 1), listed(2), joint=k.PerElement(X, same(x(), i(0)))), 2),
    (trail(k.Range(i(0), i(2)), weight=k.PerElement(X, k.Binary("+", x(), i(1)))), 6),
]

BUDGET = 8
"""Maximum number of executed statements."""

DONE = k.Store(i(21), i(9))

CHANGES: list[tuple[k.Block, dict[str, Any]]] = [
    ((k.Bind(X, k.Var(1)), k.Store(i(21), k.Binary("+", x(), x()))), {"s21": 4}),
    ((k.Assign(4, at(14)),), {"f6": 2}),
    ((k.AssignSet(4, k.FilteredSet(X, SEVERAL, less(i(1), x()))),), {"f6": (3, 2)}),
    ((k.AssignRow(4, k.CellRow(i(14), 2), 2),), {"f6": (2, 0)}),
    ((k.AssignRow(4, None, 3),), {"f6": (0, 0, 0)}),
    ((k.AssignElement(k.LocalRow(2, 3), i(1), at(14)),), {"f4": (4, 2, 6)}),
    ((k.Store(k.Binary("+", i(21), k.Var(0)), k.Var(1)),), {"s22": 2}),
    ((k.Store(i(22), k.Binary("-", at(22), k.Var(1))),), {"s22": 1}),
    ((k.StoreRow(i(21), k.LocalRow(2, 3), 3),), {"s21": 4, "s22": 5, "s23": 6}),
    ((k.StoreSet(i(19), k.Range(i(1), i(2))),), {"s19": (1, 2)}),
    ((k.Clear(PLACES, i(2), -1),), {"s14": -1, "s16": -1}),
    ((k.Clear(k.CellRow(i(21), 2, 2), None, 8),), {"s21": 8, "s23": 8}),
    ((k.Wake(2), k.Wake(1)), {"triggers": 3}),
    ((k.Tick(2), k.Tick(3)), {"executed": 5}),
    ((k.Tick(9), k.CheckBudget(), DONE), {"executed": 9, "fails": "OverBudget: 9"}),
    ((k.Tick(8), k.CheckBudget(), DONE), {"executed": 8, "s21": 9}),
    (
        (k.Fail(less(k.Var(1), i(3)), Failure.BEYOND, SPAN, PURSE, (k.Var(1),)), DONE),
        {"fails": "RulesError: 2 is out of range: `purse` holds 0 to 9"},
    ),
    ((k.Fail(less(k.Var(1), i(2)), Failure.NOT_FREE, SPAN, PURSE), DONE), {"s21": 9}),
    ((k.RequireTruth(less(k.Var(1), i(3)), None), DONE), {"s21": 9}),
    (
        (k.Bind(X, i(3)), k.RequireTruth(less(k.Var(1), i(2)), None), DONE),
        {"fails": "RequireFailed: a `require` of a test is not met"},
    ),
    ((k.When(less(k.Var(1), i(3)), (DONE,), (k.Wake(1),)),), {"s21": 9}),
    ((k.When(less(k.Var(1), i(2)), (DONE,), (k.Wake(1),)),), {"triggers": 1}),
    (
        (k.ForEach(X, SEVERAL, less(i(1), x()), (k.Tick(1), DONE), frozen=False),),
        {"executed": 2, "s21": 9},
    ),
    (
        (
            k.ForEach(
                *(X, k.Holding(14, 5, i(2)), None),
                (k.Store(k.Binary("+", i(14), x()), i(7)), k.Store(i(16), i(1))),
                frozen=True,
            ),
        ),
        {"s14": 7, "s16": 1},
    ),
    (
        (
            k.ForCounts(
                *(X, Y, k.CellRow(i(21), 4), 4),
                (k.Store(k.Binary("+", i(21), x()), k.Binary("+", k.Var(Y), x())),),
            ),
        ),
        {"s22": 4, "s23": 3, "s24": 7},
    ),
    (
        (k.Times(i(3), less(i(4), at(22)), (k.Store(i(22), plus(at(22), i(1))),)),),
        {"s22": 5},
    ),
    ((k.Scope((k.Bind(X, i(9)), k.Store(i(21), x()))),), {"s21": 9}),
    ((k.Run(1, (0,), (i(2),)), k.Store(i(22), k.Var(0))), {"s21": 2, "s22": 1}),
    ((k.DropFirst(3),), {"f5": (0,)}),
    ((DONE, k.When(YES, (k.Leave(),)), k.Wake(1)), {"s21": 9}),
    ((k.Offered(i(5)), k.Offered(i(6), NO), k.Offered(k.Var(1), YES)), {"out": [5, 2]}),
    ((k.Visit(3), k.Visit(3)), {"counts": {(3, True): 2}}),
    (
        (k.Announce(SENTENCE, (i(1), at(21))), k.Announce(SENTENCE, (i(0), i(2)))),
        {"out": [("{you} has {n}", 1, CELLS[21]), ("{you} has {n}", 0, 2)]},
    ),
    (
        (k.CompareCards(begins=True), DONE, k.CompareCards(begins=False)),
        {"s21": 9, "counts": {(k.CompareCards, True): 2}},
    ),
    ((k.StackTake(PILE, i(2), i(3)),), {"s20": ((UNKNOWN, UNKNOWN), (1, 1, 0))}),
    (
        (k.StackPut(OWN_STACK, i(1), k.Var(1), False, i(1)),),
        {"s20": ((TOP, UNKNOWN, UNKNOWN, (1, 1), (1, 1)), (1, 1, 0))},
    ),
    (
        (k.StackPut(PILE, i(1), i(1), True, i(2)),),
        {"s20": (((1, 2), TOP, UNKNOWN, UNKNOWN), (1, 1, 0))},
    ),
    ((k.StackShuffle(PILE),), {"s20": ((UNKNOWN,) * 3, (1, 1, 1))}),
    ((k.StackDraw(PILE, i(2)),), {"s20": ((UNKNOWN, UNKNOWN), (1, 1, 0))}),
    (
        (k.StackLearn(PILE, i(1), i(4)),),
        {"s20": ((TOP, (1, 4), UNKNOWN), (1, 0, 0))},
    ),
    (
        (k.StackPut(PILE, i(1), i(1), True, i(2)), k.StackShow(PILE, i(4), True)),
        {"s20": (((1, 6), TOP, UNKNOWN, UNKNOWN), (1, 1, 0))},
    ),
    (
        (k.StackPut(PILE, i(1), i(1), False, i(2)), k.StackShow(PILE, i(4), False)),
        {"s20": ((TOP, UNKNOWN, UNKNOWN, (1, 6)), (1, 1, 0))},
    ),
]
"""Blocks with all their changes: cells, places of the frame, counters."""


# ---------------------------------------------------------------- two back ends


class OverBudget(Exception):
    """Raised if too many statements have been executed."""


def check_budget(executed: int) -> None:
    if executed > BUDGET:
        raise OverBudget(executed)


@attrs.define
class Running:
    """Minimal running game for compiled statements."""

    plan: Any = attrs.field(init=False)
    triggers: int = 0
    executed: int = 0
    out: list[Any] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.plan = self
        self.units = {1: Unit("step", ("a", "b"), (None, None), 2, number=1)}
        self.units[1].empty = [None, None]

    units: dict[int, Unit] = attrs.field(init=False)

    def check_budget(self) -> None:
        check_budget(self.executed)

    def announce(self, sentence: Announcement, values: tuple[Any, ...]) -> None:
        self.out.append((sentence.text, *values))


def changes(
    s: list[Any], f: list[Any], failure: str, **counters: Any
) -> dict[str, Any]:
    """Return all differences from the small state, such as cells and locals."""
    cells = {f"s{n}": new for n, new in enumerate(s) if new != CELLS[n]}
    places = {f"f{n}": new for n, new in enumerate(f) if new != FRAME[n]}
    others = {name: value for name, value in counters.items() if value}
    return {**cells, **places, **others, **({"fails": failure} if failure else {})}


def failing(run: Callable[[], Any]) -> str:
    """Run a function; return its failure, or an empty string."""
    try:
        run()
    except rb.RulesError as error:
        return f"RulesError: {error.diagnostics[0].message}"
    except (OverBudget, RequireFailed) as error:
        return f"{type(error).__name__}: {error}"
    return ""


class Compiled:
    """Python back end: all examples as functions, compiled at once."""

    def __init__(self) -> None:
        self.source = Source()
        self.counts: Counter[Any] = Counter()
        self.held: defaultdict[int, int] = defaultdict(int)
        self.out: list[int] = []
        self.source.names.update(RUNTIME | SEARCHES)
        self.source.names.update(
            trail=Trails(ENDS),
            asked=self.count_condition,
            row=self.count_member,
            held=self.held,
            moving=self.compare_cards,
            moved=self.compare_cards,
            out=self.out,
        )
        for name, function in PROGRAM.functions.items():
            self.write_function(name, function)
        for number, unit in PROGRAM.units.items():
            self.write_block(f"q{number}", unit.block)
        for number, (e, _) in enumerate(RESULTS):
            text = Printer(self.source, len(SEATS)).argument(e).text  # type: ignore[arg-type]
            self.source.function(f"value{number}", "s, f", [f"return {text}"])
        for number, (block, _) in enumerate(CHANGES):
            self.write_block(f"block{number}", block)
        self.source.compile()

    def write_function(self, name: str, function: Function) -> None:
        lines = []
        for condition, value in function.lines:
            p = Printer(self.source, len(SEATS), variables=True)
            test = "True" if condition is None else p.value(condition).text
            text = p.argument(value).text  # type: ignore[arg-type]
            lines.append(f"if {test}: return {text}")
        slots = "".join(f", v{slot}" for slot in function.slots)
        self.source.function(name, f"s{slots}", lines)

    def write_block(self, name: str, block: k.Block) -> None:
        p = Printer(self.source, len(SEATS))
        lines = StatementPrinter(p, "return").lines(block)
        self.source.function(name, "g, s, f", resolve_lines(lines, {}))

    def count_condition(self, site: int, truth: Any) -> Any:
        self.counts[site, bool(truth)] += 1
        return truth

    def count_member(self, sites: tuple[int, ...], member: int) -> int:
        self.counts[sites[member % len(sites)], True] += 1
        return member

    def compare_cards(self, s: list[Any]) -> None:
        assert len(s) == len(CELLS)
        self.counts[k.CompareCards, True] += 1

    def value(self, number: int) -> Any:
        return self.source.names[f"value{number}"](CELLS[:], FRAME[:])

    def changes(self, number: int) -> dict[str, Any]:
        for counter in (self.counts, self.held, self.out):
            counter.clear()
        g, s, f = Running(out=self.out), CELLS[:], FRAME[:]
        block = self.source.names[f"block{number}"]
        failure = failing(partial(block, g, s, f))
        self.counts.update({(site, True): n for site, n in self.held.items()})
        return changes(
            *(s, f, failure),
            triggers=g.triggers,
            executed=g.executed,
            out=self.out[:],
            counts=dict(self.counts),
        )


def evaluated(block: k.Block) -> dict[str, Any]:
    """Run a block in the evaluator; return all its changes."""
    t = Evaluator(PROGRAM, CELLS[:], FRAME[:], check=check_budget)
    failure = failing(partial(t.run, block))
    return changes(
        *(t.s, t.f, failure),
        triggers=t.triggers,
        executed=t.executed,
        out=t.out,
        counts=dict(t.counts),
    )


# ---------------------------------------------------------------- tests


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    """Return the Python back end."""
    return Compiled()


def test_every_class_has_an_example() -> None:
    roots = [
        *[e for e, _ in RESULTS],
        *[e for block, _ in CHANGES for e in block],
        *STEP.block,
    ]
    seen = {type(inside) for root in roots for inside in walk(root)}

    assert seen >= NEVER_WAITING


def test_values_rows_and_sequences_have_the_same_result(compiled: Compiled) -> None:
    for number, (e, expected) in enumerate(RESULTS):
        there = Evaluator(PROGRAM, CELLS[:], FRAME[:]).evaluate(e)
        assert there == expected, e
        assert type(there) is type(expected) or isinstance(expected, int), e
        assert compiled.value(number) == expected, e


def test_statements_have_the_same_effects(compiled: Compiled) -> None:
    for number, (block, expected) in enumerate(CHANGES):
        assert evaluated(block) == expected, block
        assert compiled.changes(number) == expected, block
