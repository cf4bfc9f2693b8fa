"""Value of a position for a player according to hints: a sum of lines.

Comparing actions evaluates the same cells repeatedly. The values of a line that
iterates over many members are therefore cached by player and the cells it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, assert_never

import attrs

from interpreter.core.dependencies import walk
from interpreter.core.layout import ACTIVE, HAD_TURN, RANKS, TURN, WINNER, Layout
from rulebook import model as m
from rulebook import tooling

CACHE_SIZE = 20_000
LARGE_DOMAIN = 8
Value = Callable[[list[Any], int], int]


@attrs.define(eq=False)
class ContentNumbers:
    """Range of cells, with a number for each distinct content."""

    cells: slice
    numbers: dict[tuple[Any, ...], int] = attrs.field(factory=dict)

    def number(self, s: list[Any]) -> int:
        """Return the number of the content in a state; new content gets the next."""
        return self.numbers.setdefault(tuple(s[self.cells]), len(self.numbers))


@attrs.define(eq=False)
class CachedLine:
    """Line of the hints whose values are cached.

    `ranges` are the positions, among all ranges, of those that it reads.
    """

    value: Value
    ranges: tuple[int, ...]
    cache: dict[tuple[int, ...], int] = attrs.field(factory=dict)

    def __call__(self, s: list[Any], seat: int, numbers: list[int]) -> int:
        """Return the line's value for a player, given each range's content number."""
        key = (seat, *[numbers[part] for part in self.ranges])
        known_value = self.cache.get(key)
        if known_value is None:
            known_value = self.cache[key] = self.value(s, seat)
        return known_value


class PositionValue:
    """Value of a position according to hints: the sum of fast and cached lines."""

    def __init__(
        self, fast_lines: Value, cached_lines: dict[Value, tuple[slice, ...]]
    ) -> None:
        ranges = [
            (read.start, read.stop) for reads in cached_lines.values() for read in reads
        ]
        places = {cells: place for place, cells in enumerate(dict.fromkeys(ranges))}
        self.fast_lines = fast_lines
        self.parts = [ContentNumbers(slice(*cells)) for cells in places]
        self.cached_lines = [
            CachedLine(value, tuple([places[read.start, read.stop] for read in reads]))
            for value, reads in cached_lines.items()
        ]

    def __call__(self, s: list[Any], seat: int) -> int:
        """Return the value of a position for a player, or 0 for nobody."""
        if seat < 0:
            return 0
        total = self.fast_lines(s, seat)
        if self.cached_lines:
            numbers = [part.number(s) for part in self.parts]
            total += sum([line(s, seat, numbers) for line in self.cached_lines])
            if max(numbers) > CACHE_SIZE:
                self.clear_caches()
        return total

    def clear_caches(self) -> None:
        """Clear all caches, to limit their memory."""
        for part in self.parts:
            part.numbers.clear()
        for line in self.cached_lines:
            line.cache.clear()


def is_slow(model: m.Model, whole: m.Part, sizes: dict[str, int]) -> bool:
    """Return whether evaluating an expression or line iterates over many members."""
    for node in walk(whole):
        match node:
            case _ if m.is_board_search(node):
                return True
            case m.AllOf(domain=domain) | m.OwnSpaces(domain=domain) if (
                sizes[domain] >= LARGE_DOMAIN
            ):
                return True
            case m.CallDefine(define=name):
                lines = model.defines[name].lines
                parts = [part for x in lines for part in (x.value, x.condition)]
                if any(is_slow(model, part, sizes) for part in parts if part):
                    return True
            case _:
                pass
    return False


def ranges(layout: Layout, reads: Iterable[tooling.StatePart]) -> tuple[slice, ...]:
    """Return the cell ranges of some parts of the state."""
    return tuple([cells_of(layout, part) for part in reads])


def cells_of(layout: Layout, part: tooling.StatePart) -> slice:
    """Return the cell range of a part of the state."""
    match part.sort:
        case tooling.PartSort.FIELD:
            block = layout.fields[part.name]
            return slice(block.base, block.base + block.count * block.stride)
        case tooling.PartSort.PIECE:
            piece = layout.pieces[part.name]
            return slice(piece.low, piece.high)
        case tooling.PartSort.AWARD:
            cell = layout.awards[part.name]
            return slice(cell, cell + 1)
        case tooling.PartSort.ACTIVE:
            return slice(ACTIVE, ACTIVE + 1)
        case tooling.PartSort.TURN:
            return slice(TURN, HAD_TURN + 1)
        case tooling.PartSort.WINNER:
            return slice(WINNER, RANKS + 1)
    assert_never(part.sort)
