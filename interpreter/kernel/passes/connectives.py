"""Passes over conjunctions and disjunctions: their parts, and the order of these."""

from __future__ import annotations

from functools import partial
from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.passes.costs import cost
from interpreter.kernel.passes.rewriter import Rewriter

OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""Comparison that is true exactly if another is false, by operator."""

MIN_EAGER_TESTS = 3
"""Minimum number of joined one-cell tests that are faster without stopping early."""


def split(t: Rewriter, e: Any) -> Any:
    """Return a chain with the parts of its parts, or a negation pushed into parts."""
    match e:
        case k.All(parts=parts) | k.Some(parts=parts):
            kind = type(e)
            inner = [y for x in parts for y in (x.parts if type(x) is kind else (x,))]
            different = tuple(dict.fromkeys(inner))
            return e if len(different) == len(parts) == len(inner) else kind(different)
        case k.Negate(value=k.Negate(value=value)):
            return value
        case k.Negate(value=k.All(parts=parts)):
            return k.Some(tuple([t.improve(k.Negate(x)) for x in parts]))
        case k.Negate(value=k.Some(parts=parts)):
            return k.All(tuple([t.improve(k.Negate(x)) for x in parts]))
        case k.Negate(value=k.CompareValues(operator, left, right)):
            return k.CompareValues(OPPOSITES[operator], left, right)
        case _:
            return e


def order(t: Rewriter, e: Any) -> Any:
    """Return a chain with its cheapest part first.

    Tests of one cell are cheaper than branches, so all of them are evaluated.
    """
    parts = tuple(sorted(e.parts, key=partial(cost, t)))
    if any(new is not old for new, old in zip(parts, e.parts, strict=True)):
        e = attrs.evolve(e, parts=parts)
    if (
        isinstance(e, k.All)
        and not e.eager
        and len(parts) >= MIN_EAGER_TESTS
        and all(map(reads_one_cell, parts))
    ):
        e = attrs.evolve(e, eager=True)
    return e


def reads_one_cell(e: k.Value) -> bool:
    """Return whether a test reads just one cell, which is cheaper than a branch."""
    match e:
        case k.CompareValues(left=k.Load(), right=k.Int() | k.Var()):
            return True
        case k.Between(value=k.Load()):
            return True
        case _:
            return False
