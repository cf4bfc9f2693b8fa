"""Reduction of a sequence to the fewest elements that have a property."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import attrs

Element = TypeVar("Element")


@attrs.define
class TrialBudget:
    """Number of trials that may still be made."""

    left: int


def minimal_elements(
    elements: Sequence[Element],
    has_property: Callable[[Sequence[Element]], bool],
    trials: TrialBudget,
) -> tuple[Element, ...]:
    """Return the elements that cannot be omitted; try to omit many at once first.

    *has_property* returns whether the elements have the property.
    """
    remaining = tuple(elements)
    size = max(1, len(remaining) // 2)
    while remaining and trials.left > 0:
        before = remaining
        end = len(remaining)
        while end > 0 and trials.left > 0:
            rest = (*remaining[: max(0, end - size)], *remaining[end:])
            trials.left -= 1
            if has_property(rest):
                remaining = rest
            end -= size
        if size == 1 and remaining == before:
            break
        size = max(1, size // 2)
    return remaining
