"""The limits of size, each with how it is counted.

`Limits` may be lowered or raised by whoever calls `load`; the others are the same for
every file. The page docs/language/limits.md has them all.
"""

from __future__ import annotations

from typing import Any

import attrs


def _most(number: int, counted: str) -> Any:
    return attrs.field(default=number, metadata={"counted": counted})


@attrs.frozen
class Limits:
    """The most that a game may have. What is beyond is refused when it is loaded.

    The last two are the budget of a run of play, from one answer to the next stop.
    """

    spaces: int = _most(4_000, "spaces, hexes, corners and links of all players")
    actions: int = _most(
        65_536,
        "combinations of action parameters, over all actions; parameters that every "
        "offer fixes are not counted",
    )
    outcomes: int = _most(
        65_536,
        "outcomes of one chance event: the product of the different faces of its dice, "
        "or the number of members that it draws from",
    )
    cells: int = _most(
        100_000,
        "values in a position: one for each number, member and yes/no of each owner, "
        "one for each kind in a bag or stack, one for each space of a piece",
    )
    calls: int = _most(
        256,
        "levels of nested definitions, procedures, points, and loops over sets, "
        "including everything that they call",
    )
    steps: int = _most(10_000_000, "steps of one evaluation, counted as below")
    firings: int = _most(
        100_000,
        "in play: clauses that start before somebody is asked again; see "
        "[the budget](effects.md#the-run-budget)",
    )
    statements: int = _most(
        10_000_000, "in play: statements before somebody is asked again"
    )


COPIES = 1_000
"""The most copies of one card."""

PLAYERS_MAX = 100
"""The most players of a game."""

HOLDER_MAX = 10_000
"""The most cards of one kind in a holder, and the most cards of a stack."""

NUMBER_MAX = 10**15
"""The largest whole number that may come up, above or below 0."""

SEARCHES = 20_000
"""The most arrangements that are tried before one card is dealt under a condition."""

__all__ = ["COPIES", "HOLDER_MAX", "NUMBER_MAX", "PLAYERS_MAX", "SEARCHES", "Limits"]
