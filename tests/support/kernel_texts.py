"""Examples of the readable text of each operation of the kernel."""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.core.announcement import Announcement
from interpreter.kernel import operations as k
from rulebook.model import Member, Whole
from rulebook.signatures import Failure

ONE, TWO, V = k.Int(1), k.Int(2), k.Var(3)
SET, ROW, STACK = k.Range(ONE, TWO), k.LocalRow(4, 2), k.Stack(7, V, 3)
TEST = k.CompareValues("<", V, TWO)
WAYS = k.Ways(1, ONE, ((), ()), None, None, None, None)
DEAL = k.Deal(
    *(1, 2, SET, 9, 2, False, "sign", (0, -1), (1,), 0),
    *(None, (k.DealTest((5,), TEST),), None, None, None),
)
OFFER = k.ActionOffer(None, free=True, slots=(2,), arguments=(ONE,), needed=(V,))

EXPRESSIONS: list[tuple[k.Operation, str]] = [
    (k.Int(-1), "-1"),
    (k.Int(1, truth=True), "yes"),
    (k.Amount(3, None), "#3"),
    (V, "v3"),
    (k.Var(2_000_007), "t0"),
    (k.Absent(4), "absent(4)"),
    (k.Load(V), "cell[v3]"),
    (k.Lookup((5, -1), V), "T0[v3]"),
    (k.Lookup((5, -1), V, "card.worth"), "card.worth[v3]"),
    (k.GridIndex(((1, 3),), (V,), TWO, 2), "grid(v3 in 1..3) of 2"),
    (k.Binary("*", k.Binary("+", V, ONE), TWO), "(v3 + 1) * 2"),
    (k.Binary("-", V, k.Binary("-", ONE, TWO)), "v3 - (1 - 2)"),
    (k.Binary("max", V, ONE), "max(v3, 1)"),
    (TEST, "v3 < 2"),
    (k.Between(ONE, "<=", V, "<", TWO), "1 <= v3 < 2"),
    (k.Negate(k.Some((TEST, V))), "not (v3 < 2 or v3)"),
    (k.All((TEST, k.Some((V, V)))), "v3 < 2 and (v3 or v3)"),
    (k.All((V, V), eager=True), "eager(v3 and v3)"),
    (k.Some((k.All((V, V)), V)), "v3 and v3 or v3"),
    (k.CountTrue((V, TEST)), "count_true(v3, v3 < 2)"),
    (k.Select(TEST, ONE, TWO), "1 if v3 < 2 else 2"),
    (k.SeatBit(V), "bit(v3)"),
    (k.CallFunction("d1", (V, SET)), "d1(v3, 1..2)"),
    (k.Probe(8, V), "probe(8, v3)"),
    (k.Fold(k.FoldKind.ANY, 3, SET, TEST), "any(v3 in 1..2 where v3 < 2)"),
    (k.Fold(k.FoldKind.SUM, 3, SET, None, V), "sum(v3 for v3 in 1..2)"),
    (
        k.FoldSelections(k.FoldKind.COUNT, 4, ROW, ONE, TWO, 9, None, TEST),
        "count_selection(v4 of 1..2 from v4 where v3 < 2; at most 9)",
    ),
    (
        k.FoldSelections(k.FoldKind.MAX, 4, ROW, ONE, TWO, 9, None, None, k.Total(ROW)),
        "max_selection(total(v4) for v4 of 1..2 from v4; at most 9)",
    ),
    (k.ContainsElement(SET, V), "v3 in 1..2"),
    (k.SameSequence(SET, k.Listed((1,))), "same(1..2, {1})"),
    (k.Element(ROW, ONE), "v4[1]"),
    (k.Total(ROW), "total(v4)"),
    (k.CountEqual(k.CellRow(V, 6), ONE), "count_equal(cells[v3; 6], 1)"),
    (k.CoversRow(ROW, k.ConstantRow((1, 2), None)), "covers(v4, (#1, #2))"),
    (k.CellRow(V, 6, 2), "cells[v3; 6 by 2]"),
    (k.ConstantRow((0, 0, 0), None), "(#0; 3)"),
    (k.LookupRow(((1,), (0,)), V, "card.cost"), "card.cost[v3]"),
    (ROW, "v4"),
    (k.BuiltRow(2, 3, SET, TEST, V), "row(v3 for v3 in 1..2 where v3 < 2)"),
    (k.SumRow((ROW, ROW), 2), "v4 + v4"),
    (k.CallRow("d2", (V,), 2), "d2(v3)"),
    (STACK, "stack[7 + v3]"),
    (k.StackRow(STACK), "counts(stack[7 + v3])"),
    (k.StackPool(STACK), "unknown(stack[7 + v3])"),
    (k.StackSize(STACK), "size(stack[7 + v3])"),
    (k.StackEntry(STACK, k.Int(1)), "entry(stack[7 + v3], 1)"),
    (SET, "1..2"),
    (k.Listed((4, 2)), "{4, 2}"),
    (k.TableRow(((1,), ()), V), "row v3 of T0"),
    (k.Holding(5, 4, V), "holding(v3, cells[5; 4])"),
    (k.Nonzero(ROW, 2), "nonzero(v4)"),
    (k.FilteredSet(3, SET, TEST), "{v3 in 1..2 where v3 < 2}"),
    (k.Guarded(TEST, SET), "1..2 if v3 < 2 else {}"),
    (k.LocalSet(3, 4), "v3"),
    (k.CellSet(V), "set_in_cell[v3]"),
    (k.CallSet("d3", (), 2), "d3()"),
    (k.BestSet(3, SET, None, (V, ONE)), "best(v3 in 1..2 by v3, 1)"),
    (k.SortedSet(3, SET, None, V, falling=True), "sorted(v3 in 1..2 by falling v3)"),
    (
        k.SortedSet(3, SET, None, V, False, TWO),
        "sorted(v3 in 1..2 by v3, at most 2)",
    ),
    (k.WinnerSet(), "winners"),
    (k.Around(((1,),), SET), "around(1..2, T0)"),
    (k.Union((SET, SET), 3), "union(1..2, 1..2)"),
    (k.KeptValue((3,), (V,), (4,), (0,), (None,), TEST), "kept(v3 < 2)"),
    (k.KeptPlaces((3,), (ONE,), (4,), (), (), SET, 3), "kept(1..2, v3 = 1)"),
    (k.PerElement(3, TEST), "v3 with v3 < 2"),
    (WAYS, "from 1, over T0"),
    (k.StepCondition(3, 4, TEST), "v3 to v4 with v3 < 2"),
    (
        k.Reached(attrs.evolve(WAYS, step=k.StepCondition(3, 4, TEST))),
        "reached(from 1, over T0, step v3 to v4 with v3 < 2)",
    ),
    (k.Reached(WAYS), "reached(from 1, over T0)"),
    (k.LinkDistance(WAYS, TWO, 1), "distance(from 1, over T0, to 2, else 1)"),
    (
        k.LinkDistance(WAYS, TWO, 9, k.PerElement(3, TWO)),
        "distance(from 1, over T0, to 2, else 9, by v3 with 2)",
    ),
    (
        k.TrailLength((SET,), k.PerElement(3, V), None, None, ((0, 1),), ONE, 9, None),
        "longest_trail(1..2; closed at v3 with v3; of 1; ends T0; at most 9)",
    ),
    (k.Weights(ROW), "weights v4"),
    (k.TopCard(STACK), "top card of stack[7 + v3]"),
    (k.Uniform(SET), "any of 1..2"),
    (k.Dice((((1,), 1),), (6,), None), "dice cell[6] with T0"),
    (DEAL, "deal v1 to v2, sign in cells[9; 2] as T0, never (v5) with v3 < 2"),
    (k.DealTest((5, 6), TEST), "(v5, v6) with v3 < 2"),
    (OFFER, "offer action(v2: 1) free if there is v3"),
]
"""One text or more for each class of expressions."""


