"""Selections of items from counts, with the number of ways to select each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import comb

Selection = tuple[tuple[int, ...], int]
"""Number of selected items of each index, and number of ways to select them."""


def selections(
    counts: Sequence[int], low: int, high: int, check: Callable[[int], None]
) -> Iterator[Selection]:
    """Yield each selection of *low* to *high* items once, and at least one item.

    `counts` contains the available number of items of each index. Items with the same
    index count as different in the number of ways to make a selection. *check* is
    called with the number of selections of any size so far, and may raise an error.
    """
    tried = 0
    selected = [0] * len(counts)
    kinds = [kind for kind, count in enumerate(counts) if count]
    size = 0
    while True:
        for kind in kinds:
            if selected[kind] < counts[kind] and size < high:
                selected[kind] += 1
                size += 1
                break
            size -= selected[kind]
            selected[kind] = 0
        else:
            return
        tried += 1
        check(tried)
        if size >= low:
            ways = 1
            for kind in kinds:
                ways *= comb(counts[kind], selected[kind])
            yield tuple(selected), ways
