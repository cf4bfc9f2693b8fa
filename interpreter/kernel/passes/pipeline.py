"""The passes over expressions, in their order, each with a switch."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from interpreter.kernel import operations as k
from interpreter.kernel.passes.known import Functions
from interpreter.kernel.passes.narrowing import narrowed, paired
from interpreter.kernel.passes.tables import tabulated
from interpreter.kernel.traversal import rebuilt


class Pass(StrEnum):
    """Name of a pass that can be switched off."""

    TABLES = "tables"
    NARROW = "narrow"


PASSES = frozenset(Pass)


def optimised(
    e: Any,
    on: frozenset[Pass] = PASSES,
    functions: Functions = lambda _: None,
) -> Any:
    """Return an operation with the same result that is faster."""
    if Pass.TABLES in on and isinstance(e, k.Value):
        whole = tabulated(e)
        if whole is not None:
            return whole
    e = rebuilt(e, lambda x: optimised(x, on, functions))
    if Pass.NARROW in on and isinstance(e, k.Fold | k.Filter):
        e = narrowed(e)
        if isinstance(e, k.Fold):
            e = paired(e, functions)
    return e
