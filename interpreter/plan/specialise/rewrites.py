"""Names and descriptions of the rewrites that make rules faster."""

from __future__ import annotations

from enum import StrEnum

from interpreter.kernel.passes.pipeline import EVERY_PASS


class Rewrite(StrEnum):
    """Names of the rewrites that can be switched off."""

    FOLD = "fold"
    INLINE = "inline"
    UNROLL = "unroll"
    SPLIT = "split"
    BOUND = "bound"
    ORDER = "order"


REWRITES: dict[Rewrite, str] = {
    Rewrite.FOLD: ("compute values that do not depend on the state in advance"),
    Rewrite.INLINE: "inline short definitions at their calls",
    Rewrite.UNROLL: ("unroll loops over a few known members"),
    Rewrite.SPLIT: "split conjunctions and disjunctions into separate tests",
    Rewrite.BOUND: ("decide comparisons by known bounds, without evaluating them"),
    Rewrite.ORDER: "test the cheapest part of a conjunction first",
}
"""Descriptions of the rewrites of rules, in the order in which they are tried."""

ALL: frozenset[str] = frozenset(REWRITES) | EVERY_PASS
"""Names of all rewrites of rules, and of all passes over the kernel."""
