"""How a tree search goes, and what it has tried."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import attrs


@attrs.frozen
class Way:
    """How rules are searched: where a playout is cut off, what is tried at a node.

    A playout goes on for `turns` turns (0: to the end) and for as many decisions as are
    the `least`, and at most for so many `beyond` the tree. At a node, as long as no
    more actions have been tried than `wide` times the root of its visits, another one
    is; else the best by what it came to and `curious` times how little is known of it.
    `judged`: it is said what a position is worth, so that greedy is asked first, and a
    playout does what is best at once. Then another action than the one that greedy
    would do must have come to more by `doubt` over the root of its visits.
    """

    turns: int
    least: int
    beyond: int
    wide: float = 4.0
    curious: float = 0.7
    doubt: float = 0.0
    judged: bool = False


@attrs.define
class Tried:
    """An action at a node: what it came to, how often it was done and could be."""

    index: int
    total: float = 0.0
    visits: int = 0
    legal: int = 0


def chosen(tried: Sequence[Tried], way: Way) -> Tried:
    """Return what is to be done, of what was tried at the root, the newest first.

    It is what was done most, and came to most then; of equals the newest. Where greedy
    was asked it is what that would do, tried first, or what came to clearly more.
    """
    if not way.judged:
        return max(tried, key=lambda each: (each.visits, each.total))
    first = tried[-1]

    def surely(each: Tried) -> tuple[float, bool]:
        doubt = 0.0 if each is first else way.doubt / sqrt(each.visits)
        return each.total / each.visits - doubt, each is first

    return max(tried, key=surely)


def log_2(number: int) -> float:
    """Return a logarithm to base 2, between whole ones in a straight line."""
    whole = number.bit_length() - 1
    return whole + (number - (1 << whole)) / (1 << whole)
