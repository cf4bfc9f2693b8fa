"""Each local pass improves one operation, and does not change its result."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from interpreter.expressions.plain_values import ARITHMETIC
from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Function
from interpreter.kernel.passes.costs import cost, size
from interpreter.kernel.passes.pipeline import Optimiser, Pass
from interpreter.kernel.passes.rewriter import NO, YES, Rewriter
from rulebook import model as m
from tests.support.kernel_evaluator import Evaluator, KernelProgram

X, Y, P, Q = 10, 11, 0, 1
"""Slots of two loop members, and of two locals with a value."""


def i(value: int) -> k.Int:
    return k.Int(value)


def v(slot: int) -> k.Var:
    return k.Var(slot, 6)


def cell(place: k.Value) -> k.Load:
    return k.Load(place)


def less(left: k.Value, right: k.Value) -> k.CompareValues:
    return k.CompareValues("<", left, right)


def plus(left: k.Value, right: k.Value) -> k.Binary:
    return k.Binary("+", left, right)


def some(slot: int, sequence: k.Sequence, where: k.Value) -> k.Fold:
    return k.Fold(k.FoldKind.ANY, slot, sequence, where)


A, B, C = (cell(i(n)) for n in range(3))
FUNCTIONS = {
    "rate": Function(
        (P,),
        ((less(cell(v(P)), i(2)), i(2)), (None, i(4))),
        0,
        body=None,
        least=i(2),
    ),
    "rich": Function((P,), (), False, body=less(i(2), cell(v(P)))),
    "twice": Function((), ((None, i(8)),), 0),
    "even": Function((P,), ((None, less(i(1), v(P))),), False),
    "near": Function((P,), (), False, body=some(X, k.Range(i(0), cell(v(P))), v(X))),
}
PROGRAM = KernelProgram(
    {
        name: f if f.body is None else Function(f.slots, ((None, f.body),), f.default)
        for name, f in FUNCTIONS.items()
    },
    {},
)


def by(e: Any, *passes: Pass) -> Any:
    """Return an operation after some passes, with the same result in all states."""
    after = Optimiser(frozenset(passes), FUNCTIONS.get).rewrite(e)
    for cells in product((0, 1, 3), repeat=3):
        results = [Evaluator(PROGRAM, [*cells], [0, 0, 1, 2]) for _ in range(2)]
        before_and_after = [run(t, x) for t, x in zip(results, (e, after), strict=True)]
        assert before_and_after[0] == before_and_after[1], cells
    return after


def run(t: Evaluator, e: Any) -> Any:
    """Return the result of a value, or the cells after a statement."""
    if isinstance(e, k.Statement):
        t.run((e,))
        return t.s, t.executed
    result = t.evaluate(e)
    return tuple(result) if isinstance(e, k.Sequence) else result


@pytest.mark.parametrize("op", m.ArithmeticOperator)
def test_the_checker_and_the_engines_calculate_alike(op: m.ArithmeticOperator) -> None:
    evaluator = Evaluator(PROGRAM, [0], [0])

    for left, right in product(range(-7, 8), (-3, -2, -1, 1, 2, 3)):
        operations = [ARITHMETIC[op](i(left), i(right), False)]
        if left >= 0 and right > 0:
            operations.append(ARITHMETIC[op](i(left), i(right), True))
        for operation in operations:
            assert evaluator.evaluate(operation) == op.function(left, right)


# ---------------------------------------------------------------- fold


def test_constants_are_computed() -> None:
    total = plus(i(2), i(3))

    assert by(less(k.Binary("*", total, i(2)), A), Pass.FOLD) == less(i(10), A)
    assert by(k.Lookup((4, 5, -1), i(1)), Pass.FOLD) == i(5)
    assert by(k.TableRow(((1,), (2, 0), ()), i(1)), Pass.FOLD) == k.Listed((2, 0))
    assert by(k.CallFunction("even", (i(3),)), Pass.FOLD) == YES
    assert by(total, Pass.SPLIT) == total


def test_amounts_remain_amounts() -> None:
    """Programs that differ only in amounts share one text."""
    amount = k.Amount(3, None)

    assert by(plus(amount, i(1)), Pass.FOLD) == plus(amount, i(1))
    assert by(k.CallFunction("twice", ()), Pass.FOLD) == k.CallFunction("twice", ())
    assert by(less(plus(amount, i(1)), i(9)), Pass.FOLD) == YES
    data = k.Lookup((4, 5, 0), i(1), "ware.price")
    assert by(data, Pass.FOLD) == data
    count = k.Element(k.ConstantRow((2, 1), None), i(0))
    assert by(count, Pass.FOLD) == count
    assert by(less(i(1), count), Pass.FOLD) == YES


def test_constant_conditions_disappear() -> None:
    test = less(A, i(2))

    assert by(k.All((YES, test)), Pass.FOLD) == test
    assert by(k.All((test, NO)), Pass.FOLD) == NO
    assert by(k.Some((NO, test)), Pass.FOLD) == test
    assert by(k.Some(()), Pass.FOLD) == NO
    assert by(k.CountTrue((NO, test)), Pass.FOLD) == k.CountTrue((test,))
    assert by(k.Select(YES, A, B), Pass.FOLD) == A
    assert by(k.Guarded(NO, k.Range(A, B)), Pass.FOLD) == k.Listed(())


def test_a_branch_that_is_never_taken_disappears() -> None:
    first, second = k.Store(i(0), i(1)), k.Store(i(0), i(2))

    assert by(k.When(YES, (first,), (second,)), Pass.FOLD) == k.Scope((first,))
    assert by(k.When(NO, (first,)), Pass.FOLD) == k.Scope(())


# ---------------------------------------------------------------- unroll


@pytest.mark.parametrize(
    ("kind", "unrolled"), [(k.FoldKind.ANY, k.Some), (k.FoldKind.COUNT, k.CountTrue)]
)
def test_a_loop_over_few_members_is_unrolled(
    kind: k.FoldKind, unrolled: Callable[..., k.Value]
) -> None:
    loop = k.Fold(kind, X, k.Listed((0, 2)), less(i(1), cell(v(X))))

    assert by(loop, Pass.UNROLL) == unrolled((less(i(1), A), less(i(1), C)))


def test_a_sum_over_few_members_is_unrolled() -> None:
    members = k.Range(i(0), i(2))
    loop = k.Fold(k.FoldKind.SUM, X, members, None, cell(v(X)))

    assert by(loop, Pass.UNROLL) == plus(plus(A, B), C)
    none = k.Fold(k.FoldKind.SUM, X, k.Listed(()), None, cell(v(X)))
    assert by(none, Pass.UNROLL) == i(0)


@pytest.mark.parametrize("members", [k.Range(i(0), i(12)), k.Range(i(0), A)])
def test_other_loops_are_not_unrolled(members: k.Sequence) -> None:
    loop = some(X, members, less(v(X), A))

    assert by(loop, *Pass) == loop


def test_rounds_of_a_loop_are_unrolled_and_counted_together() -> None:
    write = k.Store(v(X), plus(cell(v(X)), i(1)))
    loop = k.ForEach(
        X, k.Listed((0, 2)), less(cell(v(X)), i(2)), (k.Tick(2), write), True
    )
    always = k.ForEach(X, k.Listed((0, 2)), None, (k.Tick(2), write), True)

    writes = [k.Store(i(n), plus(cell(i(n)), i(1))) for n in (0, 2)]
    assert by(always, Pass.UNROLL) == k.Scope((k.Tick(4), *writes))
    assert by(loop, Pass.UNROLL) == k.Scope(
        tuple([k.When(less(cell(w.cell), i(2)), (k.Tick(2), w)) for w in writes])
    )


def test_a_round_that_binds_a_local_has_a_separate_scope() -> None:
    bind = k.Bind(Y, cell(v(X)))
    loop = k.ForEach(X, k.Listed((0, 1)), None, (bind, k.Store(i(2), k.Var(Y))), True)

    unrolled = by(loop, Pass.UNROLL)

    assert [type(op) for op in unrolled.body] == [k.Scope, k.Scope]


def test_a_loop_with_a_test_is_not_unrolled() -> None:
    """The message of a failed test shows the member."""
    test = k.RequireTruth(less(cell(v(X)), i(1)), None)
    loop = k.ForEach(X, k.Listed((0, 1)), None, (test,), True)

    assert Optimiser(frozenset({Pass.UNROLL})).rewrite(loop) == loop


def test_the_count_is_not_merged_if_a_round_may_leave() -> None:
    body = (k.Tick(1), k.When(less(A, i(1)), (k.Leave(),)))
    loop = k.ForEach(X, k.Listed((0, 1)), None, body, True)

    assert Optimiser(frozenset({Pass.UNROLL})).rewrite(loop) == k.Scope((*body, *body))


# ---------------------------------------------------------------- inline


def test_a_short_function_is_inlined() -> None:
    assert by(k.CallFunction("rich", (v(Q),)), Pass.INLINE) == less(i(2), cell(v(Q)))
    call = k.CallFunction("rich", (plus(v(P), i(0)),))
    assert by(call, Pass.INLINE) == call
    assert by(k.CallFunction("rate", (v(P),)), Pass.INLINE) == k.CallFunction(
        "rate", (v(P),)
    )


def test_an_inlined_function_binds_new_locals() -> None:
    outer = some(X, k.Range(i(0), B), k.CallFunction("near", (v(P),)))

    inlined = by(outer, Pass.INLINE)

    assert isinstance(inlined.where, k.Fold)
    assert inlined.where.slot != X


def test_a_long_function_is_not_inlined() -> None:
    body = k.All(tuple([less(i(n), cell(v(P))) for n in range(30)]))
    functions = {"long": Function((P,), (), False, body=body)}
    call = k.CallFunction("long", (v(P),))

    assert Optimiser(frozenset({Pass.INLINE}), functions.get).rewrite(call) == call


# ---------------------------------------------------------------- split


def test_nested_chains_become_one() -> None:
    a, b, c = less(A, i(1)), less(B, i(1)), less(C, i(1))

    assert by(k.All((a, k.All((b, a)), c)), Pass.SPLIT) == k.All((a, b, c))
    assert by(k.Some((k.Some((a, b)), c)), Pass.SPLIT) == k.Some((a, b, c))
    mixed = k.Some((k.All((a, b)), c))
    assert by(mixed, Pass.SPLIT) == mixed


def test_negations_move_inside() -> None:
    a, b = less(A, i(1)), k.Between(i(0), "<", B, "<", i(3))
    not_a = k.CompareValues(">=", A, i(1))

    assert by(k.Negate(k.Some((a, b))), Pass.SPLIT) == k.All((not_a, k.Negate(b)))
    assert by(k.Negate(k.All((a, b))), Pass.SPLIT) == k.Some((not_a, k.Negate(b)))
    assert by(k.Negate(k.Negate(b)), Pass.SPLIT) == b


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_a_negated_comparison_is_the_opposite_one(operator: str) -> None:
    test = k.CompareValues(operator, A, B)

    assert isinstance(by(k.Negate(test), Pass.SPLIT), k.CompareValues)


# ---------------------------------------------------------------- bound


def test_the_least_result_is_compared_first() -> None:
    call = k.CallFunction("rate", (i(1),))
    test = k.CompareValues(">=", A, call)

    assert by(test, Pass.BOUND) == k.All((k.CompareValues(">=", A, i(2)), test))
    for other in (less(A, call), k.CompareValues(">=", call, A)):
        assert by(other, Pass.BOUND) == other


# ---------------------------------------------------------------- order


def test_the_cheapest_condition_comes_first() -> None:
    dear = some(X, k.Range(i(0), A), less(v(X), B))
    cheap = less(v(P), i(2))

    assert by(k.All((dear, cheap)), Pass.ORDER) == k.All((cheap, dear))
    assert by(k.Some((dear, cheap)), Pass.ORDER) == k.Some((cheap, dear))


def test_several_tests_of_one_cell_are_all_evaluated() -> None:
    tests = tuple([less(x, i(2)) for x in (A, B, C)])

    assert by(k.All(tests), Pass.ORDER) == k.All(tests, eager=True)
    assert by(k.All(tests[:2]), Pass.ORDER) == k.All(tests[:2])


def test_costs_count_loops_calls_and_reads() -> None:
    t = Rewriter((), FUNCTIONS.get)
    comparison = cost(t, less(A, i(1)))

    assert cost(t, less(v(P), i(1))) < comparison
    assert cost(t, some(X, k.Listed((0, 1, 2)), less(A, i(1)))) > 3 * comparison
    assert cost(t, k.CallFunction("rate", (i(0),))) > comparison


def test_counting_the_size_stops_at_the_limit() -> None:
    tree: k.Value = v(P)
    for _ in range(20):
        tree = k.Negate(tree)

    assert size(tree, 100) == 21
    assert size(tree, 7) == 8