def chosen(e: type[k.Decision], *rest: Any) -> Any:
    """Return a decision of seat 1 at label 5."""
    return e(5, "name", ONE, None, *rest)


SENTENCE = Announcement("{you} has {n}", ("you", "n"), (Member("player"), Whole(0, 9)))

STATEMENTS: list[tuple[k.Operation, str]] = [
    (k.Bind(3, ONE), "let v3 = 1"),
    (k.Assign(3, ONE), "v3 := 1"),
    (k.AssignSet(3, SET), "v3 := 1..2"),
    (k.AssignRow(3, ROW, 2), "v3 := v4"),
    (k.AssignRow(3, None, 2), "v3 := (0; 2)"),
    (k.AssignElement(ROW, ONE, TWO), "v4[1] := 2"),
    (k.Store(V, ONE, grows=True), "store cell[v3] := 1, grows"),
    (k.StoreRow(V, ROW, 2), "store cells[v3; 2] := v4"),
    (k.StoreSet(V, SET), "store set_in_cell[v3] := 1..2"),
    (
        k.Clear(k.CellRow(V, 6), ONE, -1),
        "store every cells[v3; 6] := -1 where they are 1",
    ),
    (k.Wake(5), "wake triggers 0, 2"),
    (k.Tick(3), "tick 3"),
    (k.CheckBudget(), "check budget"),
    (
        k.Fail(TEST, Failure.NO_ROOM, None, None, (V,)),
        "fail no_room if v3 < 2, showing v3",
    ),
    (k.RequireTruth(TEST, None), "require v3 < 2"),
    (k.When(TEST, (k.Leave(),), (k.Tick(1),)), "if v3 < 2:|    leave|else:|    tick 1"),
    (k.When(TEST, ()), "if v3 < 2:|    nothing"),
    (
        k.ForEach(3, SET, TEST, (k.Leave(),), frozen=True),
        "for v3 in 1..2 where v3 < 2, listed first:|    leave",
    ),
    (k.ForCounts(5, 6, ROW, 2, (k.Leave(),)), "for v6 of v5 in v4:|    leave"),
    (k.Times(TWO, TEST, (k.Leave(),)), "repeat 2 until v3 < 2:|    leave"),
    (k.Scope((k.Leave(),)), "scope:|    leave"),
    (k.Run(4, (0, 2), (ONE, TWO)), "run unit 4(v0: 1, v2: 2)"),
    (k.DropFirst(3), "drop first of v3"),
    (k.Leave(), "leave"),
    (k.Visit(6), "visit 6"),
    (k.Announce(SENTENCE, (ONE, TWO)), "announce '{you} has {n}' with 1, 2"),
    (k.Announce(Announcement("Hear!", (), ()), ()), "announce 'Hear!'"),
    (k.CompareCards(begins=True), "remember cards"),
    (k.StackTake(STACK, ONE, TWO), "take 1 from stack[7 + v3], known to 2"),
    (
        k.StackPut(STACK, ONE, V, on_top=False, knowing=TWO),
        "put v3 of 1 under stack[7 + v3], known to 2",
    ),
    (k.StackShuffle(STACK), "shuffle stack[7 + v3]"),
    (k.StackDraw(STACK, ONE), "draw 1 from stack[7 + v3]"),
    (k.StackLearn(STACK, ONE, TWO), "learn 1 in stack[7 + v3], known to 2"),
    (k.StackShow(STACK, TWO, top_only=True), "show top of stack[7 + v3] to 2"),
    (k.Offered(V, TEST), "legal v3 if v3 < 2"),
    (k.Goto(5), "goto L5"),
    (k.Branch(TEST, (k.Goto(5),)), "if v3 < 2:|    goto L5"),
    (k.Settle(5), "settle at L5"),
    (k.Push(TWO, (0,), (V,), 5), "push unit 2(v0: v3), then L5"),
    (k.Unset((3, 4)), "unset v3, v4"),
    (k.TakeFirst(3, 4), "v4 := take first of v3"),
    (k.BeginTogether(1, 2, 3, 4), "begin together v1 with v2, all in v3"),
    (k.EndTogether(1, 3), "end together v1, all in v3"),
    (k.EndGame(), "end game"),
    (k.Finish(ONE, None, "why", certain=True), "finish, winner 1, 'why'"),
    (
        k.Finish(None, k.BestSet(3, SET, None, (V,)), "why", certain=False),
        "finish, winner best(v3 in 1..2 by v3) if there is one, 'why'",
    ),
    (k.Return(1), "return, wake triggers 0"),
    (k.BeginDeal(DEAL), "begin deal v1 := T0, v2 := 1..2"),
    (
        k.Chance(5, "n", "e", k.Uniform(SET), 3, (k.Leave(),), 6, 7, None, ONE),
        (
            "chance 'e' at L5 'n': v3 of any of 1..2, told to 1:"
            "|    leave|    then L6, without outcomes L7"
        ),
    ),
    (
        chosen(k.WaitForAction, (OFFER,), "stop", 1, 2, 3, 4, True),
        (
            "ask 1 at L5 'name', private:|    offer action(v2: 1) free if there is v3"
            "|    after an action L1, after stop L2, passed L3, nothing to do L4"
        ),
    ),
    (
        chosen(k.WaitForMember, 3, SET, 9, 1, 2, 4, None),
        (
            "choose 1 at L5 'name': v3 in 1..2 from index 9"
            "|    chosen L1, passed L2, empty L4"
        ),
    ),
    (
        chosen(k.WaitForCards, ROW, SET, None, ONE, TWO, 9, 4, V, False),
        (
            "gather 1 at L5 'name', told to v3: v4 with 1..2 of 1..2 from index 9"
            "|    done L4"
        ),
    ),
]
"""Lines of each class of statements and controls, separated by `|`."""
