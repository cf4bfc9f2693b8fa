"""The longest trail through links, a primitive of the language.

A trail runs through each link at most once and never through a closed corner, which
it may only begin or end at. Trails that have come to the same corner over the same
links go on alike: they are one state, and there are few enough of them for the checker
to have counted (`rulebook.check.trails`). Results are kept by (links, closed corners),
which decide them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

KEPT = 20_000


class Trails:
    """Answers for one board, given the two ends of each of its links."""

    def __init__(self, ends: Sequence[tuple[int, int]]) -> None:
        self.ends = ends
        self.kept: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

    def __call__(self, links: tuple[int, ...], closed: Callable[[int], bool]) -> int:
        """Return the most links in one trail; `closed` tests a corner."""
        if len(links) < 2:
            return len(links)
        corners = sorted({end for link in links for end in self.ends[link]})
        key = (links, tuple([corner for corner in corners if closed(corner)]))
        known = self.kept.get(key)
        if known is None:
            if len(self.kept) >= KEPT:
                self.kept.clear()
            known = self.kept[key] = longest_trail(self.ends, *key)
        return known


def longest_trail(
    ends: Sequence[tuple[int, int]], links: tuple[int, ...], closed: tuple[int, ...]
) -> int:
    """Search for the longest trail, by all states of trails of one link more."""
    ways: dict[int, list[tuple[int, int]]] = {}
    for place, link in enumerate(links):
        one, other = ends[link]
        ways.setdefault(one, []).append((1 << place, other))
        ways.setdefault(other, []).append((1 << place, one))
    stop = frozenset(closed)
    length, states = 0, [(corner, 0) for corner in ways]
    while True:
        longer = {
            (beyond, used | bit): None
            for corner, used in states
            if not used or corner not in stop
            for bit, beyond in ways[corner]
            if not used & bit
        }
        if not longer:
            return length
        length, states = length + 1, list(longer)
