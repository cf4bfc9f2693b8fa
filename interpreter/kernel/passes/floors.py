"""Pass that decides comparisons by known bounds, without evaluating functions."""

from __future__ import annotations

from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.passes.rewriter import Rewriter

CHEAP = (k.Load, k.Total, k.StackSize, k.Element)
"""Classes of values that are cheaper than a call of a function."""


def test_floor(t: Rewriter, e: Any) -> Any:
    """Return a comparison with a function, after one with its least result."""
    match e:
        case k.CompareValues(">=", left, k.CallFunction(function=name)) if isinstance(
            left, CHEAP
        ):
            function = t.functions(name)
            if function is None or function.least is None:
                return e
            return k.All((attrs.evolve(e, right=function.least), e))
        case _:
            return e
