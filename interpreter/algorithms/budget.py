"""Budget of a search, and the names of searching bots, such as `mcts(2000)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from interpreter.errors import UsageError

MCTS = "mcts"
"""Name of the tree-search bot. A budget may follow in parentheses: `mcts(2000)`."""

DEFAULT_PLAYOUTS = 1_000
"""Default number of playouts per decision."""

BUDGET_FORMS = "mcts(2000), mcts(50000 decisions) or mcts(0.5 s)"
"""Examples of bot names with a budget, as shown in messages."""

MAX_NODES = 1 << 16
"""Maximum number of nodes in a search tree; a full tree stops growing."""

MAX_LIMITS: Mapping[str, int] = {
    "playouts": 1_000_000_000,
    "decisions": 1_000_000_000_000,
    "seconds": 86_400,
}
"""Largest value accepted for each limit of a budget, so that every search ends."""

BRACKETS = re.compile(rf"\s*{MCTS}\s*(?:\((.*)\)\s*)?")
AMOUNT = re.compile(r"\s*([0-9][0-9_]*(?:\.[0-9]+)?)\s*([a-z]*)\s*")
UNITS = {
    "": "playouts",
    "playout": "playouts",
    "decision": "decisions",
    "s": "seconds",
    "second": "seconds",
    **{name: name for name in MAX_LIMITS},
}


@attrs.frozen
class Budget:
    """Limit of a search in playouts, in decisions within playouts, or in seconds.

    The search ends when it reaches the first limit, but never before its first playout.
    With `seconds`, the chosen action may differ between machines. Raise `UsageError` if
    no limit is given, or a limit is not positive.
    """

    playouts: int | None = None
    decisions: int | None = None
    seconds: float | None = None

    def __attrs_post_init__(self) -> None:
        bounds = {name: getattr(self, name) for name in MAX_LIMITS}
        if all(bound is None for bound in bounds.values()):
            raise UsageError(
                f"a search needs at least one limit: {', '.join(MAX_LIMITS)}"
            )
        for name, bound in bounds.items():
            if bound is not None:
                check_limit(name, bound)

    @property
    def room(self) -> int:
        """Maximum number of nodes that the search stores, and of actions it tries."""
        return min(self.playouts or MAX_NODES, MAX_NODES) + 1

    @property
    def is_timed(self) -> bool:
        """Whether the budget limits the time."""
        return self.seconds is not None

    def allows_playout(self, playouts_done: int, decisions_done: int) -> bool:
        """Return whether the budget allows one more playout."""
        return (self.playouts is None or playouts_done < self.playouts) and (
            self.decisions is None or decisions_done < self.decisions
        )


def check_limit(name: str, bound: float) -> None:
    """Raise `UsageError` unless *bound* is a positive number within `MAX_LIMITS`."""
    is_whole = name != "seconds"
    number_types = int if is_whole else int | float
    if isinstance(bound, bool) or not isinstance(bound, number_types):
        expected = "a whole number" if is_whole else "a number"
        raise UsageError(f"the {name} of a search must be {expected}, not {bound!r}")
    if not bound > 0:
        raise UsageError(f"the {name} of a search must be more than 0, not {bound}")
    if bound > MAX_LIMITS[name]:
        limit = MAX_LIMITS[name]
        raise UsageError(f"the {name} of a search must be at most {limit}, not {bound}")


def parse_budget(name: str) -> Budget | None:
    """Return the budget in a bot's name, or None if the bot does not search.

    Names look like `mcts`, `mcts(2000)`, `mcts(50000 decisions)` or `mcts(0.5 s)`.
    Raise `UsageError` if the budget is malformed or 0.
    """
    if name.partition("(")[0].strip() != MCTS:
        return None
    brackets = BRACKETS.fullmatch(name)
    if brackets is None:
        raise UsageError(f"`{name}` must end with one closing parenthesis")
    if brackets[1] is None:
        return Budget(playouts=DEFAULT_PLAYOUTS)
    amount = AMOUNT.fullmatch(brackets[1])
    if amount is None:
        raise UsageError(f"`{name}` has no valid budget")
    number, unit = amount.groups()
    if unit not in UNITS:
        raise UsageError(
            f"`{name}`: a budget is given in {', '.join(MAX_LIMITS)}, not in `{unit}`"
        )
    bound: Any = float(number) if "." in number else int(number)
    try:
        return Budget(**{UNITS[unit]: bound})
    except UsageError as error:
        raise UsageError(f"`{name}`: {error.message}") from error
