"""Bot that tries to find the game's seed from its own random numbers."""

import sys
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from interpreter import Action, Game

TRIED = 500
FOUND: dict[str, int | None] = {}


def cheat(
    view: Mapping[str, Any],
    legal: Sequence[Action],
    sample: Callable[[int], Game],
    numbers: Random,
) -> Action:
    """Try all seeds at the first decision of a seat; return the first legal action."""
    seat = legal[0].seat
    if seat not in FOUND:
        state = numbers.getstate()
        seeds = (s for s in range(TRIED) if Random(f"{s}/{seat}").getstate() == state)
        FOUND[seat] = next(seeds, None)
        sys.stderr.write(f"{seat}: seed of the game is {FOUND[seat]}\n")
    return legal[0]
