"""What a tree search is asked for, how it goes, and what it has tried."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

ROOM = 1 << 16
"""For how many nodes there is room; a tree with more playouts grows no further."""


@attrs.frozen
class Budget:
    """How much a search may do: `playouts` at most, and `decisions` in them.

    With `seconds` it goes on for that long; then it may choose otherwise elsewhere.
    """

    playouts: int | None = None
    decisions: int | None = None
    seconds: float | None = None

    @property
    def room(self) -> int:
        """For how many nodes and actions tried there is room."""
        return min(self.playouts or ROOM, ROOM) + 1

    def lasts(self, done: int, decisions: int) -> bool:
        """Whether there is something left of it after so many of each."""
        return (self.playouts is None or done < self.playouts) and (
            self.decisions is None or decisions < self.decisions
        )


@attrs.frozen
class Way:
    """How rules are searched: where a playout is cut off, what is tried at a node.

    A playout goes on for `turns` turns (0: to the end), and at most for so many
    decisions `beyond` the tree. Of actions that have not been done at a node one is
    tried as long as there are fewer than `wide` times the root of its visits, and else
    the best by what it came to and `curious` times how little is known of it.
    """

    turns: int
    beyond: int
    wide: float = 1e9
    curious: float = 0.7


@attrs.define
class Tried:
    """An action at a node: what it came to, how often it was done and could be."""

    index: int
    total: float = 0.0
    visits: int = 0
    legal: int = 0


def most_done(tried: Iterable[Tried]) -> Tried:
    """Return what was done most, and came to most then; of equals the newest."""
    return max(tried, key=lambda each: (each.visits, each.total))


def log_2(number: int) -> float:
    """Return a logarithm to base 2, between whole ones in a straight line."""
    whole = number.bit_length() - 1
    return whole + (number - (1 << whole)) / (1 << whole)
