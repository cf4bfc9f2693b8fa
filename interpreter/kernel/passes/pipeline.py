"""Pipeline of passes over operations; each pass can be switched off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.evaluator import Functions
from interpreter.kernel.passes.candidates import loop_over_candidates
from interpreter.kernel.passes.connectives import order, split
from interpreter.kernel.passes.floors import test_floor
from interpreter.kernel.passes.folding import FOLDED, fold
from interpreter.kernel.passes.inlining import inline
from interpreter.kernel.passes.narrowing import (
    merge_searches,
    narrow_by_pairs,
    narrow_loop,
)
from interpreter.kernel.passes.rewriter import LocalPass, Rewriter
from interpreter.kernel.passes.tabulation import tabulate
from interpreter.kernel.passes.unrolling import unroll
from interpreter.kernel.passes.untouched import skip_change_by_zero
from interpreter.kernel.traversal import map_children


class Pass(StrEnum):
    """Names of the passes that can be switched off."""

    SPLIT = "split"
    FOLD = "fold"
    INLINE = "inline"
    UNROLL = "unroll"
    BOUND = "bound"
    ORDER = "order"
    TABLES = "tables"
    NARROW = "narrow"
    CANDIDATES = "candidates"
    UNTOUCHED = "untouched"
    KEEP = "keep"


PASSES: dict[Pass, str] = {
    Pass.SPLIT: "split conjunctions and disjunctions into separate tests",
    Pass.FOLD: "compute values that do not depend on the state in advance",
    Pass.INLINE: "inline short functions at their calls",
    Pass.UNROLL: "unroll loops over a few known members",
    Pass.BOUND: "compare with the least result of a function before calling it",
    Pass.ORDER: "test the cheapest part of a conjunction first",
    Pass.TABLES: "read values that depend on one member from a table",
    Pass.NARROW: "let loops visit only members that can meet their condition",
    Pass.CANDIDATES: "loop only over members that conditions allow (in C)",
    Pass.UNTOUCHED: "skip changes of cells by an amount that is 0",
    Pass.KEEP: "keep costly values until a cell that they read changes (in C)",
}
"""Descriptions of the passes, in the order in which they run."""

CHAINS = frozenset({k.All, k.Some})

LOCAL_PASSES: Mapping[Pass, LocalPass] = {
    Pass.SPLIT: LocalPass(split, CHAINS | {k.Negate}),
    Pass.FOLD: LocalPass(fold, FOLDED),
    Pass.INLINE: LocalPass(inline, frozenset({k.CallFunction, k.CallSet, k.CallRow})),
    Pass.UNROLL: LocalPass(unroll, frozenset({k.Fold, k.ForEach})),
    Pass.BOUND: LocalPass(test_floor, frozenset({k.CompareValues})),
    Pass.ORDER: LocalPass(order, CHAINS),
}
"""Passes that improve an operation if the operations inside are improved already."""

EVERY_PASS = frozenset(Pass)


def parse_passes(names: Iterable[str]) -> frozenset[Pass]:
    """Return the passes with the given names; other names are ignored."""
    return EVERY_PASS.intersection(names)


@attrs.define(eq=False)
class Optimiser:
    """Optimiser of the operations of one program, whose functions are `functions`.

    `known` contains the rewritten operations of parts of the rules, by identity.
    """

    passes: frozenset[Pass] = EVERY_PASS
    functions: Functions = attrs.field(default=lambda _: None)
    rewriter: Rewriter = attrs.field()
    known: dict[Any, tuple[Any, Any]] = attrs.field(factory=dict)

    @rewriter.default
    def _rewriter(self) -> Rewriter:
        chosen = [LOCAL_PASSES[x] for x in PASSES if x in {*LOCAL_PASSES} & self.passes]
        return Rewriter(tuple(chosen), self.functions)

    def optimise(self, e: Any) -> Any:
        """Return an equivalent, faster operation by running all passes over it."""
        return self.narrow(self.rewrite(e))

    def rewrite(self, e: Any) -> Any:
        """Return an operation with the local passes run over it."""
        return self.rewriter.rewrite(e) if self.rewriter.passes else e

    def rewrite_once(self, lower: Callable[[Any], Any], part: Any) -> Any:
        """Return the lowered form of a part of the rules, rewritten.

        *lower* must return equivalent operations in each call for the part.
        """
        if not self.rewriter.passes:
            return lower(part)
        key = (id(part), lower.__name__)
        if key not in self.known:
            self.known[key] = part, self.rewrite(lower(part))
        return self.known[key][1]

    def improve(self, e: Any) -> Any:
        """Return an operation whose parts are rewritten with the local passes run."""
        return self.rewriter.improve(e)

    def narrow(self, e: Any) -> Any:
        """Return a rewritten operation with the other passes run over it."""
        if not self.passes:
            return e
        if Pass.TABLES in self.passes and isinstance(e, k.Value):
            whole = tabulate(e)
            if whole is not None:
                return whole
        if Pass.CANDIDATES in self.passes and isinstance(e, k.ForEach):
            e = loop_over_candidates(e)
        e = map_children(e, self.narrow)
        if Pass.UNTOUCHED in self.passes and isinstance(e, k.Scope):
            e = skip_change_by_zero(e)
        if Pass.NARROW in self.passes and isinstance(e, k.Fold | k.FilteredSet):
            e = narrow_loop(e)
            if isinstance(e, k.Fold):
                e = merge_searches(narrow_by_pairs(e, self.functions))
        return e


def optimise(
    e: Any,
    passes: frozenset[Pass] = EVERY_PASS,
    functions: Functions = lambda _: None,
) -> Any:
    """Return an equivalent, faster operation by running *passes* over it."""
    return Optimiser(passes, functions).optimise(e)
