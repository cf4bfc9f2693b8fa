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
    """Statistics of an action that was tried at a node.

    `total` is the sum of its results, and `legal` counts the visits at which it was
    legal.
    """

    index: int
    total: float = 0.0
    visits: int = 0
    legal: int = 0


def best_action(statistics: Sequence[Tried], parameters: SearchParameters) -> Tried:
    """Return the action to take, given the actions tried at the root, newest first.

    It is the most visited action; ties go to the better result, then to the newest. If
    hints value positions, it is the first choice of `greedy`, unless another action is
    clearly better.
    """
    if not parameters.values_positions:
        return max(statistics, key=lambda tried: (tried.visits, tried.total))
    first = statistics[-1]

    def confidence_key(tried: Tried) -> tuple[float, bool]:
        margin = (
            0.0 if tried is first else parameters.required_margin / sqrt(tried.visits)
        )
        return tried.total / tried.visits - margin, tried is first

    return max(statistics, key=confidence_key)


def log_2(number: int) -> float:
    """Return an approximate base-2 logarithm, linear between powers of 2."""
    whole = number.bit_length() - 1
    return whole + (number - (1 << whole)) / (1 << whole)
