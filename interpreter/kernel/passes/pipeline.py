"""The passes over operations, in their order, each with a switch."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Functions
from interpreter.kernel.passes.candidates import loop_over_candidates
from interpreter.kernel.passes.narrowing import narrowed, paired
from interpreter.kernel.passes.tabulation import tabulated
from interpreter.kernel.traversal import rebuilt


class Pass(StrEnum):
    """Name of a pass that can be switched off."""

    TABLES = "tables"
    NARROW = "narrow"
    CANDIDATES = "candidates"


PASSES: dict[Pass, str] = {
    Pass.TABLES: "read what one member decides from a table",
    Pass.NARROW: "let loops visit only members that can meet their condition",
    Pass.CANDIDATES: "loop only over members that conditions allow (in C)",
}
"""Descriptions of the passes, in the order in which they run."""

EVERY_PASS = frozenset(Pass)


def chosen_passes(names: Iterable[str]) -> frozenset[Pass]:
    """Return the passes among some names."""
    return EVERY_PASS.intersection(names)


def optimised(
    e: Any,
    on: frozenset[Pass] = EVERY_PASS,
    functions: Functions = lambda _: None,
) -> Any:
    """Return an operation with the same result that is faster."""
    if not on:
        return e
    if Pass.TABLES in on and isinstance(e, k.Value):
        whole = tabulated(e)
        if whole is not None:
            return whole
    if Pass.CANDIDATES in on and isinstance(e, k.ForEach):
        e = loop_over_candidates(e)
    e = rebuilt(e, lambda x: optimised(x, on, functions))
    if Pass.NARROW in on and isinstance(e, k.Fold | k.FilteredSet):
        e = narrowed(e)
        if isinstance(e, k.Fold):
            e = paired(e, functions)
    return e
