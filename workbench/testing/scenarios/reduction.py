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
    kept = tuple(elements)
    size = max(1, len(kept) // 2)
    while kept and trials.left > 0:
        before = kept
        end = len(kept)
        while end > 0 and trials.left > 0:
            rest = (*kept[: max(0, end - size)], *kept[end:])
            trials.left -= 1
            if has_property(rest):
                kept = rest
            end -= size
        if size == 1 and kept == before:
            break
        size = max(1, size // 2)
    return kept
