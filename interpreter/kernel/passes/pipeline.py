"""Pipeline of passes over operations; each pass can be switched off."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Functions
from interpreter.kernel.passes.candidates import loop_over_candidates
from interpreter.kernel.passes.narrowing import narrow_by_pairs, narrow_loop
from interpreter.kernel.passes.tabulation import tabulate
from interpreter.kernel.traversal import map_children


class Pass(StrEnum):
    """Names of the passes that can be switched off."""

    TABLES = "tables"
    NARROW = "narrow"
    CANDIDATES = "candidates"


PASSES: dict[Pass, str] = {
    Pass.TABLES: "read values that depend on one member from a table",
    Pass.NARROW: "let loops visit only members that can meet their condition",
    Pass.CANDIDATES: "loop only over members that conditions allow (in C)",
}
"""Descriptions of the passes, in the order in which they run."""

EVERY_PASS = frozenset(Pass)


def parse_passes(names: Iterable[str]) -> frozenset[Pass]:
    """Return the passes with the given names; other names are ignored."""
    return EVERY_PASS.intersection(names)


def optimise(
    e: Any,
    passes: frozenset[Pass] = EVERY_PASS,
    functions: Functions = lambda _: None,
) -> Any:
    """Return an equivalent, faster operation by running *passes* over it."""
    if not passes:
        return e
    if Pass.TABLES in passes and isinstance(e, k.Value):
        whole = tabulate(e)
        if whole is not None:
            return whole
    if Pass.CANDIDATES in passes and isinstance(e, k.ForEach):
        e = loop_over_candidates(e)
    e = map_children(e, lambda x: optimise(x, passes, functions))
    if Pass.NARROW in passes and isinstance(e, k.Fold | k.FilteredSet):
        e = narrow_loop(e)
        if isinstance(e, k.Fold):
            e = narrow_by_pairs(e, functions)
    return e
