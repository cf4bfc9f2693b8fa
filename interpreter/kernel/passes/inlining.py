"""Pass that replaces calls of short functions by their values."""

from __future__ import annotations

from typing import Any

from interpreter.kernel import operations as k
from interpreter.kernel.passes.costs import size
from interpreter.kernel.passes.rewriter import LOCALS, Rewriter

SIZE_MAX = 60
"""Maximum number of operations of a function that is inlined."""

SIMPLE = (*LOCALS, k.Int, k.Amount, k.Listed)
"""Classes of arguments that may be evaluated several times."""


def inline(t: Rewriter, e: Any) -> Any:
    """Return the value of a called function, or the call if the function is long.

    A function whose value must be computed only once is not inlined.
    """
    if not all(isinstance(x, SIMPLE) for x in e.arguments):
        return e
    key = (e.function, e.arguments)
    if key not in t.known_bodies:
        t.known_bodies[key] = inlined_body(t, e)
    body = t.known_bodies[key]
    return e if body is None else body


def inlined_body(t: Rewriter, e: Any) -> k.Operation | None:
    """Return the rewritten value of a called function, or None to keep the call."""
    function = t.functions(e.function)
    if function is None or function.body is None:
        return None
    given = dict(zip(function.slots, e.arguments, strict=True))
    body = t.substitute(t.rewrite(t.with_new_slots(function.body)), given)
    return None if size(body, SIZE_MAX) > SIZE_MAX else body
