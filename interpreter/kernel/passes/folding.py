"""Pass that computes values that do not depend on the state in advance."""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import OPERATIONS, Unknown
from interpreter.kernel.passes.rewriter import CONSTANTS, NO, YES, Rewriter, is_constant
from interpreter.kernel.traversal import parts, walk

UNFOLDED = (*CONSTANTS, k.Absent, k.Var, k.Range, k.LocalSet)
"""Classes of operations that are not computed in advance.
A range, for example, is faster than a list of its members.
"""

FOLDED = frozenset({k.When, *OPERATIONS}) - {*UNFOLDED}
"""Classes of operations that may be computed in advance, or simplified."""

NUMBERS = (k.Binary, k.Lookup, k.Select, k.Element, k.Total, k.FoldSelections)
SUMS = frozenset({k.FoldKind.SUM, k.FoldKind.MAX, k.FoldKind.MIN})
"""Operations, and kinds of folds, whose results are numbers that may be amounts."""


def fold(t: Rewriter, e: Any) -> Any:
    """Return an operation as a constant if its value is known, else simplified."""
    match e:
        case k.All(parts=values):
            return without(e, values, neutral=True)
        case k.Some(parts=values):
            return without(e, values, neutral=False)
        case k.CountTrue(parts=values) if NO in values:
            return k.CountTrue(tuple([x for x in values if x != NO]))
        case k.Select(condition=k.Int(value=value)):
            return e.then if value else e.otherwise
        case k.When(condition=k.Int(value=value)):
            return k.Scope(e.body if value else e.otherwise)
        case k.Guarded(condition=k.Int(value=value)):
            return e.sequence if value else k.Listed(())
        case k.Value() | k.Sequence() if is_foldable(t, e):
            return computed(t, e)
        case _:
            return e


def without(e: k.All | k.Some, values: tuple[k.Value, ...], *, neutral: bool) -> Any:
    """Return a chain of conditions without its constant conditions."""
    rest = tuple([x for x in values if not isinstance(x, k.Int)])
    if any(isinstance(x, k.Int) and bool(x.value) is not neutral for x in values):
        return NO if neutral else YES
    if not rest:
        return YES if neutral else NO
    if len(rest) == 1:
        return rest[0]
    return e if len(rest) == len(values) else attrs.evolve(e, parts=rest)


def is_foldable(t: Rewriter, e: k.Operation) -> bool:
    """Return whether the value of an operation may be known, and is no amount.

    Amounts remain, so that programs that differ only in amounts share their text.
    """
    is_number = e.kind in SUMS if isinstance(e, k.Fold) else isinstance(e, NUMBERS)
    if is_number and has_amount(e):
        return False
    if isinstance(e, k.Fold):
        return t.members(e.sequence) is not None
    return all(map(is_constant, parts(e)))


def has_amount(e: k.Operation) -> bool:
    """Return whether a number depends on an amount."""
    amounts = (k.Amount, k.ConstantRow)
    return any(isinstance(x, amounts) or getattr(x, "data", None) for x in walk(e))


def computed(t: Rewriter, e: Any) -> Any:
    """Return an operation as a constant, or unchanged if its value may vary."""
    try:
        value = t.evaluate(e)
    except Unknown:
        return e
    if isinstance(e, k.Sequence):
        return k.Listed(tuple(value))
    if isinstance(e, k.CallFunction) and not is_structural(t, e.function):
        return e
    return k.Int(int(value), truth=isinstance(value, bool))


def is_structural(t: Rewriter, function: str) -> bool:
    """Return whether the results of a function are truths or members, not numbers."""
    called = t.functions(function)
    return called is not None and (called.default is False or called.default == -1)
