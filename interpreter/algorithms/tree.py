"""Parameters and statistics of a tree search."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import attrs


@attrs.frozen
class SearchParameters:
    """Parameters of a tree search: when playouts end, and which actions a node tries.

    A playout lasts `turns` turns (0: to the end of the game) and at least
    `min_decisions` decisions, but at most `max_decisions` decisions below the tree. A
    node tries a new action while the number of tried actions is at most `width` times
    the square root of its visits. Otherwise it repeats the best action, measured by its
    mean result plus `exploration` times the uncertainty.

    If `values_positions` is true, the rules value positions: the `greedy` bot ranks the
    actions first, and playouts take the action with the best immediate value. To
    replace the first choice of `greedy`, an action must be better by `required_margin`
    divided by the square root of its visits.
    """

    turns: int
    min_decisions: int
    max_decisions: int
    width: float = 4.0
    exploration: float = 0.7
    required_margin: float = 0.0
    values_positions: bool = False


@attrs.define
class Tried:
    """Statistics of an action at a node: its results, its visits, and how often it was
    legal.
    """

    index: int
    total: float = 0.0
    visits: int = 0
    legal: int = 0


def best_action(statistics: Sequence[Tried], parameters: SearchParameters) -> Tried:
    """Return the action to take, given the actions tried at the root, newest first.

    It is the most visited action; ties go to the better result, then to the newest. If
    hints value positions, it is greedy's first choice unless another action is clearly
    better.
    """
    if not parameters.values_positions:
        return max(statistics, key=lambda each: (each.visits, each.total))
    first = statistics[-1]

    def confidence_key(each: Tried) -> tuple[float, bool]:
        doubt = 0.0 if each is first else parameters.required_margin / sqrt(each.visits)
        return each.total / each.visits - doubt, each is first

    return max(statistics, key=confidence_key)


def log_2(number: int) -> float:
    """Return the logarithm to base 2, interpolated linearly between powers of 2."""
    whole = number.bit_length() - 1
    return whole + (number - (1 << whole)) / (1 << whole)
