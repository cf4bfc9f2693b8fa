"""Size limits of games, with descriptions of how each is counted.

The caller of `load` may lower or raise `Limits`; the other limits are the same for
every file. The page docs/language/limits.md lists them all.
"""

from __future__ import annotations

from typing import Any

import attrs


def _limit_field(number: int, description: str) -> Any:
    return attrs.field(default=number, metadata={"counted": description})


@attrs.frozen
class Limits:
    """Maximum sizes of a game; a game that exceeds one is rejected when it is loaded.

    The last two limits apply during play, from one decision to the next.
    """

    spaces: int = _limit_field(4_000, "spaces, hexes, corners and links of all players")
    actions: int = _limit_field(
        65_536,
        "combinations of action parameters, over all actions; parameters that every "
        "offer fixes are not counted",
    )
    outcomes: int = _limit_field(
        65_536,
        "outcomes of one chance event: the product of the different faces of its dice, "
        "or the number of members that it draws from",
    )
    cells: int = _limit_field(
        100_000,
        "values in a position: one for each number, member and yes/no of each owner, "
        "one for each kind in a bag or stack, one for each space of a piece",
    )
    calls: int = _limit_field(
        256,
        "levels of nested definitions, procedures, points, and loops over sets, "
        "including everything that they call",
    )
    steps: int = _limit_field(
        100_000_000,
        "steps of one evaluation, counted as below; above a tenth of them, the checker "
        "warns (RB158)",
    )
    firings: int = _limit_field(
        100_000,
        "during play: clauses that start between two decisions; see "
        "[the budget](effects.md#the-run-budget)",
    )
    statements: int = _limit_field(
        10_000_000, "during play: statements that run between two decisions"
    )

    @property
    def quick_steps(self) -> int:
        """Maximum steps of an evaluation without a warning, and of a search in play."""
        return self.steps // 10

    def max_trail_states(self, sorts: int) -> int:
        """Return the maximum number of states of a trail through *sorts* of links.

        Each state takes at least two steps for each sort of link.
        """
        return self.quick_steps // (2 * sorts)


COPIES_MAX = 1_000
"""Maximum number of copies of a single card."""

PLAYERS_MAX = 100
"""Maximum number of players of a game."""

HOLDER_MAX = 10_000
"""Maximum number of cards in a stack, or of one kind of card in a holder."""

NUMBER_MAX = 10**15
"""Maximum absolute value of any number in a game."""

DEAL_SEARCHES_MAX = 20_000
"""Maximum number of arrangements tried to deal one card of a constrained deal."""

__all__ = [
    "COPIES_MAX",
    "DEAL_SEARCHES_MAX",
    "HOLDER_MAX",
    "NUMBER_MAX",
    "PLAYERS_MAX",
    "Limits",
]
