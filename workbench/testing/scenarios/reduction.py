"""Fewer of several things, while what they show stays."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import attrs

Thing = TypeVar("Thing")


@attrs.define
class Trials:
    """How often may still be tried whether what is left shows the same."""

    left: int


def fewest(
    things: Sequence[Thing],
    shows: Callable[[Sequence[Thing]], bool],
    trials: Trials,
) -> tuple[Thing, ...]:
    """The things without those that need not be there: many at once, then each."""
    kept = tuple(things)
    size = max(1, len(kept) // 2)
    while kept and trials.left > 0:
        before = kept
        end = len(kept)
        while end > 0 and trials.left > 0:
            rest = (*kept[: max(0, end - size)], *kept[end:])
            trials.left -= 1
            if shows(rest):
                kept = rest
            end -= size
        if size == 1 and kept == before:
            break
        size = max(1, size // 2)
    return kept
