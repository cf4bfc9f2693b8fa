"""Budget of a search, and the names of searching bots, such as `mcts(2000)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from interpreter.errors import UsageError

MCTS = "mcts"
"""Name of the bot that searches; a budget may follow in brackets."""

USUAL = 1_000
"""Default number of playouts per decision."""

BUDGET_FORMS = "mcts(2000), mcts(50000 decisions) or mcts(0.5 s)"
"""Accepted forms of a budget, as shown in messages."""

ROOM = 1 << 16
"""Maximum number of nodes in a search tree; further playouts do not extend the tree."""

MOST: Mapping[str, int] = {
    "playouts": 1_000_000_000,
    "decisions": 1_000_000_000_000,
    "seconds": 86_400,
}
"""Upper limits of a budget, so that every search ends."""

BRACKETS = re.compile(rf"\s*{MCTS}\s*(?:\((.*)\)\s*)?")
AMOUNT = re.compile(r"\s*([0-9][0-9_]*(?:\.[0-9]+)?)\s*([a-z]*)\s*")
UNITS = {
    "": "playouts",
    "playout": "playouts",
    "decision": "decisions",
    "s": "seconds",
    "second": "seconds",
    **{name: name for name in MOST},
}


@attrs.frozen
class Budget:
    """Limit of a search: the number of `playouts`, and of `decisions` in them.

    With `seconds` the search runs for that time, so its choice may differ between
    machines. The search ends when the first limit is reached, but never before its
    first playout. Raise `UsageError` if no limit is given, or a limit is 0.
    """

    playouts: int | None = None
    decisions: int | None = None
    seconds: float | None = None

    def __attrs_post_init__(self) -> None:
        bounds = {name: getattr(self, name) for name in MOST}
        if all(bound is None for bound in bounds.values()):
            raise UsageError(f"a search needs a limit: {', '.join(MOST)}")
        for name, bound in bounds.items():
            if bound is not None:
                check(name, bound)

    @property
    def room(self) -> int:
        """Maximum numbers of nodes and tried actions that the search can store."""
        return min(self.playouts or ROOM, ROOM) + 1

    @property
    def timed(self) -> bool:
        """Whether a time limit applies."""
        return self.seconds is not None

    def lasts(self, done: int, decisions: int) -> bool:
        """Return whether the budget is left after these numbers of playouts and
        decisions.
        """
        return (self.playouts is None or done < self.playouts) and (
            self.decisions is None or decisions < self.decisions
        )


def check(name: str, bound: float) -> None:
    """Raise `UsageError` if a limit is 0 or too large."""
    whole = name != "seconds"
    kinds = int if whole else int | float
    if isinstance(bound, bool) or not isinstance(bound, kinds):
        said = "a whole number" if whole else "a number"
        raise UsageError(f"the {name} of a search must be {said}, not {bound!r}")
    if not bound > 0:
        raise UsageError(f"a search needs more than {bound} {name}")
    if bound > MOST[name]:
        raise UsageError(f"a search has at most {MOST[name]} {name}, not {bound}")


def budget_of(name: str) -> Budget | None:
    """Return the budget in a bot's name, or None if no bot of this name searches.

    Names look like `mcts`, `mcts(2000)`, `mcts(50000 decisions)` or `mcts(0.5 s)`.
    Raise `UsageError` if the budget cannot be read or is 0.
    """
    if name.partition("(")[0].strip() != MCTS:
        return None
    brackets = BRACKETS.fullmatch(name)
    if brackets is None:
        raise UsageError(f"`{name}` must end with one closing parenthesis")
    if brackets[1] is None:
        return Budget(playouts=USUAL)
    amount = AMOUNT.fullmatch(brackets[1])
    if amount is None:
        raise UsageError(f"`{name}` has no valid budget")
    number, unit = amount.groups()
    if unit not in UNITS:
        raise UsageError(
            f"`{name}`: a budget is given in {', '.join(MOST)}, not in `{unit}`"
        )
    bound: Any = float(number) if "." in number else int(number)
    try:
        return Budget(**{UNITS[unit]: bound})
    except UsageError as error:
        raise UsageError(f"`{name}`: {error.message}") from error
